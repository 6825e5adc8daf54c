import Search
import Testing

@testable import Pager

/// Tests filters that name fields of the rows that are no columns.
@Suite struct FieldFilterTests {
  private static let rows = [
    #"{"name": "one", "stars": 1, "owner": {"login": "ann"}, "fullName": "A", "tags": ["x"], "license": null}"#,
    #"{"name": "two", "stars": 2, "owner": {"login": "bob"}, "fullName": "B", "tags": ["y", "x"], "star": 7}"#,
    #"{"name": "three", "stars": 3, "owner": {"login": "bob"}, "fullName": "B", "size": 12}"#,
  ]

  private func pager(filter: String = "") throws -> PagerDriver {
    var pager = try PagerDriver(query: "x", size: (90, 12), pager: { $0.list = ListRules(filter: filter) })
    try pager.answer(Self.rows, more: false)
    return pager
  }

  private func filtered(_ text: String, thenPressing keys: String = "enter") throws -> PagerDriver {
    var pager = try pager()
    try pager.press("&")
    pager.type(text)
    try pager.readFields(Self.rows)
    try pager.press(keys)
    return pager
  }

  @Test(arguments: [
    ("owner.login=bob", "[two] three"), ("owner.login:an", "[one]"), ("-owner.login=bob", "[one]"),
    ("fullName=b", "[two] three"), ("size>5", "[three]"), ("size=\"\"", "[one] two"), ("tags[0]=y", "[two]"),
    ("license=\"\"", "[one] two three"), ("owner.login=bob stars>2", "[three]"), ("$.star=7", "[two]"),
  ])
  func `A filter names any field that rows have, whether or not it is a column.`(
    filter: String, listed: String
  ) throws {
    let pager = try filtered(filter)
    #expect(pager.listed == listed)
    #expect(pager.state.mode == .table)
    #expect(pager.state.picked.columns.map(\.name) == ["name", "stars", "about"])
  }

  @Test func `Until the fields are known and read, all rows stay, and it is said.`() throws {
    var pager = try pager()
    try pager.press("&")
    pager.type("owner.login=bob")
    try pager.press("enter")
    #expect(pager.listed == "[one] two three")
    #expect(pager.notice == "Filtering 3 loaded rows…")
    try pager.countFields(Self.rows)
    #expect(pager.listed == "[one] two three")
    #expect(pager.notice == "Filtering 3 loaded rows…")
    try pager.readFields(Self.rows)
    #expect(pager.listed == "[two] three")
    #expect(pager.notice == "2 of 3 loaded rows match \"owner.login=bob\"")
  }

  @Test func `A name that no column and no row has is marked as it is typed, with the nearest ones.`() throws
  {
    var pager = try filtered("owner.logn=bob")
    #expect(pager.state.mode == .prompt)
    #expect(
      pager.status.hasPrefix("no column or field \"owner.logn\". Did you mean \"owner.login\"?"))
    try pager.press("esc")
    #expect(pager.listed == "[one] two three")
  }

  @Test func `A filter that was accepted before its fields were counted is reported, and changes nothing.`()
    throws
  {
    var pager = try pager()
    try pager.press("&")
    pager.type("owner.logn=bob")
    try pager.press("enter")
    try pager.readFields(Self.rows)
    #expect(pager.listed == "[one] two three")
    #expect(
      pager.state.messages.all.last?.text.hasPrefix(
        "cannot filter: no column or field \"owner.logn\". Did you mean \"owner.login\"?"
      ) == true)
    #expect(pager.state.fieldCountRequest == nil)
  }

  @Test func `Esc drops a filter that waits for its fields.`() throws {
    var pager = try pager()
    try pager.press("&")
    pager.type("owner.login=bob")
    try pager.press("esc")
    #expect(pager.state.fieldCountRequest == nil)
    #expect(pager.listed == "[one] two three" && pager.state.list.filter.isEmpty)
  }

  @Test func `Esc in the table drops it, too, and so does a row that cannot be read.`() throws {
    var pager = try pager()
    try pager.press("&")
    pager.type("owner.login=bob")
    try pager.press("enter esc")
    #expect(pager.state.fieldCountRequest == nil)
    try pager.press("& up enter")
    try pager.countFields(Self.rows)
    let request = try #require(pager.state.cellRequest)
    pager.reduce(.cellsRead(request.pages.map { ReadCells(of: $0, nil) }))
    #expect(pager.state.cellRequest == nil)
    #expect(pager.listed == "[one] two three")
    #expect(pager.notice.hasPrefix("cannot add columns: the rows cannot be read"))
  }

  @Test(arguments: ["owner.login=bob", "fullName=B"])
  func `A list begins filtered by any field.`(filter: String) throws {
    var pager = try pager(filter: filter)
    try pager.readFields(Self.rows)
    #expect(pager.listed == "[two] three")
  }

  @Test func `The rows of an earlier query, which came before the fields, are filtered by them, too.`() throws
  {
    var pager = try filtered("owner.login=bob")
    try pager.press("s ctrl-u y enter")
    try pager.answer([Self.rows[0]], more: false)
    try pager.readFields([Self.rows[0]])
    #expect(pager.listed == "")
    try pager.press("s ctrl-u x enter")
    #expect(pager.state.session.stale != nil)
    try pager.readFields(Self.rows)
    #expect(pager.listed == "[two] three")
    try pager.answer(Self.rows, more: false)
    try pager.readFields(Self.rows)
    #expect(pager.listed == "[two] three")
  }

  @Test(arguments: ["stars>1", "owner.login=bob"])
  func `A filter is not mentioned before there are rows, and nothing loads before it is applied.`(
    filter: String
  ) throws {
    var pager = try PagerDriver(size: (76, 12), pager: { $0.list = ListRules(filter: filter) })
    #expect(pager.notice == "" && pager.status == "0 loaded")
    try pager.press("x enter")
    try pager.answer(Self.rows)
    #expect(pager.asked == "")
    try pager.readFields(Self.rows)
    #expect(pager.asked == "" && pager.listed == "[two] three")
  }

  @Test func `A filter that is typed before the first page waits for it.`() throws {
    var pager = try PagerDriver(query: "x", size: (76, 12))
    try pager.press("&")
    pager.type("owner.login=bob")
    try pager.press("enter")
    try pager.answer(Self.rows, more: false)
    try pager.readFields(Self.rows)
    #expect(pager.listed == "[two] three")
  }

  @Test(arguments: [("$.size>5", "[three]"), ("size:1", "")])
  func `In more rows than are counted, a path that no counted row has is looked for in all, unlike a word.`(
    filter: String, listed: String
  ) throws {
    var pager = try pager()
    try pager.press("&")
    pager.type(filter)
    try pager.countFields([Self.rows[0]])
    #expect((pager.state.cellRequest == nil) == listed.isEmpty)
    try pager.readFields(Self.rows)
    #expect(pager.listed == listed)
    #expect(pager.status.hasPrefix("no column or field \"size\"") == listed.isEmpty)
  }

  @Test(arguments: ["", "enter"])
  func `A path that turns out to be in no row is reported with the nearest ones.`(key: String) throws {
    var pager = try pager()
    try pager.press("& s t a r s > 1 enter & ctrl-u")
    pager.type("owner.logn=bob")
    try pager.press(key)
    try pager.countFields([Self.rows[0]])
    try pager.readFields(Self.rows)
    let text = key.isEmpty ? pager.status : pager.notice
    #expect(text.contains("no column or field \"owner.logn\". Did you mean \"owner.login\"?"), "\(text)")
    try pager.press("esc")
    #expect(pager.listed == (key.isEmpty ? "[two] three" : "one [two] three"))
  }

  @Test func `Rows of a page that is loaded later are filtered by the field, too.`() throws {
    var pager = try PagerDriver(query: "x", size: (76, 12))
    try pager.answer(Self.rows)
    try pager.press("&")
    pager.type("owner.login=bob")
    try pager.readFields(Self.rows)
    try pager.press("enter M")
    let more = [
      #"{"name": "four", "owner": {"login": "bob"}}"#, #"{"name": "five", "owner": {"login": "ann"}}"#,
    ]
    try pager.answer(more, more: false)
    try pager.readFields(more)
    #expect(pager.listed == "[two] three four")
  }

  @Test(arguments: [
    ("j j j", "owner.login=bob"), ("j j j j j", "fullName=B"), ("j j j j j j j", "tags[0]=y"),
    ("G k", "$.star=7"),
  ])
  func `A dot filters by the field under the cursor, even if it is no column.`(
    keys: String, filter: String
  ) throws {
    var pager = try pager()
    try pager.press("j J")
    let request = try #require(pager.state.readingRequest)
    let json: JSONOutline = [
      "{", #"  "name": "two","#, #"  "owner": {"#, #"    "login": "bob""#, "  },", #"  "fullName": "B","#,
      #"  "tags": ["#, #"    "y","#, #"    "x""#, "  ],", #"  "star": 7"#, "}",
    ]
    pager.reduce(.read(.read(fields: [], body: nil, json: json), for: request.identity))
    try pager.press("\(keys) .")
    try pager.readFields(Self.rows)
    #expect(pager.state.list.filter == filter)
    #expect(pager.listed.contains("[two]"))
    try pager.press("g j j .")
    #expect(pager.state.list.filter == filter)
    #expect(pager.screen.contains("the rows can be filtered by a single value"))
  }
}

import JSON
import Testing
import Text

@testable import Pager
@testable import Search
@testable import Terminal

@Suite struct JSONOutlineTests {
  static let lines = [
    "{",  // 0
    #"  "name": "a \"b\": {","#,  // 1
    #"  "owner": {"#,  // 2
    #"    "login": "ann","#,  // 3
    #"    "ids": ["#,  // 4
    "      1,",  // 5
    "      {",  // 6
    #"        "odd.key": null"#,  // 7
    "      }",  // 8
    "    ]",  // 9
    "  },",  // 10
    #"  "empty": []"#,  // 11
    "}",  // 12
  ]

  @Test(
    arguments: [
      (0, "$", nil), (1, "name", "a \"b\": {"), (2, "owner", nil), (3, "owner.login", "ann"),
      (4, "owner.ids", #"[ 1, { "odd.key": null } ]"#), (5, "owner.ids[0]", "1"),
      (7, #"owner.ids[1]["odd.key"]"#, "null"), (8, "owner.ids[1]", nil), (9, "owner.ids", nil),
      (10, "owner", nil), (11, "empty", "[]"), (12, "$", nil),
    ] as [(Int, String, String?)])
  func `[H16] A line has the path and the value that begin or end on it.`(
    line: Int, path: String, value: String?
  ) {
    let outline = JSONOutline(Self.lines)
    #expect(outline.path(of: line).description == path)
    if let value { #expect(outline.value(of: line) == value) }
  }

  @Test func `Folding hides what is inside, and says how much it is.`() {
    var outline = JSONOutline(Self.lines)
    outline.setFolded(true, 4)
    outline.setFolded(true, 2)
    #expect(
      outline.shown.map { outline.text(of: $0) } == [
        "{", #"  "name": "a \"b\": {","#, #"  "owner": {2 fields},"#, #"  "empty": []"#, "}",
      ])
    outline.setFolded(false, 2)
    #expect(outline.shown.map { outline.text(of: $0) }[4] == #"    "ids": [2 items]"#)
    #expect(outline.parent(of: 5) == 4 && outline.parent(of: 3) == 2 && outline.parent(of: 0) == nil)
  }

  @Test func `A long list is folded at first.`() {
    let outline = JSONOutline(["["] + (0..<30).map { "  \($0)\($0 < 29 ? "," : "")" } + ["]"])
    #expect(outline.shown.map { outline.text(of: $0) } == ["[30 items]"])
  }

  /// A pager that shows the JSON of its first row.
  private func pager(_ outline: JSONOutline = JSONOutline(lines)) throws -> PagerDriver {
    var pager = try PagerDriver(query: "x", size: (60, 20))
    try pager.answer([PagerDriver.row(1)], more: false)
    try pager.press("J")
    let request = try #require(pager.state.readingRequest)
    pager.reduce(.read(.read(fields: [], body: nil, json: outline), for: request.identity))
    return pager
  }

  private func copied(_ keys: String) throws -> String {
    var pager = try pager()
    try pager.press(keys)
    guard case .copy(let text, let what)? = pager.state.effects.requests.first?.task else { return "nothing" }
    return "\(what): \(text)"
  }

  @Test(arguments: [
    ("j y y", #"value: a "b": {"#), ("j j j Y", "path: owner.login"), ("j j y p", "path: owner"),
    ("j j enter j y y", "value: []"), ("G Y", "path: $"),
  ])
  func `Keys copy the value and the path under the cursor.`(keys: String, expected: String) throws {
    #expect(try copied(keys) == expected)
  }

  @Test func `h folds outwards, l unfolds, and the cursor stays on the folded line.`() throws {
    var pager = try pager()
    try pager.press("j j j j j h")
    #expect(pager.screen.contains(#"▌    "ids": [2 items]"#))
    try pager.press("h")
    #expect(pager.screen.contains(#"▌  "owner": {2 fields},"#))
    try pager.press("l")
    #expect(pager.screen.contains(#"▌  "owner": {"#))
  }

  @Test func `c shows the field as a column, and a dot filters by one that is a column.`() throws {
    var pager = try pager()
    try pager.press("j j j c")
    #expect(pager.state.cellRequest?.added.map(\.name) == ["owner.login"])
    #expect(pager.screen.contains("owner.login is a column now"))
    try pager.press("k k .")
    #expect(pager.state.list.filter.hasPrefix("name="))
  }

  @Test(arguments: [
    ("j", "https://a.example/1?x=1"), ("j j", "https://example.org/1"), ("j j j", "https://example.org/1"),
    ("j j j j j", "http://b.example/%C3%A9"), ("", "https://example.org/1"),
  ])
  func `o opens the address under the cursor, and elsewhere the link of the row.`(
    keys: String, address: String
  ) throws {
    var pager = try pager([
      "{", #"  "html_url": "https://a.example/1?x=1","#, #"  "kind": "httpd","#,
      #"  "about": "https://a.example/1 and more","#, #"  "urls": ["#, #"    "http://b.example/é""#, "  ]",
      "}",
    ])
    try pager.press("\(keys) o")
    guard case .open(let opened)? = pager.state.effects.requests.first?.task else {
      Issue.record("nothing is opened: \(pager.notice)")
      return
    }
    #expect(opened == address)
  }

  @Test(arguments: [
    ("j", "NAME     ›ABOUT     SIZE", "a                     12"),
    ("j j", "NAME     ›ABOUT     OK", "a                   yes"),
    ("j j j", "NAME     ›ABOUT     AT", "a                   in 16 min"),
  ])
  func `A field becomes a column in the form of its value.`(keys: String, heading: String, row: String) throws
  {
    var pager = try pager([
      "{", #"  "size": 12,"#, #"  "ok": true,"#, #"  "at": "1970-01-01T00:16:35Z""#, "}",
    ])
    try pager.press("\(keys) c esc l -")
    let line = #"{"name": "a", "size": 12, "ok": true, "at": "1970-01-01T00:16:35Z"}"#
    try pager.readFields([line])
    let lines = pager.screen.split(separator: "\n").map { $0.dropFirst(3) }
    #expect(lines[2].hasPrefix(heading) && lines[3].hasPrefix(row), "\(pager.screen)")
  }

  @Test func `JSON whose end is missing folds, and says that lines are missing.`() throws {
    var pager = try pager(JSONOutline(Array(Self.lines.prefix(6)), isCut: true))
    #expect(pager.screen.contains("Only the first 6 lines are shown"))
    try pager.press("j j j h")
    #expect(pager.screen.contains(#"▌  "owner": {2 fields}"#))
  }

  @Test func `A value on several lines is copied as a whole.`() throws {
    var pager = try PagerDriver(query: "x", size: (60, 12))
    try pager.answer([#"{"name": "a", "stars": 1, "about": "first"}"#], more: false)
    try pager.press("v")
    let request = try #require(pager.state.readingRequest)
    let text = String(repeating: "word ", count: 1_000)
    let field = RowDetail.Field(title: "Text", text: text)
    pager.reduce(.read(.read(fields: [field], body: nil, json: []), for: request.identity))
    try pager.press("j y y")
    guard case .copy(let copied, _)? = pager.state.effects.requests.first?.task else {
      Issue.record("nothing is copied")
      return
    }
    #expect(copied.count == Sanitized(text).string.count)
  }

  @Test func `A value of a million letters is at most one screen of JSON.`() throws {
    let long = String(repeating: "x", count: 1_000_000)
    var pager = try pager(JSONOutline(["{", "  \"a\": \"\(long)\"", "}"]))
    try pager.press("j")
    #expect(pager.screen.contains("xxxx…"))
    try pager.press("G")
    #expect(pager.screen.contains("▌}"))
  }
}

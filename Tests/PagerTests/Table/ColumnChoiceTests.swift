import Foundation
import HTTPValues
import JSON
import Testing
import Text

@testable import Pager
@testable import Search
@testable import Terminal

@Suite struct ColumnChoiceTests {
  private static let rows = [
    #"{"name": "one", "stars": 1, "about": "first", "owner": {"login": "ann"}, "topics": ["a"]}"#,
    #"{"name": "two", "stars": 2, "about": "second", "owner": {"login": "bob"}}"#,
  ]

  /// A pager with two rows whose list of columns is open.
  private func pager(rows: Int = 12) throws -> PagerDriver {
    var pager = try PagerDriver(query: "x", size: (60, rows))
    try pager.answer(
      [
        #"{"name": "one", "stars": 1, "about": "first"}"#, #"{"name": "two", "stars": 2, "about": "second"}"#,
      ],
      more: false)
    try pager.press("C")
    try #require(pager.state.fieldCountRequest != nil)
    try pager.countFields(Self.rows)
    #expect(pager.state.fieldCountRequest == nil)
    return pager
  }

  private func readCells(_ pager: inout PagerDriver) throws { try pager.readFields(Self.rows) }

  private func lines(_ pager: PagerDriver, _ count: Int) -> String {
    pager.screen.split(separator: "\n", omittingEmptySubsequences: false).dropFirst(2).prefix(count)
      .map { line in
        var line = line
        while line.last == " " { line.removeLast() }
        return String(line)
      }.joined(separator: "\n")
  }

  @Test func `All fields of the rows are listed, the shown columns first.`() throws {
    let pager = try pager()
    #expect(
      lines(pager, 6) == """
         columns and fields of 2 rows
        ▌[x] Name                      text     100%  one
         [x] Stars                     number   100%  1
         [x] About                     text     100%  first
         [ ] owner.login               text     100%  ann
         [ ] topics                    list    50.0%  ["a"]
        """)
  }

  @Test func `[11] A field that is null in every loaded row can be chosen.`() throws {
    var pager = try PagerDriver(query: "x", size: (60, 12))
    try pager.answer([#"{"name": "one", "stars": 1, "about": "first"}"#], more: false)
    try pager.press("C")
    try pager.countFields([#"{"name": "one", "stars": 1, "about": "first", "license": null}"#])
    #expect(lines(pager, 5).hasSuffix("\n [ ] license                   null     0.0%"))
    try pager.press("G space enter")
    #expect(pager.state.picked.columns.map(\.name).last == "license")
  }

  @Test func `A chosen field becomes a column at its place, with the values of all rows.`() throws {
    var pager = try pager()
    try pager.press("G k space { { { enter")
    #expect(pager.state.overlays.isEmpty)
    try readCells(&pager)
    #expect(
      lines(pager, 3) == """
          ›OWNER.LOGIN  NAME      STARS  ABOUT
        ▌  ann          one           1  first
           bob          two           2  second
        """)
    #expect(pager.state.picked.columns.map(\.name) == ["owner.login", "name", "stars", "about"])
  }

  @Test func `The chosen columns stay for a new query, and for an earlier one.`() throws {
    var pager = try pager()
    try pager.press("G k space { { { enter")
    try readCells(&pager)
    for query in ["y", "x"] {
      try pager.press("s ctrl-u \(query) enter")
      #expect((pager.state.session.stale?.cause == .earlier) == (query == "x"))
      try readCells(&pager)
      try pager.answer(Self.rows, more: false)
      try readCells(&pager)
      #expect(
        lines(pager, 2) == """
            ›OWNER.LOGIN  NAME      STARS  ABOUT
          ▌  ann          one           1  first
          """)
    }
  }

  @Test func `When the rows of an earlier query cannot be read, they have the columns of the source.`() throws
  {
    var pager = try pager()
    try pager.press("G k space { { { enter")
    try readCells(&pager)
    try pager.press("s ctrl-u y enter")
    try pager.answer(Self.rows, more: false)
    try readCells(&pager)
    try pager.press("s ctrl-u x enter")
    let request = try #require(pager.state.cellRequest)
    pager.reduce(.cellsRead(request.pages.map { ReadCells(of: $0, nil) }))
    #expect(pager.state.cellRequest == nil)
    #expect(lines(pager, 1) == "  ›NAME      STARS  ABOUT")
  }

  @Test func `A file of rows has the columns that were chosen, in their order.`() throws {
    var pager = try pager()
    try pager.press("j space G k space { { { enter")
    try readCells(&pager)
    try pager.press("w")
    pager.type("rows.csv")
    try pager.press("enter")
    guard case .write(let rows, "rows.csv")? = pager.state.effects.requests.last?.task else {
      Issue.record("nothing is written: \(pager.notice)")
      return
    }
    #expect(rows.columns.map(\.name) == ["owner.login", "name", "about"])
    #expect(rows.numbers == [0, 1])
  }

  @Test func `[H9] Accepted columns are there at once, and their cells follow.`() throws {
    var pager = try pager()
    try pager.press("G k space { { { enter $")
    #expect(
      lines(pager, 2) == "   OWNER.LOGIN  NAME      STARS ›ABOUT\n▌               one           1  first")
    #expect(pager.notice.hasSuffix("Reading the new columns…"))
    try readCells(&pager)
    #expect(
      lines(pager, 2) == "   OWNER.LOGIN  NAME      STARS ›ABOUT\n▌  ann          one           1  first")
    #expect(pager.notice == "")
  }

  @Test func `[H9] Rows that were sorted by blank cells are sorted again once these are read.`() async throws
  {
    var pager = try pager()
    try pager.press("G k space enter $ [")
    await pager.order()
    try readCells(&pager)
    await pager.order()
    #expect(pager.listed == "two [one]")
  }

  @Test func `[H10] The words that filter the fields stay in the title, and Esc removes them first.`() throws
  {
    var pager = try pager()
    try pager.press("/ o w n")
    #expect(lines(pager, 1).hasPrefix(" columns and fields of 2 rows, with \"own\""))
    try pager.press("enter esc")
    #expect(lines(pager, 1) == " columns and fields of 2 rows" && pager.state.mode == .columns)
    #expect(lines(pager, 2).hasSuffix("Name                      text     100%  one"))
    try pager.press("/ z z z")
    #expect(lines(pager, 2).hasSuffix("\n No field matches"))
    try pager.press("enter esc esc")
    #expect(pager.state.mode == .table)
  }

  @Test(arguments: ["down", "ctrl-n"]) func `[H10] While words are typed, keys move among the fields.`(
    key: String
  ) throws {
    var pager = try pager()
    try pager.press("/ o \(key) enter space")
    #expect(lines(pager, 6).contains("▌[x] owner.login"), "\(lines(pager, 6))")
    try pager.press("/ up up enter")
    #expect(lines(pager, 2).contains("▌[x] About"), "\(lines(pager, 6))")
  }

  @Test func `[H11] The title says that not all rows were counted.`() throws {
    var pager = try PagerDriver(query: "x", size: (60, 12))
    try pager.answer(numbers: 0..<1_200, more: false)
    try pager.press("C")
    try pager.countFields(Self.rows)
    #expect(lines(pager, 1) == " columns and fields of 2 of 1,200 rows")
  }

  @Test func `[H20] A column whose value is no counted field shows a value of the selected row.`() throws {
    var pager = try pager()
    try pager.press("G k space enter")
    try readCells(&pager)
    try pager.press("C")
    pager.reduce(.fieldsCounted(FieldCensus()))
    #expect(
      lines(pager, 5).hasSuffix("[x] owner.login                              ann"), "\(lines(pager, 5))")
  }

  @Test func `[H21] Keys that choose fields stay longest in the status line, and help lists Space once.`()
    throws
  {
    for columns in [70, 80] {
      var pager = try PagerDriver(query: "x", size: (columns, 40))
      try pager.answer(numbers: 0..<30, total: 12_345)
      try pager.press("C")
      pager.reduce(.fieldsCounted(FieldCensus()))
      #expect(pager.screen.contains("Space:"), "\(pager.screen)")
      try pager.press("? / S p a c e enter")
      #expect(!(pager.screen.components(separatedBy: "Popup:").first ?? "").contains("Space, PgDn"))
    }
  }

  @Test func `A hidden column leaves the table without a request for cells.`() throws {
    var pager = try pager()
    try pager.press("j space enter")
    #expect(pager.state.cellRequest == nil)
    #expect(lines(pager, 1) == "  ›NAME      ABOUT                                  1 hidden")
  }

  @Test func `Typed words filter the fields, and Esc leaves the columns as they were.`() throws {
    var pager = try pager()
    try pager.press("/")
    pager.type("owner")
    try pager.press("enter space")
    #expect(
      lines(pager, 1).hasPrefix(" columns and fields of 2 rows, with \"owner\"")
        && lines(pager, 2).hasSuffix("\n▌[x] owner.login               text     100%  ann"))
    try pager.press("esc esc")
    #expect(lines(pager, 1) == "  ›NAME      STARS  ABOUT")
  }

  @Test func `Until all fields are listed, no key changes the columns.`() throws {
    var pager = try PagerDriver(query: "x", size: (60, 12))
    try pager.answer([#"{"name": "one", "stars": 1, "about": "first"}"#], more: false)
    try pager.press("C space")
    #expect(pager.screen.contains("still looking for fields"))
    try pager.press("enter")
    #expect(!pager.state.overlays.isEmpty)
    #expect(pager.state.columnChoice?.shown.count == 3)
  }

  @Test func `At least one column stays.`() throws {
    var pager = try pager()
    try pager.press("space j space j space enter")
    #expect(pager.screen.contains("choose at least one column (Space: choose)"))
  }

  @Test func `Rows that cannot be read leave the columns as they were, and it is said.`() throws {
    var pager = try pager()
    try pager.press("G space enter")
    let request = try #require(pager.state.cellRequest)
    pager.reduce(.cellsRead(request.pages.map { ReadCells(of: $0, nil) }))
    #expect(pager.state.cellRequest == nil)
    #expect(lines(pager, 1) == "  ›NAME      STARS  ABOUT")
    #expect(pager.screen.contains("cannot add columns"))
  }

  @Test func `A page that comes without the added columns is read again, and then listed with them.`() throws
  {
    var pager = try pager()
    try pager.press("G k space enter")
    try readCells(&pager)
    try pager.press("r")
    try pager.answer([#"{"name": "one", "stars": 1, "about": "first"}"#], more: false)
    #expect(pager.state.cellRequest?.added.map(\.name) == ["owner.login"])
    try readCells(&pager)
    #expect(lines(pager, 1) == "  ›NAME      STARS  ABOUT     OWNER.LOGIN")
  }
}

@Suite struct ListRulesColumnTests {
  @Test(arguments: [
    (ListRules(columns: ["name", "zzz"]), "no row of the first page has \"zzz\" (C: choose columns)"),
    (
      ListRules(sort: ListRules.Sort(column: "zzz", isDescending: false)),
      "no row of the first page has \"zzz\""
    ),
  ])
  func `A field of the command line that no row has is reported, and nothing is sorted by it.`(
    rules: ListRules, message: String
  ) throws {
    var missing = Column(name: "zzz", value: try ValueExpression(parsing: "zzz"))
    missing.isHidden = true
    var pager = try PagerDriver(
      query: "x", columns: PagerDriver.columns + [missing], pager: { $0.list = rules })
    try pager.answer([#"{"name": "one", "stars": 1, "about": "first"}"#], more: false)
    #expect(pager.screen.contains(message))
    #expect(pager.state.list.sort == nil)
  }

  @Test func `[H8] A second column to sort by is reported.`() throws {
    var list = ListRules(sort: ListRules.Sort(column: "stars", isDescending: true))
    list.otherSorts = ["name"]
    var pager = try PagerDriver(query: "x", size: (120, 12), pager: { [list] in $0.list = list })
    try pager.answer([#"{"name": "one", "stars": 1, "about": "first"}"#], more: false)
    #expect(pager.notice.hasPrefix("sorted by stars, not by name: the pager sorts by one column"))
  }
}

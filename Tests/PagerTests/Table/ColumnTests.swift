import Terminal
import TestSupport
import Testing
import Text

@testable import Pager
@testable import Search

/// Tests how the user arranges the table's columns.
@Suite struct ColumnTests {
  private func pager(columns: Int = 60) throws -> PagerDriver {
    var pager = try PagerDriver(query: "x", size: (columns, 10))
    try pager.answer(numbers: 1..<3, more: false)
    return pager
  }

  private func heading(_ pager: PagerDriver) -> String {
    String(pager.screen.split(separator: "\n", omittingEmptySubsequences: false)[2])
  }

  /// The keys, and the heading after them.
  @Test(arguments: [
    ("", "  ›NAME      STARS  ABOUT"), ("l", "   NAME     ›STARS  ABOUT"),
    ("5 l", "   NAME      STARS ›ABOUT"),
    ("$ h", "   NAME     ›STARS  ABOUT"), ("$ 0", "  ›NAME      STARS  ABOUT"),
    ("l -", "   NAME     ›ABOUT                                  1 hidden"),
    ("l - +", "   NAME      STARS ›ABOUT"),
    ("- - -", "  ›ABOUT                                            2 hidden"),
    ("$ {", "   NAME     ›ABOUT          STARS"),
    ("2 }", "   STARS  ABOUT         ›NAME"), ("> >", "  ›NAME          STARS  ABOUT"),
    ("3 <", "  ›N…  STARS  ABOUT"), ("9 < \\", "  ›NAME     STARS  ABOUT"),
    ("l ]", "   NAME     ›STARS▴ ABOUT"),
  ]) func `Columns can be selected, hidden, moved and resized.`(keys: String, expected: String) throws {
    var pager = try pager()
    try pager.press(keys)
    #expect(heading(pager) == expected)
  }

  /// The sign is in the gap if the title fills its column; it displaces neither the title nor other columns.
  @Test(arguments: [
    ("]", "  ›NAME ▴    STARS  ABOUT"), ("3 < ]", "  ›N…▴ STARS  ABOUT"),
    ("l 2 < ]", "   NAME     ›…▴ ABOUT"),
    ("l [ l", "   NAME      STARS▾›ABOUT"), ("l 2 > ]", "   NAME     ›    STARS▴ ABOUT"),
    ("$ ]", "   NAME      STARS ›ABOUT ▴"),
  ]) func `A sorted column has its sign after the title, and no other column moves.`(
    keys: String, expected: String
  )
    throws
  {
    var pager = try pager()
    try pager.press(keys)
    #expect(heading(pager) == expected)
  }

  @Test(arguments: [
    (5, 6, "TITLE▴"), (6, 7, "TITLE▴"), (7, 8, "TITLE ▴"), (4, 5, "TIT…▴"), (4, 4, "TI…▴"), (2, 3, "T…▴"),
    (2, 2, "T…"), (1, 2, "…▴"), (1, 1, "…"),
  ]) func `At the edge of the screen, a title is shortened for its sign if enough of the title remains.`(
    width: Int, room: Int, expected: String
  ) {
    let title = SortedTitle(
      title: Sanitized("TITLE"), indicator: Sanitized("▴"), alignment: .leading, width: width, room: room)
    #expect(title.text(ellipsis: .ellipsis, .clusters).string == expected)
  }

  @Test func `A column that does not fit on a narrow screen can be scrolled to.`() throws {
    var pager = try pager(columns: 20)
    #expect(heading(pager) == "  ›NAME      STARS »")
    try pager.press("$")
    #expect(heading(pager) == "«1 STARS ›ABOUT")
    try pager.press("0")
    #expect(heading(pager) == "  ›NAME      STARS »")
  }

  @Test func `The arrangement is kept for a new query, and reset discards it.`() throws {
    var pager = try pager()
    try pager.press("l - s y enter")
    try pager.answer(numbers: 1..<3, more: false)
    #expect(heading(pager) == "   NAME     ›ABOUT                                  1 hidden")
    try pager.press("R")
    try pager.answer(numbers: 1..<3, more: false)
    #expect(heading(pager) == "  ›NAME      STARS  ABOUT")
  }

  @Test func `[D21] Columns that a table does not show are hidden at the start, and + shows them.`()
    throws
  {
    var columns = PagerDriver.columns
    columns[1].isHidden = true
    var pager = try PagerDriver(query: "x", size: (60, 10), columns: columns)
    try pager.answer(numbers: 1..<3, more: false)
    #expect(heading(pager) == "  ›NAME      ABOUT                                  1 hidden")
    try pager.press("+")
    #expect(heading(pager) == "  ›NAME      STARS  ABOUT")
  }

  /// A pager with columns of short titles whose cells are wider.
  private func wide(_ count: Int, columns width: Int) throws -> PagerDriver {
    let columns = try (0..<count).map { number in
      Column(
        name: "col\(number)", title: "Col\(number)", value: try ValueExpression(parsing: "col\(number)"))
    }
    var pager = try PagerDriver(query: "x", size: (width, 10), columns: columns)
    let members = (0..<count).map { "\"col\($0)\": \"value \($0) of the row\"" }
    try pager.answer(["{\(members.joined(separator: ", "))}"], more: false)
    return pager
  }

  @Test
  func
    `[H14] The number of hidden columns never covers a title, and more than nine earlier ones are a plus.`()
    throws
  {
    for width in 40..<80 {
      var pager = try wide(18, columns: width)
      try pager.press("5 l - - $")
      let last = heading(pager)
      #expect(last.contains("›COL17"), "\(width): \(last)")
      let before = pager.state.table.layout(width: pager.state.tableWidth).before
      #expect(last.hasPrefix(before < 10 ? "«\(before) " : "«+ "), "\(width): \(last)")
    }
  }

  @Test func `[H15] The first column keeps its width while the table scrolls sideways.`() throws {
    var pager = try wide(12, columns: 70)
    func first(_ pager: PagerDriver) -> Int? {
      pager.state.table.layout(width: pager.state.tableWidth).columns.first?.width
    }
    let width = first(pager)
    for _ in 0..<11 {
      try pager.press("l")
      #expect(first(pager) == width, "\(heading(pager))")
    }
  }

  @Test func `A filter does not search a hidden column.`() throws {
    var pager = try pager()
    try pager.press("$ - &")
    pager.type("about")
    #expect(pager.state.list.count == 0)
  }

  private func resize(_ pager: inout PagerDriver, _ size: (Int, Int)) {
    let canvas = Canvas(size: Size(columns: size.0, rows: size.1), widthModel: .clusters)
    pager.state.reduce(.resized(canvas))
  }

  /// Resizes from one size through a second to a third, with each column as the current one.
  @Test(arguments: [80, 40, 20, 59, 200], [80, 40, 20, 59, 200])
  func `[D10] After a resize, as many columns are shown as fit, including the current one.`(
    first: Int, second: Int
  ) throws {
    let columns = try (1...9).map { number in
      Column(
        name: "column\(number)", title: "column\(number)",
        value: try ValueExpression(parsing: "column\(number)"),
        alignment: .leading, width: number % 3 == 0 ? .flexible(min: 6, weight: 1) : .preferred,
        priority: number % 4)
    }
    let row = (1...9).map { "\"column\($0)\": \"\(String(repeating: "word ", count: $0))\"" }
    for current in Seeds.every(2, of: Array(0..<9)) {
      for last in [200, 80, 40, 20, 59] {
        var pager = try PagerDriver(query: "x", size: (first, 24), columns: columns)
        try pager.answer(["{\(row.joined(separator: ","))}"], more: false)
        for _ in 0..<current { try pager.press("l") }
        resize(&pager, (second, 12))
        resize(&pager, (last, 60))
        let (table, width) = (pager.state.table, pager.state.tableWidth)
        let shown = table.layout(width: width).columns.map(\.column)
        #expect(shown.contains(current))
        if table.offset > 0 {
          let before = table.layout(width: width, from: table.offset - 1).columns.map(\.column)
          #expect(!Set(before).isSuperset(of: shown), "\(before) fit where \(shown) are shown")
        }
        if last == 200 { #expect(shown == Array(0..<9)) }
      }
    }
  }

  @Test func `[D10] A narrow screen that is widened again shows all columns.`() throws {
    var pager = try pager(columns: 80)
    resize(&pager, (20, 12))
    try pager.press("l l")
    #expect(!heading(pager).contains("NAME"))
    resize(&pager, (200, 60))
    #expect(heading(pager) == "   NAME      STARS ›ABOUT")
  }
}

import Search
import Terminal
import Testing
import Text

@testable import Pager

/// The table's columns as the user arranges them.
@Suite struct ColumnTests {
  private func pager(columns: Int = 60) throws -> PagerDriver {
    var pager = try PagerDriver(query: "x", size: (columns, 10))
    try pager.answer(numbers: 1..<3, more: false)
    return pager
  }

  private func heading(_ pager: PagerDriver) -> String {
    String(pager.screen.split(separator: "\n", omittingEmptySubsequences: false)[2])
  }

  /// Keys, and the heading after them.
  @Test(arguments: [
    ("", " ›NAME      STARS  ABOUT"), ("l", "  NAME     ›STARS  ABOUT"), ("5 l", "  NAME      STARS ›ABOUT"),
    ("$ h", "  NAME     ›STARS  ABOUT"), ("$ 0", " ›NAME      STARS  ABOUT"), ("l -", "  NAME     ›ABOUT"),
    ("l - +", "  NAME      STARS ›ABOUT"), ("- - -", " ›ABOUT"), ("$ {", "  NAME     ›ABOUT          STARS"),
    ("2 }", "  STARS  ABOUT         ›NAME"), ("> >", " ›NAME          STARS  ABOUT"),
    ("3 <", " ›N…  STARS  ABOUT"), ("9 < |", " ›NAME     STARS  ABOUT"), ("l ]", "  NAME     ›STARS▴ ABOUT"),
  ]) func `Columns are gone through, hidden, moved and sized.`(keys: String, expected: String) throws {
    var pager = try pager()
    try pager.press(keys)
    #expect(heading(pager) == expected)
  }

  /// The sign is in the gap where the title fills its column; it never displaces the title, nor other columns.
  @Test(arguments: [
    ("]", " ›NAME ▴    STARS  ABOUT"), ("3 < ]", " ›N…▴ STARS  ABOUT"), ("l 2 < ]", "  NAME     ›…▴ ABOUT"),
    ("l [ l", "  NAME      STARS▾›ABOUT"), ("l 2 > ]", "  NAME     ›    STARS▴ ABOUT"),
    ("$ ]", "  NAME      STARS ›ABOUT ▴"),
  ]) func `A sorted column has its sign behind the title, and nothing moves.`(keys: String, expected: String)
    throws
  {
    var pager = try pager()
    try pager.press(keys)
    #expect(heading(pager) == expected)
  }

  @Test(arguments: [
    (5, 6, "TITLE▴"), (6, 7, "TITLE▴"), (7, 8, "TITLE ▴"), (4, 5, "TIT…▴"), (4, 4, "TI…▴"), (2, 3, "T…▴"),
    (2, 2, "T…"), (1, 2, "…▴"), (1, 1, "…"),
  ]) func `At the edge of the screen a title gives way to its sign, if enough of it is left.`(
    width: Int, room: Int, expected: String
  ) {
    let title = SortedTitle(
      title: Sanitized("TITLE"), sign: Sanitized("▴"), alignment: .leading, width: width, room: room)
    #expect(title.text(ellipsis: .ellipsis, .clusters).string == expected)
  }

  @Test func `A column that a narrow screen drops is scrolled to.`() throws {
    var pager = try pager(columns: 20)
    #expect(heading(pager) == " ›NAME      STARS")
    try pager.press("$")
    #expect(heading(pager) == "  STARS ›ABOUT")
    try pager.press("0")
    #expect(heading(pager) == " ›NAME      STARS")
  }

  @Test func `The arrangement stays with a new query, and reset drops it.`() throws {
    var pager = try pager()
    try pager.press("l - s y enter")
    try pager.answer(numbers: 1..<3, more: false)
    #expect(heading(pager) == "  NAME     ›ABOUT")
    try pager.press("R")
    try pager.answer(numbers: 1..<3, more: false)
    #expect(heading(pager) == " ›NAME      STARS  ABOUT")
  }

  @Test func `A hidden column is not searched.`() throws {
    var pager = try pager()
    try pager.press("$ - &")
    pager.type("about")
    #expect(pager.state.listCount == 0)
  }
}

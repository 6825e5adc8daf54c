import Search
import Testing
import Text

@testable import Pager
@testable import Terminal

@Suite struct LinkViewTests {
  /// The linked texts of a screen and their addresses, row by row.
  private func links(_ pager: PagerDriver) -> [String] {
    let frame = PagerView.frame(pager.state)
    return (0..<frame.canvas.size.rows).compactMap { row in
      let row = frame.row(row)
      let columns = row.cells.indices.filter { row.cellStyles[row[$0].cellStyle].link != nil }
      let text = String(decoding: columns.flatMap { row.bytes(of: row[$0]) }, as: UTF8.self)
      return columns.first.flatMap { row.cellStyles[row[$0].cellStyle].link }.map {
        "\(text) → \($0.address)"
      }
    }
  }

  @Test func `The first cell of the selected row links to its address, without surrounding blanks.`() throws {
    var pager = try PagerDriver(query: "x")
    try pager.answer(numbers: 1..<4)
    try pager.press("j")
    #expect(links(pager) == ["thing 2 → https://example.org/2"])
    try pager.press("/")
    pager.type("ing")
    try pager.press("enter")
    #expect(links(pager) == ["thing 2 → https://example.org/2"])
  }

  @Test func `A cell that shows a URL links to it.`() throws {
    var pager = try PagerDriver(query: "x")
    try pager.answer([#"{"name": "one", "about": "https://example.org/9", "url": "https://example.org/9"}"#])
    #expect(links(pager) == ["https://example.org/9 → https://example.org/9"])
  }

  @Test func `A row with an unsafe address has no link.`() throws {
    var pager = try PagerDriver(query: "x")
    try pager.answer([#"{"name": "one", "url": "javascript:alert(1)"}"#, #"{"name": "two"}"#])
    #expect(links(pager) == [])
    try pager.press("j v")
    #expect(links(pager) == [])
  }

  @Test func `The detail view links every field that is an address, across its lines.`() throws {
    var pager = try PagerDriver(query: "x", size: (34, 12))
    let long = "https://example.org/a/path/that/is/longer/than/a/line"
    try pager.answer([#"{"name": "one", "about": "see https://example.org", "url": "\#(long)"}"#])
    try pager.press("v")
    let lines = links(pager)
    #expect(lines.count > 1)
    #expect(lines.allSatisfy { $0.hasSuffix(" → \(long)") })
    #expect(lines.map { $0.prefix { $0 != " " } }.joined() == long)
  }
}

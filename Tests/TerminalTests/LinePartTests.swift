import Testing
import Text

@testable import Terminal

@Suite struct LinePartTests {
  private static let styled = Style(background: .indexed(4))

  /// `ab` at column 0, `日本` from column 4 on, and a styled blank up to column 12.
  private func line() -> Line {
    var line = Line("ab")
    line.advance(to: 4)
    line.append("日本", style: Self.styled)
    line.advance(to: 12, style: Self.styled)
    return line
  }

  private func row(_ line: Line) -> Row { Row(line, columns: 20, .clusters) }

  /// Which columns are appended at which column of `xxx`, and the result.
  @Test(arguments: [
    (0..<12, 3, "xxxab  日本"), (0..<12, 1, "xab  日本"), (0..<2, 3, "xxxab"), (1..<6, 3, "xxxb  日"),
    (4..<8, 5, "xxx  日本"), (5..<8, 3, "xxx 本"), (4..<7, 3, "xxx日"), (2..<4, 3, "xxx"), (12..<20, 3, "xxx"),
    (3..<3, 3, "xxx"),
  ])
  func `A part of a line is appended at a column; half of a wide character becomes a space.`(
    columns: Range<Int>, start: Int, text: String
  ) {
    var whole = Line("xxx")
    whole.append(line(), columns: columns, at: start, .clusters)
    let row = row(whole)
    #expect(row.plainText.trimmingSuffix { $0 == " " } == text)
    #expect(whole.width(.clusters) <= start + columns.count || columns.isEmpty)
  }

  @Test func `The part keeps its styles, and its blanks theirs.`() {
    var whole = Line()
    whole.append(line(), columns: 6..<10, at: 2, .clusters)
    let row = row(whole)
    #expect((2..<6).allSatisfy { row.cellStyles[row[$0].cellStyle].style == Self.styled })
    #expect(whole.width(.clusters) == 6)
  }

  @Test func `Text that a line cuts off is not in the part.`() {
    var cut = Line("abcdef")
    cut.advance(to: 2)
    cut.append("X")
    var whole = Line()
    whole.append(cut, columns: 1..<6, at: 0, .clusters)
    #expect(row(whole).plainText == "bX")
  }
}

extension String {
  fileprivate func trimmingSuffix(_ isDropped: (Character) -> Bool) -> String {
    var text = self[...]
    while let last = text.last, isDropped(last) { text.removeLast() }
    return String(text)
  }
}

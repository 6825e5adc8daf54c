import Testing
import Text

@testable import Terminal

/// Tests the number of bytes for a slow line, with a table as the pager draws it at 120 × 40.
@Suite struct FrameDiffBudgetTests {
  private static let canvas = Canvas(size: Size(columns: 120, rows: 40), widthModel: .codePoints)
  private static let descriptions = [
    "A powerful little TUI framework", "日本語の検索システムとデータ", "Fast, extensible parser for JSON and TOML",
    "naïve café, 한국어 문자열",
    "👩‍👩‍👧‍👦 emoji families and ❤️ hearts", "The quick brown fox jumps over the lazy dog",
  ]

  private func bytes(from old: (top: Int, selection: Int), to new: (top: Int, selection: Int)) -> Int {
    let diff = FrameDiff(colors: .direct, isSynchronized: true)
    return diff.bytes(from: frame(old.top, old.selection), to: frame(new.top, new.selection)).count
  }

  private func frame(_ top: Int, _ selection: Int) -> Frame {
    var lines: [Line] = [Line("riffle  a source"), Line("search› text")]
    for row in top..<top + 37 { lines.append(line(row, isSelected: row == selection)) }
    lines.append(
      Line(Sanitized(" \(top + 1)–\(top + 37) of 1200 loaded · 52,341 found"), style: Style(attributes: .dim))
    )
    return Frame(Self.canvas, lines: lines)
  }

  private func line(_ row: Int, isSelected: Bool) -> Line {
    var line = Line(isSelected ? "▌" : " ", style: Style(foreground: .indexed(6)))
    let name = "owner\(row % 97)/repository-\(row)"
    line.append(
      Sanitized(name), style: Style(attributes: .bold),
      link: isSelected ? Link("https://github.com/\(name)") : nil)
    line.advance(to: 30)
    line.append(Sanitized("\(row &* 7919 % 100_003)"))
    line.advance(to: 38)
    line.append("Swift", style: Style(foreground: .indexed(3)))
    line.advance(to: 48)
    line.append(Sanitized(Self.descriptions[row % Self.descriptions.count]))
    return line
  }

  @Test func `Moving the selection takes at most 300 bytes.`() {
    for row in 100..<136 { #expect(bytes(from: (100, row), to: (100, row + 1)) <= 300) }
  }

  @Test func `Scrolling by one row takes at most 300 bytes, in either direction.`() {
    for top in 100..<130 {
      #expect(bytes(from: (top, top + 36), to: (top + 1, top + 37)) <= 300)
      #expect(bytes(from: (top + 1, top + 1), to: (top, top)) <= 300)
    }
  }

  @Test func `Scrolling by a page takes at most 4,000 bytes.`() {
    for top in 100..<130 { #expect(bytes(from: (top, top + 5), to: (top + 37, top + 42)) <= 4_000) }
  }

  @Test func `An unchanged frame takes no bytes.`() {
    #expect(bytes(from: (100, 105), to: (100, 105)) == 0)
  }
}

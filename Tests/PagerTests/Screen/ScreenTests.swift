import Foundation
import Search
import TestSupport
import Testing
import Text

@testable import Pager
@testable import Terminal

/// Draws each state of the screen in three sizes. `RIFFLE_DRAW_SCREENS=1 swift test --filter ScreenTests` writes the
/// files again; review the differences.
@Suite struct ScreenTests {
  private static let sizes = [(80, 24), (120, 40), (40, 10)]

  private static func file(_ name: String) -> URL {
    URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../Screens/\(name).txt")
      .standardizedFileURL
  }

  @Test(arguments: ScreenState.all) func `A state is drawn as in its file.`(state: ScreenState) throws {
    var drawn = ""
    for size in Self.sizes {
      let frame = PagerView.frame(try state.pager(size).state)
      drawn += "── \(size.0) × \(size.1) ──\n" + frame.text + "\n"
      expectFit(frame)
    }
    let file = Self.file(state.name)
    if ProcessInfo.processInfo.environment["RIFFLE_DRAW_SCREENS"] == "1" {
      try Data(drawn.utf8).write(to: file)
    }
    let picture = try String(contentsOf: file, encoding: .utf8)
    #expect(drawn == picture, "\(state.name) is:\n\(drawn)")
  }

  @Test func `Every file belongs to a state.`() throws {
    let folder = Self.file("x").deletingLastPathComponent()
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter {
      $0.hasSuffix(".txt")
    }
    #expect(names.sorted() == ScreenState.all.map { "\($0.name).txt" }.sorted())
  }

  @Test(arguments: ScreenState.all)
  func `From 1 × 1 to 500 × 200, and after each change of size, a state fits the screen.`(state: ScreenState)
    throws
  {
    let sizes = [(1, 1), (500, 200), (20, 4), (2, 200), (500, 1), (79, 23), (30, 5), (200, 60), (80, 24)]
    for size in Seeds.every(2, of: sizes) { expectFit(PagerView.frame(try state.pager(size).state)) }
    var pager = try state.pager((80, 24))
    let before = pager.screen
    for (columns, rows) in sizes {
      let size = Size(columns: columns, rows: rows)
      pager.reduce(.resized(Canvas(size: size, widthModel: pager.state.canvas.widthModel)))
      expectFit(PagerView.frame(pager.state))
    }
    // A screen of 200 rows asks this one for another page.
    if state.name != "query-emptied" { #expect(pager.screen == before) }
  }

  @Test(arguments: [
    ("choose-a-source", "▌github         the service github"),
    ("choose-an-option", "▌sort      any  (stars, forks)"),
    ("choose-a-value", "▌stars"),
    ("sources-over-a-session", "▌github  GitHub repositories"),
    ("palette", "▌copy-row           copy the row, or the marked rows (y y)"),
    ("summary", "▌28100  1   2.1%  ████████████████████"),
    ("many-rows-for-a-program", "▌● charmbracelet/bubbletea  28.1k  A powerful little TUI framework 🏗"),
    ("preview", "▌  日本語テキスト               7  検索システムとデータの表示を試すための長い説…"),
  ])
  func `The chosen entry is reversed, so that it is visible without colors.`(name: String, chosen: String)
    throws
  {
    let state = try #require(ScreenState.all.first { $0.name == name })
    let reversed = PagerView.frame(try state.pager((80, 24)).state).lines.map { line in
      let row = Row(line, columns: 80, .clusters)
      let columns = row.cells.indices.filter { row.style(at: $0).attributes.contains(.reverse) }
      return String(decoding: columns.flatMap { row.bytes(of: row[$0]) }, as: UTF8.self)
    }
    #expect(reversed.contains { $0.hasPrefix(chosen) }, "\(reversed)")
  }

  @Test func `A screen that is too small says so.`() throws {
    let pager = try PagerDriver(query: "x", size: (19, 3))
    #expect(pager.screen == "terminal too small\n\n")
  }

  @Test
  func `The status line always has the rows loaded or matching, the total if it differs, and the state.`()
    throws
  {
    for state in ScreenState.all {
      let pager = try state.pager((40, 10))
      let status = try #require(pager.screen.split(separator: "\n", omittingEmptySubsequences: false).last)
      let session = pager.state.session
      // There is no session yet; a mistake is shown in the place of the facts.
      if pager.state.overlays.prompt?.purpose.listsSources == true || pager.state.typedMistake != nil {
        continue
      }
      let count = pager.state.list.rows.count
      let isComplete = session.total?.count == count && count > 0
      let rows = isComplete ? "\(count) rows" : "\(count) loaded"
      let loaded = pager.state.list.filter.isEmpty ? rows : "rows match"
      #expect(status.contains(loaded), "\(state): \(status)")
      if let total = session.total, !isComplete, total.count > 0 {
        #expect(status.contains("\(Digits.grouped(total.count)) found"), "\(state): \(status)")
      }
    }
  }
}

/// Expects a frame with no more lines than the screen and none that is wider.
func expectFit(_ frame: Frame, sourceLocation: SourceLocation = #_sourceLocation) {
  let size = frame.canvas.size
  #expect(frame.lines.count <= size.rows, sourceLocation: sourceLocation)
  for line in frame.lines {
    #expect(line.width(frame.canvas.widthModel) <= size.columns, "\(line)", sourceLocation: sourceLocation)
  }
  if let caret = frame.caret {
    #expect(0..<size.columns ~= caret.column && 0..<size.rows ~= caret.row, sourceLocation: sourceLocation)
  }
}

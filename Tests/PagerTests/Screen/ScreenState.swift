import Search
import Terminal
import Text

@testable import Pager

/// A state of the screen whose expected frames are in `Screens/NAME.txt`.
struct ScreenState: Sendable, CustomStringConvertible {
  let name: String
  /// The pager in that state, on a screen of this size.
  let pager: @Sendable (_ size: (columns: Int, rows: Int)) throws -> PagerDriver

  var description: String { name }

  init(_ name: String, _ pager: @escaping @Sendable (_ size: (columns: Int, rows: Int)) throws -> PagerDriver)
  {
    self.name = name
    self.pager = pager
  }

  /// A change to the pager's rules.
  struct Rules: Sendable {
    let change: @Sendable (inout PagerRules) -> Void
  }

  /// A state with the rows of a first page.
  static func withRows(
    _ name: String, more: Bool = false, total: Int? = 52_341, budget: RateBudget? = nil,
    pager rules: Rules = Rules { _ in },
    _ change: @escaping @Sendable (inout PagerDriver) throws -> Void = { _ in }
  ) -> ScreenState {
    ScreenState(name) { size in
      var pager = try PagerDriver(query: "swift tui", size: size, pager: rules.change)
      try pager.answer(rows, more: more, total: total, budget: budget)
      try change(&pager)
      return pager
    }
  }

  static let rows =
    [
      row("charmbracelet/bubbletea", 28_100, "A powerful little TUI framework 🏗"),
      row("日本語テキスト", 7, "検索システムとデータの表示を試すための長い説明文です。折り返しも確かめます。"),
      row("émile/naïve-café", 1_234, "Diacritics, and\\n a line end"),
      row("hostile", 0, "\\u001b[31mred\\u001b[0m \\u202Eabc"),
      row("한국어/터미널", 512, "터미널 화면"), row("emoji", 99, "👩‍👩‍👧‍👦 ❤️ 🇯🇵 families"),
      row("no-description", 3, ""),
    ] + (1...40).map { row("owner/repository-\($0)", 1_000 - $0, "repository number \($0)") }

  private static func row(_ name: String, _ stars: Int, _ about: String) -> String {
    "{\"name\": \"\(name)\", \"stars\": \(stars), \"about\": \"\(about)\", \"url\": \"https://example.org/\(name.count)\"}"
  }

  static let refused = PageError(
    .offline, message: "connection refused by https://api.example.org",
    remedy: "is the service running on that port?")
}

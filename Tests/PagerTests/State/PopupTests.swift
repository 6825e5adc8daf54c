import Search
import Terminal
import Testing
import Text

@testable import Pager

@Suite struct PopupTests {
  private func pager(rows: Int = 5) throws -> PagerDriver {
    var pager = try PagerDriver(query: "x", size: (60, 12))
    try pager.answer(numbers: 0..<rows, more: false)
    return pager
  }

  private func title(_ pager: PagerDriver) -> String {
    String(pager.screen.split(separator: "\n", omittingEmptySubsequences: false)[2])
  }

  /// Keys, and what is on top after them.
  @Test(arguments: [
    ("?", "help"), ("? ?", ""), ("? esc", ""), ("? q", ""), ("f1 f1", ""), ("L", "log"), ("L L", ""),
    ("! !", ""),
    ("v", "detail"), ("v v", ""), ("J", "detail"), ("v L", "log"), ("v L esc", "detail"), ("L ? L", "log"),
    ("v ? ctrl-c", "detail"), ("s f1", "help"), ("& f1", "help"), ("q", ""),
  ]) func `A popup closes by Escape, q or its own key, and leads back to what was under it.`(
    keys: String, top: String
  ) throws {
    var pager = try pager()
    try pager.press(keys)
    #expect((pager.state.popup?.kind.rawValue ?? "") == top)
  }

  @Test func `Help over a line that is typed leads back to it.`() throws {
    var pager = try pager()
    try pager.press("& a f1 esc b")
    #expect(pager.state.list.filter == "ab")
    #expect(pager.state.mode == .prompt)
  }

  @Test func `A popup scrolls to its ends and no further.`() throws {
    var pager = try pager()
    try pager.press("? G")
    let end = title(pager)
    try pager.press("j space d")
    #expect(title(pager) == end)
    try pager.press("g k")
    #expect(title(pager).contains(" 1–7 of "))
  }

  @Test func `What is looked for in a popup is gone to.`() throws {
    var pager = try pager()
    try pager.press("? /")
    pager.type("sort")
    try pager.press("enter")
    #expect(pager.screen.contains("sort-ascending"))
    let first = pager.state.popup?.scroll
    try pager.press("n")
    #expect(pager.state.popup?.scroll != first)
    try pager.press("N")
    #expect(pager.state.popup?.scroll == first)
    #expect(pager.state.search.text == "")
  }

  @Test func `The detail follows the selected row, and is read once for each.`() throws {
    var pager = try pager()
    #expect(pager.state.readingRequest == nil)
    try pager.press("v")
    let request = try #require(pager.state.readingRequest)
    #expect(pager.screen.contains("Link   https://example.org/0"))
    try pager.press("ctrl-n")
    #expect(pager.state.selectedRow == 1)
    let next = try #require(pager.state.readingRequest)
    #expect(next != request)
    let content = RowDetail.Content.read(
      fields: [RowDetail.Field(title: "Owner", text: "me")], body: "one\ntwo\u{1b}[31m", json: ["{}"])
    pager.state.reduce(.read(content, for: request.identity))
    #expect(pager.state.readingRequest == next)
    pager.state.reduce(.read(content, for: next.identity))
    #expect(pager.state.readingRequest == nil)
    #expect(pager.screen.contains(" Owner  me\n\n one\n two␛[31m"))
    try pager.press("J")
    #expect(pager.screen.contains("\n {}\n"))
  }

  @Test func `A row that cannot be read shows its cells, and why.`() throws {
    var pager = try pager()
    try pager.press("v")
    let request = try #require(pager.state.readingRequest)
    pager.state.reduce(.read(.failed("the archive is gone"), for: request.identity))
    #expect(pager.screen.contains("About  about thing 0"))
    #expect(pager.screen.contains("the archive is gone"))
  }

  @Test func `The palette does what is chosen by words of name or summary.`() throws {
    var pager = try pager()
    try pager.press("ctrl-x")
    pager.type("listed mark all")
    try pager.press("enter")
    #expect(pager.state.marks.count == 5)
    #expect(pager.state.mode == .table)
  }

  @Test func `Without a source one is chosen from a list, or the pager is left.`() throws {
    let sources = [("github", "GitHub repositories"), ("qiita", "Qiita articles"), ("hn", "Hacker News")]
    let rules = PagerRules(title: "sources", sources: sources.map { SourceChoice(id: $0.0, title: $0.1) })
    let canvas = Canvas(size: Size(columns: 60, rows: 10), widthModel: .clusters)
    var pager = PagerDriver(PagerState.choosingSource(rules, canvas: canvas))
    #expect(pager.screen.contains("▌github  GitHub repositories\n qiita   Qiita articles"))
    pager.type("articles")
    try pager.press("enter")
    #expect(pager.state.departure == .source(id: "qiita"))
    #expect(pager.asked == "")
    try pager.press("esc")
    #expect(pager.state.departure == .quit)
  }

  @Test func `A prompt recalls what was typed into it before.`() throws {
    var pager = try pager()
    for text in ["one", "two"] {
      try pager.press("& ctrl-u")
      pager.type(text)
      try pager.press("enter")
    }
    try pager.press("& up up")
    #expect(pager.state.list.filter == "one")
    try pager.press("down esc")
    #expect(pager.state.list.filter == "two")
  }
}

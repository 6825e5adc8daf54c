import Testing

@testable import Pager
@testable import Search
@testable import Terminal

/// Tests the marks of new and changed rows after a refresh, and refreshing at intervals.
@Suite struct WatchTests {
  private func row(_ number: Int, stars: Int) -> String {
    PagerDriver.row(number).replacing("\"stars\": \(number * 100)", with: "\"stars\": \(stars)")
  }

  private func rows(_ range: Range<Int>) -> [String] { range.map(PagerDriver.row) }

  private func pager(
    every interval: Double? = nil, _ query: String = "x", _ change: (inout PagerRules) -> Void = { _ in }
  ) throws -> PagerDriver {
    try PagerDriver(
      query: query, size: (60, 12),
      pager: {
        $0.watchInterval = interval
        change(&$0)
      })
  }

  /// `+9 ~2`: the names of the listed rows with a sign, without `thing `.
  private func signs(_ pager: PagerDriver) -> String {
    pager.screen.split(separator: "\n").compactMap { line in
      let parts = line.drop { $0 == " " || $0 == "▌" }.split(separator: " ")
      return parts.count > 2 && ["+", "~"].contains(parts[0]) && parts[1] == "thing"
        ? parts[0] + parts[2] : nil
    }.joined(separator: " ")
  }

  @Test func `A refresh marks the rows that are new and those with other cells.`() throws {
    var pager = try pager()
    try pager.answer(rows(0..<3), more: false)
    try pager.press("r")
    try pager.answer([row(9, stars: 1), row(0, stars: 0), row(1, stars: 7), row(2, stars: 200)], more: false)
    #expect(signs(pager) == "+9 ~1")
    #expect(pager.notice == "1 new, 1 changed")
    #expect(pager.state.messages.all.last?.text == "1 new, 1 changed")
  }

  @Test func `The signs stay until a refresh finds other changes.`() throws {
    var pager = try pager()
    try pager.answer(rows(0..<3), more: false)
    try pager.press("r")
    try pager.answer([row(0, stars: 5)] + rows(1..<3), more: false)
    #expect(signs(pager) == "~0")
    try pager.press("r")
    try pager.answer(rows(1..<3) + [row(0, stars: 5)], more: false)
    #expect(signs(pager) == "~0")
    #expect(pager.notice == "")
    try pager.press("r")
    try pager.answer(rows(1..<3) + [row(0, stars: 5), row(8, stars: 1)], more: false)
    #expect(signs(pager) == "+8")
    try pager.press("s")
    pager.type("y")
    pager.rest()
    try pager.answer(rows(0..<3), more: false)
    #expect(signs(pager) == "")
  }

  @Test func `A row is compared with its previous version, regardless of its position.`() throws {
    var pager = try pager()
    try pager.answer(rows(0..<6))
    try pager.press("M")
    try pager.answer(rows(6..<12), more: false)
    try pager.press("G r")
    try pager.answer(rows(6..<12))
    try pager.answer(rows(0..<5) + [row(5, stars: 1)], more: false)
    try pager.press("G")
    #expect(signs(pager) == "~5")
  }

  @Test func `After a refresh that failed, the rows that it has not reached are still known.`() throws {
    var pager = try pager()
    try pager.answer(rows(0..<6))
    try pager.press("M")
    try pager.answer(rows(6..<12), more: false)
    try pager.press("G r")
    try pager.answer(rows(0..<6))
    try pager.fail(PageError(.offline, message: "refused"))
    pager.state.refresh()
    try pager.answer(rows(0..<6))
    try pager.answer(rows(6..<11) + [row(77, stars: 1)], more: false)
    #expect(signs(pager) == "+77")
  }

  // MARK: Intervals

  @Test func `With an interval, the rows are refreshed at its end, and nothing happens before.`() throws {
    var pager = try pager(every: 30)
    try pager.answer(rows(0..<3), more: false)
    #expect(pager.state.watchDeadline == 1_030 && pager.asked == "" && !pager.state.isAnimated)
    pager.reduce(.watchElapsed(1_029))
    #expect(pager.asked == "")
    pager.reduce(.watchElapsed(1_030))
    #expect(pager.asked == "x p1" && pager.state.watchDeadline == 1_060)
    try pager.answer(rows(0..<2) + [row(2, stars: 1)], more: false)
    #expect(pager.notice == "1 changed")
    #expect(signs(pager) == "~2")
    #expect(!pager.state.isAnimated && pager.state.alarm == nil)
    #expect(pager.screen.hasPrefix(" riffle  Test things   refreshing every 30 s, updated 00:16"))
  }

  @Test func `A turns the watch on and off, by default every minute.`() throws {
    var pager = try pager()
    try pager.answer(rows(0..<3), more: false)
    #expect(pager.state.watchDeadline == nil)
    try pager.press("A")
    #expect(pager.state.watchDeadline == 1_060)
    #expect(pager.notice == "refreshing every 60 s (A: stop)")
    try pager.press("A")
    #expect(pager.state.watchDeadline == nil && pager.notice == "automatic refresh off")
    pager.reduce(.watchElapsed(1_060))
    #expect(pager.asked == "")
  }

  @Test(arguments: ["s", "/ a", "&", "3", "y", "ctrl-x"])
  func `Nothing is refreshed while the user types, and the next interval begins.`(keys: String) throws {
    var pager = try pager(every: 30)
    try pager.answer(rows(0..<3), more: false)
    try pager.press(keys)
    pager.reduce(.watchElapsed(1_030))
    #expect(pager.asked == "" && pager.state.watchDeadline == 1_060)
    try pager.press("esc")
    pager.reduce(.watchElapsed(1_060))
    #expect(pager.asked == "x p1")
  }

  @Test func `A request in flight, a wait and an exhausted budget are not disturbed.`() throws {
    var pager = try pager(every: 30)
    pager.reduce(.watchElapsed(1_030))
    #expect(pager.asked == "x p1")
    let budget = RateBudget(limit: 30, remaining: 0, resetsAt: 1_100)
    try pager.answer(rows(0..<3), more: false, budget: budget)
    pager.reduce(.watchElapsed(1_060))
    #expect(pager.asked == "")
    pager.reduce(.watchElapsed(1_110))
    #expect(pager.asked == "x p1")
  }

  @Test func `A refresh that failed is tried again at the next interval, and the rows stay.`() throws {
    var pager = try pager(every: 30)
    try pager.answer(rows(0..<3), more: false)
    pager.reduce(.watchElapsed(1_030))
    try pager.fail(PageError(.offline, message: "connection refused"))
    #expect(pager.listed == "[thing 0] thing 1 thing 2")
    #expect(pager.notice.contains("connection refused"))
    pager.reduce(.watchElapsed(1_060))
    #expect(pager.asked == "x p1")
    try pager.answer(rows(0..<4), more: false)
    #expect(signs(pager) == "+3")
  }

  @Test func `Nothing is watched while another screen or program has the terminal.`() throws {
    var pager = try pager(every: 30)
    try pager.answer(rows(0..<3), more: false)
    try pager.press("ctrl-z")
    #expect(pager.state.watchDeadline == nil)
    pager.reduce(.resumed(pager.state.canvas))
    #expect(pager.state.watchDeadline == 1_030)
  }

  @Test func `The status for screen readers says that the row has changed.`() throws {
    var pager = try pager {
      $0.isAccessible = true
      $0.glyphs = .words
    }
    try pager.answer(rows(0..<3), more: false)
    try pager.press("r")
    try pager.answer([row(0, stars: 1)] + rows(1..<3), more: false)
    #expect(pager.status.contains("row 1 (changed)"), "\(pager.status)")
  }

  @Test func `[U10] A refresh that fails replaces the message on its line.`() throws {
    var pager = try PagerDriver(query: "x", size: (100, 12))
    try pager.answer(numbers: 0..<5, more: false)
    try pager.press("r A")
    #expect(pager.notice == "refreshing every 60 s (A: stop)")
    try pager.fail(PageError(.server, status: 500, message: "it returned 500 Internal Server Error"))
    #expect(pager.notice.hasPrefix("✗ Page 1 failed: 500 Internal Server Error"), "\(pager.notice)")
  }
}

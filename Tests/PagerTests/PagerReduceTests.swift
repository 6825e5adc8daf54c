import Testing
import Text

@testable import Pager
@testable import Search
@testable import Terminal

@Suite struct PagerReduceTests {
  private let refused = PageError(.offline, message: "refused")

  @Test func `Moving near the end loads the next page and keeps the selection.`() throws {
    var pager = try PagerDriver(query: "x", size: (60, 15))
    try pager.answer(numbers: 0..<30)
    #expect(pager.asked == "")
    for _ in 0..<20 { try pager.press("down") }
    #expect(pager.asked == "x p2")
    try pager.answer(numbers: 30..<60)
    #expect(pager.state.list.viewport.selection == 20)
    #expect(pager.state.session.rows.count == 60)
  }

  @Test func `At most three pages load automatically after a key.`() throws {
    var pager = try PagerDriver(query: "x", size: (60, 30))
    var loaded = 0
    while !pager.asked.isEmpty {
      try pager.answer(numbers: loaded..<loaded + 2)
      loaded += 2
    }
    #expect(loaded == 8)
    try pager.press("down")
    #expect(pager.asked == "x p5")
  }

  @Test func `The key that quits requests nothing more.`() throws {
    var pager = try PagerDriver(query: "swift")
    for page in 0..<4 { try pager.answer(numbers: page..<page + 1) }
    #expect(pager.state.pageRequests.isEmpty)
    try pager.press("q")
    #expect(pager.state.exitReason == .quit)
    #expect(pager.state.pageRequests.isEmpty)
  }

  @Test func `With only one request left, nothing loads automatically.`() throws {
    var pager = try PagerDriver(query: "x")
    try pager.answer([PagerDriver.row(1)], budget: RateBudget(limit: 10, remaining: 1))
    #expect(pager.asked == "")
    try pager.press("M")
    #expect(pager.asked == "x p2")
  }

  @Test func `[D1] When the rate budget resets, pages load and typing searches without another key.`() throws
  {
    var pager = try PagerDriver(query: "x")
    try pager.answer(
      (0..<20).map(PagerDriver.row), budget: RateBudget(limit: 10, remaining: 1, resetsAt: 1_008))
    try pager.press("G")
    var typing = pager
    try typing.press("s y")
    for pager in [pager, typing] {
      #expect(pager.asked == "" && pager.state.debounce == nil)
      #expect(pager.screen.contains("1/10 requests left"))
    }
    pager.reduce(.session(.reached(1_007)))
    #expect(pager.asked == "" && !pager.state.isAnimated && pager.state.alarm == 1_008)
    pager.reduce(.session(.reached(1_008)))
    #expect(pager.asked == "x p2")
    #expect(!pager.screen.contains("1/10 requests left"))
    typing.reduce(.session(.reached(1_008)))
    #expect(typing.asked == "" && typing.state.debounce != nil)
    typing.rest()
    #expect(typing.asked == "y p1")
  }

  @Test func `[D58] A countdown and the wait that it shows use the same clock.`() throws {
    var pager = try PagerDriver(query: "x", rules: { $0.retry.attempts = 3 })
    let busy = PageError(.rateLimited, message: "busy", canRepeat: .freely, wait: 41)
    let request = try #require(pager.state.pageRequests.first)
    // The clock was last updated at 1000.
    pager.reduce(.session(.failed(busy, for: request, at: RetryTiming(now: 5_000))))
    #expect(pager.screen.contains("retrying in 41 s"))
    #expect(pager.state.alarm == 5_041)
    pager.reduce(.ticked(5_040))
    #expect(pager.screen.contains("retrying in 1 s"))
    #expect(pager.asked == "")
    pager.reduce(.ticked(5_041))
    #expect(pager.asked == "x p1")
  }

  /// What happened to page 2, the keys, the requests right after them, and the requests after the page has arrived.
  @Test(arguments: [
    ("failed", "M", "x p2", ""), ("failed", "alt-m", "x p2", "x p3"), ("failed", "r", "x p2", ""),
    ("waiting", "M", "", ""), ("waiting", "alt-m", "", "x p3"), ("waiting", "r", "x p2", ""),
    ("waiting", "3 M", "", "x p3"), ("stopped", "M", "x p2", ""), ("stopped", "alt-m", "x p2", "x p3"),
    ("loading", "alt-m", "x p2", "x p3"), ("loading", "alt-m M", "x p2", "x p3"),
    ("loading", "M M", "x p2", ""),
  ]) func `[D2] A request for more rows is retained, whatever happened to the previous page.`(
    phase: String, keys: String, asked: String, after: String
  ) throws {
    var pager = try PagerDriver(query: "x", rules: { $0.retry.attempts = 1 })
    try pager.answer(numbers: 0..<30)
    try pager.press("M")
    switch phase {
    case "failed": try pager.fail(refused)
    case "waiting":
      try pager.fail(PageError(.rateLimited, message: "busy", canRepeat: .freely, wait: 30))
    case "stopped": try pager.press("esc")
    default: break
    }
    try pager.press(keys)
    #expect(pager.asked == asked)
    pager.reduce(.ticked(1_030))
    try pager.answer(numbers: 30..<60)
    #expect(pager.asked == after)
  }

  /// A hundred rows in five pages.
  private func hundred() throws -> PagerDriver {
    var pager = try PagerDriver(query: "x")
    try pager.answer(numbers: 0..<20)
    try pager.press("4 M")
    for page in 1..<5 { try pager.answer(numbers: page * 20..<page * 20 + 20) }
    return pager
  }

  @Test(arguments: [true, false])
  func `[D3] A refresh that stops or fails loses neither rows nor the position, and M continues it.`(
    isStopped: Bool
  )
    throws
  {
    var pager = try hundred()
    try pager.press("9 0 G r")
    let line = pager.state.list.viewport.line
    try pager.answer(numbers: -3..<17)
    if isStopped { try pager.press("esc") } else { try pager.fail(refused) }
    #expect(pager.state.list.rows.count == 103)
    #expect(pager.selectedName == "thing 89")
    #expect(pager.state.list.viewport.line == line)
    try pager.press("M")
    for start in [17, 37, 57, 77, 97] {
      #expect(pager.state.list.rows.count >= 100)
      try pager.answer(numbers: start..<start + 20)
    }
    #expect(pager.asked == "")
    #expect(pager.state.list.rows.count == 120)
    #expect(pager.selectedName == "thing 89")
    #expect(pager.state.list.viewport.line == line)
  }

  @Test func `[D3] A refresh covers the position that the user has moved to in the meantime.`() throws {
    var pager = try hundred()
    try pager.press("g r")
    #expect(pager.asked == "x p1")
    try pager.press("7 5 G")
    for page in 0..<4 {
      #expect(pager.asked == "x p\(page + 1)")
      try pager.answer(numbers: page * 20..<page * 20 + 20)
    }
    #expect(pager.state.list.rows.count == 80)
    #expect(pager.selectedName == "thing 74")
  }

  @Test func `[D3] A row that is missing from its page stays in place until all pages have arrived.`() throws
  {
    var pager = try hundred()
    try pager.press("2 2 G k k k r")
    #expect(pager.selectedName == "thing 18")
    try pager.answer(numbers: -3..<17)
    #expect(pager.state.list.viewport.selection == 18)
    try pager.answer(numbers: 17..<37)
    #expect(pager.selectedName == "thing 18")
  }

  @Test func `[D3] When the selected row is gone, its position stays selected.`() throws {
    var pager = try hundred()
    try pager.press("5 G r")
    try pager.answer((0..<21).filter { $0 != 4 }.map(PagerDriver.row))
    #expect(pager.state.list.viewport.selection == 4)
    #expect(pager.selectedName == "thing 5")
  }

  @Test func `Typing waits for a pause and sends one request.`() throws {
    var pager = try PagerDriver()
    pager.type("sw")
    let early = try #require(pager.state.debounce)
    pager.type("i")
    #expect(pager.state.debounce?.edit == early.edit + 1)
    pager.state.reduce(.rested(edit: early.edit, at: pager.state.clock))
    #expect(pager.asked == "")
    pager.rest()
    #expect(pager.asked == "swi p1")
    #expect(pager.state.debounce == nil)
  }

  @Test func `Enter skips the wait and moves to the table.`() throws {
    var pager = try PagerDriver()
    pager.type("swift")
    try pager.press("enter")
    #expect(pager.asked == "swift p1")
    #expect(pager.state.mode == .table)
    #expect(pager.state.debounce == nil)
  }

  @Test func `With live search off, only Enter searches.`() throws {
    var pager = try PagerDriver(live: false)
    pager.type("swift")
    #expect(pager.state.debounce == nil)
    try pager.press("enter")
    #expect(pager.asked == "swift p1")
  }

  @Test(arguments: [true, false])
  func `Escape restores the requested query, and the typed text is kept in the history.`(live: Bool)
    throws
  {
    var pager = try PagerDriver(query: "arrow", live: live)
    try pager.answer(numbers: 0..<50)
    try pager.press("s a b c esc")
    #expect(pager.state.query.editor.text == "arrow")
    #expect(pager.state.mode == .table)
    try pager.press("r")
    #expect(pager.asked == "arrow p1")
    try pager.press("s alt-up")
    #expect(pager.state.query.editor.text == "abc")
  }

  @Test func `A query that begins with a space is not remembered when Escape leaves it.`() throws {
    var pager = try PagerDriver(query: "arrow")
    try pager.answer(numbers: 0..<50)
    try pager.press("s ctrl-u")
    pager.type(" my own")
    try pager.press("esc")
    #expect(pager.state.query.editor.text == "arrow")
    #expect(pager.state.query.history.entries.isEmpty)
  }

  @Test func `Escape keeps the typed text when nothing has been requested.`() throws {
    var pager = try PagerDriver()
    try pager.press("a b c esc")
    #expect(pager.state.query.editor.text == "abc")
  }

  @Test func `A query that is too long stays in the query line.`() throws {
    var pager = try PagerDriver(pager: { $0.input.maxLength = 3 })
    try pager.press("a b c d enter")
    #expect(pager.state.mode == .query)
    #expect(pager.state.query.history.entries.isEmpty)
    try pager.press("backspace enter")
    #expect(pager.asked == "abc p1")
  }

  @Test(arguments: [("esc", "stopped"), ("", "failed")])
  func `A refresh that stops or fails keeps the previous results and ends.`(key: String, word: String)
    throws
  {
    var pager = try PagerDriver(query: "x", size: (80, 12))
    try pager.answer(numbers: 0..<20, more: false)
    try pager.press("r")
    #expect(pager.status == "1–7 of 20 loaded · loading · refreshing")
    if key.isEmpty { try pager.fail(PageError(.server, message: "502")) } else { try pager.press(key) }
    #expect(pager.status == "1–7 of 20 loaded · \(word) · previous results")
  }

  @Test func `A refresh keeps the selected row selected when new rows have moved it to the next page.`()
    throws
  {
    var pager = try PagerDriver(query: "x", size: (60, 25))
    try pager.answer(numbers: 0..<20)
    try pager.answer(numbers: 20..<60)
    try pager.press("1 9 G r")
    try pager.answer(numbers: -3..<17)
    #expect(pager.asked == "x p2")
    try pager.answer(numbers: 17..<57)
    #expect(pager.selectedName == "thing 18")
  }

  @Test
  func `A refresh loads further pages for a missing selected row only as far as the row may have moved.`()
    throws
  {
    var pager = try PagerDriver(query: "x", size: (60, 12))
    try pager.answer(numbers: 0..<20)
    try pager.press("4 G r")
    try pager.answer(numbers: 10..<30)
    #expect(pager.state.list.anchor == nil)
    #expect(pager.selectedName == "thing 13")
  }

  @Test(arguments: [
    ("", "v", "no rows yet"), ("", "J", "no rows yet"), ("", "x", "no rows yet"),
    ("", "]", "no rows yet"), ("", "enter", "no rows yet"), ("", "o", "no rows yet"),
    ("", "y u", "no rows yet"),
    ("", "w a enter", "no rows yet"), ("", "r", "no query yet (s: type one)"),
    ("", "M", "no query yet (s: type one)"), ("", "n", "nothing to find yet (/: find)"),
    ("x", "r r", "already loading"), ("x", ",", ", is not bound here (?: help)"),
    ("x", "? z", "z is not bound here (?: help)"), ("x", "y x", "y x is not bound here (?: help)"),
    ("x", "& z enter v", "no row matches the filter"), ("x", "M", "no more rows"),
    ("x", "2 0 0 G", "no row 200: 20 rows loaded"), ("x", "%", "mouse on"), ("x", "% %", "mouse off"),
    ("x", "2 0 G", ""), ("x", "L J", ""),
  ]) func `[D14] A key that does nothing says why and names the keys that help.`(
    query: String, keys: String, message: String
  ) throws {
    var pager = try PagerDriver(query: query)
    if query.isEmpty { try pager.press("esc") } else { try pager.answer(numbers: 0..<20, more: false) }
    try pager.press(keys)
    #expect(pager.state.messages.current?.text ?? "" == message)
  }

  @Test(arguments: [
    ("%", "mouse on"), ("% ctrl-l", "mouse on"), ("% ctrl-l ctrl-l", "mouse on"), ("% ctrl-l j", ""),
    ("% j ctrl-l", ""), ("% y", ""), ("% & ctrl-l", ""),
    ("% y ctrl-l", "y Ctrl-L is not bound here (?: help)"),
  ]) func `A message is shown until the next key that does more than redraw the screen.`(
    keys: String, message: String
  ) throws {
    var pager = try PagerDriver(query: "x")
    try pager.answer(numbers: 0..<20, more: false)
    try pager.press(keys)
    #expect(pager.state.messages.current?.text ?? "" == message)
  }

  /// The style of its first letter.
  private func styleOfSecondRow(_ pager: PagerDriver) -> Style? {
    let row = PagerView.frame(pager.state).row(4)
    return row.cells.indices.first { row.text(at: $0) == "t" }.map { row.style(at: $0) }
  }

  @Test func `[D61] Clearing the query line dims the rows until another query is sent.`() throws {
    var pager = try PagerDriver(query: "x")
    try pager.answer(numbers: 0..<3, more: false)
    let (plain, dim) = (Style.plain, pager.state.theme[.dim])
    #expect(styleOfSecondRow(pager) == plain)
    try pager.press("s ctrl-u")
    #expect(pager.listed == "[thing 0] thing 1 thing 2")
    #expect(styleOfSecondRow(pager) == dim)
    #expect(pager.status == "1–3 of 3 · end · previous results")
    #expect(pager.asked == "")
    #expect(pager.state.debounce == nil)
    try pager.press("enter")
    #expect(pager.state.list.rows.isEmpty)
  }

  @Test
  func `[D9] Where no query is needed, rows load at the start, Enter shows one, and r reloads them.`()
    throws
  {
    var pager = try PagerDriver(rules: { $0.minLength = 0 })
    #expect(pager.asked == " p1")
    #expect(pager.state.mode == .table)
    try pager.answer(numbers: 0..<3, more: false)
    try pager.press("enter")
    #expect(pager.state.overlays.popup?.kind == .detail)
    try pager.press("esc r")
    #expect(pager.asked == " p1")
    try pager.answer(numbers: 0..<3, more: false)
    try pager.press("s y enter")
    #expect(pager.asked == "y p1")
    // An empty line is the query for everything.
    try pager.press("s backspace")
    #expect(pager.state.debounce != nil)
    pager.rest()
    #expect(pager.asked == " p1")
    try pager.press("enter R")
    #expect(pager.state.mode == .table)
  }

  @Test func `Escape stops a load, and nothing loads automatically afterwards.`() throws {
    var pager = try PagerDriver(query: "x")
    try pager.answer(numbers: 0..<3)
    #expect(pager.asked == "x p2")
    try pager.press("esc")
    #expect(pager.asked == "")
    try pager.press("down down down")
    #expect(pager.asked == "")
    try pager.press("M")
    #expect(pager.asked == "x p2")
  }

  @Test func `A failed page is retried with r, and the rows are kept.`() throws {
    var pager = try PagerDriver(query: "x")
    try pager.answer(numbers: 0..<3)
    try pager.fail(refused)
    #expect(pager.state.session.rows.count == 3)
    try pager.press("r")
    #expect(pager.asked == "x p2")
    #expect(pager.state.pageRequests.first?.attempt == 1)
  }

  @Test func `A failure is one message, whatever happens after it.`() throws {
    var pager = try PagerDriver(query: "x")
    try pager.answer(numbers: 0..<3)
    try pager.fail(refused)
    for time in 1...3 { pager.reduce(.ticked(1000 + Double(time))) }
    #expect(pager.state.messages.all.map(\.text) == ["Page 2 failed: refused"])
  }

  @Test func `Rows loaded after a refresh are not marked as new.`() throws {
    var pager = try PagerDriver(query: "x", size: (60, 12))
    try pager.answer(numbers: 0..<20)
    try pager.press("r")
    try pager.answer([PagerDriver.row(99)] + (0..<20).map(PagerDriver.row))
    try pager.press("M")
    try pager.answer(numbers: 20..<40)
    try pager.press("g")
    #expect(pager.screen.contains("+ thing 99"))
    try pager.press("G")
    #expect(pager.listed.hasSuffix("[thing 39]"))
    #expect(!pager.screen.contains("+ "))
  }

  @Test
  func `The terminal shows progress (OSC 9;4) while pages load, and none while riffle waits or is idle.`()
    throws
  {
    var pager = try PagerDriver(query: "x", rules: { $0.retry.attempts = 1 })
    #expect(PagerView.frame(pager.state).isBusy)
    try pager.fail(PageError(.rateLimited, message: "slow", canRepeat: .freely, wait: 5))
    #expect(pager.state.session.phase.isWaiting && !PagerView.frame(pager.state).isBusy)
    pager.reduce(.session(.reached(1_005)))
    #expect(PagerView.frame(pager.state).isBusy)
    try pager.answer(numbers: 0..<3, more: false)
    #expect(!PagerView.frame(pager.state).isBusy)
  }

  @Test func `After a suspension everything is redrawn.`() throws {
    var pager = try PagerDriver(query: "x")
    try pager.answer(numbers: 0..<3)
    try pager.press("ctrl-z")
    #expect(pager.state.exitReason == .suspend)
    let before = PagerView.frame(pager.state).redraws
    pager.reduce(.resumed(pager.state.canvas))
    #expect(pager.state.exitReason == nil)
    #expect(PagerView.frame(pager.state).redraws != before)
  }

  @Test func `A refresh keeps the selected row selected at its new position.`() throws {
    var pager = try PagerDriver(query: "x", size: (60, 12))
    try pager.answer(numbers: 0..<20, more: false)
    try pager.press("down down down r")
    try pager.answer([PagerDriver.row(99)] + (0..<20).map(PagerDriver.row), more: false)
    #expect(pager.state.list.viewport.selection == 4)
    #expect(pager.listed.contains("thing 99 thing 0 thing 1 thing 2 [thing 3]"))
    #expect(pager.screen.contains(" + thing 99"))
  }

  @Test func `A movement during a refresh is kept.`() throws {
    var pager = try PagerDriver(query: "x", size: (60, 12))
    try pager.answer(numbers: 0..<20, more: false)
    try pager.press("down r down down")
    try pager.answer(numbers: 0..<20, more: false)
    #expect(pager.state.list.viewport.selection == 3)
  }

  @Test func `Reset returns to the initial query.`() throws {
    var pager = try PagerDriver(query: "first")
    try pager.answer(numbers: 0..<5, more: false)
    try pager.press("s")
    pager.type("!")
    try pager.press("enter R")
    #expect(pager.state.query.editor.text == "first")
    #expect(pager.asked == "first p1")
  }

  @Test func `A count multiplies a movement, and Escape clears it.`() throws {
    var pager = try PagerDriver(query: "x")
    try pager.answer(numbers: 0..<50, more: false)
    try pager.press("1 2 j")
    #expect(pager.state.list.viewport.selection == 12)
    try pager.press("5 esc j")
    #expect(pager.state.list.viewport.selection == 13)
    try pager.press("3 0 G")
    #expect(pager.state.list.viewport.selection == 29)
  }

  @Test func `Ctrl-C stops a load first, and quits when nothing loads.`() throws {
    var pager = try PagerDriver(query: "x")
    try pager.press("ctrl-c")
    #expect(pager.asked == "")
    #expect(pager.state.exitReason == nil)
    try pager.press("ctrl-c")
    #expect(pager.state.exitReason == .quit)
  }

  @Test func `One key loads everything, also from the query line, and Escape stops it.`() throws {
    for keys in ["esc alt-m", "esc s alt-m"] {
      var pager = try PagerDriver(query: "x")
      try pager.answer(numbers: 0..<3)
      try pager.press(keys)
      for page in 1..<30 { try pager.answer(numbers: page * 3..<page * 3 + 3) }
      #expect(pager.state.list.rows.count == 90)
      try pager.press("esc")
      #expect(pager.asked == "")
    }
  }

  @Test func `A count loads that many pages, up to pager.max_rows.`() throws {
    var pager = try PagerDriver(query: "x", rules: { $0.maxRows = 50 })
    try pager.answer(numbers: 0..<20)
    try pager.press("2 M")
    try pager.answer(numbers: 20..<40)
    try pager.answer(numbers: 40..<60)
    #expect(pager.asked == "")
    #expect(pager.state.list.rows.count == 50)
    #expect(pager.screen.contains("stopped at 50 rows (pager.max_rows)"))
    try pager.press("M")
    #expect(pager.state.messages.current?.text == "stopped at 50 rows. Raise pager.max_rows to load more")
  }

  @Test func `An empty page that has a next page is skipped and does not count.`() throws {
    var pager = try PagerDriver(query: "x")
    try pager.answer(numbers: 0..<20)
    try pager.press("2 M")
    try pager.answer([])
    #expect(pager.asked == "x p3")
    try pager.answer(numbers: 20..<40)
    try pager.answer([])
    try pager.answer(numbers: 40..<60)
    #expect(pager.asked == "")
    #expect(pager.status == "1–7 of 60 loaded")
    try pager.press("M")
    for _ in 0..<4 { try pager.answer([]) }
    #expect(pager.asked == "")
    #expect(pager.status == "1–7 of 60 loaded")
    #expect(pager.state.phaseText.notice?.texts == ["4 empty pages so far"])
    try pager.press("M")
    #expect(pager.asked == "x p10")
  }

  @Test func `A page without new rows is reported.`() throws {
    var pager = try PagerDriver(query: "x")
    try pager.answer(numbers: 0..<20)
    try pager.press("M")
    try pager.answer(numbers: 0..<20)
    #expect(pager.notice == "Page 2 has no new rows (M: load more)")
    try pager.press("M")
    try pager.answer(numbers: 20..<40)
    #expect(pager.notice == "")
    let request = try #require(
      { () -> PageRequest? in
        try pager.press("M")
        return pager.state.pageRequests.first
      }())
    var page = try pager.page([], for: request, more: false)
    page.continuation = .end(.emptyPage)
    pager.reduce(.session(.loaded(page, for: request)))
    #expect(pager.notice == "Page 4 is empty: end of results")
    #expect(pager.status == "1–7 of 40 · end · 20 duplicates dropped")
  }

  @Test(arguments: [PagerRules.Purpose.browse, .pick])
  func `Over a list of sources, the keys that quit go back to it.`(purpose: PagerRules.Purpose) throws {
    var pager = try PagerDriver(
      query: "x", size: (100, 12),
      pager: {
        $0.purpose = purpose
        $0.leadsBack = true
      })
    try pager.answer(numbers: 0..<3, more: false)
    #expect(pager.screen.hasSuffix("?: help  q: back"))
    try pager.press("s")
    #expect(pager.screen.hasSuffix("F1: help  Ctrl-C: back"))
  }

  @Test func `A resize keeps the selection on screen.`() throws {
    var pager = try PagerDriver(query: "x", size: (60, 30))
    try pager.answer(numbers: 0..<50, more: false)
    try pager.press("2 0 j")
    pager.state.reduce(
      .resized(Canvas(size: Size(columns: 40, rows: 8), widthModel: .clusters)))
    #expect(pager.screen.contains("▌  thing 20"))
  }

  @Test func `A count with too many digits is capped.`() throws {
    var pager = try PagerDriver(query: "x")
    try pager.answer(numbers: 0..<50, more: false)
    pager.type(String(repeating: "9", count: 40))
    #expect(pager.state.typed.count == 999_999)
    try pager.press("j")
    #expect(pager.state.list.selectedRow == 49)
  }

  @Test func `Only the latest two hundred messages are stored.`() throws {
    var pager = try PagerDriver(query: "x")
    for number in 1...203 { pager.state.reduce(.warned("message \(number)")) }
    #expect(pager.state.messages.all.map(\.text) == (4...203).map { "message \($0)" })
    #expect(pager.state.messages.count == 203)
  }

  @Test func `Text pasted into the query line becomes one line.`() throws {
    var pager = try PagerDriver()
    pager.state.reduce(.pasted("a\nb\u{1b}[31m\tc"))
    #expect(pager.state.query.editor.text == "a b[31m c")
  }

  @Test func `A trip of the loop guard shows a message.`() throws {
    var pager = try PagerDriver(query: "x", size: (60, 8))
    pager.state.reduce(.tripped("pages: requested too often"))
    #expect(pager.screen.contains("pages: requested too often"))
  }

  @Test func `The spinner stops while the terminal has no focus; a countdown continues.`() throws {
    var pager = try PagerDriver(query: "x", rules: { $0.retry.attempts = 3 })
    #expect(pager.state.isAnimated)
    pager.state.reduce(.focused(false))
    #expect(!pager.state.isAnimated)
    pager.state.reduce(.focused(true))
    #expect(pager.state.isAnimated)
    try pager.fail(PageError(.rateLimited, message: "slow down", canRepeat: .freely, wait: 30))
    pager.state.reduce(.focused(false))
    #expect(pager.state.isAnimated)
  }
}

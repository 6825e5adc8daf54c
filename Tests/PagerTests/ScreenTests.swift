import Search
import Testing

@testable import Pager

/// Each state of the screen as a picture.
@Suite struct ScreenTests {
  @Test func `Without a query the screen says how to begin.`() throws {
    let pager = try PagerDriver()
    expectScreen(
      pager.screen,
      """
       riffle  Test things
       search› a name
       NAME      STARS  ABOUT

        type to search Test things
        for example: one
        for example: two




       0 loaded     Enter ask, to the table  F1 help  ctrl-c quit
      """)
  }

  @Test func `Rows stand in columns, with counts below.`() throws {
    var pager = try PagerDriver(query: "x")
    try pager.answer(
      [
        #"{"name": "plain", "stars": 12345, "about": "ASCII"}"#,
        #"{"name": "日本語テキスト", "stars": 7, "about": "wide"}"#,
        #"{"name": "e\u0301mile", "stars": null, "about": "a\u001b[31mred\u001b[0m\nline"}"#,
      ], total: 2345, budget: RateBudget(limit: 30, remaining: 27, resetsAt: 50520))
    expectScreen(
      pager.screen,
      """
       riffle  Test things            27/30 requests, reset 14:02
       search› x
       NAME            STARS  ABOUT
      ▌plain           12.3k  ASCII
       日本語テキスト      7  wide
       émile                  a␛[31mred␛[0m line




       ⠋ loading page 2 …
       1–3 of 3 loaded · 2,345 found (1,000 reachable) · loading
      """)
  }

  @Test func `While the first page loads the notice says so.`() throws {
    let pager = try PagerDriver(query: "x", size: (40, 8))
    expectScreen(
      pager.screen,
      """
       riffle  Test things
       search› x
       NAME      STARS  ABOUT



       ⠋ loading …
       0 loaded · loading
      """)
  }

  @Test func `A failed page is a notice; the rows stay.`() throws {
    var pager = try PagerDriver(query: "x", size: (60, 9))
    try pager.answer(numbers: 1..<4)
    try pager.fail(PageError(.server, status: 502, message: "http://127.0.0.1 answered 502 Bad Gateway"))
    expectScreen(
      pager.screen,
      """
       riffle  Test things
       search› x
       NAME      STARS  ABOUT
      ▌thing 1     100  about thing 1
       thing 2     200  about thing 2
       thing 3     300  about thing 3

       ✗ failed: page 2: http://127.0.0.1 answered 502 Bad Gatew…
       1–3 of 3 loaded · failed
      """)
  }

  @Test func `A wait counts down.`() throws {
    var pager = try PagerDriver(query: "x", size: (76, 8), rules: { $0.retry.attempts = 3 })
    try pager.fail(PageError(.rateLimited, message: "slow down", canRepeat: .freely, wait: 30))
    pager.state.reduce(.ticked(1012.5))
    expectScreen(
      pager.screen,
      """
       riffle  Test things
       search› x
       NAME      STARS  ABOUT



       waiting: page 1: slow down · again in 18 s · r now · Esc stop
       0 loaded · waiting                     s search  r refresh  ? help  q quit
      """)
  }

  @Test func `No results names the query and what to try.`() throws {
    var pager = try PagerDriver(query: "xyzzy", size: (60, 9))
    try pager.answer([], more: false, total: 0)
    expectScreen(
      pager.screen,
      """
       riffle  Test things
       search› xyzzy
       NAME      STARS  ABOUT

        no results for "xyzzy"
        try other words, or fewer of them


       0 loaded · 0 found · no results
      """)
  }

  @Test func `A new query shows old rows as old until its first page.`() throws {
    var pager = try PagerDriver(query: "x", size: (60, 9))
    try pager.answer(numbers: 1..<3, more: false)
    try pager.press("s")
    pager.type("y")
    pager.rest()
    expectScreen(
      pager.screen,
      """
       riffle  Test things
       search› xy
       NAME      STARS  ABOUT
      ▌thing 1     100  about thing 1
       thing 2     200  about thing 2


       ⠋ loading "xy" …
       1–2 of 2 loaded · old rows · loading
      """)
    try pager.answer(numbers: 7..<8, more: false)
    #expect(pager.screen.contains("▌thing 7"))
    #expect(!pager.screen.contains("thing 1"))
  }

  @Test func `Too small a screen says so.`() throws {
    let pager = try PagerDriver(query: "x", size: (19, 3))
    #expect(pager.screen == "too small\n\n")
  }

  @Test func `A narrow screen drops columns by priority.`() throws {
    var pager = try PagerDriver(query: "x", size: (24, 8))
    try pager.answer(numbers: 1..<3, more: false)
    expectScreen(
      pager.screen,
      """
       riffle  Test things
       search› x
       NAME      STARS
      ▌thing 1     100
       thing 2     200


       1–2 of 2 loaded · end
      """)
  }

  @Test func `Help lists every action with its keys.`() throws {
    var pager = try PagerDriver(query: "x", size: (90, 40))
    try pager.press("?")
    for action in Actions.all { #expect(pager.screen.contains("\(action.name): ")) }
    try pager.press("esc")
    #expect(pager.state.mode == .table)
  }
}

/// Compares a screen with its picture; rows that differ are named.
func expectScreen(_ screen: String, _ picture: String, sourceLocation: SourceLocation = #_sourceLocation) {
  #expect(
    screen == picture, "the screen is:\n\(screen)\nexpected:\n\(picture)", sourceLocation: sourceLocation)
}

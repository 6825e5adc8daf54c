import Search
import Testing

@testable import Pager

@Suite struct NoticeLineTests {
  private func notice(of name: String, columns: Int) throws -> String {
    let state = try #require(ScreenState.all.first { $0.name == name })
    let screen = try state.pager((columns, 10)).screen.split(
      separator: "\n", omittingEmptySubsequences: false)
    return String(screen[8])
  }

  @Test(arguments: [
    ("failed", 120, " ✗ Page 2 failed: 502 Bad Gateway: the upstream is down (r: retry)"),
    ("failed", 60, " ✗ Page 2 failed: 502: the upstream is down (r: retry)"),
    ("failed", 50, " ✗ Page 2 failed: 502 Bad Gateway (r: retry)"),
    ("failed", 40, " ✗ 502 Bad Gateway (r: retry)"),
    ("failed", 28, " ✗ 502 Bad Gate… (r: retry)"),
    (
      "offline", 120,
      " ✗ Page 2 failed: connection refused by https://api.example.org. Is the service running on that port? (r: retry)"
    ),
    ("offline", 80, " ✗ Page 2 failed: connection refused by https://api.example.org (r: retry)"),
    ("offline", 72, " ✗ Page 2 failed: connection refused by api.example.org (r: retry)"),
    ("offline", 60, " ✗ connection refused by api.example.org (r: retry)"),
    ("offline", 40, " ✗ connection refused by ap… (r: retry)"),
    ("waiting-for-page-2", 60, " Rate limited: retrying in 18 s (r: now, Esc: cancel)"),
    ("waiting-for-page-2", 40, " Retrying in 18 s (r: now, Esc: cancel)"),
    ("stopped", 40, " Stopped (r: retry)"), ("reset-asks", 40, " Reset and lose 1 mark? (y/N)"),
    ("filtered", 80, " 24 of 47 loaded rows match \"repository -3\" (M: load more)"),
    ("filtered", 40, " 24 of 47 match (M: load more)"),
    ("found", 60, " \"number 1\": match 2 of 16 (n: next, N: previous)"),
    ("found", 40, " match 2 of 16 (n: next, N: previous)"),
  ])
  func `[D14] Keys and cause are both shown on a narrow screen.`(
    state: String, columns: Int, expected: String
  )
    throws
  {
    #expect(try notice(of: state, columns: columns) == expected)
  }

  @Test(arguments: [
    (
      600, 140,
      " ✗ Page 2 failed: rate limited, retry after 00:26. The service asks you to wait 10 min, "
        + "longer than search.max_wait. (r: retry)"
    ),
    (600, 61, " ✗ Page 2 failed: rate limited, retry after 00:26 (r: retry)"),
    (600, 40, " ✗ rate limited (r: retry)"),
    (200_000, 80, " ✗ Page 2 failed: rate limited, retry in 3 d (r: retry)"),
  ])
  func `A wait longer than the user allows shows its length, and the messages have the whole text.`(
    wait: Int, columns: Int, expected: String
  ) throws {
    var pager = try PagerDriver(query: "x", size: (columns, 12), rules: { $0.retry.attempts = 3 })
    try pager.answer(numbers: 0..<3)
    try pager.fail(
      PageError(.rateLimited, message: "rate limited", canRepeat: .freely, wait: Double(wait)))
    #expect(pager.screen.split(separator: "\n", omittingEmptySubsequences: false)[10] == expected)
    let message = try #require(pager.state.messages.all.last?.text)
    #expect(message.hasPrefix("Page 2 failed: rate limited. The service asks you to wait"))
  }

  @Test(arguments: [
    (PageError(.rejected, status: 422, message: "refused"), "422 Unprocessable Content"),
    (PageError(.rejected, status: 404, message: "gone"), "404 Not Found"),
    (
      PageError(.rejected, status: 422, message: "x", serviceMessage: "only the first 60 results"),
      "422 Unprocessable Content: only the first 60 results"
    ),
    (
      PageError(.rejected, status: 410, message: "gone", canRepeat: .afterRestart),
      "the service no longer accepts this position (410 Gone) (r: start over)"
    ),
    (PageError(.unauthorized, status: 401, message: "no"), "401 Unauthorized (r: retry)"),
    (PageError(.server, status: 503, message: "busy"), "503 Service Unavailable (r: retry)"),
    (PageError(.unreadable, status: 200, message: "not JSON"), "not JSON (r: retry)"),
    (
      PageError(.unreadable, message: "no rows", remedy: "correct rows.path", needsRestart: true),
      "no rows. Correct rows.path. Then start riffle again. (s: edit the query)"
    ),
    (
      PageError(.unauthorized, message: "A is not set. To provide it, set A", needsRestart: true),
      "A is not set. To provide it, set A. Then start riffle again. (s: edit the query)"
    ),
    (PageError(.invalidRequest, message: "an option is missing"), "an option is missing (s: edit the query)"),
  ])
  func `[D61] A retry is offered only where it can help.`(error: PageError, expected: String) throws {
    var pager = try PagerDriver(query: "x", size: (100, 12))
    try pager.answer(numbers: 0..<3)
    try pager.fail(error)
    #expect(pager.notice == "✗ Page 2 failed: \(expected)")
  }

  @Test func `[U26] The service's own words are shown rather than the name of the status.`() throws {
    var pager = try PagerDriver(query: "x", size: (80, 12))
    try pager.answer(numbers: 0..<3)
    let words = "Only the first 60 results are available"
    try pager.fail(PageError(.rejected, status: 422, message: "x", serviceMessage: words))
    #expect(pager.notice == "✗ Page 2 failed: 422: \(words)")
  }

  @Test(arguments: [
    (100, "1–7 of 20 loaded · 644 found", "Enter: details  s: query  &: filter  ?: help  q: quit"),
    (84, "1–7 of 20 loaded · 644 found", "Enter:details  s:query  &:filter  ?:help  q:quit"),
    (80, "1–7 of 20 loaded · 644 found", "Enter:details s:query &:filter ?:help q:quit"),
    (76, "1–7 of 20 loaded · 644 found", "Enter: details  s: query  ?: help  q: quit"),
    (70, "1–7 of 20 loaded · 644 found", "Enter:details s:query ?:help q:quit"),
    (60, "1–7 of 20 loaded · 644 found", "Enter:details ?:help q:quit"),
    (50, "1–7 of 20 loaded · 644 found", "?: help  q: quit"), (45, "1–7 of 20 loaded · 644 found", "?: help"),
    (36, "20 loaded · 644 found", "?: help"), (30, "20 loaded · 644 found", ""),
  ])
  func
    `[D17] [D60] Hints are shortened, then dropped one by one, help last, and before all facts except the least important.`(
      columns: Int, facts: String, hints: String
    ) throws
  {
    var pager = try PagerDriver(query: "x", size: (columns, 12))
    try pager.answer(numbers: 0..<20, total: 644)
    let line = try #require(pager.screen.split(separator: "\n").last)
    #expect(line.hasPrefix(" \(facts)\(hints.isEmpty ? "" : "   ")"))
    #expect(line.hasSuffix(hints))
  }

  @Test func `[D14] The messages keep the whole failure: page, cause and remedy.`() throws {
    var pager = try PagerDriver(query: "x")
    try pager.answer(numbers: 0..<20)
    try pager.press("M")
    try pager.fail(
      PageError(.offline, message: "connection refused by http://a.example", remedy: "is it running?"))
    try pager.press("!")
    #expect(
      pager.screen.contains("\n Page 2 failed: connection refused by http://a.example. Is\n it running?\n"))
  }

  @Test func `[D17] The status says once what is loaded and found, and the detail view names its keys.`()
    throws
  {
    var pager = try PagerDriver(query: "x", size: (90, 12))
    try pager.answer(numbers: 0..<20, more: false, total: 20)
    #expect(pager.status == "1–7 of 20 · end of results")
    try pager.press("enter")
    #expect(pager.screen.hasSuffix("J:JSON Ctrl-N:next row o:open y y:copy c:column Esc:close"))
  }

  @Test
  func `[D14] In an empty table, the failure is in the middle, with page, cause, URL, remedy and keys.`()
    throws
  {
    var pager = try PagerDriver(query: "x", size: (60, 14))
    let request = try #require(pager.state.pageRequests.first)
    var error = PageError(
      .server, status: 503, message: "https://api.example.org answered 503 Service Unavailable: planned work",
      remedy: "see the status page",
      serviceMessage: "planned work until noon, all searches are paused meanwhile")
    error.exchange = PagerDriver.exchange(for: request, status: 503, bytes: 20)
    try pager.fail(error)
    #expect(
      pager.screen.split(separator: "\n", omittingEmptySubsequences: false).dropFirst(3).dropLast(2)
        .joined(separator: "\n") == """

            ✗ Page 1 failed: 503 Service Unavailable
            https://api.example.org/search: planned work until noon,
            all searches are paused meanwhile
            See the status page.

            r: retry   s: edit the query   L: request log


          """)
    #expect(pager.notice == "")
    // When a popup covers the table, the line below shows the failure.
    try pager.press("?")
    #expect(pager.notice.hasPrefix("✗ Page 1 failed: 503 Service Unavailable"))
  }

  @Test func `Waits name their cause and the keys that end them.`() throws {
    var pager = try PagerDriver(query: "x", size: (100, 12), rules: { $0.retry.attempts = 3 })
    try pager.answer(numbers: 0..<3)
    try pager.press("M")
    try pager.fail(PageError(.server, status: 503, message: "busy", canRepeat: .freely, wait: 4))
    #expect(
      pager.notice == "Page 2 failed: 503 Service Unavailable. Retrying in 4 s (r: now, Esc: cancel)")
  }
}

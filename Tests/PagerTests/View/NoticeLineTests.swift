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
    ("failed", 120, " ✗ r asks again · failed: page 2: https://api.example.org answered 502 Bad Gateway"),
    ("failed", 80, " ✗ r asks again · failed: page 2: api.example.org answered 502 Bad Gateway"),
    ("failed", 60, " ✗ r asks again · failed: page 2: answered 502 Bad Gateway"),
    ("failed", 40, " ✗ r again · answered 502 Bad Gateway"),
    (
      "offline", 120,
      " ✗ r asks again · offline: page 2: https://api.example.org refused the connection · check the network"
    ),
    ("offline", 80, " ✗ r asks again · offline: page 2: api.example.org refused the connection …"),
    ("offline", 60, " ✗ r asks again · offline: page 2: refused the connection …"),
    ("offline", 40, " ✗ r again · refused the connection …"),
    ("waiting", 80, " r asks now · Esc stops · again in 18 s · waiting: page 1: slow down"),
    ("waiting", 60, " r asks now · Esc stops · again in 18 s · slow down"),
    ("waiting", 40, " r now · Esc stops · 18 s: slow down"),
    ("stopped", 40, " r asks again · M loads on · stopped"),
    ("reset-asks", 60, " y resets · any other key keeps · reset drops 1 mark"),
    ("reset-asks", 40, " y drops 1 mark · other keys keep"),
    ("filtered", 40, " M loads more · 24 of 47 loaded match …"),
  ])
  func `Keys and cause both show on a narrow screen.`(state: String, columns: Int, expected: String) throws {
    #expect(try notice(of: state, columns: columns) == expected)
  }

  @Test(arguments: [
    (
      600, 140,
      "✗ not before 00:26 · r asks again · failed: page 1: rate limited · it asks to wait 10 min; --max-wait allows more"
    ),
    (600, 100, "✗ not before 00:26 · r asks again · failed: page 1: rate limited …"),
    (600, 40, "✗ not before 00:26 · r again · rate l…"),
    (200_000, 80, "✗ not for 3 d · r asks again · failed: page 1: rate limited …"),
  ])
  func `A wait that is longer than the user allows says how long; the messages have all of it.`(
    wait: Int, columns: Int, expected: String
  ) throws {
    var pager = try PagerDriver(query: "x", size: (columns, 12), rules: { $0.retry.attempts = 3 })
    try pager.fail(
      PageError(.rateLimited, message: "rate limited", canRepeat: .freely, wait: Double(wait)))
    #expect(pager.notice == expected)
    try pager.press("!")
    #expect(pager.screen.contains("page 1: rate limited; it asks to wait"))
  }
}

import Search
import Testing
import Text

@testable import Pager
@testable import Terminal

/// Tests desktop notifications.
@Suite struct DesktopNoticesTests {
  @Test(
    arguments: [
      (true, false, 12.0, "riffle: Test things: 3 rows loaded"), (true, false, 9.0, nil),
      (true, true, 12.0, nil),
      (false, false, 12.0, nil),
    ] as [(Bool, Bool, Double, String?)])
  func `The end of a long load is a notification, if the user wants it and is in another window.`(
    isOn: Bool, isFocused: Bool, seconds: Double, text: String?
  ) throws {
    var pager = try PagerDriver(query: "x", pager: { $0.notifies = isOn })
    pager.reduce(.focused(isFocused))
    pager.reduce(.ticked(1_000 + seconds))
    try pager.answer(numbers: 0..<3, more: false)
    #expect(PagerView.frame(pager.state).notification?.text.string == text)
  }

  @Test func `The failure of a long load is one, too.`() throws {
    var pager = try PagerDriver(query: "x", pager: { $0.notifies = true })
    pager.reduce(.focused(false))
    pager.reduce(.ticked(1_020))
    try pager.fail(PageError(.server, status: 502, message: "502"))
    #expect(
      PagerView.frame(pager.state).notification?.text.string == "riffle: Test things: failed after 0 rows")
  }
}

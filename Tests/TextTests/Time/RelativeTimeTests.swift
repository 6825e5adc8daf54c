import Testing
import Text

@Suite struct RelativeTimeTests {
  @Test(arguments: [
    ("2026-06-01T12:00:00Z", "just now"), ("2026-06-01T11:59:51Z", "just now"),
    ("2026-06-01T12:00:09Z", "just now"),
    ("2026-06-01T11:59:50Z", "10 s ago"), ("2026-06-01T11:59:15Z", "45 s ago"),
    ("2026-06-01T11:59:00Z", "1 min ago"),
    ("2026-06-01T11:00:01Z", "59 min ago"), ("2026-06-01T10:00:00Z", "2 h ago"),
    ("2026-05-31T12:00:01Z", "23 h ago"),
    ("2026-05-31T12:00:00Z", "1 d ago"), ("2026-05-01T12:00:01Z", "30 d ago"),
    ("2026-05-01T12:00:00Z", "1 mo ago"),
    ("2025-06-01T12:00:01Z", "11 mo ago"), ("2025-06-01T12:00:00Z", "1 y ago"), ("1994-11-06", "31 y ago"),
    ("2026-06-04T12:00:00Z", "in 3 d"), ("2026-06-01T12:00:30Z", "in 30 s"), ("9999-12-31", "in 7978 y"),
  ])
  func `[D62] An instant is shown as past or future time in a single unit`(instant: String, text: String)
    throws
  {
    let now = try #require(Timestamp(iso8601: "2026-06-01T12:00:00Z"))
    #expect(RelativeTime.text(try #require(Timestamp(iso8601: instant)), now: now) == text)
  }
}

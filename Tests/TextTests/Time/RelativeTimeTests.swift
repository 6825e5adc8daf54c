import Testing
import Text

@Suite struct RelativeTimeTests {
  @Test(arguments: [
    ("2026-06-01T12:00:00Z", "just now"), ("2026-06-01T11:59:51Z", "just now"),
    ("2026-06-01T12:00:09Z", "just now"),
    ("2026-06-01T11:59:50Z", "10s ago"), ("2026-06-01T11:59:15Z", "45s ago"),
    ("2026-06-01T11:59:00Z", "1m ago"),
    ("2026-06-01T11:00:01Z", "59m ago"), ("2026-06-01T10:00:00Z", "2h ago"),
    ("2026-05-31T12:00:01Z", "23h ago"),
    ("2026-05-31T12:00:00Z", "1d ago"), ("2026-05-01T12:00:01Z", "30d ago"),
    ("2026-05-01T12:00:00Z", "1mo ago"),
    ("2025-06-01T12:00:01Z", "11mo ago"), ("2025-06-01T12:00:00Z", "1y ago"), ("1994-11-06", "31y ago"),
    ("2026-06-04T12:00:00Z", "in 3d"), ("2026-06-01T12:00:30Z", "in 30s"), ("9999-12-31", "in 7978y"),
  ])
  func `An instant is so long ago or ahead`(instant: String, text: String) throws {
    let now = try #require(Timestamp(iso8601: "2026-06-01T12:00:00Z"))
    #expect(RelativeTime.text(try #require(Timestamp(iso8601: instant)), now: now) == text)
  }
}

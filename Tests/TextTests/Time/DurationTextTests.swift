import TestSupport
import Testing
import Text

@Suite struct DurationTextTests {
  @Test(arguments: [
    ("400ms", Duration.milliseconds(400)), ("60s", .seconds(60)), ("5m", .seconds(300)),
    ("2h", .seconds(7_200)),
    ("0s", .zero), ("1h30m", .seconds(5_400)), ("1m500ms", .milliseconds(60_500)),
  ])
  func `A duration consists of whole numbers with units`(text: String, duration: Duration) {
    #expect(DurationText.duration(text) == duration)
  }

  @Test(arguments: [
    "", "60", "s", "60 s", " 60s", "-5s", "1.5s", "5x", "5S", "30m1h", "1s1s", "5m5", "٣s", "unlimited",
    "9223372036854775807h", "99999999999999999999s", "999999999999h",
  ])
  func `Any other text is not a duration`(text: String) {
    #expect(DurationText.duration(text) == nil)
  }

  @Test(arguments: [
    (Duration.zero, "0s"), (.milliseconds(400), "400ms"), (.seconds(60), "1m"), (.seconds(90), "1m30s"),
    (.seconds(7_200), "2h"), (.milliseconds(61_001), "1m1s1ms"), (.microseconds(900), "0s"),
    (.seconds(-5), "-5s"),
    (.seconds(Int64.max), "9223372036854775807s"),
    (.seconds(9_223_372_036_854_775) + .milliseconds(999), "9223372036854775s"),
  ])
  func `A duration is written with the units it needs`(duration: Duration, text: String) {
    #expect(DurationText.text(duration) == text)
  }

  @Test(arguments: [
    (0.2, "1 s"), (60, "60 s"), (120, "2 min"), (599.5, "10 min"), (3_600, "1 h"), (3_661, "1 h 2 min"),
    (86_400, "24 h"), (200_000, "3 d"), (-1, "0 s"), (.infinity, "11574075 d"),
  ])
  func `A wait is written in everyday words`(seconds: Double, text: String) {
    #expect(DurationText.words(seconds: seconds) == text)
  }

  @Test(arguments: [
    (0.2, "1s"), (60, "1m"), (90, "1m30s"), (3_600, "1h"), (3_661, "1h2m"), (86_400, "24h"),
    (86_401, "unlimited"), (.infinity, "unlimited"),
  ])
  func `A wait is written as the option that allows it.`(seconds: Double, text: String) {
    #expect(DurationText.option(seconds: seconds) == text)
  }

  @Test func `A written duration is read back unchanged`() {
    var generator = SeededGenerator(seed: 10)
    for _ in 0..<1_000 {
      let duration = Duration.milliseconds(Int64.random(in: 0...1_000_000_000, using: &generator))
      #expect(DurationText.duration(DurationText.text(duration)) == duration)
    }
  }
}

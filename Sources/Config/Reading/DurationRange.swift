private import Text

/// Parses durations and checks that they are within bounds.
struct DurationRange: Sendable, Hashable {
  let bounds: ClosedRange<Duration>

  init(_ bounds: ClosedRange<Duration>) { self.bounds = bounds }

  func duration(_ text: String) throws(ValueProblem) -> Duration {
    guard let duration = DurationText.duration(text) else {
      throw ValueProblem("expected a duration like \"400ms\" or \"5m\", found \(Wording.quoted(text))")
    }
    if bounds.contains(duration) { return duration }
    throw ValueProblem("expected \(self), found \(Wording.quoted(text))")
  }
}

extension DurationRange: CustomStringConvertible {
  var description: String {
    "a duration from \(DurationText.text(bounds.lowerBound)) to \(DurationText.text(bounds.upperBound))"
  }
}

private import Text

/// Reads durations and keeps them within bounds.
struct DurationRange: Sendable, Hashable {
  let bounds: ClosedRange<Duration>

  init(_ bounds: ClosedRange<Duration>) { self.bounds = bounds }

  struct Problem: Error, CustomStringConvertible { let description: String }

  func duration(_ text: String) throws(Problem) -> Duration {
    guard let duration = DurationText.duration(text) else {
      throw Problem(
        description: "expected a duration like \"400ms\" or \"5m\", found \(TableReader.quoted(text))")
    }
    if bounds.contains(duration) { return duration }
    throw Problem(description: "expected \(self), found \(TableReader.quoted(text))")
  }
}

extension DurationRange: CustomStringConvertible {
  var description: String {
    "a duration from \(DurationText.text(bounds.lowerBound)) to \(DurationText.text(bounds.upperBound))"
  }
}

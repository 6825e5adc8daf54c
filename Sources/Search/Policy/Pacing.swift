/// The interval between the requests of a run.
package enum Pacing {
  /// The interval between two requests in seconds. Requests are spread over the rest of the window only if
  /// more pages are wanted than requests remain, and then at most ten seconds apart.
  ///
  /// - Parameters:
  ///   - minInterval: The minimum interval that the source requires, in seconds.
  ///   - pagesWanted: The number of pages still to be requested.
  ///   - now: When the budget was received, in seconds since 1970.
  package static func interval(
    budget: RateBudget?, pagesWanted: Int, minInterval: Double, now: Double
  ) -> Double {
    guard let remaining = budget?.remaining, let reset = budget?.resetsAt, reset > now,
      pagesWanted > remaining
    else { return minInterval }
    return max(minInterval, min(longest, (reset - now) / Double(max(remaining, 1))))
  }

  /// The maximum interval that riffle chooses itself, in seconds.
  static let longest = 10.0

  /// The number of pages assumed if nothing limits them.
  static let unknownPages = 20
}

/// How far apart the requests of one run are.
package enum Pacing {
  /// Seconds from one request to the next. Requests are spread over what is left of the window only where
  /// the pages still wanted exceed what remains, and then by at most ten seconds.
  ///
  /// - Parameters:
  ///   - minInterval: what the source asks for in any case, in seconds.
  ///   - pagesWanted: pages still to be asked for.
  ///   - now: when the budget arrived, in seconds since 1970.
  package static func interval(
    budget: RateBudget?, pagesWanted: Int, minInterval: Double, now: Double
  ) -> Double {
    guard let remaining = budget?.remaining, let reset = budget?.resetsAt, reset > now,
      pagesWanted > remaining
    else { return minInterval }
    return max(minInterval, min(longest, (reset - now) / Double(max(remaining, 1))))
  }

  /// Seconds between two requests, at most, that riffle leaves of its own accord.
  static let longest = 10.0

  /// Pages a run is taken to want where nothing bounds them.
  static let unknownPages = 20
}

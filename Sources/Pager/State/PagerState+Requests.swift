package import Search

/// What should happen outside, derived from the state; feedbacks fulfil it.
extension PagerState {
  package var pageRequests: [PageRequest] { session.requests }
  package var waitRequests: [WaitRequest] { session.waits }
  package var totalQuery: TotalQuery? { session.totalQuery }

  /// A live query waits for the user to rest; nil when nothing is typed that is not asked, or when only
  /// Enter asks.
  package var rest: RestRequest? {
    guard isLive, isDraft, mode == .query, !line.isEmpty else { return nil }
    return RestRequest(edit: edits, delay: rules.input.debounce)
  }

  /// Typing asks by itself, unless the service's budget is nearly used up.
  package var isLive: Bool { rules.input.isLive && session.allowsLiveQueries(at: clock) }

  /// Something moves on the screen: a spinner or a countdown.
  package var isAnimated: Bool { session.phase.isLoading || session.phase.isWaiting }
}

package struct RestRequest: Sendable, Hashable {
  package let edit: Int
  package let delay: Duration
}

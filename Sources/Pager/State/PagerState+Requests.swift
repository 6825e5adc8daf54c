package import Search

/// Requests for effects, derived from the state and fulfilled by feedbacks.
extension PagerState {
  package var pageRequests: [PageRequest] { session.requests }
  package var alarm: Double? { session.alarm }
  package var totalQuery: TotalQuery? { session.totalQuery }

  /// A request to filter and sort rows for the list; answered by `.ordered`, in parts.
  package var orderRequest: RowOrderRequest? {
    let rules = orderRules
    guard !rules.isTrivial, !isCurrent(list.order, for: rules) else { return nil }
    return request(continuing: list.order, rules)
  }

  /// A request to search rows; answered by `.ordered`, in parts.
  package var searchRequest: RowOrderRequest? {
    let rules = searchRules
    guard !rules.isTrivial, !isCurrent(search.hits, for: rules) else { return nil }
    return request(continuing: search.hits, rules)
  }

  private func request(continuing order: RowOrder?, _ rules: RowOrderRules) -> RowOrderRequest {
    RowOrderRequest(start: base(order, for: rules), rows: rows, columns: table.columns)
  }

  /// One-time effects; answered by `.effectEnded`.
  package var effects: [EffectRequest] { effectQueue.effects }

  /// A request to read the row of the detail popup from its page, then from the service if the source
  /// declares a detail request; answered by `.read`.
  package var readingRequest: RowReadingRequest? {
    guard let identity = readingIdentity, let part = partToRead, let row = rowReference(identity.row) else {
      return nil
    }
    return RowReadingRequest(identity: identity, part: part, row: row)
  }

  private var partToRead: RowReadingRequest.Part? {
    guard let detail = readDetail else { return .row }
    return rules.requestsDetail && detail.reply == nil && detail.content != nil ? .reply : nil
  }

  /// Whether a detail request to the service is in progress.
  var isRequestingDetail: Bool { readingRequest?.part == .reply }

  /// A live query waits until the user stops typing; nil if nothing new is typed, or if only Enter submits.
  package var rest: LoadRestRequest? {
    guard isLive, isDraft, mode == .query, !line.isEmpty || session.rules.minLength == 0 else { return nil }
    return LoadRestRequest(edit: edits, delay: rules.input.debounce)
  }

  /// Whether typing submits the query, which stops when the service's budget is nearly used up.
  package var isLive: Bool { rules.input.isLive && session.allowsLiveQueries }

  /// Whether something on the screen moves: a visible spinner or a countdown.
  package var isAnimated: Bool {
    let spins = session.phase.isLoading || isRequestingDetail
    return session.phase.isWaiting || spins && isFocused && !rules.isAccessible
  }
}

/// A request to load everything that is left.
package struct LoadRestRequest: Sendable, Hashable {
  package let edit: Int
  package let delay: Duration
}

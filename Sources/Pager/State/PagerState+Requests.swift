package import Search

/// What should happen outside, derived from the state; feedbacks fulfil it.
extension PagerState {
  package var pageRequests: [PageRequest] { session.requests }
  package var alarm: Double? { session.alarm }
  package var totalQuery: TotalQuery? { session.totalQuery }

  /// Rows are to be chosen or sorted for the list; answered by `.ordered`, in parts.
  package var orderRequest: RowOrderRequest? {
    let rules = orderRules
    guard !rules.isTrivial, !isCurrent(list.order, for: rules) else { return nil }
    return request(continuing: list.order, rules)
  }

  /// Rows are to be looked for; answered by `.ordered`, in parts.
  package var searchRequest: RowOrderRequest? {
    let rules = searchRules
    guard !rules.isTrivial, !isCurrent(search.hits, for: rules) else { return nil }
    return request(continuing: search.hits, rules)
  }

  private func request(continuing order: RowOrder?, _ rules: RowOrderRules) -> RowOrderRequest {
    RowOrderRequest(start: base(order, for: rules), rows: rows, columns: table.columns)
  }

  /// What is to be done in the world, once each; answered by `.errandEnded`.
  package var errands: [Errand] { errandQueue.errands }

  /// The row of the detail popup is to be read from its page, then asked for where the source says so; answered by
  /// `.read`.
  package var readingRequest: RowReadingRequest? {
    guard let identity = readingIdentity, let part = partToRead, let row = rowReference(identity.row) else {
      return nil
    }
    return RowReadingRequest(identity: identity, part: part, row: row)
  }

  private var partToRead: RowReadingRequest.Part? {
    guard let detail = readDetail else { return .row }
    return rules.asksForDetail && detail.reply == nil && detail.content != nil ? .reply : nil
  }

  /// A service is asked for the row of the detail popup.
  var isAskingForDetail: Bool { readingRequest?.part == .reply }

  /// A live query waits for the user to rest; nil when nothing is typed that is not asked, or when only
  /// Enter asks.
  package var rest: RestRequest? {
    guard isLive, isDraft, mode == .query, !line.isEmpty || session.rules.minLength == 0 else { return nil }
    return RestRequest(edit: edits, delay: rules.input.debounce)
  }

  /// Typing asks by itself, unless the service's budget is nearly used up.
  package var isLive: Bool { rules.input.isLive && session.allowsLiveQueries }

  /// Something moves on the screen: a spinner that is looked at, or a countdown.
  package var isAnimated: Bool {
    let spins = session.phase.isLoading || isAskingForDetail
    return session.phase.isWaiting || spins && isFocused && !rules.isAccessible
  }
}

package struct RestRequest: Sendable, Hashable {
  package let edit: Int
  package let delay: Duration
}

package import HTTPValues

/// A separate request for the total.
package struct TotalQuery: Sendable, Hashable {
  package var query: Query
  package var generation: Int
  /// The number of the attempt, from 0.
  package var attempt = 0
}

/// The response to a request for the total.
package struct TotalResponse: Sendable, Hashable {
  /// The total; nil if there is no number at the location that the source declares.
  package var total: Total?
  /// The exchange; nil if no request was sent.
  package var exchange: Exchange?
  package var budget: RateBudget?
  package var bucket: RateBucket?
}

extension TotalQuery {
  package init(_ query: Query) { self.init(query: query, generation: 0) }
}

extension TotalResponse {
  package init(_ total: Total?) { self.total = total }
}

extension Session {
  /// A property of the request for the total of the current generation; nil if none is requested. The total is
  /// requested once, along with the first page, if the rules say that it is shown.
  func total<Value>(_ property: (RequestState<TotalResponse>) -> Value?) -> Value? {
    rules.requestsTotal && hasQuery && generation > 0 ? property(totalRequest) : nil
  }

  /// The request for the total that should be sent now, if any.
  package var totalQuery: TotalQuery? {
    total { state in
      state.isRequested ? TotalQuery(query: query, generation: generation, attempt: state.attempt) : nil
    }
  }

  /// The wait before the next request for the total, if any.
  package var totalWait: Wait? { total(\.wait) }

  /// Why the request for the total failed; nil while it may still succeed.
  package var totalFailure: PageError? { total(\.failure) }

  /// Handles a response; a late one is dropped.
  mutating func settle(_ response: TotalResponse, for requested: TotalQuery) {
    guard requested == totalQuery else { return }
    totalRequest = RequestState(status: .answered(response))
    if let exchange = response.exchange {
      advance(to: exchange.arrivedAt)
      log(requested.attempt, exchange, response.budget)
      ledger.note(response, at: exchange.arrivedAt)
    }
    if let total = response.total { self.total = total }
    // A known total may allow several concurrent page requests.
    proceed()
  }

  /// Handles a failed request for the total, by the same rules as for pages.
  mutating func fail(_ error: PageError, for requested: TotalQuery, at time: RetryTiming) {
    guard requested == totalQuery else { return }
    advance(to: time.now)
    log(error, attempt: requested.attempt)
    totalRequest = state(after: error, attempt: requested.attempt, jitter: time.jitter)
  }
}

/// A parsed reply: its rows, and what it says about the list.
package struct Page: Sendable {
  package var content: PageContent
  /// The hash of each row's key, in row order; empty if the source has no key. 0 for a row without a key.
  package var keys: [UInt64]
  /// The hash of all rows received, which identifies the page if the source has no key, or if a filter
  /// removed some rows; nil if the keys suffice.
  package var fingerprint: UInt64?
  /// The number of rows received, including null entries and rows removed by a filter; the basis of offsets
  /// and totals.
  package var received: Int
  /// The page size that the reply reports, or else the requested one.
  package var pageSize: Int?
  package var continuation: Continuation
  /// The next position in a form that may be stored on disk; nil if it contains a secret that cannot be
  /// removed.
  package var keptNext: Position?
  package var total: Total?
  /// The number of pages, if the reply determines it.
  package var pageCount: Int?
  package var budget: RateBudget?
  package var bucket: RateBucket?
  /// The pause that the service requests before the next request, in seconds.
  package var backoff: Double?
  /// Warnings that do not stop the run.
  package var notes: [String]
  package var exchange: Exchange

  package init(
    content: PageContent, keys: [UInt64] = [], fingerprint: UInt64? = nil, received: Int? = nil,
    pageSize: Int? = nil, continuation: Continuation, total: Total? = nil, pageCount: Int? = nil,
    budget: RateBudget? = nil, bucket: RateBucket? = nil, backoff: Double? = nil, notes: [String] = [],
    exchange: Exchange = Exchange()
  ) {
    self.content = content
    self.keys = keys
    self.fingerprint = fingerprint
    self.received = received ?? content.rowCount
    self.pageSize = pageSize
    self.continuation = continuation
    if case .next(let next, _) = continuation { keptNext = next }
    self.total = total
    self.pageCount = pageCount
    self.budget = budget
    self.bucket = bucket
    self.backoff = backoff
    self.notes = notes
    self.exchange = exchange
  }

  package var rowCount: Int { content.rowCount }
}

/// What is kept of a page's rows: cells in the pager, the document in one-shot mode until it is written.
package enum PageContent: Sendable {
  case cells(CellTable)
  case document(DocumentRows)

  package var rowCount: Int {
    switch self {
    case .cells(let table): table.rowCount
    case .document(let rows): rows.nodes.count
    }
  }
}

/// Rows inside the document that contains them.
package struct DocumentRows: Sendable {
  package let reply: ReplyValues
  package let nodes: [JSONNode]

  package init(reply: ReplyValues, nodes: [JSONNode]) {
    self.reply = reply
    self.nodes = nodes
  }
}

/// The number of rows that a service reports.
package enum Total: Sendable, Hashable {
  case exact(Int)
  case atLeast(Int)
  case estimate(Int)

  package var count: Int {
    switch self {
    case .exact(let count), .atLeast(let count), .estimate(let count): count
    }
  }
}

/// The remaining requests in the current window of a rate limit.
package struct RateBudget: Sendable, Hashable {
  package var limit: Int?
  package var remaining: Int?
  /// When the window ends, in seconds since 1970.
  package var resetsAt: Double?

  package init(limit: Int? = nil, remaining: Int? = nil, resetsAt: Double? = nil) {
    self.limit = limit
    self.remaining = remaining
    self.resetsAt = resetsAt
  }
}

/// One reply, read: its rows and what it says about the list.
package struct Page: Sendable {
  package var content: PageContent
  /// A hash of each row's key, in row order; empty when the source has no key. Rows without a key are 0.
  package var keys: [UInt64]
  /// A hash of all rows that were sent, by which pages are told apart when the source has no key, or when a filter left
  /// some of them out; nil when the keys tell.
  package var fingerprint: UInt64?
  /// Rows the service sent, null entries and those filtered out here included: what offsets and totals count.
  package var received: Int
  /// The page size the reply says it used, else the one that was asked for.
  package var pageSize: Int?
  package var continuation: Continuation
  /// The next position as it may be kept on disk: nil when it holds a secret that cannot be left out.
  package var keptNext: Position?
  package var total: Total?
  /// How many pages there are, as far as the reply tells.
  package var pageCount: Int?
  package var budget: RateBudget?
  package var bucket: RateBucket?
  /// A pause the service asked for before the next request, in seconds.
  package var backoff: Double?
  /// Worth telling, but no reason to stop.
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

/// What is kept of a page's rows: the pager keeps cells, the one-shot writer the document until it is
/// written.
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

/// Rows inside the document they came in.
package struct DocumentRows: Sendable {
  package let reply: ReplyValues
  package let nodes: [JSONNode]

  package init(reply: ReplyValues, nodes: [JSONNode]) {
    self.reply = reply
    self.nodes = nodes
  }
}

/// How many rows a service says there are.
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

/// What a service still allows in its current window.
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

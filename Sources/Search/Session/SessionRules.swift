extension Session {
  /// The fixed rules of a session.
  package struct Rules: Sendable, Hashable {
    package var first: Position
    /// See `PaginationStyle.numbering`.
    package var numbering: Numbering?
    /// The paging limit of the service; nil if there is none.
    package var pagingCap: PagingCap?
    package var repetition: PaginationSettings.Repetition
    /// The number of rows at the start of a page that may repeat the end of the previous page.
    package var overlap: Int
    package var concurrency: Int
    /// The minimum interval in seconds between two requests of a run.
    package var minInterval: Double
    package var maxEmptyPages: Int
    package var maxRows: Int?
    package var maxPages: Int?
    package var retry: RetryPolicy
    /// Queries shorter than this send no request.
    package var minLength: Int
    /// One-shot mode: a page counts toward `concurrency` until it is written.
    package var awaitsWriting: Bool
    /// The total is shown, and the service reports it only in reply to a separate request.
    package var requestsTotal = false
    /// Requests are kept for the request log.
    package var keepsLog = true
    /// Nil if the run begins at the first page.
    package var resumePoint: ResumePoint?

    package init(
      first: Position, numbering: Numbering? = nil, pagingCap: PagingCap? = nil,
      repetition: PaginationSettings.Repetition = .stop, overlap: Int = 0, concurrency: Int = 1,
      minInterval: Double = 0, maxEmptyPages: Int = 3, maxRows: Int? = nil, maxPages: Int? = nil,
      retry: RetryPolicy = RetryPolicy(attempts: 3, longestWait: 120), minLength: Int = 1,
      awaitsWriting: Bool = false
    ) {
      self.first = first
      self.numbering = numbering
      self.pagingCap = pagingCap
      self.repetition = repetition
      self.overlap = overlap
      self.concurrency = concurrency
      self.minInterval = minInterval
      self.maxEmptyPages = maxEmptyPages
      self.maxRows = maxRows
      self.maxPages = maxPages
      self.retry = retry
      self.minLength = minLength
      self.awaitsWriting = awaitsWriting
    }

    /// The rules that a source determines; limits on pages and waits are up to the run.
    ///
    /// - Parameters:
    ///   - pageSize: The page size of the run; nil if the service chooses it.
    ///   - credentials: The credentials that the run sends.
    package init(_ source: Source, pageSize: Int?, credentials: Set<CredentialName> = []) {
      let settings = source.pagination.settings
      self.init(
        first: source.pagination.style.first, numbering: source.pagination.style.numbering,
        pagingCap: source.pagination.pagingCap(pageSize: pageSize, with: credentials),
        repetition: settings.repetition, overlap: settings.overlap,
        minInterval: source.limits.minInterval / .seconds(1), maxEmptyPages: settings.maxEmptyPages ?? 3,
        minLength: source.needsQuery ? source.input.minLength : 0)
    }
  }
}

/// The starting point of a run that does not begin at the first page: where another run stopped, or a page
/// that the user names.
package struct ResumePoint: Sendable, Hashable {
  package var next: Position
  /// The number of rows on the pages before this position.
  package var received: Int
  /// Those of them that no run has loaded, because the user skipped their pages.
  package var skipped = 0
  /// The keys of the rows loaded already.
  package var keys: [UInt64]

  package init(next: Position, received: Int, keys: [UInt64] = []) {
    self.next = next
    self.received = received
    self.keys = keys
  }

  /// Creates the starting point for the page with this number, from 1; nil if a page is known only from the
  /// previous one.
  ///
  /// - Parameter pageSize: The page size of the run; required if pages are located by their first row.
  package init?(page number: Int, of source: Source, pageSize: Int?) {
    guard case .number(let first) = source.pagination.style.first.value else { return nil }
    let pages = number - 1
    switch source.pagination.style.numbering {
    case .pages: next = Position(ordinal: pages, value: .number(first + pages))
    case .rows:
      guard let pageSize else { return nil }
      next = Position(ordinal: pages, value: .number(first + pages * pageSize))
    case nil: return nil
    }
    received = pages * (pageSize ?? 0)
    skipped = received
    keys = []
  }
}

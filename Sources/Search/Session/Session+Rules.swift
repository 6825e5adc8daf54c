extension Session {
  /// What decides a session beside its events; fixed for its life.
  package struct Rules: Sendable, Hashable {
    package var first: Position
    /// See `PaginationStyle.numbering`.
    package var numbering: Numbering?
    /// How far the service lets the run page; nil without a cap.
    package var reach: Reach?
    package var repetition: PaginationSettings.Repetition
    /// Rows at the start of a page that may repeat the end of the page before.
    package var overlap: Int
    package var concurrency: Int
    /// Seconds between two requests of one run.
    package var minInterval: Double
    package var maxEmptyPages: Int
    package var maxRows: Int?
    package var maxPages: Int?
    package var retry: RetryPolicy
    /// Shorter queries ask nothing.
    package var minLength: Int
    /// One-shot: a page counts against `concurrency` until it is written.
    package var awaitsWriting: Bool
    /// The total is shown, and the service tells it on request only.
    package var asksForTotal = false
    /// Requests are kept for a log that somebody reads.
    package var keepsLog = true
    /// Nil: the run begins at the first page.
    package var resumption: Resumption?

    package init(
      first: Position, numbering: Numbering? = nil, reach: Reach? = nil,
      repetition: PaginationSettings.Repetition = .stop, overlap: Int = 0, concurrency: Int = 1,
      minInterval: Double = 0, maxEmptyPages: Int = 3, maxRows: Int? = nil, maxPages: Int? = nil,
      retry: RetryPolicy = RetryPolicy(attempts: 3, longestWait: 120), minLength: Int = 1,
      awaitsWriting: Bool = false
    ) {
      self.first = first
      self.numbering = numbering
      self.reach = reach
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

    /// What a source decides; how many pages and how much patience is up to the run.
    ///
    /// - Parameters:
    ///   - pageSize: of the run; nil when it is left to the service.
    ///   - credentials: those the run sends.
    package init(_ source: Source, pageSize: Int?, credentials: Set<CredentialName> = []) {
      let settings = source.pagination.settings
      self.init(
        first: source.pagination.style.first, numbering: source.pagination.style.numbering,
        reach: source.pagination.reach(pageSize: pageSize, with: credentials),
        repetition: settings.repetition, overlap: settings.overlap,
        minInterval: source.limits.minInterval / .seconds(1), maxEmptyPages: settings.maxEmptyPages ?? 3,
        minLength: source.needsQuery ? source.input.minLength : 0)
    }
  }
}

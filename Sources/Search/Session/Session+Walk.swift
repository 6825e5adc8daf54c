extension Session {
  /// What the pages of this generation had in common: how far the walk is, and whether it gets anywhere
  /// (rules 4 and 6).
  struct Walk: Sendable {
    /// Rows received, those of overlaps left out.
    var received = 0
    /// Those of them that stand before the page the run began at, and were not sent to it.
    var skipped = 0
    /// Rows that had been received when the walk began again at the first page, and those that are new among them;
    /// until they have been passed, pages without a new row are expected.
    var known = 0
    /// Pages without rows in a row.
    var emptyRun = 0
    /// Pages without a new row in a row; those without rows do not count.
    var idleRun = 0
    /// Requests in a row that were equal to the one before.
    var equalRun = 0
    var lastPosition: Position?
    /// The pages whose rows have no key or were not all kept, and the last of them.
    var fingerprints = SeenKeys()
    var lastFingerprint: UInt64?
    /// When the last request was sent.
    var lastSentAt = 0.0
    /// The page size the service uses: as it says or was asked, else the rows of the first page.
    var pageSize: Int?
    /// How many pages there are, as the service said last.
    var pageCount: Int?
    /// How far apart the offsets of neighbouring pages are, as long as every page comes full.
    var stride: Int?
    var isRegular = true

    var isCatchingUp: Bool { received < known }
  }

  /// What a page brought.
  struct News: Sendable {
    /// The rows to keep, as places in the page.
    var kept: [UInt32] = []
    /// Why rows are left out that came; nil when none are.
    var cut: EndReason?
    /// Rows that no page before had, by their keys where there are any.
    var newCount = 0
    /// Rows that repeat the end of the page before, as the source says they do.
    var overlapping = 0
  }
}

extension Session.Walk {
  /// Whether the rows of a page, which have no keys, are those of the page before it once more (rule 6).
  func isRepeated(_ page: Page) -> Bool {
    page.keys.isEmpty && page.rowCount > 0 && page.fingerprint != nil && page.fingerprint == lastFingerprint
  }

  mutating func note(_ page: Page, at position: Position, _ news: Session.News) {
    let isEmpty = page.received == news.overlapping
    let isKnown = page.fingerprint.map { fingerprints.contains($0) }
    // Rows that are filtered out here may have been new: such pages are compared as a whole.
    let isIdle = (isKnown ?? (news.newCount == 0 && page.rowCount > 0)) && !isCatchingUp
    emptyRun = isEmpty ? emptyRun + 1 : 0
    if !isEmpty {
      idleRun = isIdle ? idleRun + 1 : 0
      if let fingerprint = page.fingerprint, isKnown == false { fingerprints.insert([fingerprint]) }
      lastFingerprint = page.fingerprint
    }
    // Rows that have come in since then move those that are known farther down.
    if isCatchingUp { known += news.newCount }
    equalRun = lastPosition.map { position.asksTheSame(as: $0) } ?? false ? equalRun + 1 : 0
    lastPosition = position
    received += page.received - news.overlapping
    pageSize = pageSize ?? page.pageSize ?? (page.received > 0 ? page.received : nil)
    pageCount = page.pageCount ?? pageCount
    lastSentAt = max(lastSentAt, page.exchange.sentAt)
  }

  /// Offsets are foretold only while each page is as long as it was asked to be (rule 11).
  mutating func learnStride(from position: Position, to next: Position, pageSize: Int?) {
    guard case .number(let number) = position.value, case .number(let nextNumber) = next.value else { return }
    isRegular = isRegular && nextNumber - number == pageSize
    stride = isRegular ? pageSize : nil
  }
}

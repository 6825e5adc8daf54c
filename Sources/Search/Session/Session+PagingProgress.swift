extension Session {
  /// The progress of paging in this generation, which shows whether the run still advances (rules 4 and 6).
  struct PagingProgress: Sendable {
    /// The number of rows received, without overlaps.
    var received = 0
    /// Those of them that are before the first page of the run and were not requested.
    var skipped = 0
    /// The number of rows received before the run restarted at the first page, plus the new rows among them.
    /// Until they are passed, pages without a new row are expected.
    var known = 0
    /// The number of consecutive pages without rows.
    var emptyRun = 0
    /// The number of consecutive pages without a new row; those without rows do not count.
    var idleRun = 0
    /// The number of consecutive requests equal to the previous one.
    var equalRun = 0
    var lastPosition: Position?
    /// The fingerprints of the pages whose rows have no key or were not all kept, and the latest of them.
    var fingerprints = SeenKeys()
    var lastFingerprint: UInt64?
    /// When the last request was sent.
    var lastSentAt = 0.0
    /// The page size that the service uses: reported or requested, or else the number of rows on the first
    /// page.
    var pageSize: Int?
    /// The number of pages, as last reported by the service.
    var pageCount: Int?
    /// The distance between the offsets of neighboring pages, as long as every page is full.
    var stride: Int?
    var isRegular = true

    var isCatchingUp: Bool { received < known }
  }

  /// The result of merging a page.
  struct MergeResult: Sendable {
    /// The rows to keep, as indices in the page.
    var kept: [UInt32] = []
    /// Why rows of the page were left out; nil if none were.
    var cut: EndReason?
    /// The number of rows that are on no earlier page, by their keys if they have any.
    var newCount = 0
    /// The number of rows that repeat the end of the previous page, as the source declares.
    var overlapping = 0
  }
}

extension Session.PagingProgress {
  /// Whether the rows of a page, which have no keys, repeat those of the previous page (rule 6).
  func isRepeated(_ page: Page) -> Bool {
    page.keys.isEmpty && page.rowCount > 0 && page.fingerprint != nil && page.fingerprint == lastFingerprint
  }

  mutating func note(_ page: Page, at position: Position, _ mergeResult: Session.MergeResult) {
    let isEmpty = page.received == mergeResult.overlapping
    let isKnown = page.fingerprint.map { fingerprints.contains($0) }
    // Rows removed by the source's filter may have been new, so such pages are compared as a whole.
    let isIdle = (isKnown ?? (mergeResult.newCount == 0 && page.rowCount > 0)) && !isCatchingUp
    emptyRun = isEmpty ? emptyRun + 1 : 0
    if !isEmpty {
      idleRun = isIdle ? idleRun + 1 : 0
      if let fingerprint = page.fingerprint, isKnown == false { fingerprints.insert([fingerprint]) }
      lastFingerprint = page.fingerprint
    }
    // Rows added to the list in the meantime push the known ones further down.
    if isCatchingUp { known += mergeResult.newCount }
    equalRun = lastPosition.map { position.requestsSamePage(as: $0) } ?? false ? equalRun + 1 : 0
    lastPosition = position
    received += page.received - mergeResult.overlapping
    pageSize = pageSize ?? page.pageSize ?? (page.received > 0 ? page.received : nil)
    pageCount = page.pageCount ?? pageCount
    lastSentAt = max(lastSentAt, page.exchange.sentAt)
  }

  /// Offsets are predicted only while every page has the requested length (rule 11).
  mutating func learnStride(from position: Position, to next: Position, pageSize: Int?) {
    guard case .number(let number) = position.value, case .number(let nextNumber) = next.value else { return }
    isRegular = isRegular && nextNumber - number == pageSize
    stride = isRegular ? pageSize : nil
  }
}

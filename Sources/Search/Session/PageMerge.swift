import HTTPValues

extension Session {
  /// Adds a page to the session, and with it all later pages that were waiting for it.
  mutating func accept(_ page: Page, for request: PageRequest) {
    guard let index = slot(for: request), slots[index].state.isRequested else { return }
    advance(to: page.exchange.arrivedAt)
    let page = page.isNotModified ? slots[index].earlier?.confirmed(by: page) ?? page : page
    slots[index].state.status = .answered(page)
    log(page: request.position.ordinal + 1, request.attempt, page.exchange, rows: page.received, page.budget)
    ledger.note(page)
    while case .answered(let page)? = slots.first?.state.status {
      let position = slots.removeFirst().position
      merge(page, at: position)
      if case .end = phase { return }
    }
    proceed()
  }

  private mutating func merge(_ page: Page, at position: Position) {
    if stale?.cause == .query { stale = nil }
    let isCatchingUp = progress.isCatchingUp
    let mergeResult = mergeResult(of: page, at: position)
    progress.note(page, at: position, mergeResult)
    keep(page, at: position, mergeResult)
    if !isCatchingUp || !mergeResult.kept.isEmpty {
      fresh.append(
        page, kept: mergeResult.kept, at: position, resumePoint: resumePoint(after: page, mergeResult))
      if stale?.cause == .refresh { stale?.giveWay(to: fresh.blocks.last?.keys ?? [], at: position) }
      // An empty page with a next page does not count toward the demand for pages with rows (rule 4).
      if progress.emptyRun == 0 { demand = demand.afterOnePage }
    }
    for note in page.notes where !notes.contains(note) { notes.append(note) }
    settleTotal(with: page)
    if let reason = mergeResult.cut ?? endReason(after: page, at: position) {
      finish(reason)
    } else if case .next(let next, _) = page.continuation {
      progress.learnStride(from: position, to: next, pageSize: page.pageSize)
      follow(next)
    }
  }

  /// Keeps the page for a refresh. In one-shot mode, its rows are written and need not be kept; rows that were cut
  /// off are not written, but may be wanted later.
  private mutating func keep(_ page: Page, at position: Position, _ mergeResult: MergeResult) {
    if !rules.awaitsWriting {
      receivedPages.note(page, at: position)
    } else if rules.keepsPages == true, mergeResult.cut == nil {
      receivedPages.note(page.withoutTexts, at: position)
    }
  }

  /// Where a run resumes after this page; nil if rows of it were left out, for which it reads the page again.
  private func resumePoint(after page: Page, _ mergeResult: MergeResult) -> ResumePoint? {
    guard mergeResult.cut == nil, let next = page.keptNext else { return nil }
    return ResumePoint(next: next, received: progress.received, skipped: progress.skipped)
  }

  /// Proceeds to the page after the one just merged. Pages requested ahead are kept only if their position is
  /// right: after a shorter page than predicted they are requested again, so that no row is lost (rule 11).
  private mutating func follow(_ next: Position) {
    if let ahead = slots.first?.position, ahead != next { slots = [] }
    if slots.isEmpty { nextPosition = next }
  }

  /// The rows that are on no earlier page, up to the number of rows wanted. Counts the duplicates.
  private mutating func mergeResult(of page: Page, at position: Position) -> MergeResult {
    var mergeResult = MergeResult()
    if progress.isRepeated(page) {
      duplicates += page.rowCount
      return mergeResult
    }
    var keys: [UInt64] = []
    var here = Set<UInt64>()
    mergeResult.kept.reserveCapacity(page.rowCount)
    for row in 0..<page.rowCount {
      let key = page.keys.isEmpty ? RowKey.none : page.keys[row]
      if key != RowKey.none {
        let isSeen = seen.contains(key)
        if isSeen, position.ordinal > 0, row < rules.overlap, row == mergeResult.overlapping {
          mergeResult.overlapping += 1
          continue
        }
        if isSeen || !here.insert(key).inserted {
          if !progress.isCatchingUp { duplicates += 1 }
          continue
        }
        keys.append(key)
      }
      mergeResult.kept.append(UInt32(row))
    }
    seen.insert(keys)
    // Rows without a key do not count, so that one on every page cannot keep a run going forever.
    mergeResult.newCount = page.keys.isEmpty ? mergeResult.kept.count : keys.count
    if case .rows(let limit) = demand, rules.awaitsWriting { cut(&mergeResult, at: limit, .limit) }
    if let most = rules.maxRows { cut(&mergeResult, at: most, .maxRows(most)) }
    return mergeResult
  }

  private func cut(_ mergeResult: inout MergeResult, at limit: Int, _ reason: EndReason) {
    guard fresh.count + mergeResult.kept.count > limit else { return }
    mergeResult.kept.removeLast(min(fresh.count + mergeResult.kept.count - limit, mergeResult.kept.count))
    mergeResult.cut = reason
  }

  /// The first total stands unless a later one is larger. A total smaller than the number of rows received
  /// becomes "at least" (rule 12), not counting duplicates.
  private mutating func settleTotal(with page: Page) {
    if let new = page.total, new.count > total?.count ?? -1 { total = new }
    let different = differentCount - progress.skipped
    if let known = total, known.count < different { total = .atLeast(different) }
  }

  /// The number of rows received so far, without duplicates.
  var differentCount: Int { progress.received - duplicates }

  private mutating func finish(_ reason: EndReason) {
    unmetDemand = demand
    if case .rows(let count) = demand, fresh.count >= count { unmetDemand = .nothing }
    slots = []
    nextPosition = nil
    demand = .nothing
    endRefresh()
    phase = .end(reason)
  }

  /// Ends a load with no request in flight: the demand is met, or the list cannot continue yet.
  mutating func finishLoad() {
    // Pages have to be written first, or requests of other lists answered.
    if rules.awaitsWriting, nextPosition != nil, isMoreWanted { return }
    demand = .nothing
    endRefresh()
    phase = .idle
  }

  private mutating func endRefresh() {
    stale = nil
    earlierPages = ReceivedPages()
  }
}

extension Session {
  /// Why the list ends after this page; nil if it continues.
  func endReason(after page: Page, at position: Position) -> EndReason? {
    switch page.continuation {
    case .end(let reason): reason
    case .next(let next, let evidence):
      noProgressReason(after: page, at: position, before: next, evidence)
        ?? exhaustedReason(before: next, evidence) ?? demandMetReason
    }
  }

  /// Ends a run without progress: pages without rows, or without new rows (rules 4 and 6).
  private func noProgressReason(
    after page: Page, at position: Position, before next: Position, _ evidence: Evidence
  ) -> EndReason? {
    let isEqual = next.requestsSamePage(as: position)
    if progress.emptyRun > 0 {
      let isEmpty = page.received == 0 && page.groupCount ?? 0 == 0
      if isEqual || isEmpty && !evidence.survivesAnEmptyPage { return .emptyPage }
      if progress.emptyRun > rules.maxEmptyPages { return .emptyPages(progress.emptyRun) }
    }
    if progress.idleRun >= 2 || (progress.idleRun == 1 && isEqual) { return .repeats }
    guard isEqual else { return nil }
    return switch rules.repetition {
    case .stop: progress.equalRun == 0 ? nil : .repeats
    case .progress: nil
    case .end: .last
    }
  }

  /// Ends a run when the service has no more rows, or serves no more.
  private func exhaustedReason(before next: Position, _ evidence: Evidence) -> EndReason? {
    switch (evidence, total) {
    // An exact total takes precedence over a short page (rule 1).
    case (.none, .exact(let count)?), (.shortPage, .exact(let count)?):
      // All positions of the list have been received, or as many distinct rows.
      if progress.received == count || differentCount >= count { return .total }
    case (.shortPage, _): return .last
    default: break
    }
    if let pagingCap = rules.pagingCap, !pagingCap.admits(next, received: progress.received) { return .cap }
    return nil
  }

  /// Ends a run when the requested number of rows or pages is loaded.
  private var demandMetReason: EndReason? {
    if case .rows(let count) = demand, fresh.count >= count, rules.awaitsWriting { return .limit }
    if let most = rules.maxPages, pageCount >= most { return .maxPages(most) }
    if let most = rules.maxRows, fresh.count >= most { return .maxRows(most) }
    return nil
  }
}

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
    /// The page size that the service uses: reported, requested, or else the row count of the first page.
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

extension Session {
  /// Adds a page to the session, and with it all later pages that were waiting for it.
  mutating func accept(_ page: Page, for request: PageRequest) {
    guard let index = slot(for: request), case .requested = slots[index].status else { return }
    advance(to: page.exchange.arrivedAt)
    slots[index].status = .arrived(page)
    log(page, for: request)
    ledger.note(page)
    while case .arrived(let page)? = slots.first?.status {
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
    if !isCatchingUp || !mergeResult.kept.isEmpty {
      fresh.append(
        page, kept: mergeResult.kept, at: position, resumePoint: resumePoint(after: page, mergeResult))
      if stale?.cause == .refresh { stale?.giveWay(to: fresh.blocks.last?.keys ?? [], at: position) }
      // An empty page with a next page does not count toward the demand, which is for pages with rows
      // (rule 4).
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

  /// Where a run resumes after this page; nil if rows of it were left out, so that such a run reads this page
  /// again for the rest.
  private func resumePoint(after page: Page, _ mergeResult: MergeResult) -> ResumePoint? {
    guard mergeResult.cut == nil, let next = page.keptNext else { return nil }
    var resumePoint = ResumePoint(next: next, received: progress.received)
    resumePoint.skipped = progress.skipped
    return resumePoint
  }

  /// Proceeds to the page after the one just merged. Pages requested ahead are kept only if their position is
  /// right: after a page that was shorter than predicted they are requested again, so that no row is lost or
  /// duplicated (rule 11).
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
        if seen.contains(key), position.ordinal > 0, row < rules.overlap, row == mergeResult.overlapping {
          mergeResult.overlapping += 1
          continue
        }
        if seen.contains(key) || !here.insert(key).inserted {
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
    unmetDemand = isDemandMet ? .nothing : demand
    slots = []
    nextPosition = nil
    demand = .nothing
    stale = nil
    phase = .end(reason)
  }

  private var isDemandMet: Bool {
    switch demand {
    case .nothing: true
    case .rows(let count): fresh.count >= count
    case .pages, .everything: false
    }
  }

  /// Ends a load with no request in flight: the demand is met, or the list cannot continue yet.
  mutating func finishLoad() {
    if rules.awaitsWriting, demand != .nothing, nextPosition != nil, isMoreWantedAfterWriting { return }
    demand = .nothing
    stale = nil
    phase = .idle
  }

  private var isMoreWantedAfterWriting: Bool { !fresh.blocks.isEmpty }
}

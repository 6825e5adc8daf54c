import HTTPValues

extension Session {
  /// Adds a page to the session, and with it all later pages that were waiting for it.
  mutating func accept(_ page: Page, for request: PageRequest) {
    guard let index = slot(for: request), slots[index].state.isRequested else { return }
    advance(to: page.exchange.arrivedAt)
    var page = page.isNotModified ? slots[index].earlier?.confirmed(by: page) ?? page : page
    log(page: request.position.ordinal + 1, request.attempt, page.exchange, rows: page.received, page.budget)
    // Only the log bounds the memory that it takes.
    page.exchange.transcript = nil
    slots[index].state.status = .answered(page)
    ledger.note(page)
    lastSentAt = max(lastSentAt, page.exchange.sentAt)
    while case .answered(let page)? = slots.first?.state.status {
      if let error = vanishedFlag(on: page) {
        giveUp(0, error, until: nil)
        return settlePhase()
      }
      let position = slots.removeFirst().position
      merge(page, at: position)
      if !phase.isLoading, !phase.isWaiting { return }
    }
    proceed()
  }

  /// The failure of a page without rows that lacks the flag that earlier pages had: nothing proves the end (rule 30).
  private func vanishedFlag(on page: Page) -> PageError? {
    guard case .end = page.continuation, page.received == 0, page.groupCount ?? 0 == 0,
      progress.signs.contains(.flag), !page.signs.contains(.flag)
    else { return nil }
    return PageError(
      .unreadable, status: page.exchange.status,
      message: "the response has no rows, and does not say whether more pages follow, as earlier ones did")
  }

  private mutating func merge(_ received: Page, at position: Position) {
    if let stale, stale.cause != .refresh { self.stale = nil }
    if !progress.hasGivenUpKey, received.isKeyAmbiguous {
      progress.hasGivenUpKey = true
      note(
        "different rows have the same id, so duplicates are kept. Set rows.id to a path with unique values")
    }
    let page = progress.hasGivenUpKey ? received.withoutKeys : received
    let isCatchingUp = progress.isCatchingUp
    let mergeResult = mergeResult(of: page, at: position)
    progress.note(page, at: position, mergeResult)
    settleTotal(with: page, at: position)
    noteDoubts(about: page, at: position)
    keep(page, at: position, mergeResult)
    if !isCatchingUp { keepFirst(page, at: position, mergeResult) }
    if !isCatchingUp || !mergeResult.kept.isEmpty {
      fresh.append(
        page, kept: mergeResult.kept, at: position, resumePoint: resumePoint(after: page, mergeResult))
      if stale?.cause == .refresh { stale?.yieldTo(to: fresh.blocks.last?.keys ?? [], at: position) }
      // An empty page with a next page does not count toward the demand for pages with rows (rule 4).
      if progress.emptyRun == 0 { demand = demand.afterOnePage }
    }
    page.notes.forEach { note($0) }
    let reason = mergeResult.cut ?? endReason(after: page, at: position)
    if let part = nextPart(after: reason, at: position) {
      begin(part)
      if let met = demandMetReason { finish(met) } else if isTimeToPause { pause() }
    } else if let reason = reason ?? (rules.countsParts ? .last : nil) {
      finish(reason)
    } else if case .next(let next, _) = page.continuation {
      progress.learnStride(from: position, to: next, pageSize: page.pageSize)
      follow(next)
      if isTimeToPause { pause() }
    }
  }

  private mutating func note(_ note: String) { if !notes.contains(note) { notes.append(note) } }

  /// Collects reasons why rows may be missing although each page is valid.
  private mutating func noteDoubts(about page: Page, at position: Position) {
    if let doubt = page.doubt { progress.note(doubt: doubt) }
    let hasLost = progress.signs.contains(.next) && !page.signs.contains(.next)
    if case .end = page.continuation, page.received == 0, hasLost {
      progress.note(
        doubt: "page \(position.ordinal + 1) has no rows and no longer says whether a page follows")
    }
    progress.signs.formUnion(page.signs)
  }

  /// Whether so many empty pages have arrived that the user should decide whether to continue (rule 4).
  private var isTimeToPause: Bool {
    guard !rules.awaitsWriting, progress.emptyRun > 0, demand != .nothing else { return false }
    let most = demand == .everything ? max(rules.maxEmptyPages, Self.maxEmptyPages) : rules.maxEmptyPages
    return progress.emptyRun % (most + 1) == 0
  }

  /// The maximum number of consecutive empty pages that riffle skips in a script.
  package static let maxEmptyPages = 100

  /// Ends the load; the next page is known, and requested when more is wanted.
  private mutating func pause() {
    if let head = slots.first { nextPosition = head.position }
    slots = []
    demand = .nothing
    endRefresh()
    phase = .idle
  }

  /// The number of empty pages at the end so far, each with a next page; 0 if the last page had rows.
  package var emptyPagesSoFar: Int { nextPosition == nil ? 0 : progress.emptyRun }

  /// Keeps the page for a refresh. In one-shot mode, its rows are written and need not be retained; rows that were cut
  /// off are not written, but may be wanted later.
  private mutating func keep(_ page: Page, at position: Position, _ mergeResult: MergeResult) {
    if !rules.awaitsWriting {
      receivedPages.note(page, at: position)
    } else if rules.keepsPages == true, mergeResult.cut == nil {
      receivedPages.note(page.withoutTexts, at: position)
    }
  }

  /// Keeps the first page of the query for the next time that it is asked.
  private mutating func keepFirst(_ page: Page, at position: Position, _ mergeResult: MergeResult) {
    guard !rules.awaitsWriting, !usesLargestPages, position.ordinal == 0 else { return }
    keptQueries.keep(page, mergeResult.kept, of: query)
  }

  /// The point at which a run resumes after this page; nil if rows of the page were left out, so that a resumed run
  /// requests the page again.
  private func resumePoint(after page: Page, _ mergeResult: MergeResult) -> ResumePoint? {
    guard mergeResult.cut == nil, let next = page.storedNext else { return nil }
    return ResumePoint(
      next: next, received: progress.received, skipped: progress.skipped, largestPage: progress.largestPage,
      doubt: progress.doubts.first ?? progress.repeatedPage, total: total,
      isTotalRefuted: progress.isTotalRefuted ? true : nil, parts: parts)
  }

  /// Proceeds to the page after the one just merged. Pages requested ahead remain only if their position is right:
  /// after a shorter page than predicted they are requested again, so that no row is lost (rule 11).
  mutating func follow(_ next: Position) {
    if let ahead = slots.first?.position, ahead != next { slots = [] }
    if slots.isEmpty { nextPosition = next }
  }

  /// The rows that are on no earlier page, up to the number of rows wanted. Counts the duplicates.
  private mutating func mergeResult(of page: Page, at position: Position) -> MergeResult {
    var mergeResult = MergeResult()
    // A page that contains only the overlap is the end of the list, even of a list that is no longer than the overlap.
    if page.received > rules.overlap, let earlier = progress.ordinal(of: page), !progress.isCatchingUp {
      duplicates += page.rowCount
      // A numbered list may repeat its last page; any other leads in a circle (rule 6).
      if rules.numbering == nil { mergeResult.cut = .returned(page: earlier + 1) }
      progress.repeatedRows += page.received
      // Page 0 of a service that counts from 1 is page 1.
      let isPageZero = rules.numbering == .pages(from: 0) && position.index == 1
      if !isPageZero { progress.note(page, at: position, repeating: earlier) }
      return mergeResult
    }
    var keys: [UInt64] = []
    var keysOfEarlierParts: [UInt64] = []
    var here = Set<UInt64>()
    let identities = page.identities
    if !page.contents.isEmpty { progress.hasGuessedKeys = true }
    mergeResult.kept.reserveCapacity(page.rowCount)
    for row in 0..<page.rowCount {
      let key = identities.isEmpty ? RowKey.none : identities[row]
      if key != RowKey.none {
        let isKnown = seen.contains(key)
        let isSeen = parts == nil ? isKnown : partKeys.contains(key)
        if isSeen, position.index > 0, row < rules.overlap, row == mergeResult.overlapping {
          mergeResult.overlapping += 1
          continue
        }
        if isSeen || !here.insert(key).inserted {
          if !progress.isCatchingUp { duplicates += 1 }
          continue
        }
        if isKnown {
          keysOfEarlierParts.append(key)
          continue
        }
        keys.append(key)
      }
      mergeResult.kept.append(UInt32(row))
    }
    seen.insert(keys)
    if parts != nil { partKeys.insert(keys + keysOfEarlierParts) }
    // Rows without a key do not count, so that one on every page cannot keep a run going forever.
    mergeResult.newCount = identities.isEmpty ? mergeResult.kept.count : keys.count + keysOfEarlierParts.count
    if mergeResult.newCount > 0 { progress.noteNewRows() }
    cutAtRangeEnd(&mergeResult, of: page, at: position)
    if case .rows(let limit) = demand, rules.awaitsWriting { cut(&mergeResult, at: limit, .limit) }
    if let most = rules.maxRows { cut(&mergeResult, at: most, .maxRows(most)) }
    return mergeResult
  }

  private func cut(_ mergeResult: inout MergeResult, at limit: Int, _ reason: EndReason) {
    guard fresh.count + mergeResult.kept.count > limit else { return }
    mergeResult.kept.removeLast(min(fresh.count + mergeResult.kept.count - limit, mergeResult.kept.count))
    mergeResult.cut = reason
  }

  /// The first total stands unless a later one is larger. A total smaller than the number of rows received becomes "at
  /// least" (rule 12), not counting duplicates, and so do all later totals, because the service counts differently.
  private mutating func settleTotal(with page: Page, at position: Position) {
    let different = differentCount - progress.skipped
    let isFirst = position.part == nil ? pageCount == 0 && rules.resumePoint == nil : position.index == 0
    // The total of an earlier generation may be too large by now.
    let known = isFirst ? page.total ?? listTotal : listTotal
    if let known, known.count < different { progress.isTotalRefuted = true }
    var total = [known, page.total].compactMap(\.self).max { $0.count < $1.count }
    if progress.isTotalRefuted { total = .atLeast(max(total?.count ?? 0, different)) }
    listTotal = total
    // A run of a range compares its parts with the total of the range.
    if position.part != nil, position.ordinal == 0 { self.total = total }
  }

  /// The number of rows received so far of the list or part, without duplicates.
  var differentCount: Int { progress.received - (duplicates - progress.duplicatesBefore) }

  mutating func finish(_ reason: EndReason) {
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
  /// The progress of paging in this generation, which shows whether the run still advances (rules 4 and 6).
  struct PagingProgress: Sendable {
    /// The number of rows received, without overlaps.
    var received = 0
    /// The number of received rows on pages that were repeated in place of others.
    var repeatedRows = 0
    /// The number of rows before the first page of the run, which were not requested.
    var skipped = 0
    /// The number of rows received before the run restarted at the first page, plus the new rows among them.
    /// Until they are passed, pages without a new row are expected.
    var known = 0
    /// The number of duplicates in earlier parts.
    var duplicatesBefore = 0
    /// The number of consecutive pages without rows.
    var emptyRun = 0
    /// The number of consecutive pages without a new row; those without rows do not count.
    var idleRun = 0
    /// The number of consecutive requests equal to the previous one.
    var equalRun = 0
    var lastPosition: Position?
    /// The ordinals of the pages with rows, by `Page.mark`.
    var pages: [UInt64: Int] = [:]
    /// The mark of the last page with rows.
    var lastMark: UInt64?
    /// Whether a page other than the last one was received again.
    private(set) var hasReturned = false
    /// The first page that was received again in place of another one; a reason for doubt as soon as new rows follow.
    private(set) var repeatedPage: String?
    private(set) var isRepetitionDoubtful = false
    /// Whether different rows had the same guessed key, which is therefore ignored.
    var hasGivenUpKey = false
    /// The declared signs that pages have had.
    var signs: PageSigns = []
    /// Why rows may be missing, the first reason first.
    private(set) var doubts: [String] = []
    /// The number of rows on the longest page; 0 if it is not known.
    var largestPage = 0
    /// Whether more rows arrived than the service counted.
    var isTotalRefuted = false
    /// Whether the keys of rows are guesses.
    var hasGuessedKeys = false
    /// Whether the last page had as many rows as were requested.
    var isPageFull = false
    /// How certain a page after the last one is; nil if there is none.
    var evidence: Evidence?
    /// The page size that the service uses: reported, requested, or else the row count of the first page.
    var pageSize: Int?
    /// The number of pages, as last reported by the service.
    var pageCount: Int?
    /// The distance between the offsets of neighboring pages, as long as every page is full.
    var stride: Int?
    var isRegular = true

    /// The number of list positions that were received. Rows that move while the list is read may be received twice.
    var positions: Int { received - repeatedRows }
    var isCatchingUp: Bool { received < known }

    mutating func note(doubt: String) {
      if doubts.count < 20, !doubts.contains(doubt) { doubts.append(doubt) }
    }

    /// Records that a page has the rows of an earlier one.
    mutating func note(_ page: Page, at position: Position, repeating earlier: Int) {
      if page.mark != lastMark { hasReturned = true }
      // The last page may be repeated if nothing announced another one.
      if hasReturned || evidence?.survivesAnEmptyPage ?? false { isRepetitionDoubtful = true }
      repeatedPage = repeatedPage ?? "page \(position.ordinal + 1) has the rows of page \(earlier + 1) again"
    }

    /// Records that a page has new rows: a repeated page before it was not the last one.
    mutating func noteNewRows() { if repeatedPage != nil { isRepetitionDoubtful = true } }
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
  /// The ordinal of an earlier page with the same rows; nil if there is none (rule 6).
  func ordinal(of page: Page) -> Int? { page.mark.flatMap { pages[$0] } }

  mutating func note(_ page: Page, at position: Position, _ mergeResult: Session.MergeResult) {
    let isEmpty = page.received == mergeResult.overlapping
    let isKnown = page.fingerprint == nil ? nil : ordinal(of: page) != nil
    // Rows removed by the source's filter may have been new, so such pages are compared as a whole.
    let isIdle = (isKnown ?? (mergeResult.newCount == 0 && page.rowCount > 0)) && !isCatchingUp
    emptyRun = isEmpty ? emptyRun + 1 : 0
    if !isEmpty {
      idleRun = isIdle ? idleRun + 1 : 0
      if let mark = page.mark, pages[mark] == nil { pages[mark] = position.ordinal }
      lastMark = page.mark
    }
    largestPage = max(largestPage, page.received)
    isPageFull = page.pageSize.map { page.received >= $0 } ?? false
    evidence = if case .next(_, let evidence) = page.continuation { evidence } else { nil }
    // Rows added to the list in the meantime push the known ones further down.
    if isCatchingUp { known += mergeResult.newCount }
    equalRun = lastPosition.map { position.requestsSamePage(as: $0) } ?? false ? equalRun + 1 : 0
    lastPosition = position
    received += page.received - mergeResult.overlapping
    pageSize = pageSize ?? page.pageSize ?? (page.received > 0 ? page.received : nil)
    pageCount = page.pageCount ?? pageCount
  }

  /// Offsets are predicted only while every page has the requested length (rule 11).
  mutating func learnStride(from position: Position, to next: Position, pageSize: Int?) {
    guard case .number(let number) = position.value, case .number(let nextNumber) = next.value else { return }
    isRegular = isRegular && nextNumber - number == pageSize
    stride = isRegular ? pageSize : nil
  }
}

extension Session {
  /// Adds a page to the session, and with it all later pages that were waiting for it.
  mutating func accept(_ page: Page, for request: PageRequest) {
    guard let index = slot(for: request), case .asked = slots[index].status else { return }
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
    let isCatchingUp = walk.isCatchingUp
    let news = news(of: page, at: position)
    walk.note(page, at: position, news)
    if !isCatchingUp || !news.kept.isEmpty {
      fresh.append(page, kept: news.kept, at: position, resumption: resumption(behind: page, news))
      if stale?.cause == .refresh { stale?.giveWay(to: fresh.blocks.last?.keys ?? [], at: position) }
      // An empty page with a next page does not count toward the demand, which is for pages with rows
      // (rule 4).
      if walk.emptyRun == 0 { demand = demand.afterOnePage }
    }
    for note in page.notes where !notes.contains(note) { notes.append(note) }
    settleTotal(with: page)
    if let reason = news.cut ?? endReason(after: page, at: position) {
      finish(reason)
    } else if case .next(let next, _) = page.continuation {
      walk.learnStride(from: position, to: next, pageSize: page.pageSize)
      follow(next)
    }
  }

  /// Where a run resumes after this page; nil if rows of it were left out, so that such a run reads this page
  /// again for the rest.
  private func resumption(behind page: Page, _ news: News) -> Resumption? {
    guard news.cut == nil, let next = page.keptNext else { return nil }
    var resumption = Resumption(next: next, received: walk.received)
    resumption.skipped = walk.skipped
    return resumption
  }

  /// Proceeds to the page after the one just merged. Pages requested ahead are kept only if their position is
  /// right: after a page that was shorter than predicted they are requested again, so that no row is lost or
  /// duplicated (rule 11).
  private mutating func follow(_ next: Position) {
    if let ahead = slots.first?.position, ahead != next { slots = [] }
    if slots.isEmpty { frontier = next }
  }

  /// The rows that are on no earlier page, up to the number of rows wanted. Counts the duplicates.
  private mutating func news(of page: Page, at position: Position) -> News {
    var news = News()
    if walk.isRepeated(page) {
      duplicates += page.rowCount
      return news
    }
    var keys: [UInt64] = []
    var here = Set<UInt64>()
    news.kept.reserveCapacity(page.rowCount)
    for row in 0..<page.rowCount {
      let key = page.keys.isEmpty ? RowKey.none : page.keys[row]
      if key != RowKey.none {
        if seen.contains(key), position.ordinal > 0, row < rules.overlap, row == news.overlapping {
          news.overlapping += 1
          continue
        }
        if seen.contains(key) || !here.insert(key).inserted {
          if !walk.isCatchingUp { duplicates += 1 }
          continue
        }
        keys.append(key)
      }
      news.kept.append(UInt32(row))
    }
    seen.insert(keys)
    // Rows without a key do not count, so that one on every page cannot keep a run going forever.
    news.newCount = page.keys.isEmpty ? news.kept.count : keys.count
    if case .rows(let limit) = demand, rules.awaitsWriting { cut(&news, at: limit, .limit) }
    if let most = rules.maxRows { cut(&news, at: most, .maxRows(most)) }
    return news
  }

  private func cut(_ news: inout News, at limit: Int, _ reason: EndReason) {
    guard fresh.count + news.kept.count > limit else { return }
    news.kept.removeLast(min(fresh.count + news.kept.count - limit, news.kept.count))
    news.cut = reason
  }

  /// The first total stands unless a later one is larger. A total smaller than the number of rows received
  /// becomes "at least" (rule 12), not counting duplicates.
  private mutating func settleTotal(with page: Page) {
    if let new = page.total, new.count > total?.count ?? -1 { total = new }
    let different = differentCount - walk.skipped
    if let known = total, known.count < different { total = .atLeast(different) }
  }

  /// The number of rows received so far, without duplicates.
  var differentCount: Int { walk.received - duplicates }

  private mutating func finish(_ reason: EndReason) {
    unmetDemand = isDemandMet ? .nothing : demand
    slots = []
    frontier = nil
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
    if rules.awaitsWriting, demand != .nothing, frontier != nil, isMoreWantedAfterWriting { return }
    demand = .nothing
    stale = nil
    phase = .idle
  }

  private var isMoreWantedAfterWriting: Bool { !fresh.blocks.isEmpty }
}

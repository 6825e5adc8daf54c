/// Why a list ended.
package enum EndReason: Sendable, Hashable {
  /// The service reported the end.
  case last
  case emptyPage
  case total
  /// The service serves no more than this many rows or pages, although more exist.
  case cap
  /// A status code that this service uses for "past the end".
  case status(Int)
  /// Several pages in a row had no new row.
  case repeats
  /// The next position led back to the page with this number, from 1.
  case returned(page: Int)
  /// The service sent this many consecutive empty pages, each with a next page.
  case emptyPages(Int)
  /// The pages of the run's range are loaded; the next one belongs to another shard.
  case range
  /// The requested number of rows is loaded.
  case limit
  case maxPages(Int)
  case maxRows(Int)
  /// riffle refuses to follow the link to the next page, for this reason.
  case refusedNext(String)

  /// The stable identifier for scripts.
  package var name: String {
    switch self {
    case .last: "last"
    case .emptyPage: "empty-page"
    case .total: "total"
    case .cap: "cap"
    case .status: "status"
    case .repeats, .returned: "repeats"
    case .emptyPages: "empty-pages"
    case .range: "shard"
    case .limit: "limit"
    case .maxPages: "max-pages"
    case .maxRows: "max-rows"
    case .refusedNext: "refused-next"
    }
  }

  /// Whether the service has no more rows in this list, as opposed to a limit set by the user or a refusal.
  var endsList: Bool {
    switch self {
    case .last, .emptyPage, .total, .cap, .status, .repeats, .returned, .emptyPages, .range: true
    case .limit, .maxPages, .maxRows, .refusedNext: false
    }
  }
}

extension Session {
  /// Why the list ends after this page; nil if it continues.
  func endReason(after page: Page, at position: Position) -> EndReason? {
    switch page.continuation {
    case .end(let reason): isAtCap ? .cap : reason
    case .next(let next, let evidence):
      noProgressReason(after: page, at: position, before: next, evidence)
        ?? exhaustedReason(before: next, evidence) ?? rangeEnd(before: next) ?? demandMetReason
    }
  }

  /// Whether the service ends the list at its cap, with more rows than it returns: the last page may have no link.
  private var isAtCap: Bool {
    guard let most = pagingCap?.rows, let count = listTotal?.count, count > max(most, progress.positions)
    else { return false }
    return progress.positions + progress.largestPage > most
  }

  /// The reason to end a run without progress: pages without rows, or without new rows (rules 4 and 6).
  private func noProgressReason(
    after page: Page, at position: Position, before next: Position, _ evidence: Evidence
  ) -> EndReason? {
    let isEqual = next.requestsSamePage(as: position)
    if progress.emptyRun > 0 {
      let isEmpty = page.received == 0 && page.groupCount ?? 0 == 0
      if isEqual || isEmpty && !evidence.survivesAnEmptyPage && !isCounted(next) { return .emptyPage }
      // Some services link to a next page forever. A total that one page has may count just that page.
      if isEmpty, case .exact(let count)? = listTotal, differentCount >= count,
        progress.largestPage > 0, progress.largestPage < count
      {
        return .total
      }
      if rules.awaitsWriting, progress.emptyRun > rules.maxEmptyPages {
        return .emptyPages(progress.emptyRun)
      }
    }
    if progress.idleRun >= 2 || (progress.idleRun == 1 && isEqual) { return .repeats }
    guard isEqual else { return nil }
    return switch rules.repetition {
    case .stop: progress.equalRun == 0 ? nil : .repeats
    case .progress: nil
    case .end: .last
    }
  }

  /// Whether, by the service's count, rows follow an empty page: the service may filter rows after paging (rule 4).
  private func isCounted(_ position: Position) -> Bool {
    if let pages = progress.pageCount, pages > listPageCount, position.index < pages { return true }
    guard let count = reportedCount, count > progress.positions, case .number(let number) = position.value
    else {
      return false
    }
    switch rules.numbering {
    case .rows(let first)?: return number - first < count
    case .pages?:
      let size = progress.largestPage > 0 ? progress.largestPage : progress.pageSize ?? 0
      return size > 0 && position.index * size < count
    case nil: return false
    }
  }

  /// The reason to end a run because the service has no more rows, or serves no more.
  private func exhaustedReason(before next: Position, _ evidence: Evidence) -> EndReason? {
    switch (evidence, listTotal) {
    // An exact total takes precedence over a short page (rule 1).
    case (.none, .exact(let count)?), (.shortPage, .exact(let count)?):
      // All positions of the list have been received, or as many distinct rows.
      if progress.positions == count || differentCount >= count, !isOneFullPage { return .total }
    case (.shortPage, _): return .last
    default: break
    }
    if let pagingCap, !pagingCap.admits(next, received: progress.received) { return .cap }
    return nil
  }

  /// Whether there is only one page, and it is full. A total equal to its rows may count just this page, so riffle
  /// requests one more page before it relies on that total (rule 12).
  private var isOneFullPage: Bool {
    guard listPageCount == 1, parts != nil || rules.resumePoint == nil, progress.lastPosition?.index == 0
    else { return false }
    return progress.received >= progress.pageSize ?? 1
  }

  /// The reason to end after a page if the next one is in another range.
  private func rangeEnd(before next: Position) -> EndReason? {
    guard let range = rules.range, !range.admits(next, rules.numbering) else { return nil }
    return .range
  }

  /// The reason to end a run because the requested number of rows or pages is loaded.
  var demandMetReason: EndReason? {
    if case .rows(let count) = demand, fresh.count >= count, rules.awaitsWriting { return .limit }
    if let most = rules.maxPages, pageCount >= most { return .maxPages(most) }
    if let most = rules.maxRows, fresh.count >= most { return .maxRows(most) }
    return nil
  }
}

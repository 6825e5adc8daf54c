extension Session {
  /// Why the list ends after this page; nil if it continues.
  func endReason(after page: Page, at position: Position) -> EndReason? {
    switch page.continuation {
    case .end(let reason): return reason
    case .next(let next, let evidence):
      return noProgressReason(after: page, at: position, before: next, evidence) ?? exhaustedReason(
        before: next, evidence)
        ?? demandMetReason
    }
  }

  /// Ends a run without progress: pages without rows, or without new rows (rules 4 and 6).
  private func noProgressReason(
    after page: Page, at position: Position, before next: Position, _ evidence: Evidence
  ) -> EndReason? {
    let isEqual = next.requestsSamePage(as: position)
    if progress.emptyRun > 0 {
      if isEqual || page.received == 0 && !evidence.survivesAnEmptyPage { return .emptyPage }
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

import HTTPValues
private import Text

/// Whether every row of a list has arrived, as far as riffle can know (rule 29).
package enum Completeness: Sendable, Hashable, Codable {
  /// The end of the list is proved.
  case complete
  /// Every page that can be requested has arrived, but the service counts more rows, or says that some are missing. The
  /// reason is a clause: `the service reports 90 rows but returned 70`.
  case unconfirmed(reason: String)
  /// Loading ended before the list did: it failed, was stopped, or reached a limit.
  case partial(reason: String)

  /// Whether the list is complete; nil if this cannot be known.
  package var isComplete: Bool? {
    switch self {
    case .complete: true
    case .unconfirmed: nil
    case .partial: false
    }
  }

  /// The reason; nil for a complete list.
  package var reason: String? {
    switch self {
    case .complete: nil
    case .unconfirmed(let reason), .partial(let reason): reason
    }
  }
}

extension Session {
  /// Nil while rows are loading, and before the first search.
  package var completeness: Completeness? {
    switch phase {
    case .idle:
      generation == 0 || nextPosition == nil ? nil : .partial(reason: "not all pages were requested")
    case .loading, .waiting: nil
    case .failed(_, let error): .partial(reason: error.message)
    case .stopped: .partial(reason: "stopped")
    case .end(let reason) where reason.endsList:
      parts.map(completeness(of:)) ?? listCompleteness(after: reason)
    case .end(let reason): listCompleteness(after: reason)
    }
  }

  /// Whether all rows of the list, or of the current part, have arrived.
  func listCompleteness(after reason: EndReason) -> Completeness {
    let proved = doubt.map { Completeness.unconfirmed(reason: $0) } ?? .complete
    switch reason {
    case .range:
      // More pages follow, so a repeated page is not the last one.
      let doubt = rangeShortfall ?? progress.doubts.first ?? progress.repeatedPage
      return doubt.map { .unconfirmed(reason: $0) } ?? .complete
    case .last, .emptyPage, .total, .status: return proved
    case .repeats where hasAllRows, .returned where hasAllRows, .emptyPages where hasAllRows: return proved
    case .repeats:
      // A numbered list may repeat its last page forever (rule 7).
      let isLastPage = rules.numbering != nil && !progress.hasReturned && shortfall == nil
      return isLastPage ? proved : .partial(reason: "the service is repeating pages")
    case .returned(let page): return .partial(reason: "the service returned page \(page) again")
    case .emptyPages(let count):
      return .partial(reason: "the service sent \(Digits.counted(count, "empty page")) in a row")
    case .cap:
      let most = "the service returns at most"
      guard let total = listTotal, total.count > differentCount else {
        return .partial(reason: "\(most) \(Digits.counted(differentCount, "row"))")
      }
      return .partial(
        reason: "\(most) \(Digits.grouped(differentCount)) of \(Digits.counted(total.count, "row"))")
    case .limit: return .partial(reason: "the limit is reached")
    case .maxPages(let count): return .partial(reason: "\(Digits.counted(count, "page")) loaded")
    case .maxRows(let count): return .partial(reason: "\(Digits.counted(count, "row")) loaded")
    case .refusedNext(let why): return .partial(reason: why)
    }
  }

  /// Whether the list has more rows: the service counts them or names the next page. Nil after a full page of a service
  /// that does neither, because this cannot be known.
  package var hasMoreRows: Bool? {
    guard nextPosition != nil else { return false }
    if let parts, parts.rows < total?.count ?? 0 { return true }
    if case .exact? = listTotal { return reportedCount != nil }
    if reportedCount != nil || progress.evidence?.survivesAnEmptyPage ?? false { return true }
    return progress.isPageFull ? nil : false
  }

  /// Whether as many different rows have arrived as the service counts.
  private var hasAllRows: Bool {
    guard case .exact(let count)? = listTotal else { return false }
    return differentCount >= count && !progress.isTotalRefuted
  }

  /// What the pages so far say of missing rows, as clauses.
  package var doubts: [String] { progress.doubts }

  /// The reason to doubt the end of the list; nil if there is none.
  private var doubt: String? {
    if let doubt = shortfall ?? progress.doubts.first { return doubt }
    return progress.isRepetitionDoubtful && !hasAllRows ? progress.repeatedPage : nil
  }

  /// The message if the service counts more rows than it returned.
  private var shortfall: String? {
    guard let count = reportedCount, count > progress.positions else { return nil }
    let received = progress.positions == 0 ? "none" : Digits.grouped(progress.positions)
    return "the service reports \(Digits.counted(count, "row")) but returned \(received)"
  }

  /// The exact number of rows that the service reports; nil if it is an estimate, or smaller than the number received.
  var reportedCount: Int? {
    switch listTotal {
    case .exact(let count)?, .atLeast(let count)?: count > differentCount ? count : nil
    case .estimate?, nil: nil
    }
  }
}

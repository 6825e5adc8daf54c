/// The rows of the previous generation, shown until they are replaced.
package struct StaleRows: Sendable {
  package enum Cause: Sendable, Hashable {
    /// Another query: replaced as a whole by its first page.
    case query
    /// The same query: each row is replaced when its page arrives, the rest when the refresh is complete. A
    /// refresh that is stopped or fails leaves them, so that it never shows fewer rows than before.
    case refresh
  }

  package internal(set) var rows: RowStore
  package let cause: Cause
  /// The number of pages that the rows came from.
  let pageCount: Int
  /// The keys of the rows; nil if the rows are from several generations.
  private let known: SeenKeys?

  /// Nil if there are no rows.
  init?(of session: Session, _ cause: Cause) {
    rows = session.rows
    if rows.isEmpty { return nil }
    self.cause = cause
    pageCount = max(rows.blocks.count, session.stale?.pageCount ?? 0)
    known = session.stale == nil ? session.seen : nil
  }

  /// Removes the rows that a reloaded page replaces: those with the same keys and, where rows have no key,
  /// those of the old page at this position. O(rows) at worst; if the order has hardly changed, O(rows of the
  /// page + pages).
  ///
  /// - Parameter keys: The keys of the rows on the new page.
  mutating func giveWay(to keys: [UInt64], at position: Position) {
    let sought = known.map { known in keys.filter(known.contains) } ?? keys
    rows.remove(Set(sought), withoutKeyThrough: position.ordinal)
  }
}

extension Session {
  /// Loads from the first page again, until `rows` rows are loaded, but no more pages than before. An earlier
  /// demand that is not met yet remains.
  mutating func refresh(rows wanted: Int) {
    guard hasQuery else { return }
    let unmet = phase.isStopped ? .nothing : demand
    let old = StaleRows(of: self, .refresh)
    startGeneration(.rows(max(wanted, 1)))
    stale = old
    phase = .loading(old == nil ? .first : .refresh)
    if unmet == .nothing { proceed() } else { want(unmet) }
  }

  /// The number of rows that the current refresh covers; nil if there is none, or if it also loads rows
  /// beyond the previous ones.
  package var refreshedRowsWanted: Int? {
    guard stale?.cause == .refresh, phase.isLoading || phase.isWaiting, case .rows(let count) = demand else {
      return nil
    }
    return count
  }

  /// Handles an expired position (rule 18): starts at the first page again and skips as many rows as were
  /// received, whether they were kept or not. Rows without a key cannot be distinguished and are loaded
  /// again.
  mutating func restart() {
    guard let load = phase.load else { return }
    guard fresh.isKeyed else { return refresh(rows: fresh.count) }
    generation += 1
    slots = []
    nextPosition = rules.first
    var progress = PagingProgress(known: max(progress.received, progress.known))
    progress.lastSentAt = self.progress.lastSentAt
    self.progress = progress
    phase = .loading(load)
    proceed()
  }
}

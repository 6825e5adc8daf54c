/// The rows of the generation before, which are shown until they are replaced.
package struct StaleRows: Sendable {
  package enum Cause: Sendable, Hashable {
    /// Another query: replaced whole by its first page.
    case query
    /// The same query again: each row until its page comes, the rest until the refresh is complete. One that is stopped
    /// or fails leaves them, so that it never shows fewer rows than there were.
    case refresh
  }

  package internal(set) var rows: RowStore
  package let cause: Cause
  /// How many pages they came in.
  let pageCount: Int
  /// Keys of theirs; nil when they are of several generations.
  private let known: SeenKeys?

  /// Nil when there are no rows.
  init?(of session: Session, _ cause: Cause) {
    rows = session.rows
    if rows.isEmpty { return nil }
    self.cause = cause
    pageCount = max(rows.blocks.count, session.stale?.pageCount ?? 0)
    known = session.stale == nil ? session.seen : nil
  }

  /// A page has come again: what it brings takes the place of the same rows, and where rows have no key, of the old
  /// page there. O(rows) at worst; where the order has hardly changed, O(rows of the page + pages).
  ///
  /// - Parameter keys: of the rows the page brings.
  mutating func giveWay(to keys: [UInt64], at position: Position) {
    let sought = known.map { known in keys.filter(known.contains) } ?? keys
    rows.remove(Set(sought), withoutKeyThrough: position.ordinal)
  }
}

extension Session {
  /// Asks from the first page again, until `rows` rows are there, but for no more pages than were loaded. What was
  /// wanted before and has not come is still wanted.
  mutating func refresh(rows wanted: Int) {
    guard isAsking else { return }
    let unmet = phase.isStopped ? .nothing : demand
    let old = StaleRows(of: self, .refresh)
    startGeneration(.rows(max(wanted, 1)))
    stale = old
    phase = .loading(old == nil ? .first : .refresh)
    if unmet == .nothing { proceed() } else { want(unmet) }
  }

  /// How many rows the refresh that is under way is to cover; nil when none is, or when it is to go farther than the
  /// rows that were there.
  package var refreshedRowsWanted: Int? {
    guard stale?.cause == .refresh, phase.isLoading || phase.isWaiting, case .rows(let count) = demand else {
      return nil
    }
    return count
  }

  /// The service has forgotten the place in the list (rule 18): from the first page again, passing over as many rows as
  /// were received, whether they were kept or not. Where rows have no key they cannot be told apart, and are loaded
  /// again.
  mutating func restart() {
    guard let load = phase.load else { return }
    guard fresh.isKeyed else { return refresh(rows: fresh.count) }
    generation += 1
    slots = []
    frontier = rules.first
    var walk = Walk(known: max(walk.received, walk.known))
    walk.lastSentAt = self.walk.lastSentAt
    self.walk = walk
    phase = .loading(load)
    proceed()
  }
}

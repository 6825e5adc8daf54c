/// Where a run begins that does not begin at the first page: it goes on where another was stopped, or at a
/// page the user names.
package struct Resumption: Sendable, Hashable {
  package var next: Position
  /// Rows the service has sent before that page.
  package var received: Int
  /// Those of them that no run has read: pages the user passes over.
  package var skipped = 0
  /// The keys of the rows that are there already.
  package var keys: [UInt64]

  package init(next: Position, received: Int, keys: [UInt64] = []) {
    self.next = next
    self.received = received
    self.keys = keys
  }

  /// The page with this number, from 1; nil where pages are known only one from another.
  ///
  /// - Parameter pageSize: of the run; where pages are found by their first row, it must be known.
  package init?(page number: Int, of source: Source, pageSize: Int?) {
    guard case .number(let first) = source.pagination.style.first.value else { return nil }
    let pages = number - 1
    switch source.pagination.style.numbering {
    case .pages: next = Position(ordinal: pages, value: .number(first + pages))
    case .rows:
      guard let pageSize else { return nil }
      next = Position(ordinal: pages, value: .number(first + pages * pageSize))
    case nil: return nil
    }
    received = pages * (pageSize ?? 0)
    skipped = received
    keys = []
  }
}

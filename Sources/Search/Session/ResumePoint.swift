/// The starting point of a run that does not begin at the first page: where another run stopped, or a page
/// that the user names.
package struct ResumePoint: Sendable, Hashable {
  package var next: Position
  /// The number of rows on the pages before this position.
  package var received: Int
  /// Those of them that no run has loaded, because the user skipped their pages.
  package var skipped = 0
  /// The keys of the rows loaded already.
  package var keys: [UInt64]

  package init(next: Position, received: Int, keys: [UInt64] = []) {
    self.next = next
    self.received = received
    self.keys = keys
  }

  /// Creates the starting point for the page with this number, from 1; nil if a page is known only from the
  /// previous one.
  ///
  /// - Parameter pageSize: The page size of the run; required if pages are located by their first row.
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

import Search

/// Rows to be looked at, for the list or for a search. Requests are equal when they want the same, however far
/// the work on them is.
package struct RowOrderRequest: Sendable, Equatable {
  private let start: RowOrder
  private let rows: RowStore
  private let columns: [Column]

  init(start: RowOrder, rows: RowStore, columns: [Column]) {
    self.start = start
    self.rows = rows
    self.columns = columns
  }

  package static func == (a: RowOrderRequest, b: RowOrderRequest) -> Bool {
    a.start.version == b.start.version && a.rows.count == b.rows.count && a.start.rules == b.start.rules
  }

  /// Does the work in slices of less than 2 ms, between which it gives way and looks whether it is still wanted.
  /// Emits the first rows after the first slice, then ever more rarely, and the whole order at the end.
  package func fulfil(_ emit: (PagerEvent) -> Void) async {
    var ordering = RowOrdering(continuing: start, over: rows, columns: columns)
    var slices = 0
    while !ordering.isFinished {
      if Task.isCancelled { return }
      ordering.advance(by: Self.slice)
      slices += 1
      if slices & (slices - 1) == 0, !ordering.isFinished, ordering.order.rules.sort == nil {
        emit(.ordered(ordering.order))
      }
      await Task.yield()
    }
    emit(.ordered(ordering.order))
  }

  private static let slice = 200_000
}

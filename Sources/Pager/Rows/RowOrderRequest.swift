import Search

/// A request to filter and sort rows, for the list or for a search. Requests that want the same result are
/// equal, whatever their progress.
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

  /// Works in slices of less than 2 ms, and between them yields and checks for cancellation. Emits the first
  /// rows after the first slice, then at increasing intervals, and finally the complete order.
  package func run(_ emit: (PagerEvent) -> Void) async {
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

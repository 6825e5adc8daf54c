package import Search

/// Computes a `RowOrder` in small steps: filters the rows the order does not cover yet, sorts the matching
/// ones, then merges them with the rows already in order.
///
/// The sort is stable. O(text) for the filter, O(n log n) for the sort.
package struct RowOrdering: Sendable {
  private enum Step: Sendable {
    case choosing
    /// Sorting the new matching rows.
    case sorting(MergeSort)
    /// Merging them with the rows already in order.
    case merging(MergeSort)
    case finished
  }

  /// The result so far: complete when finished; before that, the matching rows found so far or, while
  /// sorting, the rows already in order.
  package private(set) var order: RowOrder
  private let rows: RowStore
  private let matcher: RowMatcher
  private let comparison: RowComparison?
  private var step = Step.choosing
  private var chosen: [KeyedRow] = []
  private var next: Int
  /// The end of the rows to process (exclusive).
  private let end: Int
  private var letters = CaseFolding()

  /// - Parameters:
  ///   - order: The rows already in order, of the same version as `rows`.
  ///   - most: The maximum number of rows to process.
  package init(continuing order: RowOrder, over rows: RowStore, upTo most: Int = .max, columns: [Column]) {
    self.order = order
    self.rows = rows
    next = order.covered
    end = min(most, rows.count)
    let sort = order.rules.sort.flatMap { columns.indices.contains($0.column) ? $0 : nil }
    matcher = RowMatcher(
      RowFilter(order.rules.filter), columns: columns.map(\.name), visible: order.rules.visible)
    comparison = sort.map { RowComparison($0, rows) }
  }

  package var isFinished: Bool { if case .finished = step { true } else { false } }

  /// Continues for about `effort` units, roughly bytes processed. 50,000 units take well below a millisecond.
  package mutating func advance(by effort: Int) {
    var left = effort
    while left > 0, !isFinished {
      switch step {
      case .choosing: choose(&left)
      case .sorting(var merge):
        step = .finished
        merge.advance(&left)
        step = merge.result.map { mergeWithOld($0) } ?? .sorting(merge)
      case .merging(var merge):
        step = .finished
        merge.advance(&left)
        if let result = merge.result { finish(result) } else { step = .merging(merge) }
      case .finished: return
      }
    }
  }

  /// Computes the complete order, without a time limit.
  func completed() -> RowOrder {
    var ordering = self
    while !ordering.isFinished { ordering.advance(by: .max) }
    return ordering.order
  }

  private mutating func choose(_ left: inout Int) {
    while left > 0, next < end, let (block, _) = rows.locate(next) {
      guard case .cells(let table)? = block.content else {
        next = block.end
        continue
      }
      table.text.withUnsafeBufferPointer { text in
        while left > 0, next < min(block.end, end) {
          let row = Int(block.kept[next - block.start])
          left -=
            32 + table.range(row: row, slot: table.columns.count).upperBound
            - table.range(row: row, slot: 0).lowerBound
          if matcher.admitsAll || matcher.admits(row, of: table, text, &letters) { take(row, of: table) }
          next += 1
        }
      }
    }
    guard next >= end else {
      if comparison == nil { order.covered = next }
      return
    }
    guard let comparison else { return finish([]) }
    step = .sorting(MergeSort(chosen, comparison))
    chosen = []
  }

  private mutating func take(_ row: Int, of table: CellTable) {
    let number = UInt32(truncatingIfNeeded: next)
    if let comparison {
      chosen.append(KeyedRow(row: number, key: comparison.key(of: row, in: table)))
    } else {
      order.rows.append(number)
    }
  }

  private func mergeWithOld(_ new: [KeyedRow]) -> Step {
    guard let comparison else { return .finished }
    let old = zip(order.rows, order.keys).map { KeyedRow(row: $0, key: $1) }
    return .merging(MergeSort(sorted: old, new, comparison))
  }

  private mutating func finish(_ result: [KeyedRow]) {
    order.covered = end
    if comparison != nil {
      order.rows = result.map(\.row)
      order.keys = result.map(\.key)
    }
    step = .finished
  }
}

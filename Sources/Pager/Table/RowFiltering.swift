import Algorithms
package import Search
import Text

/// The user's choice of which rows the table lists, and how they are sorted.
package struct RowOrderRules: Sendable, Hashable {
  /// The filter as typed; "" lists all rows.
  package var filter = ""
  package var sort: ColumnSort?
  /// The columns that words are searched in.
  package var visible: [Int] = []
  /// What the ages in the filter are counted from, in seconds since 1970; nil if it has none.
  package var now: Double?

  package init(filter: String = "", sort: ColumnSort? = nil, visible: [Int] = [], now: Double? = nil) {
    (self.filter, self.sort, self.visible, self.now) = (filter, sort, visible, now)
  }

  /// Whether all rows are listed in their original order.
  package var isTrivial: Bool { sort == nil && RowFilter(filter).isEmpty }
}

package struct ColumnSort: Sendable, Hashable {
  package var column: Int
  package var isDescending: Bool
}

/// The rows that match the rules among those processed so far, in list order.
package struct RowOrder: Sendable {
  package let rules: RowOrderRules
  /// The version of the row numbers; another version numbers other rows.
  package let version: Int
  /// Row numbers, in list order.
  package internal(set) var rows: [UInt32] = []
  /// The sort keys of `rows`; empty if they are not sorted.
  var keys: [SortKey] = []
  /// The number of rows processed, from the first.
  package internal(set) var covered = 0

  package init(_ rules: RowOrderRules, version: Int) {
    self.rules = rules
    self.version = version
  }

  /// The position of a row in the list; nil if it is not listed. O(log rows), or O(rows) if sorted.
  package func position(of row: Int) -> Int? {
    if rules.sort != nil { return rows.firstIndex(of: UInt32(truncatingIfNeeded: row)) }
    let position = lowerBound(of: row)
    return position < rows.count && Int(rows[position]) == row ? position : nil
  }

  /// The number of listed rows before a row; only valid for unsorted lists. O(log rows).
  package func lowerBound(of row: Int) -> Int { rows.partitioningIndex { Int($0) >= row } }
}

/// A request to filter and sort rows, for list or search; equal if the result is, whatever the progress.
package struct RowOrderRequest: Sendable, Equatable {
  let start: RowOrder
  let rows: RowStore
  let columns: [Column]

  package static func == (a: RowOrderRequest, b: RowOrderRequest) -> Bool {
    a.start.version == b.start.version && a.rows.count == b.rows.count && a.start.rules == b.start.rules
  }

  /// Filters in slices of less than 2 ms, and between them yields and checks for cancellation. Emits the first
  /// rows after the first slice, then at increasing intervals, and finally the complete order.
  package func run(_ emit: (RowOrder) -> Void) async {
    var ordering = RowOrdering(continuing: start, over: rows, columns: columns)
    var slices = 0
    while !ordering.isFinished {
      if Task.isCancelled { return }
      ordering.advance(by: 200_000)
      slices += 1
      if slices & (slices - 1) == 0, !ordering.isFinished, ordering.order.rules.sort == nil {
        emit(ordering.order)
      }
      await Task.yield()
    }
    emit(ordering.order)
  }
}

/// Computes a `RowOrder`: filters the rows the order does not cover yet in small steps, O(text), then sorts the
/// matching ones together with the rows already in order, O(n log n).
package struct RowOrdering: Sendable {
  /// The result so far: until it is finished, the matches found or, while sorting, the rows already in order.
  package private(set) var order: RowOrder
  package private(set) var isFinished = false
  private let rows: RowStore
  private let matcher: RowMatcher
  private let comparison: RowComparison?
  private var chosen: [KeyedRow] = []
  private var next: Int

  /// - Parameter order: The rows already in order, of the same version as `rows`.
  package init(continuing order: RowOrder, over rows: RowStore, columns: [Column]) {
    self.order = order
    self.rows = rows
    next = order.covered
    let sort = order.rules.sort.flatMap { columns.indices.contains($0.column) ? $0 : nil }
    matcher = RowMatcher(
      RowFilter(order.rules.filter), columns: columns, visible: order.rules.visible,
      now: order.rules.now ?? 0)
    comparison = sort.map { RowComparison(sort: $0, rows: rows) }
  }

  /// Continues with about `effort` bytes of text. 50,000 take well below a millisecond. The sorting is one step.
  package mutating func advance(by effort: Int) {
    choose(effort)
    guard next >= rows.count else { return }
    if let comparison { sort(comparison) }
    order.covered = rows.count
    isFinished = true
  }

  func completed() -> RowOrder {
    var ordering = self
    while !ordering.isFinished { ordering.advance(by: .max) }
    return ordering.order
  }

  private mutating func choose(_ effort: Int) {
    var left = effort
    while left > 0, next < rows.count, let (block, _) = rows.locate(next) {
      guard case .cells(let table)? = block.content else {
        next = block.end
        continue
      }
      table.text.withUnsafeBufferPointer { text in
        while left > 0, next < block.end {
          let row = Int(block.kept[next - block.start])
          left -=
            32 + table.range(row: row, slot: table.columns.count).upperBound
            - table.range(row: row, slot: 0).lowerBound
          if matcher.admitsAll || matcher.admits(row, of: table, text) { take(row, of: table) }
          next += 1
        }
      }
    }
    if comparison == nil { order.covered = next }
  }

  private mutating func take(_ row: Int, of table: CellTable) {
    let number = UInt32(truncatingIfNeeded: next)
    if let comparison {
      chosen.append(KeyedRow(row: number, key: comparison.key(of: row, in: table)))
    } else {
      order.rows.append(number)
    }
  }

  private mutating func sort(_ comparison: RowComparison) {
    var sorted = zip(order.rows, order.keys).map { KeyedRow(row: $0, key: $1) } + chosen
    sorted.sort { comparison.precedes($0, $1) }
    order.rows = sorted.map(\.row)
    order.keys = sorted.map(\.key)
  }
}

struct KeyedRow: Sendable {
  let row: UInt32
  let key: SortKey
}

/// Compares rows by one column, and equal ones by their order of arrival.
struct RowComparison: Sendable {
  let sort: ColumnSort
  let rows: RowStore

  func key(of row: Int, in table: CellTable) -> SortKey { table.sortKey(row: row, column: sort.column) }

  func precedes(_ a: KeyedRow, _ b: KeyedRow) -> Bool {
    a.key.precedes(b.key, descending: sort.isDescending) { precedesByText(a, b) } ?? (a.row < b.row)
  }

  /// Compares the whole texts; nil if they are equal.
  private func precedesByText(_ a: KeyedRow, _ b: KeyedRow) -> Bool? {
    guard let (cellsA, placeA) = rows.cells(of: Int(a.row)), let (cellsB, placeB) = rows.cells(of: Int(b.row))
    else { return nil }
    let (rangeA, rangeB) = (range(of: placeA, in: cellsA), range(of: placeB, in: cellsB))
    return cellsA.text.withUnsafeBufferPointer { textA in
      cellsB.text.withUnsafeBufferPointer { textB in
        FoldedText.precedes(
          UnsafeBufferPointer(rebasing: textA[rangeA]), UnsafeBufferPointer(rebasing: textB[rangeB]))
      }
    }
  }

  private func range(of row: Int, in cells: CellTable) -> Range<Int> {
    cells.range(row: row, slot: sort.column)
  }
}

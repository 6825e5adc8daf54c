import Search

/// The user's choice of which rows the table lists, and how they are sorted.
package struct RowOrderRules: Sendable, Hashable {
  /// The filter as typed; "" lists all rows.
  package var filter: String
  package var sort: ColumnSort?
  /// The columns that words are searched in.
  package var visible: [Int]

  package init(filter: String = "", sort: ColumnSort? = nil, visible: [Int] = []) {
    self.filter = filter
    self.sort = sort
    self.visible = visible
  }

  /// Whether all rows are listed in their original order.
  package var isTrivial: Bool { sort == nil && RowFilter(filter).isEmpty }
}

/// A column to sort by, and the direction.
package struct ColumnSort: Sendable, Hashable {
  package var column: Int
  package var isDescending: Bool

  package init(column: Int, isDescending: Bool) {
    self.column = column
    self.isDescending = isDescending
  }
}

/// The rows that match the rules among those processed so far, in list order.
package struct RowOrder: Sendable {
  package let rules: RowOrderRules
  /// The version of the row numbers; another version numbers other rows.
  package let version: Int
  /// Row numbers, in list order.
  package internal(set) var rows: [UInt32]
  /// The sort keys of `rows`; empty if they are not sorted.
  var keys: [SortKey]
  /// The number of rows processed, from the first.
  package internal(set) var covered: Int
  /// Whether `rows` is omitted: a recording leaves it out, because it can be recomputed.
  package private(set) var isOutline = false

  package init(_ rules: RowOrderRules, version: Int) {
    self.rules = rules
    self.version = version
    rows = []
    keys = []
    covered = 0
  }

  /// The order without its rows, which can be recomputed from the rules and the covered rows.
  package var outline: RowOrder {
    var outline = RowOrder(rules, version: version)
    outline.covered = covered
    outline.isOutline = true
    return outline
  }

  /// The position of a row in the list; nil if it is not listed. O(log rows), or O(rows) if sorted.
  package func position(of row: Int) -> Int? {
    if rules.sort != nil { return rows.firstIndex(of: UInt32(truncatingIfNeeded: row)) }
    let position = lowerBound(of: row)
    return position < rows.count && Int(rows[position]) == row ? position : nil
  }

  /// The number of listed rows before a row; only valid for unsorted lists. O(log rows).
  package func lowerBound(of row: Int) -> Int {
    var (low, high) = (0, rows.count)
    while low < high {
      let middle = (low + high) / 2
      if Int(rows[middle]) < row { low = middle + 1 } else { high = middle }
    }
    return low
  }
}

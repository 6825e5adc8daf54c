import Search

/// Which rows the table lists, and how they are sorted: what the user chose.
package struct RowOrderRules: Sendable, Hashable {
  /// The filter as typed; "" lists every row.
  package var filter: String
  package var sort: ColumnSort?
  /// The columns words are looked for in.
  package var visible: [Int]

  package init(filter: String = "", sort: ColumnSort? = nil, visible: [Int] = []) {
    self.filter = filter
    self.sort = sort
    self.visible = visible
  }

  /// Whether every row is listed in its place.
  package var isTrivial: Bool { sort == nil && RowFilter(filter).isEmpty }
}

package struct ColumnSort: Sendable, Hashable {
  package var column: Int
  package var isDescending: Bool

  package init(column: Int, isDescending: Bool) {
    self.column = column
    self.isDescending = isDescending
  }
}

/// The rows that rules choose among those looked at so far, in order.
package struct RowOrder: Sendable {
  package let rules: RowOrderRules
  /// Of the rows it numbers: another version numbers others.
  package let version: Int
  /// Row numbers, in the order of the list.
  package internal(set) var rows: [UInt32]
  /// What `rows` are sorted by; empty when they are not.
  var keys: [SortKey]
  /// Rows looked at, from the first.
  package internal(set) var covered: Int
  /// Whether `rows` are not told: in a recording, since they follow from the rules and the rows looked at.
  package private(set) var isOutline = false

  package init(_ rules: RowOrderRules, version: Int) {
    self.rules = rules
    self.version = version
    rows = []
    keys = []
    covered = 0
  }

  /// The order without the rows, which whoever has the rows looked at can choose again.
  package var outline: RowOrder {
    var outline = RowOrder(rules, version: version)
    outline.covered = covered
    outline.isOutline = true
    return outline
  }

  /// Where a row is in the list; nil when it is not listed. O(log rows), sorted O(rows).
  package func position(of row: Int) -> Int? {
    if rules.sort != nil { return rows.firstIndex(of: UInt32(truncatingIfNeeded: row)) }
    let position = lowerBound(of: row)
    return position < rows.count && Int(rows[position]) == row ? position : nil
  }

  /// How many listed rows are before a row; only where they are not sorted. O(log rows).
  package func lowerBound(of row: Int) -> Int {
    var (low, high) = (0, rows.count)
    while low < high {
      let middle = (low + high) / 2
      if Int(rows[middle]) < row { low = middle + 1 } else { high = middle }
    }
    return low
  }
}

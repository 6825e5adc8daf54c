/// How wide a column of a table may be, in terminal columns.
package enum ColumnWidth: Sendable, Hashable {
  case fixed(Int)
  /// Its natural width within `min` and `max`. Without `weight` (0) it is served first; with one it shares
  /// what is left. Without `min` it may shrink to `leastNatural`, or to its natural width where that is less.
  case flexible(min: Int? = nil, max: Int? = nil, weight: Int = 0)

  package static let natural = ColumnWidth.flexible()
  package static let leastNatural = 8
}

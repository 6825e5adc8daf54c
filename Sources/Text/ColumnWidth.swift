/// The width of a table column, in terminal columns.
package enum ColumnWidth: Sendable, Hashable {
  case fixed(Int)
  /// The content width within `min` and `max`. Without a `weight` (0) the column is served first; columns
  /// with a weight share the rest. Without `min` it may shrink to `leastContent`, or to its content width if
  /// that is less.
  case flexible(min: Int? = nil, max: Int? = nil, weight: Int = 0)

  package static let preferred = ColumnWidth.flexible()
  package static let leastContent = 8
}

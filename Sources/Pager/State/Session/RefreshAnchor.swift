/// The row the selection follows while a refresh replaces rows.
struct RefreshAnchor: Sendable, Hashable {
  let key: UInt64
  /// Its number among the old rows.
  let row: Int
  /// Its distance in rows from the top of the screen.
  let line: Int
}

/// The row the selection follows while a refresh replaces rows.
struct RefreshAnchor: Sendable, Hashable {
  let key: UInt64
  /// Its number among the old rows.
  let row: Int
  /// How many rows below the top of the screen it stands.
  let line: Int
}

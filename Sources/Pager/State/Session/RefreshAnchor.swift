/// The row the selection follows while a refresh replaces rows, and how many rows below the top of the screen it
/// stands.
struct RefreshAnchor: Sendable, Hashable {
  let key: UInt64
  let line: Int
}

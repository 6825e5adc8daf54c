import Search

/// The rows that a refresh added, shown with `+`.
struct NewRows: Sendable {
  private var known: SeenKeys?
  private var looked = 0
  private var rows = RowSet()

  var isEmpty: Bool { rows.isEmpty }
  var count: Int { rows.count }
  func contains(_ row: Int) -> Bool { rows.contains(row) }

  /// Called when a refresh of a session starts.
  mutating func begin(over session: Session) {
    self = NewRows()
    known = session.seen
  }

  /// Processes the rows loaded since the last call. O(new rows).
  mutating func note(_ session: Session) {
    guard let known, session.freshCount > looked else { return }
    for block in session.fresh.blocks where block.end > looked {
      for (index, key) in block.keys.enumerated() where block.start + index >= looked {
        if key != RowKey.none, !known.contains(key) { rows.insert(block.start + index) }
      }
    }
    looked = session.freshCount
    if session.stale == nil { self.known = nil }
  }
}

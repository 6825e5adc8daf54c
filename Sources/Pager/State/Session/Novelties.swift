import Search

/// The rows a refresh brought that were not there before: marked `+`.
struct Novelties: Sendable {
  private var known: SeenKeys?
  private var looked = 0
  private var rows = RowSet()

  var isEmpty: Bool { rows.isEmpty }
  var count: Int { rows.count }
  func contains(_ row: Int) -> Bool { rows.contains(row) }

  /// A refresh begins over the rows of a session.
  mutating func begin(over session: Session) {
    self = Novelties()
    known = session.seen
  }

  /// Looks at the rows that came since. O(new rows).
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

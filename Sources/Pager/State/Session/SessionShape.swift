import Search

/// The parts of a session from which one can tell what an event did to its rows. O(1).
struct SessionShape {
  enum RowsChange { case none, appended, replaced }

  let generation: Int
  let stale: StaleRows.Cause?
  let freshCount: Int
  let freshBlocks: Int

  init(_ session: Session) {
    generation = session.generation
    stale = session.stale?.cause
    freshCount = session.freshCount
    freshBlocks = session.fresh.blocks.count
  }

  /// Whether the shown rows changed, and whether the existing ones kept their numbers.
  func change(to new: SessionShape) -> RowsChange {
    switch (stale, new.stale) {
    case (nil, nil):
      if new.freshCount < freshCount || generation != new.generation && new.freshBlocks < freshBlocks {
        return .replaced
      }
      return new.freshBlocks == freshBlocks ? .none : .appended
    // Old rows stay until the first page of the new query or of the refresh.
    case (nil, _?), (.query?, .query?), (.query?, .refresh?): return .none
    case (.refresh?, .query?): return .none
    case (.query?, nil): return .replaced
    case (.refresh?, .refresh?): return new.freshBlocks == freshBlocks ? .none : .replaced
    case (.refresh?, nil): return .replaced
    }
  }
}

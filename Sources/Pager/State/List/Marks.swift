import Search

/// The rows chosen for output. A row that has a key stays marked when it comes again at another place, also after
/// rows without it; one without key only as long as it is there.
package struct Marks: Sendable {
  private var marked = RowSet()
  /// The keys of marked rows that are not among the rows now.
  private var absent: Set<UInt64> = []

  package init() {}

  /// Marked rows that are there.
  package var count: Int { marked.count }
  /// Marked rows that are not: those of other queries, which are marked again when they come back.
  package var elsewhere: Int { absent.count }
  package var isEmpty: Bool { marked.isEmpty }
  package func contains(_ row: Int) -> Bool { marked.contains(row) }
  /// Their numbers, ascending.
  package var rows: [Int] { marked.rows }

  mutating func toggle(_ row: Int) { contains(row) ? marked.remove(row) : marked.insert(row) }
  mutating func insert(_ row: Int) { marked.insert(row) }
  mutating func remove(_ row: Int) { marked.remove(row) }

  /// Other rows are there: O(rows) when any is marked.
  mutating func follow(from old: RowStore, to new: RowStore) {
    for row in marked.rows {
      if let key = old.key(of: row) { absent.insert(key) }
    }
    marked = RowSet()
    recognise(new, from: 0)
  }

  /// Rows came from `first` on; those whose keys are known are marked again.
  mutating func recognise(_ rows: RowStore, from first: Int) {
    guard !absent.isEmpty else { return }
    for block in rows.blocks where block.end > first {
      for (index, key) in block.keys.enumerated() where block.start + index >= first {
        if absent.remove(key) != nil { marked.insert(block.start + index) }
      }
    }
  }
}

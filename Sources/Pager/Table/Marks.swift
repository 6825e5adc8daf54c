import BitCollections
import Search

/// The rows marked for output. A row with a key stays marked when it is loaded again at another position,
/// even if it was absent in between; a row without a key is marked only while it is loaded.
package struct Marks: Sendable {
  private var marked = BitSet()
  /// The keys of marked rows that are not loaded now.
  private var absent: Set<UInt64> = []

  /// The number of marked rows that are loaded.
  package var count: Int { marked.count }
  /// The number of marked rows of other queries, which are marked again when they are loaded again.
  package var elsewhere: Int { absent.count }
  package var isEmpty: Bool { marked.isEmpty }
  package func contains(_ row: Int) -> Bool { marked.contains(row) }
  /// The numbers of the marked rows, ascending.
  package var rows: [Int] { Array(marked) }

  mutating func toggle(_ row: Int) { marked.formSymmetricDifference([row]) }
  mutating func insert(_ row: Int) { marked.insert(row) }

  /// Transfers the marks when the rows are replaced. O(rows) if any is marked.
  mutating func follow(from old: RowStore, to new: RowStore) {
    absent.formUnion(marked.compactMap { old.key(of: $0) })
    marked = BitSet()
    recognize(new, from: 0)
  }

  /// Marks the rows from `first` on whose keys are marked.
  mutating func recognize(_ rows: RowStore, from first: Int) {
    guard !absent.isEmpty else { return }
    for block in rows.blocks where block.end > first {
      for (index, key) in block.keys.enumerated() where block.start + index >= first {
        if absent.remove(key) != nil { marked.insert(block.start + index) }
      }
    }
  }
}

extension RowList {
  /// Toggles the marks of `count` rows from the selected one on, upward if negative, and selects the next row.
  mutating func mark(rows count: Int) {
    for _ in 0..<min(abs(count), self.count) {
      guard let row = selectedRow else { return }
      marks.toggle(row)
      let before = viewport.selection
      viewport.select(before + count.signum(), of: self.count)
      if viewport.selection == before { break }
    }
  }

  /// O(rows).
  mutating func markListed(_ change: (inout Marks, Int) -> Void) {
    for row in (0..<count).compactMap({ row(at: $0) }) { change(&marks, row) }
  }
}

extension PagerState {
  /// Marks rows from the selected one on, as `RowList.mark(rows:)`.
  mutating func mark(rows count: Int) {
    list.mark(rows: count)
    moveAnchor()
  }
}

import Algorithms
import Search
import Text

/// The rows that are new since the last refresh that changed any, shown with `+`, and those that it changed, shown
/// with `~`. Rows are known by their keys; those without a key are neither.
struct RowChanges: Sendable {
  enum Sign: Sendable, Hashable { case new, changed }

  private var signs: [UInt64: Sign] = [:]
  /// How many rows of each kind the latest refresh has found.
  private(set) var newCount = 0
  private(set) var changedCount = 0
  private var earlier: EarlierRows?
  /// The number of rows of the refresh that have been compared.
  private var comparedCount = 0

  func sign(of key: UInt64?) -> Sign? { key.flatMap { signs[$0] } }

  /// Called when a refresh of a session starts.
  mutating func begin(over session: Session) {
    earlier = EarlierRows(of: session)
    (newCount, changedCount, comparedCount) = (0, 0, 0)
  }

  /// Compares the rows loaded since the last call. O(new rows), if their order has hardly changed.
  mutating func note(_ session: Session) {
    guard let earlier, session.freshCount > comparedCount else { return }
    for block in session.fresh.blocks where block.end > comparedCount {
      for (key, sign) in earlier.signs(of: block, from: max(0, comparedCount - block.start)) {
        add(sign, to: key)
      }
    }
    comparedCount = session.freshCount
    if session.stale == nil { self.earlier = nil }
  }

  private mutating func add(_ sign: Sign, to key: UInt64) {
    // The signs of an earlier refresh stay until something has changed again.
    if newCount + changedCount == 0 { signs = [:] }
    signs[key] = sign
    if sign == .new { newCount += 1 } else { changedCount += 1 }
  }

  /// `2 new, 1 changed`; nil if nothing has changed.
  var summary: String? {
    let counts = [(newCount, "new"), (changedCount, "changed")].filter { $0.0 > 0 }
    return counts.isEmpty
      ? nil : counts.map { "\(Digits.grouped($0.0)) \($0.1)" }.joined(separator: ", ")
  }
}

/// The rows that a refresh replaces.
private struct EarlierRows: Sendable {
  private let rows: RowStore
  /// The keys of all of them; nil if some are from an earlier generation.
  private let keys: SeenKeys?

  init(of session: Session) {
    rows = session.rows
    keys = session.stale == nil ? session.seen : nil
  }

  /// The rows of a page, from a place on, that are not among these or were different, with their keys.
  func signs(of block: RowStore.Block, from start: Int) -> [(UInt64, RowChanges.Sign)] {
    var places: [UInt64: Int] = [:]
    var signs: [(UInt64, RowChanges.Sign)] = []
    for (index, key) in block.keys.enumerated().dropFirst(start) where key != RowKey.none {
      if keys.map({ $0.contains(key) }) ?? true { places[key] = index } else { signs.append((key, .new)) }
    }
    // Most rows are still on the page where they were.
    let first = rows.blocks.partitioningIndex { $0.position.ordinal >= block.position.ordinal }
    for earlier in rows.blocks[first...] + rows.blocks[..<first] where !places.isEmpty {
      for (index, key) in earlier.keys.enumerated() {
        guard let place = places.removeValue(forKey: key) else { continue }
        if !Self.showsSame(block, place, earlier, index) { signs.append((key, .changed)) }
      }
    }
    // Filtered rows and those dropped by an earlier refresh were seen, but not shown.
    return signs + (keys == nil ? places.keys.map { ($0, .new) } : [])
  }

  private static func showsSame(
    _ block: RowStore.Block, _ index: Int, _ other: RowStore.Block, _ otherIndex: Int
  ) -> Bool {
    guard case .cells(let cells)? = block.content, case .cells(let others)? = other.content else {
      return true
    }
    return cells.showsSame(Int(block.kept[index]), as: Int(other.kept[otherIndex]), of: others)
  }
}

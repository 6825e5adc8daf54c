import HTTPValues

/// The rows of a session: immutable pages behind references. Finding a row by number is O(log pages).
/// Appending a page never copies the others.
package struct RowStore: Sendable {
  package struct Block: Sendable {
    package let content: PageContent?
    /// The indices of the rows that are kept, in order; the other rows are duplicates.
    package let kept: [UInt32]
    /// The keys of the kept rows; empty if the source has no key.
    package let keys: [UInt64]
    /// The number of rows in all blocks before this one.
    package let start: Int
    /// When the page arrived, in seconds since 1970.
    package let arrivedAt: Double
    /// The position of the page in the list.
    package let position: Position
    /// Where a run resumes after the page; nil at the end, or if some rows of the page were left out.
    package let resumePoint: ResumePoint?

    package var end: Int { start + kept.count }
  }

  package private(set) var blocks: [Block] = []
  /// The number of released blocks and of their rows, which still count.
  package private(set) var releasedBlocks = 0
  package private(set) var releasedRows = 0

  package init() {}

  package var count: Int { blocks.last?.end ?? releasedRows }
  package var isEmpty: Bool { count == 0 }

  /// - Parameter resumePoint: Where a run resumes after the page.
  package mutating func append(
    _ page: Page, kept: [UInt32], at position: Position, resumePoint: ResumePoint?
  ) {
    blocks.append(
      Block(
        content: page.content, kept: kept,
        keys: page.keys.isEmpty ? [] : kept.map { page.keys[Int($0)] }, start: count,
        arrivedAt: page.exchange.arrivedAt, position: position, resumePoint: resumePoint))
  }

  /// The rows of both stores, in this order. O(blocks).
  package init(_ head: RowStore, then tail: RowStore) {
    blocks = head.blocks
    for block in tail.blocks { append(block, kept: block.kept, keys: block.keys) }
  }

  private mutating func append(_ block: Block, kept: [UInt32], keys: [UInt64]) {
    blocks.append(
      Block(
        content: block.content, kept: kept, keys: keys, start: count, arrivedAt: block.arrivedAt,
        position: block.position, resumePoint: block.resumePoint))
  }

  /// Removes the rows with these keys, and the rows without a key of the pages up to an ordinal. A page left
  /// without rows is removed too. O(rows up to the last removed row + blocks).
  mutating func remove(_ keys: Set<UInt64>, withoutKeyThrough ordinal: Int) {
    var sought = keys
    let old = blocks
    blocks = []
    for block in old {
      if sought.isEmpty, block.position.ordinal > ordinal {
        append(block, kept: block.kept, keys: block.keys)
        continue
      }
      let isPassed = block.position.ordinal <= ordinal
      let places = block.kept.indices.filter { place in
        let key = block.keys.isEmpty ? RowKey.none : block.keys[place]
        return key == RowKey.none ? !isPassed : sought.remove(key) == nil
      }
      guard !places.isEmpty else { continue }
      append(
        block, kept: places.map { block.kept[$0] },
        keys: block.keys.isEmpty ? [] : places.map { block.keys[$0] })
    }
  }

  /// Releases the first loaded page; its rows still count. This keeps the memory of a run that writes its
  /// pages small and appending fast, however long the list is.
  package mutating func releaseFirst() {
    guard let first = blocks.first else { return }
    releasedRows = first.end
    releasedBlocks += 1
    blocks.removeFirst()
  }

  /// The block that contains a row, and the index of the row in the block's content; nil if there is no such
  /// row.
  package func locate(_ row: Int) -> (block: Block, row: Int)? {
    guard row >= releasedRows, row < count else { return nil }
    let block = blocks[blocks.partitionIndex { $0.end > row }]
    return (block, Int(block.kept[row - block.start]))
  }

  /// The key of a row; nil if it has none. O(log pages).
  package func key(of row: Int) -> UInt64? {
    guard let (block, _) = locate(row), !block.keys.isEmpty else { return nil }
    let key = block.keys[row - block.start]
    return key == RowKey.none ? nil : key
  }

  /// Whether every row has a key. O(rows).
  var isKeyed: Bool {
    blocks.allSatisfy { $0.keys.count == $0.kept.count && !$0.keys.contains(RowKey.none) }
  }

  /// The first row with this key. O(rows).
  package func row(withKey key: UInt64) -> Int? {
    for block in blocks {
      if let index = block.keys.firstIndex(of: key) { return block.start + index }
    }
    return nil
  }
}

/// A set of row keys that is cheap to copy and to grow by a page: sorted runs, each at least twice as long as
/// the next (a log-structured merge). Insertion is O(log n) amortized per key, lookup O(log² n). A copy is
/// one reference, and appending never copies older, larger runs.
package struct SeenKeys: Sendable, Hashable {
  private var runs: [[UInt64]] = []

  package init() {}

  package var count: Int { runs.reduce(0) { $0 + $1.count } }

  package func contains(_ key: UInt64) -> Bool {
    runs.contains { run in
      let index = run.partitionIndex { $0 >= key }
      return index < run.count && run[index] == key
    }
  }

  package mutating func insert(_ keys: [UInt64]) {
    guard !keys.isEmpty else { return }
    var run = keys.sorted()
    while let last = runs.last, last.count < 2 * run.count {
      runs.removeLast()
      run = Self.merged(last, run)
    }
    runs.append(run)
  }

  private static func merged(_ a: [UInt64], _ b: [UInt64]) -> [UInt64] {
    var result: [UInt64] = []
    result.reserveCapacity(a.count + b.count)
    var (i, j) = (0, 0)
    while i < a.count && j < b.count {
      if a[i] <= b[j] {
        result.append(a[i])
        i += 1
      } else {
        result.append(b[j])
        j += 1
      }
    }
    result += a[i...]
    result += b[j...]
    return result
  }
}

extension Array {
  /// The first index whose element satisfies a condition that all later elements satisfy too; `count` if there
  /// is none. O(log n).
  package func partitionIndex(where isMet: (Element) -> Bool) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if isMet(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}

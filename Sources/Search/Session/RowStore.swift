import Algorithms
import HTTPValues
import JSON
import Text

/// The rows of a session: immutable pages behind references. Finding a row by number is O(log pages).
/// Appending a page never copies the others.
package struct RowStore: Sendable {
  package struct Block: Sendable {
    package fileprivate(set) var content: PageContent?
    /// The indices of the rows that are kept, in order; the other rows are duplicates.
    package fileprivate(set) var kept: [UInt32]
    /// The keys of the kept rows; empty if the source has no key.
    package fileprivate(set) var keys: [UInt64]
    /// The identities of the kept rows (`Page.identities`).
    package let identities: [UInt64]
    /// The number of rows in all blocks before this one.
    package fileprivate(set) var start: Int
    /// When the page arrived, in seconds since 1970.
    package let arrivedAt: Double
    /// The position of the page in the list.
    package let position: Position
    /// The point at which a run resumes after the page; nil at the end, or if some rows of the page were left out.
    package internal(set) var resumePoint: ResumePoint?

    package var end: Int { start + kept.count }
  }

  package private(set) var blocks: [Block] = []
  /// The number of released blocks and of their rows, which still count.
  package private(set) var releasedBlocks = 0
  package private(set) var releasedRows = 0

  package init() {}

  package var count: Int { blocks.last?.end ?? releasedRows }
  package var isEmpty: Bool { count == 0 }

  package mutating func append(
    _ page: Page, kept: [UInt32], at position: Position, resumePoint: ResumePoint?
  ) {
    blocks.append(
      Block(
        content: page.content, kept: kept,
        keys: page.keys.isEmpty ? [] : kept.map { page.keys[Int($0)] },
        identities: page.identities.isEmpty ? [] : kept.map { page.identities[Int($0)] }, start: count,
        arrivedAt: page.exchange.arrivedAt, position: position, resumePoint: resumePoint))
  }

  /// The rows of both stores, in this order. O(blocks).
  package init(_ head: RowStore, then tail: RowStore) {
    blocks = head.blocks
    for block in tail.blocks { append(block) }
  }

  private mutating func append(_ block: consuming Block) {
    block.start = count
    blocks.append(block)
  }

  /// Removes the rows with these keys, and the rows without a key of the pages up to an ordinal. A page that has no
  /// rows left is also removed. O(rows up to the last removed row + blocks).
  mutating func remove(_ keys: Set<UInt64>, withoutKeyThrough ordinal: Int) {
    var sought = keys
    let old = blocks
    blocks = []
    for var block in old {
      let isPassed = block.position.ordinal <= ordinal
      if isPassed || !sought.isEmpty {
        let places = block.kept.indices.filter { place in
          let key = block.keys.isEmpty ? RowKey.none : block.keys[place]
          return key == RowKey.none ? !isPassed : sought.remove(key) == nil
        }
        if places.isEmpty { continue }
        block.kept = places.map { block.kept[$0] }
        if !block.keys.isEmpty { block.keys = places.map { block.keys[$0] } }
      }
      append(block)
    }
  }

  /// Replaces the cells of a page. O(blocks).
  mutating func replace(_ page: CellTable, with cells: CellTable) {
    for index in blocks.indices {
      if case .cells(let old)? = blocks[index].content, old === page { blocks[index].content = .cells(cells) }
    }
  }

  /// Sets the point at which a run resumes after the last page, if it was merged whole.
  mutating func resume(afterLastAt point: ResumePoint) {
    if let last = blocks.indices.last { blocks[last].resumePoint = point }
  }

  /// Releases the first loaded page; its rows still count. This keeps the memory of a run that writes its
  /// pages small and appending fast, however long the list is.
  package mutating func releaseFirst() {
    guard let first = blocks.first else { return }
    releasedRows = first.end
    releasedBlocks += 1
    blocks.removeFirst()
  }

  /// The block that contains a row, and the index of the row in its content; nil if there is no such row.
  package func locate(_ row: Int) -> (block: Block, row: Int)? {
    guard row >= releasedRows, row < count else { return nil }
    let block = blocks[blocks.partitioningIndex { $0.end > row }]
    return (block, Int(block.kept[row - block.start]))
  }

  /// The cells of the page that contains a row, and the row's index in them; nil if it has none. O(log pages).
  package func cells(of row: Int) -> (CellTable, Int)? {
    guard row >= releasedRows, row < count else { return nil }
    let index = blocks.partitioningIndex { $0.end > row }
    guard case .cells(let cells)? = blocks[index].content else { return nil }
    return (cells, Int(blocks[index].kept[row - blocks[index].start]))
  }

  /// The key of a row; nil if it has none. O(log pages).
  package func key(of row: Int) -> UInt64? {
    guard let (block, _) = locate(row), !block.keys.isEmpty else { return nil }
    let key = block.keys[row - block.start]
    return key == RowKey.none ? nil : key
  }

  /// Whether every row has a key. O(rows).
  var isKeyed: Bool { blocks.allSatisfy { $0.keys.count == $0.kept.count && !$0.keys.contains(RowKey.none) } }

  /// The first row with this key. O(rows).
  package func row(withKey key: UInt64) -> Int? {
    blocks.lazy.compactMap { block in block.keys.firstIndex(of: key).map { block.start + $0 } }.first
  }
}

/// The rows of the previous generation, shown until they are replaced.
package struct StaleRows: Sendable {
  package enum Cause: Sendable, Hashable {
    /// The rows of another query, which the first page replaces as a whole.
    case query
    /// The first page of the same query from earlier in the session, which the first page replaces as a whole.
    case earlier
    /// The rows of the same query. Each row is replaced when its page arrives, the rest when the refresh is complete. A
    /// refresh that is stopped or fails leaves them, so that fewer rows than before are never shown.
    case refresh

    package var isOfSameQuery: Bool { self != .query }
  }

  package internal(set) var rows: RowStore
  package let cause: Cause
  /// The number of pages that the rows came from.
  let pageCount: Int
  /// The keys of the rows; nil if the rows are from several generations, or identified by more than their keys.
  private let known: SeenKeys?

  /// Nil if there are no rows.
  init?(of session: Session, _ cause: Cause) {
    rows = session.rows
    if rows.isEmpty { return nil }
    self.cause = cause
    pageCount = max(rows.blocks.count, session.stale?.pageCount ?? 0)
    known = session.stale == nil && !session.progress.hasGuessedKeys ? session.seen : nil
  }

  /// The first page of a query as it was; nil if it had no rows.
  init?(_ kept: KeptQueries.Entry, at position: Position) {
    rows = RowStore()
    rows.append(kept.page, kept: kept.rows, at: position, resumePoint: nil)
    if rows.isEmpty { return nil }
    cause = .earlier
    pageCount = 1
    known = nil
  }

  /// Removes the rows that a reloaded page replaces: those with the same keys and, where rows have no key,
  /// those of the old page at this position. O(rows) at worst; if the order has hardly changed, O(rows of the
  /// page + pages).
  ///
  /// - Parameter keys: The keys of the rows on the new page.
  mutating func yieldTo(to keys: [UInt64], at position: Position) {
    let sought = known.map { known in keys.filter(known.contains) } ?? keys
    rows.remove(Set(sought), withoutKeyThrough: position.ordinal)
  }
}

/// The identity of a row as a number: FNV-1a over the key's text. 64 bits, so that the keys of a page are one
/// flat array. `none` is for a row without a key.
package enum RowKey {
  package static let none: UInt64 = 0

  package static func hash(_ text: String) -> UInt64 {
    let hash = fold(text.utf8, into: basis)
    return hash == none ? 1 : hash
  }

  /// The hash of unmodified bytes, eight at a time, because whole rows are long.
  package static func hash(_ bytes: ArraySlice<UInt8>) -> UInt64 { fold(bytes, into: basis) }

  /// One hash that combines several.
  static func combined(_ hashes: [UInt64]) -> UInt64 { hashes.reduce(basis) { mixed($0 ^ $1) } }

  /// One hash over the bytes of all rows.
  static func fingerprint(_ nodes: [JSONNode], in document: JSONDocument) -> UInt64 {
    var hash = basis
    for node in nodes { hash = fold(document.bytes[document.byteRange(of: node)], into: hash) }
    return hash
  }

  private static let basis: UInt64 = 0xcbf2_9ce4_8422_2325

  private static func fold(_ text: String.UTF8View, into start: UInt64) -> UInt64 {
    text.reduce(start) { hash, byte in (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
  }

  private static func fold(_ bytes: ArraySlice<UInt8>, into start: UInt64) -> UInt64 {
    bytes.withUnsafeBytes { bytes in
      var hash = start
      var offset = 0
      while offset + 8 <= bytes.count {
        hash = mixed(hash ^ bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
        offset += 8
      }
      for byte in bytes[offset...] { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
      return hash
    }
  }

  /// The XOR of the halves of a 128-bit product with an odd constant (the golden ratio).
  private static func mixed(_ value: UInt64) -> UInt64 {
    let product = value.multipliedFullWidth(by: 0x9E37_79B9_7F4A_7C15)
    return product.high ^ product.low
  }
}

/// A set of row keys that is cheap to copy and to grow by a page: sorted runs, each at least twice as long as
/// the next (a log-structured merge). Insertion is O(log n) amortized per key, lookup O(log² n). A copy is
/// one reference, and appending never copies older, larger runs.
package struct SeenKeys: Sendable, Hashable {
  private(set) var runs: [[UInt64]] = []

  var count: Int { runs.reduce(0) { $0 + $1.count } }

  package func contains(_ key: UInt64) -> Bool {
    runs.contains { run in
      let index = run.partitioningIndex { $0 >= key }
      return index < run.count && run[index] == key
    }
  }

  package mutating func insert(_ keys: [UInt64]) {
    guard !keys.isEmpty else { return }
    var run = keys.sorted()
    while let last = runs.last, last.count < 2 * run.count {
      runs.removeLast()
      run = (last + run).sorted()
    }
    runs.append(run)
  }
}

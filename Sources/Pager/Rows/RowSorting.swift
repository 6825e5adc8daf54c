import Search

/// A row number with its sort key.
struct KeyedRow: Sendable {
  let row: UInt32
  let key: SortKey
}

/// Compares rows by one column, and equal ones by their order of arrival.
struct RowComparison: Sendable {
  /// A page's cells, for access to the text of a row without copying the page.
  private struct Block: Sendable {
    let start: Int
    let kept: [UInt32]
    let cells: CellTable
  }

  private let sort: ColumnSort
  private let blocks: [Block]

  init(_ sort: ColumnSort, _ rows: RowStore) {
    self.sort = sort
    blocks = rows.blocks.compactMap { block in
      guard case .cells(let cells)? = block.content else { return nil }
      return Block(start: block.start, kept: block.kept, cells: cells)
    }
  }

  func key(of row: Int, in table: CellTable) -> SortKey { table.sortKey(row: row, column: sort.column) }

  func precedes(_ a: KeyedRow, _ b: KeyedRow) -> Bool {
    a.key.precedes(b.key, descending: sort.isDescending) { precedesByText(a, b) } ?? (a.row < b.row)
  }

  /// Compares the whole texts; nil if they are equal.
  private func precedesByText(_ a: KeyedRow, _ b: KeyedRow) -> Bool? {
    blocks.withUnsafeBufferPointer { blocks in
      let (blockA, blockB) = (Self.index(of: a.row, in: blocks), Self.index(of: b.row, in: blocks))
      let rangeA = Self.range(of: a.row, in: blocks[blockA], column: sort.column)
      let rangeB = Self.range(of: b.row, in: blocks[blockB], column: sort.column)
      return blocks[blockA].cells.text.withUnsafeBufferPointer { textA in
        blocks[blockB].cells.text.withUnsafeBufferPointer { textB in
          FoldedText.precedes(
            UnsafeBufferPointer(rebasing: textA[rangeA]), UnsafeBufferPointer(rebasing: textB[rangeB]))
        }
      }
    }
  }

  private static func range(of row: UInt32, in block: Block, column: Int) -> Range<Int> {
    block.cells.range(row: Int(block.kept[Int(row) - block.start]), slot: column)
  }

  /// The last block that starts at or before the row.
  private static func index(of row: UInt32, in blocks: UnsafeBufferPointer<Block>) -> Int {
    var (low, high) = (0, blocks.count - 1)
    while low < high {
      let middle = (low + high + 1) / 2
      if blocks[middle].start <= Int(row) { low = middle } else { high = middle - 1 }
    }
    return low
  }
}

/// A stable bottom-up merge sort that can pause after any merge: short runs are sorted individually, then
/// neighbors are merged until one run is left.
struct MergeSort: Sendable {
  private static let runLength = 256
  /// The effort of one comparison, in the unit of `RowOrdering.advance`.
  private static let comparisonEffort = 40

  private let comparison: RowComparison
  private var source: [KeyedRow]
  private var target: [KeyedRow] = []
  /// The end offsets of the runs in `source`.
  private var ends: [Int]
  private var newEnds: [Int] = []
  /// The start of the next run to sort; nil when all are sorted.
  private var unsorted: Int?
  /// The next run to merge, and the progress in it and its neighbor.
  private var run = 0
  private var left = 0
  private var right = 0

  init(_ rows: [KeyedRow], _ comparison: RowComparison) {
    self.comparison = comparison
    source = rows
    ends = Array(stride(from: Self.runLength, to: rows.count, by: Self.runLength)) + [rows.count]
    unsorted = 0
  }

  init(sorted first: [KeyedRow], _ second: [KeyedRow], _ comparison: RowComparison) {
    self.comparison = comparison
    source = first + second
    ends = first.isEmpty || second.isEmpty ? [source.count] : [first.count, source.count]
    right = ends[0]
  }

  /// All rows, sorted; nil until finished.
  var result: [KeyedRow]? { unsorted == nil && ends.count <= 1 ? source : nil }

  mutating func advance(_ effort: inout Int) {
    while effort > 0, result == nil {
      if let run = unsorted { sort(run, &effort) } else { merge(&effort) }
    }
  }

  private func start(of run: Int) -> Int { run == 0 ? 0 : ends[run - 1] }

  private mutating func sort(_ run: Int, _ effort: inout Int) {
    let comparison = comparison
    source[start(of: run)..<ends[run]].sort { comparison.precedes($0, $1) }
    effort -= Self.runLength * 8 * Self.comparisonEffort
    unsorted = run + 1 < ends.count ? run + 1 : nil
    if unsorted == nil { beginPass() }
  }

  private mutating func beginPass() {
    run = 0
    left = 0
    right = ends[0]
    newEnds = []
    target = []
    target.reserveCapacity(source.count)
  }

  private mutating func merge(_ effort: inout Int) {
    let middle = ends[run]
    let end = run + 1 < ends.count ? ends[run + 1] : middle
    while effort > 0, left < middle || right < end {
      effort -= Self.comparisonEffort
      if right >= end || left < middle && !comparison.precedes(source[right], source[left]) {
        target.append(source[left])
        left += 1
      } else {
        target.append(source[right])
        right += 1
      }
    }
    guard left >= middle, right >= end else { return }
    newEnds.append(end)
    run += 2
    if run < ends.count {
      left = start(of: run)
      right = ends[run]
    } else {
      source = target
      ends = newEnds
      beginPass()
    }
  }
}

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
    if let decided = a.key.precedes(b.key, descending: sort.isDescending) { return decided }
    if a.key.isUndecided(against: b.key), let isFirst = precedesByText(a, b) {
      return isFirst != sort.isDescending
    }
    return a.row < b.row
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

import Search

struct RankedRow: Sendable {
  let row: UInt32
  let rank: RowRank
}

/// Compares rows by one column, and where that decides nothing by the order they came in.
struct RowComparison: Sendable {
  private let sort: RowSort
  private let rows: RowStore
  private let empty: String

  init(_ sort: RowSort, _ rows: RowStore, empty: String) {
    self.sort = sort
    self.rows = rows
    self.empty = empty
  }

  func rank(of row: Int, in table: CellTable) -> RowRank {
    RowRank(row: row, column: sort.column, of: table, empty: empty)
  }

  func precedes(_ a: RankedRow, _ b: RankedRow) -> Bool {
    if let decided = a.rank.precedes(b.rank, descending: sort.isDescending) { return decided }
    if a.rank.isUndecided(against: b.rank), let decided = precedesByText(a, b) { return decided }
    return a.row < b.row
  }

  /// The rest of the texts: small letters first, then as they are written.
  private func precedesByText(_ a: RankedRow, _ b: RankedRow) -> Bool? {
    guard let (tableA, rangeA) = cell(a), let (tableB, rangeB) = cell(b) else { return nil }
    let textA = tableA.text[rangeA]
    let textB = tableB.text[rangeB]
    if textA.elementsEqual(textB) { return nil }
    let foldedA = textA.lazy.map(\.smallASCII)
    let foldedB = textB.lazy.map(\.smallASCII)
    if foldedA.elementsEqual(foldedB) {
      return textA.lexicographicallyPrecedes(textB) != sort.isDescending
    }
    return foldedA.lexicographicallyPrecedes(foldedB) != sort.isDescending
  }

  private func cell(_ ranked: RankedRow) -> (CellTable, Range<Int>)? {
    guard let (block, row) = rows.locate(Int(ranked.row)), case .cells(let table)? = block.content else {
      return nil
    }
    return (table, table.range(row: row, slot: sort.column))
  }
}

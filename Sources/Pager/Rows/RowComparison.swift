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

  /// The whole texts: in small letters first, then as they are written; nil when they are equal.
  private func precedesByText(_ a: RankedRow, _ b: RankedRow) -> Bool? {
    guard let (tableA, rangeA) = cell(a), let (tableB, rangeB) = cell(b) else { return nil }
    let isFirst = tableA.text.withUnsafeBufferPointer { textA in
      tableB.text.withUnsafeBufferPointer { textB in Self.precedes(textA[rangeA], textB[rangeB]) }
    }
    return isFirst.map { $0 != sort.isDescending }
  }

  private static func precedes(_ a: Slice<UnsafeBufferPointer<UInt8>>, _ b: Slice<UnsafeBufferPointer<UInt8>>)
    -> Bool?
  {
    var exact: Bool?
    for offset in 0..<min(a.count, b.count) {
      let (byteA, byteB) = (a[a.startIndex + offset], b[b.startIndex + offset])
      if byteA == byteB { continue }
      if byteA.smallASCII != byteB.smallASCII { return byteA.smallASCII < byteB.smallASCII }
      exact = exact ?? (byteA < byteB)
    }
    return a.count == b.count ? exact : a.count < b.count
  }

  private func cell(_ ranked: RankedRow) -> (CellTable, Range<Int>)? {
    guard let (block, row) = rows.locate(Int(ranked.row)), case .cells(let table)? = block.content else {
      return nil
    }
    return (table, table.range(row: row, slot: sort.column))
  }
}

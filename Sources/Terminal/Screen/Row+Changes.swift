/// What differs between two rows.
extension Row {
  /// Unchanged columns that are cheaper to write again than to move over: about the length of a move.
  private static let bridgeableGap = 7

  /// The columns of this row's cells that differ from another row's, joined where little lies between; all within
  /// `columns`. They begin and end at cluster boundaries of both rows.
  func changes(from old: Row, in columns: Range<Int> = 0..<Int.max) -> [Range<Int>] {
    var changes: [Range<Int>] = []
    for column in columns.clamped(to: cells.indices) where cells[column] != old[column] {
      if let last = changes.last, column - last.upperBound <= Row.bridgeableGap {
        changes[changes.count - 1] = last.lowerBound..<column + 1
      } else {
        changes.append(column..<column + 1)
      }
    }
    return changes.map { $0.lowerBound..<clusterEnd(after: $0.upperBound) }
  }

  /// Whether all that differs lies before the first uncertain cluster of both rows.
  func differsCertainly(from old: Row) -> Bool {
    if isCertain, old.isCertain { return true }
    guard cells.count == old.cells.count, boundaries == old.boundaries,
      uncertainColumns == old.uncertainColumns,
      let firstUncertain = uncertainColumns.first
    else { return false }
    return changes(from: old).last?.upperBound ?? 0 <= firstUncertain
  }

  /// A lead cell can differ while the empty cells after it do not.
  private func clusterEnd(after column: Int) -> Int {
    var end = column
    while end < cells.count, cells[end].width == 0 { end += 1 }
    return end
  }
}

/// Draws rows such that the screen is correct where widths are certain, and equal to a complete redraw where
/// they are not. After each row the style is plain and no link is open.
extension Pen {
  /// The longest run of spaces that is cheaper to write than to skip.
  private static let bridgeableGap = 4

  /// Draws on a blank row.
  mutating func draw(_ row: Row, at y: Int) {
    draw(row, 0..<row.columns, at: y, overBlanks: true)
    finish()
  }

  /// Draws over another row: only the changes, or everything after erasing, whichever is shorter.
  mutating func draw(_ new: Row, over old: Row, at y: Int) {
    let changes = new.changes(from: old)
    var partly = branch
    for change in changes { partly.draw(change, of: new, over: old, at: y) }
    partly.finish()
    // Only xterm-like terminals can erase part of a row.
    let isPossible = isXtermLike || !changes.contains(where: \.isSpan)
    if isPossible, partly.bytes.count <= Pen.leastOfWholeRow { return adopt(partly) }
    var whole = branch
    whole.draw(.span(0..<new.columns), of: new, over: old, at: y)
    whole.finish()
    adopt(isPossible && partly.bytes.count <= whole.bytes.count ? partly : whole)
  }

  /// The minimum cost of drawing a whole row.
  private static let leastOfWholeRow = 8

  private mutating func draw(_ change: Row.Change, of row: Row, over old: Row, at y: Int) {
    switch change {
    case .cells(let columns):
      draw(row, columns, at: y, overBlanks: false)
      guard columns.upperBound > row.cells.count else { return }
      move(to: max(columns.lowerBound, row.cells.count), row: y)
      eraseToRowEnd()
    case .span(let columns):
      if !old.isBlank(in: columns) {
        move(to: columns.lowerBound, row: y)
        erase(columns, of: row)
      }
      draw(row, columns, at: y, overBlanks: true)
    }
  }

  /// Erases columns; the cursor must be at the first of them.
  private mutating func erase(_ columns: Range<Int>, of row: Row) {
    if columns.upperBound >= row.columns { eraseToRowEnd() } else { erase(columns.count) }
  }

  /// Draws columns such that an uncertain span is drawn independently of the rest of the row, so that it
  /// always looks the same.
  /// - Parameter overBlanks: Whether the columns are blank, so that spaces may be skipped.
  private mutating func draw(_ row: Row, _ columns: Range<Int>, at y: Int, overBlanks: Bool) {
    var spans = row.uncertainSpans.drop { $0.clusters.lowerBound < columns.lowerBound }
    var column = columns.lowerBound
    while column < min(columns.upperBound, row.cells.count) {
      if let span = spans.first, span.clusters.lowerBound == column {
        spans.removeFirst()
        draw(span, of: row, at: y)
        if span.spills(in: row, before: spans.first) {
          move(to: span.end, row: y)
          erase(span.end..<columns.upperBound, of: row)
        }
        column = span.end
      } else {
        let isBeforeSpan = spans.first?.clusters.lowerBound == column + 1
        if isBeforeSpan || !overBlanks || !row[column].isBlank {
          bridge(to: column, of: row, at: y)
          draw(row[column], of: row)
        }
        column += 1
      }
    }
  }

  /// Draws a span so that the text after it is at its column, whatever width the terminal gives the clusters.
  private mutating func draw(_ span: Row.UncertainSpan, of row: Row, at y: Int) {
    let start = span.clusters.lowerBound
    move(to: start, row: y)
    for column in span.clusters { draw(row[column], of: row) }
    loseColumn()
    // Some terminals shift what does not fit to the left, over the column before it.
    if start == row.columns - 1, start > 0, row[start - 1].isCertain {
      move(to: start - 1, row: y)
      draw(row[start - 1], of: row)
    }
  }

  /// Moves over unchanged columns, or writes them again if that is shorter and touches no uncertain cluster.
  private mutating func bridge(to column: Int, of row: Row, at y: Int) {
    if let position, position.row == y, (1...Pen.bridgeableGap).contains(column - position.column),
      (position.column...column).allSatisfy({ row[$0].isCertain })
    {
      for passed in position.column..<column { draw(row[passed], of: row) }
    }
    move(to: column, row: y)
  }
}

extension Row.UncertainSpan {
  /// Whether text that is drawn too wide may remain visible next to or under the text that follows, which
  /// does not cover all of it.
  fileprivate func spills(in row: Row, before next: Self?) -> Bool {
    (end..<max(end, min(reach, row.columns))).contains {
      row[$0].isBlank || !row[$0].isCertain || $0 == next?.clusters.lowerBound
    }
  }
}

extension Row.Change {
  fileprivate var isSpan: Bool {
    if case .span = self { true } else { false }
  }
}

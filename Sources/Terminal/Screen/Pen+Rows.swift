internal import Text

/// Rows, drawn so that the terminal shows them whatever it thinks of their widths. After each the style is plain
/// and no link is open.
extension Pen {
  /// Draws on a blank row. Where a cell ends that holds an uncertain cluster, the terminal may have drawn fewer or
  /// more columns: it is moved there absolutely and what it drew beyond is erased.
  mutating func draw(_ row: Row, at y: Int) {
    var start = 0
    for end in row.boundaries + [row.cells.count] {
      let columns = start..<max(start, end)
      draw(row, row.changes(from: .blank, in: columns), at: y)
      if row.uncertainColumns.contains(where: columns.contains) {
        loseColumn()
        if row.boundaries.contains(end) {
          move(to: end, row: y)
          eraseToRowEnd()
        }
      }
      start = columns.upperBound
    }
    finish()
  }

  /// Draws over another row: only what changed, or all of it after erasing, whichever is shorter. From the first
  /// uncertain cluster on nothing is assumed about what is shown: a change there has the row drawn anew.
  mutating func draw(_ new: Row, over old: Row, at y: Int) {
    var anew = self
    anew.move(to: 0, row: y)
    anew.eraseToRowEnd()
    anew.draw(new, at: y)
    guard new.differsCertainly(from: old) else {
      self = anew
      return
    }
    draw(new, new.changes(from: old), at: y)
    finish()
    if old.cells.count > new.cells.count {
      move(to: new.cells.count, row: y)
      eraseToRowEnd()
    }
    if anew.bytes.count < bytes.count { self = anew }
  }

  private mutating func draw(_ row: Row, _ changes: [Range<Int>], at y: Int) {
    for columns in changes {
      move(to: columns.lowerBound, row: y)
      for column in columns { draw(row.cells[column]) }
    }
  }
}

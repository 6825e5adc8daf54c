internal import Text

/// Collects the bytes of a frame. It tracks the terminal's cursor and style, and omits sequences that would
/// change nothing.
struct Pen {
  private(set) var bytes: [UInt8] = []
  private let colors: ColorDepth
  private var cellStyle = Row.CellStyle.plain
  let isXtermLike: Bool
  /// The position of the cursor; nil if only an absolute move can determine it.
  private(set) var position: Frame.Position?
  /// The row of the cursor, if only its column is unknown.
  private var row: Int?

  init(_ colors: ColorDepth, isXtermLike: Bool) {
    self.colors = colors
    self.isXtermLike = isXtermLike
  }

  mutating func move(to column: Int, row: Int) {
    let target = Frame.Position(column: column, row: row)
    if position != target {
      endLink()
      write(
        self.row == row && isXtermLike
          ? ControlSequence.moveCursor(toColumn: column)
          : ControlSequence.moveCursor(column: column, row: row))
    }
    position = target
    self.row = row
  }

  /// Draws the cell of a column at the cursor. The cursor is assumed to advance by the measured width.
  mutating func draw(_ cell: Row.Cell, of row: Row) {
    let next = row.cellStyles[cell.cellStyle]
    // A plain space looks the same in any style that only affects glyphs.
    if !cell.isSpace || next.style != .plain || cellStyle.style.showsOnBlanks { use(next.style) }
    use(next.link)
    bytes.append(contentsOf: row.bytes(of: cell))
    guard let position else { return }
    self.position = Frame.Position(column: position.column + 1, row: position.row)
  }

  /// Erases the rest of the row.
  mutating func eraseToRowEnd() {
    finish()
    write(ControlSequence.eraseToRowEnd)
  }

  /// Erases `count` columns starting at the cursor. Requires an xterm-like terminal.
  mutating func erase(_ count: Int) {
    finish()
    write(ControlSequence.erase(count))
  }

  /// Resets style and link.
  mutating func finish() {
    endLink()
    use(.plain)
  }

  private mutating func endLink() { use(nil as Link?) }

  private mutating func use(_ next: Link?) {
    guard next != cellStyle.link else { return }
    cellStyle = Row.CellStyle(style: cellStyle.style, link: next)
    write(next.map(ControlSequence.beginLink) ?? ControlSequence.endLink)
  }

  private mutating func use(_ next: Style) {
    guard next != cellStyle.style else { return }
    if cellStyle.style != .plain { write(ControlSequence.plainStyle) }
    cellStyle = Row.CellStyle(style: next, link: cellStyle.link)
    let parameters = colors.parameters(of: next)
    if !parameters.isEmpty { write(ControlSequence.style(parameters)) }
  }

  /// Marks the column as unknown, because the terminal may have drawn another width than measured; it does
  /// not wrap.
  mutating func loseColumn() {
    position = nil
  }

  /// Marks the position as unknown after a sequence that moves the cursor.
  mutating func losePosition() {
    position = nil
    row = nil
  }

  mutating func write(_ text: String) {
    bytes.append(contentsOf: text.utf8)
  }

  /// Appends bytes written by another pen.
  mutating func append(_ body: [UInt8]) {
    bytes.append(contentsOf: body)
    if !body.isEmpty { losePosition() }
  }

  /// A copy of the pen's state with an empty buffer.
  var branch: Pen {
    var branch = self
    branch.bytes = []
    return branch
  }

  /// Continues with the state and the bytes of a branch.
  mutating func adopt(_ branch: Pen) {
    bytes.append(contentsOf: branch.bytes)
    (cellStyle, position, row) = (branch.cellStyle, branch.position, branch.row)
  }
}

extension Style {
  /// Whether a space in this style differs from a plain one.
  var showsOnBlanks: Bool {
    background != nil || !attributes.isDisjoint(with: [.reverse, .underline])
  }
}

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

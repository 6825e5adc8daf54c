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
    background != nil || !attributes.isDisjoint(with: [.reverse, .underline, .strikethrough])
  }
}

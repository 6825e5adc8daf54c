internal import Text

/// Collects the bytes of a frame, and leaves out every sequence that would change nothing: it knows where the
/// terminal's cursor is and how it writes.
struct Pen {
  private(set) var bytes: [UInt8] = []
  private let colors: ColorDepth
  private var look = Row.Look.plain
  let isXtermLike: Bool
  /// Where the cursor is; nil when only an absolute move tells.
  private(set) var position: Frame.Position?
  /// The row it is in, where only its column is not known.
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

  /// Draws the cell of a column at the cursor. The cursor is taken to move on by what we measure.
  mutating func draw(_ cell: Row.Cell, of row: Row) {
    let next = row.looks[cell.look]
    // A plain blank looks the same in any style that shows on glyphs alone.
    if !cell.isSpace || next.style != .plain || look.style.showsOnBlanks { use(next.style) }
    use(next.link)
    bytes.append(contentsOf: row.bytes(of: cell))
    guard let position else { return }
    self.position = Frame.Position(column: position.column + 1, row: position.row)
  }

  /// Makes blank what follows in the row.
  mutating func eraseToRowEnd() {
    finish()
    write(ControlSequence.eraseToRowEnd)
  }

  /// Makes `count` columns from the cursor on blank. For a terminal that is like xterm.
  mutating func erase(_ count: Int) {
    finish()
    write(ControlSequence.erase(count))
  }

  /// What follows is plain and leads nowhere.
  mutating func finish() {
    endLink()
    use(.plain)
  }

  private mutating func endLink() { use(nil as Link?) }

  private mutating func use(_ next: Link?) {
    guard next != look.link else { return }
    look = Row.Look(style: look.style, link: next)
    write(next.map(ControlSequence.beginLink) ?? ControlSequence.endLink)
  }

  private mutating func use(_ next: Style) {
    guard next != look.style else { return }
    if look.style != .plain { write(ControlSequence.plainStyle) }
    look = Row.Look(style: next, link: look.link)
    let parameters = colors.parameters(of: next)
    if !parameters.isEmpty { write(ControlSequence.style(parameters)) }
  }

  /// The terminal may have drawn more or fewer columns than were measured; it does not wrap.
  mutating func loseColumn() {
    position = nil
  }

  /// A sequence moved the cursor.
  mutating func losePosition() {
    position = nil
    row = nil
  }

  mutating func write(_ text: String) {
    bytes.append(contentsOf: text.utf8)
  }

  /// Takes over what another pen wrote.
  mutating func append(_ body: [UInt8]) {
    bytes.append(contentsOf: body)
    if !body.isEmpty { losePosition() }
  }

  /// A pen that goes on from here with bytes of its own.
  var branch: Pen {
    var branch = self
    branch.bytes = []
    return branch
  }

  /// Goes on from where a branch ended.
  mutating func adopt(_ branch: Pen) {
    bytes.append(contentsOf: branch.bytes)
    (look, position, row) = (branch.look, branch.position, branch.row)
  }
}

extension Style {
  /// Whether a blank in this style differs from a plain one.
  var showsOnBlanks: Bool {
    background != nil || !attributes.isDisjoint(with: [.reverse, .underline, .strikethrough])
  }
}

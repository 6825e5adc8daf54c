internal import Text

/// Collects the bytes of a frame, and leaves out every sequence that would change nothing: it knows where the
/// terminal's cursor is and how it writes.
struct Pen {
  private(set) var bytes: [UInt8] = []
  private let colors: ColorDepth
  private var style = Style.plain
  private var link: Link?
  private let isXtermLike: Bool
  /// Where the cursor is; nil when only an absolute move tells.
  private var position: Frame.Position?
  /// The row it is in, where only its column is not known.
  private var row: Int?

  init(_ colors: ColorDepth, isXtermLike: Bool) {
    self.colors = colors
    self.isXtermLike = isXtermLike
  }

  mutating func move(to column: Int, row: Int) {
    let target = Frame.Position(column: column, row: row)
    if position != target {
      use(nil)
      write(
        self.row == row && isXtermLike
          ? ControlSequence.moveCursor(toColumn: column)
          : ControlSequence.moveCursor(column: column, row: row))
    }
    position = target
    self.row = row
  }

  mutating func draw(_ cell: Row.Cell) {
    if cell.text != " " || cell.style != .plain || style.showsOnBlanks { use(cell.style) }
    use(cell.link)
    write(cell.text)
    guard let position else { return }
    self.position = Frame.Position(column: position.column + cell.width, row: position.row)
  }

  /// Makes blank what follows in the row.
  mutating func eraseToRowEnd() {
    finish()
    write(ControlSequence.eraseToRowEnd)
  }

  /// What follows is plain and leads nowhere.
  mutating func finish() {
    use(nil)
    use(.plain)
  }

  private mutating func use(_ next: Link?) {
    guard next != link else { return }
    link = next
    write(next.map(ControlSequence.beginLink) ?? ControlSequence.endLink)
  }

  private mutating func use(_ next: Style) {
    guard next != style else { return }
    if style != .plain { write(ControlSequence.plainStyle) }
    style = next
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
}

extension Style {
  /// Whether a blank in this style differs from a plain one.
  var showsOnBlanks: Bool {
    background != nil || !attributes.isDisjoint(with: [.reverse, .underline, .strikethrough])
  }
}

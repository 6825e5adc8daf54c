internal import Text

/// Updates the terminal from one frame to the next with as few bytes as possible.
///
/// - Equal rows cost nothing; in other rows only the changed columns are written.
/// - Only ASCII is assumed to have its measured width. After any other text the cursor is moved absolutely,
///   and the columns that an uncertain cluster of either frame may have touched are erased and redrawn. A
///   wrong width therefore stays within its cell, and leaves nothing of the previous frame.
/// - Rows that only moved are scrolled by the terminal if that is shorter.
/// - Nothing is written if nothing changed.
///
/// Autowrap must be off. The style is plain before and after.
package struct FrameDiff: Sendable {
  package var colors: ColorDepth
  /// Whether the terminal supports synchronized updates (mode 2026).
  package var isSynchronized: Bool
  /// Whether the terminal supports xterm's extensions to the VT100: explicit scrolling (SU and SD), titles.
  package var isXtermLike: Bool
  /// Whether the terminal may move rows by scrolling, which a screen reader does not notice.
  package var scrolls: Bool
  /// The row of the screen that frames begin on, which leave the rows above it alone; nil for frames of the whole screen.
  /// While a frame hides the cursor, it is on that row.
  package var top: Int?

  package init(
    colors: ColorDepth, isSynchronized: Bool = false, isXtermLike: Bool = true, scrolls: Bool = true
  ) {
    self.colors = colors
    self.isSynchronized = isSynchronized
    self.isXtermLike = isXtermLike
    self.scrolls = scrolls
  }

  /// - Parameter old: The frame on the terminal; nil if unknown.
  /// - Returns: The bytes that turn it into `new`.
  package func bytes(from old: Frame?, to new: Frame) -> [UInt8] {
    let base = old.flatMap { $0.canvas == new.canvas && $0.redraws == new.redraws ? $0 : nil }
    var body = base.map { shortestChange(from: $0, to: new) } ?? everything(of: new)
    if isXtermLike, let title = new.title, title != base?.title {
      body.append(contentsOf: ControlSequence.title(title.string).utf8)
    }
    return framed(body, from: base, to: new)
  }

  private func framed(_ body: [UInt8], from old: Frame?, to new: Frame) -> [UInt8] {
    if body.isEmpty, new.caret == old?.caret { return [] }
    let mayShowCursor = old == nil || old?.caret != nil
    var frame = Pen(colors, isXtermLike: isXtermLike, top: top ?? 0)
    if isSynchronized, !body.isEmpty { frame.write(PrivateMode.synchronizedUpdate.on) }
    if mayShowCursor, !body.isEmpty || new.caret == nil { frame.write(PrivateMode.cursor.off) }
    frame.append(body)
    if let caret = new.caret {
      frame.move(
        to: min(caret.column, new.canvas.size.columns - 1), row: min(caret.row, new.canvas.size.rows - 1))
      if !body.isEmpty || old?.caret == nil { frame.write(PrivateMode.cursor.on) }
    } else if top != nil {
      frame.move(to: 0, row: 0)
    }
    if isSynchronized, !body.isEmpty { frame.write(PrivateMode.synchronizedUpdate.off) }
    return frame.bytes
  }

  private func everything(of frame: Frame) -> [UInt8] {
    var pen = Pen(colors, isXtermLike: isXtermLike, top: top ?? 0)
    pen.write(ControlSequence.plainStyle + ControlSequence.wholeScreenScrollRegion)
    pen.write(PrivateMode.wrap.off)
    if top == nil {
      pen.write(ControlSequence.eraseScreen)
    } else {
      pen.move(to: 0, row: 0)
      pen.write(ControlSequence.eraseBelow)
    }
    for row in 0..<frame.canvas.size.rows { pen.draw(frame.row(row), at: row) }
    return pen.bytes
  }

  /// The shortest of several alternatives. An alternative is abandoned once it is longer than another.
  private func shortestChange(from old: Frame, to new: Frame) -> [UInt8] {
    var rows = ChangedRows(from: old, to: new, pen: Pen(colors, isXtermLike: isXtermLike, top: top ?? 0))
    let changed = rows.changed
    guard !changed.isEmpty else { return [] }
    var best: [UInt8]?
    if isXtermLike, scrolls {
      for scroll in Scroll.candidates(from: rows.old.lines, to: rows.new.lines, changed: changed) {
        best = rows.change(scrolling: scroll, atMost: best?.count) ?? best
      }
    }
    return rows.change(scrolling: nil, atMost: best?.count) ?? best ?? []
  }
}

/// The bytes that change single rows, each drawn at most once. They depend on no other row: a row begins with an
/// absolute move, and leaves the style plain.
private struct ChangedRows {
  /// A row of the screen, and the row of the old frame that it replaces; nil for a blank one.
  private struct Change: Hashable {
    let row: Int
    let source: Int?
  }

  private(set) var old: LaidOutLines
  private(set) var new: LaidOutLines
  private let pen: Pen
  private var drawn: [Change: [UInt8]] = [:]

  init(from old: Frame, to new: Frame, pen: Pen) {
    self.old = LaidOutLines(old)
    self.new = LaidOutLines(new)
    self.pen = pen
  }

  /// The rows that differ, from the top.
  var changed: [Int] { new.lines.indices.filter { new.lines[$0] != old.lines[$0] } }

  /// - Returns: Nil if it takes `limit` bytes or more.
  mutating func change(scrolling scroll: Scroll?, atMost limit: Int?) -> [UInt8]? {
    var pen = pen
    if let scroll { pen.write(scroll) }
    var bytes = pen.bytes
    let sources = scroll?.sources(ofRows: new.lines.count) ?? Array(new.lines.indices)
    for (row, source) in sources.enumerated() {
      append(Change(row: row, source: source), to: &bytes)
      if let limit, bytes.count >= limit { return nil }
    }
    return bytes
  }

  private mutating func append(_ change: Change, to bytes: inout [UInt8]) {
    if new.lines[change.row] == change.source.map({ old.lines[$0] }) ?? Line() { return }
    if let drawn = drawn[change] { return bytes.append(contentsOf: drawn) }
    var pen = pen
    let wanted = new.row(change.row)
    let shown = change.source.map { old.row($0) } ?? Row(Line(), columns: wanted.columns, .codePoints)
    pen.draw(wanted, over: shown, at: change.row)
    drawn[change] = pen.bytes
    bytes.append(contentsOf: pen.bytes)
  }
}

/// The lines of a frame, one per row of the screen, each laid out on first use.
private struct LaidOutLines {
  let lines: [Line]
  private let canvas: Canvas
  private var rows: [Row?]

  init(_ frame: Frame) {
    canvas = frame.canvas
    lines = (0..<frame.canvas.size.rows).map(frame.line)
    rows = Array(repeating: nil, count: lines.count)
  }

  mutating func row(_ index: Int) -> Row {
    if let row = rows[index] { return row }
    let row = Row(lines[index], columns: canvas.size.columns, canvas.widthModel)
    rows[index] = row
    return row
  }
}

/// A scroll of a region of rows, performed by the terminal.
struct Scroll: Hashable {
  let region: ClosedRange<Int>
  /// The number of rows the text moves up; negative if down. Never 0, and less than the region's height.
  let distance: Int

  /// The row each row of the screen is moved from; nil if it becomes blank.
  func sources(ofRows count: Int) -> [Int?] {
    (0..<count).map { row in
      guard region.contains(row) else { return row }
      return region.contains(row + distance) ? row + distance : nil
    }
  }

  /// Scrolls that may save bytes: they use the distance by which most rows have moved, and the region of
  /// those rows, with each end optionally one row further (for a row that moved and changed, such as the
  /// selected one at an edge). At most four; none if hardly any rows moved.
  /// - Parameter changed: The rows that differ, from the top.
  static func candidates(from old: [Line], to new: [Line], changed: [Int]) -> [Scroll] {
    guard let top = changed.first, let bottom = changed.last, bottom - top >= 3 else { return [] }
    let stayed = (top...bottom).count - changed.count
    guard stayed + 2 <= changed.count, let best = bestDistance(from: old, to: new, in: top...bottom),
      best.rows.count >= stayed + 2,
      let first = best.rows.first, let last = best.rows.last
    else { return [] }
    let region = min(first, first + best.distance)...max(last, last + best.distance)
    let uppers = top < region.lowerBound ? [region.lowerBound, region.lowerBound - 1] : [region.lowerBound]
    let lowers =
      bottom > region.upperBound ? [region.upperBound, region.upperBound + 1] : [region.upperBound]
    return uppers.flatMap { upper in lowers.map { Scroll(region: upper...$0, distance: best.distance) } }
  }

  /// The distance, and the rows of the new frame whose text was that far below (above, if negative) in the
  /// old frame. At most half of the rows. O(rows) for a scroll by one row; else O(rows²) integer comparisons,
  /// and each line is hashed once.
  private static func bestDistance(
    from old: [Line], to new: [Line], in rows: ClosedRange<Int>
  ) -> (distance: Int, rows: [Int])? {
    for distance in [1, -1] {
      let moved = rows.filter {
        rows.contains($0 + distance) && !new[$0].pieces.isEmpty && new[$0] == old[$0 + distance]
      }
      if moved.count > rows.count / 2 { return (distance, moved) }
    }
    var numbers: [Line: Int] = [:]
    for row in rows where !old[row].pieces.isEmpty && numbers[old[row]] == nil {
      numbers[old[row]] = numbers.count
    }
    let oldNumbers = rows.map { numbers[old[$0]] }
    let newNumbers = rows.map { numbers[new[$0]] }
    let furthest = rows.count / 2
    var best: (distance: Int, rows: [Int])?
    for distance in (-furthest...furthest) where distance != 0 {
      let moved = newNumbers.indices.filter { row in
        oldNumbers.indices.contains(row + distance) && newNumbers[row] != nil
          && newNumbers[row] == oldNumbers[row + distance]
      }
      if moved.count > best?.rows.count ?? 0 { best = (distance, moved.map { $0 + rows.lowerBound }) }
    }
    return best
  }
}

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
  /// The row of the screen that the frame begins on.
  private let top: Int

  init(_ colors: ColorDepth, isXtermLike: Bool, top: Int = 0) {
    self.colors = colors
    self.isXtermLike = isXtermLike
    self.top = top
  }

  mutating func move(to column: Int, row: Int) {
    let target = Frame.Position(column: column, row: row)
    if position != target {
      endLink()
      write(
        self.row == row && isXtermLike
          ? ControlSequence.moveCursor(toColumn: column)
          : ControlSequence.moveCursor(column: column, row: top + row))
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

  /// Marks the position as unknown after a sequence that moves the cursor.
  mutating func clearPosition() {
    position = nil
    row = nil
  }

  mutating func write(_ text: String) { bytes.append(contentsOf: text.utf8) }

  mutating func write(_ scroll: Scroll) {
    write(ControlSequence.scrollRegion(top + scroll.region.lowerBound...top + scroll.region.upperBound))
    write(ControlSequence.scroll(by: scroll.distance))
    write(ControlSequence.wholeScreenScrollRegion)
    clearPosition()
  }

  /// Appends bytes written by another pen.
  mutating func append(_ body: [UInt8]) {
    bytes.append(contentsOf: body)
    if !body.isEmpty { clearPosition() }
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
  private static let attributesOfBlanks: Attributes = [.reverse, .underline]

  /// Whether a space in this style differs from a plain one.
  var showsOnBlanks: Bool { background != nil || !attributes.isDisjoint(with: Self.attributesOfBlanks) }
}

/// Draws rows such that the screen is correct where widths are certain, and equal to a complete redraw where
/// they are not. After each row the style is plain and no link is open.
extension Pen {
  /// The longest run of spaces that is cheaper to write than to skip.
  private static let bridgeableGap = 4

  /// Draws a row on a blank one.
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
    let isPossible = isXtermLike || !changes.contains { if case .span = $0 { true } else { false } }
    if isPossible, partly.bytes.count <= Pen.minRunOfWholeRow { return adopt(partly) }
    var whole = branch
    let limit = isPossible ? partly.bytes.count : nil
    whole.draw(.span(0..<new.columns), of: new, over: old, at: y, atMost: limit)
    whole.finish()
    adopt(isPossible && partly.bytes.count <= whole.bytes.count ? partly : whole)
  }

  /// The minimum cost of drawing a whole row.
  private static let minRunOfWholeRow = 8

  /// - Parameter limit: The number of bytes after which drawing is abandoned, because a shorter alternative exists.
  private mutating func draw(
    _ change: Row.Change, of row: Row, over old: Row, at y: Int, atMost limit: Int? = nil
  ) {
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
      draw(row, columns, at: y, overBlanks: true, atMost: limit)
    }
  }

  /// Erases columns; the cursor must be at the first of them.
  private mutating func erase(_ columns: Range<Int>, of row: Row) {
    if columns.upperBound >= row.columns { eraseToRowEnd() } else { erase(columns.count) }
  }

  /// Draws columns such that an uncertain span is drawn independently of the rest of the row, so that it
  /// always looks the same.
  /// - Parameter overBlanks: Whether the columns are blank, so that spaces may be skipped.
  private mutating func draw(
    _ row: Row, _ columns: Range<Int>, at y: Int, overBlanks: Bool, atMost limit: Int? = nil
  ) {
    var spans = row.uncertainSpans.drop { $0.clusters.lowerBound < columns.lowerBound }
    var column = columns.lowerBound
    while column < min(columns.upperBound, row.cells.count) {
      if let limit, bytes.count > limit { return }
      if let span = spans.first, span.clusters.lowerBound == column {
        spans.removeFirst()
        draw(span, of: row, at: y)
        if span.overflows(in: row, before: spans.first) {
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
    // The terminal may have drawn a different width than measured; it does not wrap.
    position = nil
    // Some terminals shift a cluster that does not fit to the left, over the column before it.
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
  fileprivate func overflows(in row: Row, before next: Self?) -> Bool {
    (end..<max(end, min(reach, row.columns))).contains {
      row[$0].isBlank || !row[$0].isCertain || $0 == next?.clusters.lowerBound
    }
  }
}

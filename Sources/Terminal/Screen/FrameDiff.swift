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
    var laidOut = LaidOutRows()
    return bytes(from: old, to: new, &laidOut)
  }

  /// The same bytes, with rows taken from `laidOut` that were laid out for earlier frames.
  package func bytes(from old: Frame?, to new: Frame, _ laidOut: inout LaidOutRows) -> [UInt8] {
    let base = old.flatMap { $0.canvas == new.canvas && $0.redraws == new.redraws ? $0 : nil }
    var body = base.map { shortestChange(from: $0, to: new, &laidOut) } ?? everything(of: new)
    if isXtermLike, let title = new.title, title != base?.title {
      body.append(contentsOf: ControlSequence.title(title.string).utf8)
    }
    return framed(body, from: base, to: new)
  }

  private func framed(_ body: [UInt8], from old: Frame?, to new: Frame) -> [UInt8] {
    if body.isEmpty, new.caret == old?.caret { return [] }
    let mayShowCursor = old == nil || old?.caret != nil
    var frame = Pen(colors, isXtermLike: isXtermLike)
    if isSynchronized, !body.isEmpty { frame.write(PrivateMode.synchronizedUpdate.on) }
    if mayShowCursor, !body.isEmpty || new.caret == nil { frame.write(PrivateMode.cursor.off) }
    frame.append(body)
    if let caret = new.caret {
      frame.move(
        to: min(caret.column, new.canvas.size.columns - 1), row: min(caret.row, new.canvas.size.rows - 1))
      if !body.isEmpty || old?.caret == nil { frame.write(PrivateMode.cursor.on) }
    }
    if isSynchronized, !body.isEmpty { frame.write(PrivateMode.synchronizedUpdate.off) }
    return frame.bytes
  }

  private func everything(of frame: Frame) -> [UInt8] {
    var pen = Pen(colors, isXtermLike: isXtermLike)
    pen.write(ControlSequence.plainStyle + ControlSequence.wholeScreenScrollRegion)
    pen.write(PrivateMode.wrap.off + ControlSequence.eraseScreen)
    for row in frame.rows { pen.draw(frame.row(row), at: row) }
    return pen.bytes
  }

  /// Abandons an alternative once it is longer than another.
  private func shortestChange(
    from old: Frame, to new: Frame, _ laidOut: inout LaidOutRows
  ) -> [UInt8] {
    let rows = new.rows.filter { new.line($0) != old.line($0) }
    guard !rows.isEmpty else { return [] }
    var changes = ChangedRows(from: old, to: new, laidOut, pen: Pen(colors, isXtermLike: isXtermLike))
    // Taken out and put back, so that they are not copied when a row is laid out.
    laidOut = LaidOutRows()
    defer { laidOut = changes.laidOut }
    let candidates =
      isXtermLike && scrolls ? Scroll.candidates(from: old, to: new, changed: rows) : []
    if candidates.isEmpty { return changes.bytes(of: rows) }
    var best: [UInt8]?
    for scroll in candidates {
      best = changes.bytes(scrolling: scroll, atMost: best?.count) ?? best
    }
    return changes.bytes(of: rows, atMost: best?.count) ?? best ?? []
  }
}

/// The bytes that change single rows, each drawn at most once, however many alternatives contain it. They depend on no
/// other row: a row begins with an absolute move, and leaves the style plain.
private struct ChangedRows {
  /// A row of the screen, and what stands there: a row of the old frame; nil for a blank one.
  private struct Change: Hashable {
    let row: Int
    let source: Int?
  }

  private let old: Frame
  private let new: Frame
  private let pen: Pen
  private(set) var laidOut: LaidOutRows
  private var drawn: [Change: [UInt8]] = [:]

  init(from old: Frame, to new: Frame, _ laidOut: LaidOutRows, pen: Pen) {
    self.old = old
    self.new = new
    self.laidOut = laidOut
    self.pen = pen
    self.laidOut.prepare(for: new.canvas)
  }

  /// The fewest bytes of a changed row: a move, and a character.
  private static let leastOfRow = 7

  /// The same bytes as with a limit, for rows that have no alternative.
  mutating func bytes(of rows: [Int]) -> [UInt8] {
    var pen = pen
    pen.reserve(rows: rows.count)
    for row in rows {
      pen.losePosition()
      pen.draw(laidOut.row(row, of: new), over: laidOut.row(row, of: old), at: row)
    }
    return pen.bytes
  }

  /// - Returns: Nil if it takes `limit` bytes or more.
  mutating func bytes(of rows: [Int], atMost limit: Int?) -> [UInt8]? {
    bytes(of: rows.map { Change(row: $0, source: $0) }, after: pen.bytes, atMost: limit)
  }

  /// - Returns: Nil if it takes `limit` bytes or more.
  mutating func bytes(scrolling scroll: Scroll, atMost limit: Int?) -> [UInt8]? {
    var pen = pen
    pen.write(scroll)
    let changes = new.rows.map { Change(row: $0, source: scroll.source(of: $0)) }.filter(differs)
    return bytes(of: changes, after: pen.bytes, atMost: limit)
  }

  private mutating func bytes(of changes: [Change], after start: [UInt8], atMost limit: Int?) -> [UInt8]? {
    var bytes = start
    for (number, change) in changes.enumerated() {
      if let limit, bytes.count + Self.leastOfRow * (changes.count - number) >= limit { return nil }
      bytes.append(contentsOf: drawing(of: change))
    }
    if let limit, bytes.count >= limit { return nil }
    return bytes
  }

  private func differs(_ change: Change) -> Bool {
    new.line(change.row) != (change.source.map(old.line) ?? Line())
  }

  private mutating func drawing(of change: Change) -> [UInt8] {
    if let drawn = drawn[change] { return drawn }
    var pen = pen
    pen.reserve(rows: 1)
    let wanted = laidOut.row(change.row, of: new)
    let shown =
      change.source.map { laidOut.row($0, of: old) } ?? Row(Line(), columns: wanted.columns, .codePoints)
    pen.draw(wanted, over: shown, at: change.row)
    drawn[change] = pen.bytes
    return pen.bytes
  }
}

/// For each row of the screen, the two lines that were laid out last: what is selected and then no longer has the line
/// that it had before. It only saves work.
package struct LaidOutRows: Sendable {
  private var canvas: Canvas?
  private var rows: [(latest: (line: Line, row: Row)?, earlier: (line: Line, row: Row)?)] = []

  package init() {}

  fileprivate mutating func prepare(for canvas: Canvas) {
    if canvas == self.canvas { return }
    self.canvas = canvas
    rows = Array(repeating: (nil, nil), count: canvas.size.rows)
  }

  fileprivate mutating func row(_ index: Int, of frame: Frame) -> Row {
    let line = frame.line(index)
    if let latest = rows[index].latest, latest.line == line { return latest.row }
    if let earlier = rows[index].earlier, earlier.line == line { return earlier.row }
    let row = frame.row(index)
    rows[index] = ((line, row), rows[index].latest)
    return row
  }
}

/// A scroll of a region of rows, performed by the terminal.
struct Scroll: Hashable {
  let region: ClosedRange<Int>
  /// The number of rows the text moves up; negative if down. Never 0, and less than the region's height.
  let distance: Int

  /// The row that a row of the screen is moved from; nil if it becomes blank.
  func source(of row: Int) -> Int? {
    guard region.contains(row) else { return row }
    return region.contains(row + distance) ? row + distance : nil
  }

  /// Scrolls that may save bytes: they use the distance by which most rows have moved, and the region of
  /// those rows, with each end optionally one row further (for a row that moved and changed, such as the
  /// selected one at an edge). At most four; none if hardly any rows moved.
  /// - Parameter changed: The rows that differ, from the top.
  static func candidates(from old: Frame, to new: Frame, changed: [Int]) -> [Scroll] {
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
    from old: Frame, to new: Frame, in rows: ClosedRange<Int>
  ) -> (distance: Int, rows: [Int])? {
    for distance in [1, -1] {
      let moved = rows.filter {
        rows.contains($0 + distance) && !new.line($0).pieces.isEmpty
          && new.line($0) == old.line($0 + distance)
      }
      if moved.count > rows.count / 2 { return (distance, moved) }
    }
    var numbers: [Line: Int] = [:]
    for row in rows where !old.line(row).pieces.isEmpty && numbers[old.line(row)] == nil {
      numbers[old.line(row)] = numbers.count
    }
    let oldNumbers = rows.map { numbers[old.line($0)] }
    let newNumbers = rows.map { numbers[new.line($0)] }
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

  init(_ colors: ColorDepth, isXtermLike: Bool) {
    self.colors = colors
    self.isXtermLike = isXtermLike
  }

  mutating func move(to column: Int, row: Int) {
    let target = Frame.Position(column: column, row: row)
    if position != target {
      endLink()
      if self.row == row, isXtermLike {
        ControlSequence.moveCursor(toColumn: column, into: &bytes)
      } else {
        ControlSequence.moveCursor(column: column, row: row, into: &bytes)
      }
    }
    position = target
    self.row = row
  }

  /// Draws the cell of a column at the cursor. The cursor is assumed to advance by the measured width.
  mutating func draw(_ column: Int, of row: Row) {
    let cell = row[column]
    let next = row.cellStyles[cell.cellStyle]
    // A plain space looks the same in any style that only affects glyphs.
    if !cell.isSpace || next.style != .plain || cellStyle.style.showsOnBlanks { use(next.style) }
    use(next.link)
    if cell.isCertain {
      bytes.append(cell.character)
    } else if cell.character == Row.Cell.cluster {
      bytes.append(contentsOf: row.bytes(at: column))
    }
    advance(by: 1)
  }

  /// Writes characters that are ASCII in the style that is in use.
  private mutating func write(_ characters: ArraySlice<UInt8>) {
    bytes.append(contentsOf: characters)
    advance(by: characters.count)
  }

  private mutating func advance(by columns: Int) {
    guard let position else { return }
    self.position = Frame.Position(column: position.column + columns, row: position.row)
  }

  mutating func eraseToRowEnd() {
    finish()
    write(ControlSequence.eraseToRowEnd)
  }

  /// Erases `count` columns starting at the cursor. Requires an xterm-like terminal.
  mutating func erase(_ count: Int) {
    finish()
    ControlSequence.erase(count, into: &bytes)
  }

  /// Resets style and link.
  mutating func finish() {
    endLink()
    use(.plain)
  }

  private mutating func endLink() { use(nil as Link?) }

  private mutating func use(_ next: Link?) {
    if next == nil, cellStyle.link == nil { return }
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
  mutating func losePosition() {
    position = nil
    row = nil
  }

  mutating func write(_ text: String) { bytes.append(contentsOf: text.utf8) }

  mutating func write(_ scroll: Scroll) {
    write(ControlSequence.scrollRegion(scroll.region))
    write(ControlSequence.scroll(by: scroll.distance))
    write(ControlSequence.wholeScreenScrollRegion)
    losePosition()
  }

  /// Appends bytes written by another pen.
  mutating func append(_ body: [UInt8]) {
    bytes.append(contentsOf: body)
    if !body.isEmpty { losePosition() }
  }

  /// Reserves what most rows take, each drawn in two ways.
  mutating func reserve(rows: Int) { bytes.reserveCapacity(512 * (rows + 1)) }
}

extension Style {
  /// Whether a space in this style differs from a plain one.
  var showsOnBlanks: Bool {
    background != nil || attributes.contains(.reverse) || attributes.contains(.underline)
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
    let (start, before) = (bytes.count, (cellStyle, position, row))
    for change in changes { draw(change, of: new, over: old, at: y) }
    finish()
    let (end, after) = (bytes.count, (cellStyle, position, row))
    let length = end - start
    // Only xterm-like terminals can erase part of a row.
    let isPossible = isXtermLike || !changes.contains { if case .span = $0 { true } else { false } }
    if isPossible, length <= Pen.leastOfWholeRow { return }
    // The whole row is drawn behind the changes, and the longer of both is removed.
    (cellStyle, position, row) = before
    draw(.span(0..<new.columns), of: new, over: old, at: y, atMost: isPossible ? end + length : nil)
    finish()
    if isPossible, length <= bytes.count - end {
      bytes.removeLast(bytes.count - end)
      (cellStyle, position, row) = after
    } else {
      bytes.removeSubrange(start..<end)
    }
  }

  /// The minimum cost of drawing a whole row.
  private static let leastOfWholeRow = 8

  /// - Parameter limit: The length of `bytes` after which the rest is left out, as something shorter is at hand.
  private mutating func draw(
    _ change: Row.Change, of row: Row, over old: Row, at y: Int, atMost limit: Int? = nil
  ) {
    switch change {
    case .cells(let columns):
      draw(row, columns, at: y, overBlanks: false)
      guard columns.upperBound > row.characters.count else { return }
      move(to: max(columns.lowerBound, row.characters.count), row: y)
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
    let end = min(columns.upperBound, row.characters.count)
    while column < end {
      if let limit, bytes.count > limit { return }
      if let span = spans.first, span.clusters.lowerBound == column {
        spans.removeFirst()
        draw(span, of: row, at: y)
        if span.spills(in: row, before: spans.first) {
          move(to: span.end, row: y)
          erase(span.end..<columns.upperBound, of: row)
        }
        column = span.end
      } else {
        let cell = row[column]
        let isBeforeSpan = spans.first?.clusters.lowerBound == column + 1
        if isBeforeSpan || !overBlanks || !cell.isBlank {
          if position != Frame.Position(column: column, row: y) { bridge(to: column, of: row, at: y) }
          draw(column, of: row)
          // A plain space leaves the style before it in use.
          if cellStyle == row.cellStyles[cell.cellStyle] {
            let alike = row.columns(
              like: column, until: end, over: overBlanks ? 1...Pen.bridgeableGap : nil)
            write(row.characters[alike])
            column = alike.upperBound
            continue
          }
        }
        column += 1
      }
    }
  }

  /// Draws a span so that the text after it is at its column, whatever width the terminal gives the clusters.
  private mutating func draw(_ span: Row.UncertainSpan, of row: Row, at y: Int) {
    let start = span.clusters.lowerBound
    move(to: start, row: y)
    var column = start
    while column < span.clusters.upperBound {
      let alike = row.clusters(like: column, until: span.clusters.upperBound)
      let next = row.cellStyles[row[column].cellStyle]
      use(next.style)
      use(next.link)
      bytes.append(contentsOf: row.bytes(ofClustersIn: alike))
      column = alike.upperBound
    }
    // The terminal may have drawn another width than measured; it does not wrap.
    position = nil
    // Some terminals shift what does not fit to the left, over the column before it.
    if start == row.columns - 1, start > 0, row[start - 1].isCertain {
      move(to: start - 1, row: y)
      draw(start - 1, of: row)
    }
  }

  /// Moves over unchanged columns, or writes them again if that is shorter and touches no uncertain cluster.
  private mutating func bridge(to column: Int, of row: Row, at y: Int) {
    if let position, position.row == y, (1...Pen.bridgeableGap).contains(column - position.column),
      (position.column...column).allSatisfy({ row[$0].isCertain })
    {
      for passed in position.column..<column { draw(passed, of: row) }
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

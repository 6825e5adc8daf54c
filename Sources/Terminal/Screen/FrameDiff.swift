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
    var frame = Pen(colors, isXtermLike: isXtermLike)
    if isSynchronized, !body.isEmpty { frame.write(ControlSequence.beginSynchronizedUpdate) }
    if mayShowCursor, !body.isEmpty || new.caret == nil { frame.write(ControlSequence.hideCursor) }
    frame.append(body)
    if let caret = new.caret {
      frame.move(
        to: min(caret.column, new.canvas.size.columns - 1), row: min(caret.row, new.canvas.size.rows - 1))
      if !body.isEmpty || old?.caret == nil { frame.write(ControlSequence.showCursor) }
    }
    if isSynchronized, !body.isEmpty { frame.write(ControlSequence.endSynchronizedUpdate) }
    return frame.bytes
  }

  private func everything(of frame: Frame) -> [UInt8] {
    var pen = Pen(colors, isXtermLike: isXtermLike)
    for reset in [
      ControlSequence.plainStyle, ControlSequence.wholeScreenScrollRegion, ControlSequence.wrapOff,
      ControlSequence.eraseScreen,
    ] { pen.write(reset) }
    for row in 0..<frame.canvas.size.rows { pen.draw(frame.row(row), at: row) }
    return pen.bytes
  }

  /// Lays out each line at most once, and abandons an alternative once it is longer than another.
  private func shortestChange(from old: Frame, to new: Frame) -> [UInt8] {
    var shown = LaidOutLines(old)
    var wanted = LaidOutLines(new)
    let changed = wanted.lines.indices.filter { wanted.lines[$0] != shown.lines[$0] }
    guard !changed.isEmpty else { return [] }
    var best: [UInt8]?
    if isXtermLike, scrolls {
      for scroll in Scroll.candidates(from: shown.lines, to: wanted.lines, changed: changed) {
        best = change(from: &shown, to: &wanted, scrolling: scroll, atMost: best?.count) ?? best
      }
    }
    return change(from: &shown, to: &wanted, scrolling: nil, atMost: best?.count) ?? best ?? []
  }

  /// - Returns: Nil if it takes `limit` bytes or more.
  private func change(
    from old: inout LaidOutLines, to new: inout LaidOutLines, scrolling scroll: Scroll?, atMost limit: Int?
  ) -> [UInt8]? {
    var pen = Pen(colors, isXtermLike: isXtermLike)
    if let scroll { pen.write(scroll) }
    let sources = scroll?.sources(ofRows: new.lines.count) ?? Array(new.lines.indices)
    for (row, source) in sources.enumerated() where new.lines[row] != source.map({ old.lines[$0] }) ?? Line()
    {
      pen.draw(new.row(row), over: source.map { old.row($0) } ?? .blank(like: new.row(row)), at: row)
      if let limit, pen.bytes.count >= limit { return nil }
    }
    return pen.bytes
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

extension Row {
  fileprivate static func blank(like row: Row) -> Row { Row(Line(), columns: row.columns, .codePoints) }
}

extension Pen {
  fileprivate mutating func write(_ scroll: Scroll) {
    write(ControlSequence.scrollRegion(scroll.region))
    write(ControlSequence.scroll(by: scroll.distance))
    write(ControlSequence.wholeScreenScrollRegion)
    losePosition()
  }
}

/// A scroll of a region of rows, performed by the terminal.
struct Scroll: Hashable {
  /// The rows of the scroll region.
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
    return uppers.flatMap { upper in
      lowers.map { Scroll(region: upper...$0, distance: best.distance) }
    }
  }

  /// The distance, and the rows of the new frame whose text was that far below (above, if negative) in the
  /// old frame. At most half of the rows. O(rows²) integer comparisons; each line is hashed once.
  private static func bestDistance(
    from old: [Line], to new: [Line], in rows: ClosedRange<Int>
  ) -> (distance: Int, rows: [Int])? {
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

internal import Text

/// Draws a frame over the one the terminal shows, in as few bytes as it can.
///
/// - Equal rows cost nothing; in others only the columns that changed are written.
/// - A row that holds a cluster of uncertain width, now or before, is erased and written whole, and every cell
///   boundary after such a cluster is an absolute move, so that an error of measure stays in its cell.
/// - Rows that only moved are scrolled by the terminal when that is shorter.
/// - Nothing is written when nothing changed.
///
/// Autowrap must be off. The style is plain before and after.
package struct FrameDiff: Sendable {
  package var colors: ColorDepth
  /// Whether the terminal knows synchronized updates (mode 2026).
  package var isSynchronized: Bool
  /// Whether the terminal knows what xterm adds to the VT100: scrolling on demand (SU and SD), titles.
  package var isXtermLike: Bool
  /// Whether rows may be moved by the terminal, which a screen reader does not notice.
  package var scrolls: Bool

  package init(
    colors: ColorDepth, isSynchronized: Bool = false, isXtermLike: Bool = true, scrolls: Bool = true
  ) {
    self.colors = colors
    self.isSynchronized = isSynchronized
    self.isXtermLike = isXtermLike
    self.scrolls = scrolls
  }

  /// - Parameter old: what the terminal shows; nil when that is not known.
  /// - Returns: what turns it into `new`.
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

  private func shortestChange(from old: Frame, to new: Frame) -> [UInt8] {
    let rows = 0..<new.canvas.size.rows
    let oldLines = rows.map(old.line)
    let newLines = rows.map(new.line)
    var best = change(from: oldLines, to: newLines, new.canvas, scrolling: nil)
    guard isXtermLike, scrolls else { return best }
    for scroll in Scroll.candidates(from: oldLines, to: newLines) {
      let scrolled = change(from: oldLines, to: newLines, new.canvas, scrolling: scroll)
      if scrolled.count < best.count { best = scrolled }
    }
    return best
  }

  private func change(from old: [Line], to new: [Line], _ canvas: Canvas, scrolling scroll: Scroll?)
    -> [UInt8]
  {
    var pen = Pen(colors, isXtermLike: isXtermLike)
    if let scroll { pen.write(scroll) }
    let shown = scroll?.applied(to: old) ?? old
    for row in new.indices where new[row] != shown[row] {
      pen.draw(
        Row(new[row], columns: canvas.size.columns, canvas.widthModel),
        over: Row(shown[row], columns: canvas.size.columns, canvas.widthModel), at: row)
    }
    return pen.bytes
  }
}

extension Pen {
  fileprivate mutating func write(_ scroll: Scroll) {
    write(ControlSequence.scrollRegion(scroll.region))
    write(ControlSequence.scroll(by: scroll.distance))
    write(ControlSequence.wholeScreenScrollRegion)
    losePosition()
  }
}

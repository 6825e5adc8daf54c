import Terminal
import Text

/// A rectangle over the table with a title: in a frame or, on a small screen and for screen readers, in place of the
/// whole middle.
struct Box: Hashable {
  let region: Region
  let isFramed: Bool
  /// Whether there is room for a title.
  var hasTitle = true

  /// The part for the content.
  var inner: Region {
    if isFramed { return region.inner }
    guard hasTitle else { return region }
    var inner = region
    inner.row += 1
    inner.rows = max(1, inner.rows - 1)
    return inner
  }

  /// - Parameters:
  ///   - place: Shown at the end of the title, dimmed.
  ///   - base: The lines of the middle, which are drawn where the box is not; only then they are asked for.
  /// - Returns: The lines of the middle.
  func lines(
    title: Sanitized, place: String = "", _ content: [Line], over base: () -> [Line], _ state: PagerState
  ) -> [Line] {
    guard isFramed, let frame = state.glyphs.frame else {
      let heading = Line.justified(
        [(.spaces(1) + title, state.theme[.header])], right: Sanitized(place), width: region.columns,
        state)
      return (hasTitle ? [heading] : []) + content.prefix(inner.rows)
    }
    let own = framed(frame, title: title, place: place, content, state)
    let middle = state.screen.middle
    guard region != middle else { return own }
    let under = base()
    return (0..<middle.rows).map { row in
      let below = under.indices.contains(row) ? under[row] : Line()
      let number = row + middle.row - region.row
      guard own.indices.contains(number) else { return below }
      var line = Line()
      line.append(below, columns: 0..<region.column, at: 0, state.widthModel)
      line.append(own[number], columns: 0..<region.columns, at: region.column, state.widthModel)
      let end = region.column + region.columns
      if end < middle.columns { line.append(below, columns: end..<middle.columns, at: end, state.widthModel) }
      return line
    }
  }

  private func framed(
    _ frame: Glyphs.Frame, title: Sanitized, place: String, _ content: [Line], _ state: PagerState
  ) -> [Line] {
    let (dim, model, inner) = (state.theme[.dim], state.widthModel, inner.columns)
    var top = Line(frame.topLeft, style: dim)
    top.appendRule(title, state.theme[.header], place: place, lead: 1, width: inner, state)
    top.append(frame.topRight, style: dim)
    let run = Sanitized(String(repeating: state.glyphs.rule.string, count: inner))
    let bottom = Line(frame.bottomLeft + run + frame.bottomRight, style: dim)
    let sides = (0..<self.inner.rows).map { number in
      var line = Line(frame.side, style: dim)
      if content.indices.contains(number) { line.append(content[number], columns: 0..<inner, at: 1, model) }
      line.advance(to: inner + 1)
      line.append(frame.side, style: dim)
      return line
    }
    return [top] + sides + [bottom]
  }
}

extension PagerState {
  /// Whether popups and lists have frames.
  private var drawsFrames: Bool {
    guard let frame = glyphs.frame, screenWidth >= 80, screen.size.rows >= 20 else { return false }
    return frame.side.width(widthModel) == 1 && glyphs.rule.width(widthModel) == 1
  }

  /// Where popups are. Lines longer than this are hard to read.
  var popupBox: Box {
    let middle = screen.middle
    guard drawsFrames else { return Box(region: middle, isFramed: false, hasTitle: screen.hasPopupTitle) }
    var region = middle
    region.columns = middle.columns < 128 ? middle.columns : 120
    region.column = (middle.columns - region.columns) / 2
    return Box(region: region, isFramed: true)
  }

  /// The whole middle.
  var wholeBox: Box { Box(region: screen.middle, isFramed: drawsFrames, hasTitle: false) }

  /// Where the list of a prompt is: above its line, as large as its entries need.
  ///
  /// - Parameters:
  ///   - columns: The width of the widest line of its content.
  ///   - rows: The number of lines if no entry is left out.
  func listBox(columns: Int, rows: Int) -> Box {
    let middle = screen.middle
    guard drawsFrames else { return Box(region: middle, isFramed: false, hasTitle: false) }
    var region = middle
    region.columns = min(middle.columns, max(columns + 2, 40))
    region.rows = min(middle.rows, max(rows + 2, 4))
    region.row = middle.row + middle.rows - region.rows
    return Box(region: region, isFramed: true)
  }
}

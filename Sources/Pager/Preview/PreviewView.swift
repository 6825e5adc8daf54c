import Search
import Terminal
import Text

/// The pane with the selected row in full, beside the table or below it.
struct PreviewView {
  private let state: PagerState
  private let region: Region
  /// Nil without a row.
  private let content: (lines: [Line], isComplete: Bool)?

  init(_ state: PagerState, in region: Region) {
    (self.state, self.region) = (state, region)
    content = state.readingIdentity == nil ? nil : state.previewLines(in: region)
  }

  /// - Parameter table: The lines of the table's region.
  /// - Returns: The lines of the middle.
  func lines(beside table: [Line]) -> [Line] {
    let screen = state.screen
    let side = state.glyphs.frame?.side ?? " "
    if region.column == 0 {
      let blanks = [Line](repeating: Line(), count: max(0, screen.table.rows - table.count))
      return Array(table.prefix(screen.table.rows)) + blanks + [separator] + shown
    }
    let pane = [title] + shown
    return (0..<region.rows).map { row in
      var line = table.indices.contains(row) ? table[row] : Line()
      line.advance(to: region.column - 1)
      line.append(side.prefix(columns: 1, state.widthModel), style: state.theme[.dim])
      if pane.indices.contains(row) {
        line.append(pane[row], columns: 0..<region.columns, at: region.column, state.widthModel)
      }
      return line
    }
  }

  private var height: Int { PagerState.previewHeight(in: region) }

  private var shown: [Line] {
    guard let content else {
      let text = Sanitized(" No row").prefix(columns: region.columns, state.widthModel)
      return [Line(), Line(text, style: state.theme[.dim])]
    }
    return Array(content.lines.dropFirst(state.preview.scroll).prefix(height))
  }

  private var title: Line {
    Line.justified(
      [(Sanitized(" \(name)"), state.theme[.header])], right: Sanitized(place), width: region.columns, state)
  }

  /// The title in a rule.
  private var separator: Line {
    guard state.glyphs.rule.width(state.widthModel) == 1 else { return title }
    var line = Line()
    line.appendRule(
      Sanitized(name), state.theme[.header], place: place, lead: 2, width: region.columns, state)
    return line
  }

  private var name: String { state.list.count == 0 ? "preview" : PopupView.rowTitle(state) }

  /// That details are loading, or which lines these are.
  private var place: String {
    if state.isRequestingDetail { return "\(state.spinner)loading details" }
    let first = state.preview.scroll
    guard let content, content.lines.count > height || first > 0 else { return "" }
    let last = min(first + height, content.lines.count)
    let count = content.isComplete ? "\(content.lines.count)" : "\(last)+"
    return "\(first + 1)\(state.glyphs.dash)\(last) of \(count) lines"
  }
}

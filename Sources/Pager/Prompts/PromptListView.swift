import Search
import Terminal
import Text

/// The summary of a column: what its values are, and the most frequent ones with bars.
enum SummaryLines {
  static func heading(_ state: PagerState) -> [Line] {
    guard let column = state.table.currentColumn else { return [] }
    let title = "\(state.table.columns[column].title): "
    guard let summary = state.shownSummary else {
      return state.paragraph(title + "summarizing\(state.glyphs.busy)", state.theme[.dim]) + [Line()]
    }
    let facts = [
      Digits.counted(summary.count, "row"), "\(Digits.grouped(summary.distinct)) distinct",
      "\(Digits.grouped(summary.empty)) empty",
    ]
    let range = [("min", summary.min), ("median", summary.median), ("max", summary.max)]
      .filter { !$0.1.isEmpty }.map { "\($0) \($1)" }
    return state.paragraph(title + facts.joined(separator: ", "), state.theme[.header])
      + (range.isEmpty ? [] : state.paragraph(range.joined(separator: state.glyphs.divider.string)))
      + [Line()]
  }

  /// The widest bar, in terminal columns.
  private static let barWidth = 20

  static func items(_ state: PagerState) -> [PromptList.Item] {
    guard let summary = state.shownSummary else { return [] }
    let most = summary.values.map(\.count).max() ?? 1
    let widest = Digits.grouped(most).count
    return summary.values.map { value in
      let count = Digits.grouped(value.count)
      let share = Digits.percent(Double(value.count) / Double(max(1, summary.count))) ?? ""
      let length = max(1, value.count * barWidth / max(1, most))
      let bar = String(repeating: state.glyphs.bar.string, count: length)
      let blanks = String(repeating: " ", count: widest - count.count)
      let pad = String(repeating: " ", count: max(0, 6 - share.count))
      return PromptList.Item(
        text: value.text.isEmpty
          ? "(none)" : Sanitized(value.text).prefix(columns: 40, state.widthModel).string,
        note: "\(blanks)\(count) \(pad)\(share)\(bar.isEmpty ? "" : "  \(bar)")", value: value.term)
    }
  }
}

/// The choices of a prompt, with the selected one highlighted and, for sources, what it is: beside the list or, on a
/// narrow screen, below it.
struct PromptListView {
  private let state: PagerState
  private let prompt: Prompt
  private let list: PromptList
  /// The lines of the list.
  private let rows: [Row]
  private let heading: [Line]
  private let box: Box
  /// The column of the entries' notes.
  private let noteColumn: Int
  /// The width of the entries.
  private let columns: Int
  /// The height of what is shown below the list; 0 if it is beside the list, or not shown.
  private let rowsBelow: Int

  private enum Row {
    /// The heading of a group.
    case group(String)
    /// The entry with this index.
    case item(Int)
  }

  init(_ state: PagerState, _ prompt: Prompt) {
    (self.state, self.prompt) = (state, prompt)
    list = PromptList(state, prompt)
    // What is typed changes the order of the entries.
    rows = Self.rows(list.items, isGrouped: prompt.line.isEmpty)
    heading = prompt.purpose == .summary ? SummaryLines.heading(state) : []
    let model = state.widthModel
    noteColumn = (list.all.map { Sanitized($0.text).width(model) }.max() ?? 0) + 3
    let notes = list.all.map { Sanitized($0.note).width(model) }.max() ?? 0
    let widest = max(noteColumn + notes + 1, heading.map { $0.width(model) + 1 }.max() ?? 0)
    box =
      prompt.purpose.listsSources
      ? state.wholeBox : state.listBox(columns: widest, rows: heading.count + list.all.count)
    let (inner, tellsMore) = (box.inner, list.all.contains { !$0.about.isEmpty })
    let isBeside = tellsMore && inner.columns >= Self.minColumnsBeside
    columns = isBeside ? max(40, min(widest + 1, inner.columns * 11 / 20)) : inner.columns
    rowsBelow = tellsMore && !isBeside && inner.rows >= Self.minRowsBelow ? 6 : 0
  }

  private static func rows(_ items: [PromptList.Item], isGrouped: Bool) -> [Row] {
    items.indices.flatMap { index -> [Row] in
      guard isGrouped, let group = items[index].group, index == 0 || items[index - 1].group != group
      else { return [.item(index)] }
      return [.group(group), .item(index)]
    }
  }

  private static let minColumnsBeside = 90
  private static let minRowsBelow = 14

  /// - Parameter base: The lines of the middle.
  func lines(over base: () -> [Line]) -> [Line] {
    let content = shownHeading + withAbout(choices(height: height))
    let count = list.items.isEmpty ? "" : "\(list.selection + 1) of \(list.items.count)"
    return box.lines(
      title: Sanitized(prompt.subject ?? prompt.purpose.words.choices ?? ""), place: count, Array(content),
      over: base, state)
  }

  private var shownHeading: ArraySlice<Line> { heading.prefix(max(0, box.inner.rows - 3)) }

  /// The rows for entries.
  private var height: Int { box.inner.rows - shownHeading.count - rowsBelow }

  /// The rows on the screen.
  private func shownRows(height: Int) -> Range<Int> {
    let selection = rows.firstIndex { if case .item(list.selection) = $0 { true } else { false } } ?? 0
    var viewport = Viewport(top: selection - height / 2, selection: selection)
    viewport.fit(count: rows.count, height: height)
    return viewport.top..<min(viewport.top + height, rows.count)
  }

  /// The index of the entry at a cell of the screen; nil if there is none.
  func item(atColumn column: Int, row: Int) -> Int? {
    let inner = box.inner
    guard inner.contains(column: column, row: row), column < inner.column + columns else { return nil }
    let shown = shownRows(height: height)
    let index = shown.lowerBound + row - inner.row - shownHeading.count
    guard shown.contains(index), case .item(let item) = rows[index] else { return nil }
    return item
  }

  /// The list with what is shown of the selected entry.
  private func withAbout(_ choices: [Line]) -> [Line] {
    let (inner, about) = (box.inner, list.chosen?.about ?? [])
    if rowsBelow > 0 {
      let blanks = [Line](repeating: Line(), count: max(0, inner.rows - rowsBelow - choices.count))
      let rule = String(repeating: state.glyphs.rule.string, count: inner.columns)
      let lines = about.flatMap { state.paragraph($0, width: inner.columns) }
      return choices + blanks + [Line(Sanitized(rule), style: state.theme[.dim])]
        + lines.prefix(rowsBelow - 1)
    }
    guard columns < inner.columns else { return choices }
    let lines = about.flatMap { state.paragraph($0, width: inner.columns - columns - 1) }
    let side = (state.glyphs.frame?.side ?? " ").prefix(columns: 1, state.widthModel)
    return (0..<inner.rows).map { row in
      var line = choices.indices.contains(row) ? choices[row] : Line()
      line.advance(to: columns)
      line.append(side, style: state.theme[.dim])
      if lines.indices.contains(row) {
        line.append(
          lines[row], columns: 0..<(inner.columns - columns - 1), at: columns + 1, state.widthModel)
      }
      return line
    }
  }

  private func choices(height: Int) -> [Line] {
    guard !list.items.isEmpty else {
      let which = !prompt.line.isEmpty ? "matching " : prompt.purpose == .history ? "earlier " : ""
      let isFree = prompt.purpose == .optionValue && prompt.line.isEmpty
      let isLoading = prompt.purpose.listsSources && state.sources.found == nil
      let text =
        isLoading
        ? "  Loading\(state.glyphs.busy)"
        : isFree ? "  Type a value" : "  No \(which)\(prompt.purpose.words.choices ?? "")"
      let fitted = Sanitized(text).truncated(
        to: columns, ellipsis: state.glyphs.ellipsis, state.widthModel)
      return [Line(fitted, style: state.theme[.dim])]
    }
    return rows[shownRows(height: height)].map { row in
      switch row {
      case .group(let name): Line(Sanitized(" \(name)"), style: state.theme[.header])
      case .item(let index): line(list.items[index], isChosen: index == list.selection)
      }
    }
  }

  private func line(_ item: PromptList.Item, isChosen: Bool) -> Line {
    let background = isChosen ? state.theme[.selected] : .plain
    var line = Line()
    if isChosen { line.append(state.glyphs.selection, style: state.theme[.accent].laid(over: background)) }
    line.advance(to: 1, style: background)
    line.append(
      Sanitized(item.text).truncated(to: columns - 2, ellipsis: state.glyphs.ellipsis, state.widthModel),
      style: background)
    if !item.note.isEmpty, noteColumn < columns - 4 {
      line.advance(to: noteColumn, style: background)
      let note = Sanitized(item.note).truncated(
        to: columns - noteColumn - 1, ellipsis: state.glyphs.ellipsis, state.widthModel)
      line.append(note, style: state.theme[.dim].laid(over: background))
    }
    if isChosen { line.advance(to: columns, style: background) }
    return line
  }
}

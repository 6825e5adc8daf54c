import HTTPValues
import Search
import Terminal
import Text

/// A popup over the table: a title and lines that scroll.
enum PopupView {
  /// - Parameter base: The lines of the middle.
  static func lines(_ state: PagerState, _ popup: Popup, over base: () -> [Line]) -> [Line] {
    let (lines, box) = (state.popupLines, state.popupBox)
    let (count, height) = (lines.count, box.inner.rows)
    let top = max(0, min(popup.scroll, count - height))
    let highlight = MatchHighlight(phrase: popup.searchText)
    let place =
      count > height ? "\(top + 1)\(state.glyphs.dash)\(min(top + height, count)) of \(count) lines" : ""
    let content = lines.dropFirst(top).prefix(height).map { line($0, highlight, state) }
    return box.lines(title: Sanitized(name(state, popup)), place: place, content, over: base, state)
  }

  private static func name(_ state: PagerState, _ popup: Popup) -> String {
    switch popup.kind {
    case .help: "help: \(HelpLines.place(state))"
    case .log: "request log"
    case .messages: "messages"
    case .output: state.effects.report.map { "output of \($0.name)" } ?? "output"
    case .detail: rowTitle(state) + (popup.showsJSON ? ", JSON" : "")
    }
  }

  /// `row 3 of 47`.
  static func rowTitle(_ state: PagerState) -> String {
    "row \(Digits.grouped(state.list.viewport.selection + 1)) of \(Digits.grouped(state.list.count))"
  }

  private static func line(_ line: Line, _ highlight: MatchHighlight, _ state: PagerState) -> Line {
    if highlight.isEmpty { return line }
    return line.split { text, style in
      highlight.parts(of: text).map { ($0, $1 ? state.theme[.match] : style) }
    }
  }
}

/// All keys in groups, generated from the table of actions; those of the mode help was opened from are first.
enum HelpLines {
  /// - Parameter text: Shows only actions whose keys, names or summaries contain it; "" shows all.
  static func lines(_ state: PagerState, matching text: String) -> [Line] {
    let modes = modes(state)
    let sections = modes.flatMap { mode in
      groups(state).compactMap { group in
        section(group, mode, isFirst: mode == modes.first, matching: text, state)
      }
    }
    if sections.isEmpty { return state.paragraph("No keys match \"\(text)\"", state.theme[.dim]) }
    return Array(sections.joined(separator: [Line()]))
  }

  /// The mode help was opened from, whose keys are first.
  static func place(_ state: PagerState) -> String { title(modes(state).first ?? .table).lowercased() }

  /// The mode help was opened from, then the others.
  private static func modes(_ state: PagerState) -> [Mode] {
    // There is no table under the list of sources.
    if case .prompt(let prompt)? = state.overlays.stack.first, prompt.purpose == .source { return [.prompt] }
    return [state.helpedMode] + Mode.allCases.filter { $0 != state.helpedMode }
  }

  /// The program's groups, followed by the source's actions.
  private static func groups(_ state: PagerState) -> [Actions.Group] {
    let names = Set(Actions.all.map(\.name))
    let own = state.rules.keyMap.actions.filter { !names.contains($0.name) }
    return Actions.groups + [Actions.Group(title: state.rules.title, actions: own)]
  }

  /// Nil if none of the actions can be reached.
  private static func section(
    _ group: Actions.Group, _ mode: Mode, isFirst: Bool, matching text: String, _ state: PagerState
  ) -> [Line]? {
    let highlight = MatchHighlight(phrase: text)
    let entries = group.actions.flatMap { action -> [Line] in
      let keys = KeyMap.labels(state.rules.keyMap.keys(of: action.name, in: mode))
      // The palette lists actions that have default keys.
      let isInPalette = (mode == .table || mode == .query) && action.keys[mode] != nil
      let isFound =
        highlight.isEmpty
        || highlight.finds(
          "\(keys) \(action.summary) \(action.name) \(Actions.otherWords[action.name] ?? "")")
      return isFound && (!keys.isEmpty || isInPalette) ? lines(of: action, keys, state) : []
    }
    if entries.isEmpty { return nil }
    let heading = isFirst ? group.title : "\(title(mode)): \(group.title.lowercased())"
    return [Line(Sanitized(" \(heading)"), style: state.theme[.header])] + entries
  }

  private static func title(_ mode: Mode) -> String {
    switch mode {
    case .table: "Table"
    case .query: "Query line"
    case .popup: "Popup"
    case .prompt: "Prompt"
    }
  }

  /// Wide enough for the longest name.
  private static let nameWidth = 18

  /// Keys, summary and, on a wide screen, the action's name.
  private static func lines(of action: Action, _ keys: String, _ state: PagerState) -> [Line] {
    let model = state.widthModel
    let width = state.popupBox.inner.columns
    let keysWidth = min(max(6, width / 3), width < 60 ? 12 : 18)
    let showsName = width >= 72
    let room = max(1, width - keysWidth - (showsName ? nameWidth + 2 : 0) - 5)
    let keyLines = Sanitized(keys).wrapped(to: keysWidth, model)
    let texts = Sanitized(action.summary).wrapped(to: room, model)
    return (0..<max(keyLines.count, texts.count)).map { number in
      var line = Line(.spaces(2))
      let key = keyLines.indices.contains(number) ? keyLines[number] : ""
      line.append(key + .spaces(keysWidth - key.width(model) + 2), style: state.theme[.accent])
      let text = texts.indices.contains(number) ? texts[number] : ""
      line.append(text)
      if showsName, number == 0 {
        line.append(.spaces(room - text.width(model) + 2))
        line.append(Sanitized(action.name), style: state.theme[.dim])
      }
      return line
    }
  }
}

/// The request log; the latest first.
enum LogLines {
  static func lines(_ state: PagerState) -> [Line] {
    if state.session.log.isEmpty { return state.paragraph("No requests yet", state.theme[.dim]) }
    return lines(of: state.session.log, state)
  }

  static func lines(of entries: [LoggedRequest], _ state: PagerState) -> [Line] {
    entries.reversed().flatMap { entry in
      state.paragraph(facts(entry, state), entry.failure == nil ? .plain : state.theme[.error])
        + state.paragraph(entry.address, state.theme[.dim], indent: 3)
        + (entry.failure.map { state.paragraph($0, state.theme[.error], indent: 3) } ?? [])
    }
  }

  /// Time, page, status, size, duration, rows and remaining budget, aligned if the screen is wide enough.
  private static func facts(_ entry: LoggedRequest, _ state: PagerState) -> String {
    let sentAt = entry.exchange.sentAt
    let time = sentAt > 0 ? Timestamp(epoch: sentAt)?.clock(in: state.rules.zone) : nil
    let outcome = entry.exchange.status == nil ? ["no reply"] : entry.facts
    guard state.popupBox.inner.columns >= Self.minAlignedWidth else {
      return ([time, entry.name].compactMap(\.self) + outcome).joined(separator: "  ")
    }
    let start = padded(time ?? "", 8) + "  " + padded(entry.name, 16)
    guard entry.exchange.status != nil else { return "\(start)  no reply" }
    let facts = [(entry.status, 3), (entry.size, 9), (entry.time, 9), (entry.rowCount, 10)].map {
      padded($0 ?? "", $1, isTrailing: true)
    }
    return ([start] + facts + [entry.left].compactMap(\.self)).joined(separator: "  ")
  }

  private static let minAlignedWidth = 76

  private static func padded(_ text: String, _ width: Int, isTrailing: Bool = false) -> String {
    let blanks = String(repeating: " ", count: max(0, width - text.count))
    return isTrailing ? blanks + text : text + blanks
  }
}

/// Messages, the latest first; after a failure also how to record the next session for a bug report.
enum MessageLines {
  static func lines(_ state: PagerState) -> [Line] {
    let messages = state.messages.all
    let said =
      messages.isEmpty
      ? state.paragraph("No messages yet", state.theme[.dim]) : lines(of: messages[...], state)
    return offer(state) + said
  }

  static func lines(of messages: ArraySlice<Messages.Message>, _ state: PagerState) -> [Line] {
    messages.reversed().flatMap { state.paragraph($0.text, state.theme[$0.role]) }
  }

  private static func offer(_ state: PagerState) -> [Line] {
    let hasFailed =
      state.session.log.contains { $0.failure != nil } || state.messages.all.contains { $0.role == .error }
    guard hasFailed else { return [] }
    return state.paragraph(
      "To report a failure, record the next session with --record FILE. riffle replay FILE shows it again",
      state.theme[.accent])
  }
}

/// The latest program: each run with its command line, its output and its status.
enum OutputLines {
  static func lines(_ state: PagerState) -> [Line] {
    guard let report = state.effects.report else {
      return state.paragraph("No program has run yet", state.theme[.dim])
    }
    let runs = report.runs.map { lines(of: $0, state) }
    let rest = report.leftOut
    let leftOut = rest > 0 ? [state.paragraph("\(Digits.counted(rest, "more run"))", state.theme[.dim])] : []
    return Array((runs + leftOut).joined(separator: [Line()]))
  }

  private static func lines(of run: ProgramReport.Run, _ state: PagerState) -> [Line] {
    (run.command.isEmpty ? [] : state.paragraph(run.command, state.theme[.header]))
      + run.output.flatMap { state.paragraph($0) }
      + state.paragraph(run.end.text, state.theme[run.end.isFailure ? .error : .dim])
  }
}

extension PagerState {
  /// Wraps a text, indenting each line by `indent` spaces.
  ///
  /// - Parameters:
  ///   - width: The terminal columns of the lines; nil for those of a popup.
  ///   - most: The maximum number of lines.
  func paragraph(
    _ text: String, _ style: Style = .plain, indent: Int = 1, width: Int? = nil, most: Int = .max
  ) -> [Line] {
    let width = width ?? popupBox.inner.columns
    return Sanitized(text).wrapped(to: width - indent - 1, most: most, widthModel).map { line in
      Line(.spaces(indent) + line, style: style)
    }
  }
}

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
    let range = [("least", summary.least), ("median", summary.median), ("most", summary.most)]
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
  private let heading: [Line]
  private let box: Box
  /// The column of the entries' notes.
  private let noteColumn: Int
  /// The width of the entries.
  private let columns: Int
  /// The height of what is shown below the list; 0 if it is beside the list, or not shown.
  private let rowsBelow: Int

  init(_ state: PagerState, _ prompt: Prompt) {
    (self.state, self.prompt) = (state, prompt)
    list = PromptList(state, prompt)
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

  /// The entries on the screen.
  private func shownItems(height: Int) -> Range<Int> {
    var viewport = Viewport(top: list.selection - height / 2, selection: list.selection)
    viewport.fit(count: list.items.count, height: height)
    return viewport.top..<min(viewport.top + height, list.items.count)
  }

  /// The index of the entry at a cell of the screen; nil if there is none.
  func item(atColumn column: Int, row: Int) -> Int? {
    let inner = box.inner
    guard inner.contains(column: column, row: row), column < inner.column + columns else { return nil }
    let shown = shownItems(height: height)
    let index = shown.lowerBound + row - inner.row - shownHeading.count
    return shown.contains(index) ? index : nil
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
      let text = Sanitized(isFree ? "  Type a value" : "  No \(which)\(prompt.purpose.words.choices ?? "")")
      let fitted = text.truncated(
        to: columns, ellipsis: state.glyphs.ellipsis, state.widthModel)
      return [Line(fitted, style: state.theme[.dim])]
    }
    return shownItems(height: height).map { line(list.items[$0], isChosen: $0 == list.selection) }
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

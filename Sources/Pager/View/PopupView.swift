import HTTPValues
import Search
import Terminal
import Text

/// A popup over the table: a title and lines that scroll.
enum PopupView {
  static func lines(_ state: PagerState, _ popup: Popup) -> [Line] {
    let (lines, height) = (state.lines(of: popup), state.screen.popupHeight)
    let top = max(0, min(popup.scroll, lines.count - height))
    let highlight = MatchHighlight(phrase: popup.searchText)
    let title = state.screen.hasPopupTitle ? [title(state, popup, count: lines.count, top: top)] : []
    return title + lines.dropFirst(top).prefix(height).map { line($0, highlight, state) }
  }

  private static func title(_ state: PagerState, _ popup: Popup, count: Int, top: Int) -> Line {
    let height = state.screen.popupHeight
    let last = min(top + height, count)
    let place = count > height ? "\(top + 1)\(state.glyphs.dash)\(last) of \(count) lines" : ""
    let name = Sanitized(" \(name(state, popup))")
    return Line(left: [(name, state.theme[.header])], right: Sanitized(place), state)
  }

  private static func name(_ state: PagerState, _ popup: Popup) -> String {
    switch popup.kind {
    case .help: "help: \(HelpLines.place(state))"
    case .log: "request log"
    case .messages: "messages"
    case .detail:
      "row \(Digits.grouped(state.viewport.selection + 1)) of \(Digits.grouped(state.listCount))"
        + (popup.showsJSON ? ", JSON" : "")
    }
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
    if case .prompt(let prompt)? = state.overlays.first, prompt.purpose == .source { return [.prompt] }
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
      let keys = state.rules.keyMap.keys(of: action.name, in: mode).map(KeyMap.label).joined(separator: ", ")
      // The palette lists actions that have default keys.
      let isInPalette = (mode == .table || mode == .query) && action.keys[mode] != nil
      let isFound = highlight.isEmpty || highlight.finds("\(keys) \(action.summary) \(action.name)")
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
    let keysWidth = min(max(6, state.screenWidth / 3), state.screenWidth < 60 ? 12 : 18)
    let showsName = state.screenWidth >= 72
    let room = max(1, state.screenWidth - keysWidth - (showsName ? nameWidth + 2 : 0) - 5)
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
    guard state.screenWidth >= Self.minAlignedWidth else {
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

/// Messages, the latest first; after a failure also how to save a recording of the session for a bug report.
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
    guard hasFailed, let key = state.keyLabel("save-recording", in: .popup) else { return [] }
    return state.paragraph("\(key): save a recording of this session for riffle replay", state.theme[.accent])
  }
}

extension PagerState {
  /// Wraps a text, indenting each line by `indent` spaces.
  func paragraph(_ text: String, _ style: Style = .plain, indent: Int = 1) -> [Line] {
    Sanitized(text).wrapped(to: screenWidth - indent - 1, widthModel).map { line in
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

/// The choices of a prompt, with the selected one highlighted.
enum PromptListView {
  static func lines(_ state: PagerState, _ prompt: Prompt) -> [Line] {
    if prompt.purpose == .summary {
      let heading = SummaryLines.heading(state).prefix(max(0, state.screen.popupHeight - 2))
      return heading + choices(state, prompt, height: state.screen.popupHeight + 1 - heading.count)
    }
    return choices(state, prompt, height: state.screen.popupHeight + 1)
  }

  private static func choices(_ state: PagerState, _ prompt: Prompt, height: Int) -> [Line] {
    let list = PromptList(state, prompt)
    guard !list.items.isEmpty else {
      let which = !prompt.line.isEmpty ? "matching " : prompt.purpose == .history ? "earlier " : ""
      let isFree = prompt.purpose == .optionValue && prompt.line.isEmpty
      let text = Sanitized(isFree ? "  Type a value" : "  No \(which)\(prompt.purpose.words.choices ?? "")")
      let fitted = text.truncated(to: state.screenWidth, ellipsis: state.glyphs.ellipsis, state.widthModel)
      return [Line(fitted, style: state.theme[.dim])]
    }
    var viewport = Viewport(top: list.selection - height / 2, selection: list.selection)
    viewport.fit(count: list.items.count, height: height)
    let widest = list.items.map { Sanitized($0.text).width(state.widthModel) }.max() ?? 0
    return (viewport.top..<min(viewport.top + height, list.items.count)).map { index in
      line(list.items[index], isChosen: index == list.selection, noteColumn: widest + 3, state)
    }
  }

  private static func line(
    _ item: PromptList.Item, isChosen: Bool, noteColumn: Int, _ state: PagerState
  ) -> Line {
    let columns = state.screenWidth
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

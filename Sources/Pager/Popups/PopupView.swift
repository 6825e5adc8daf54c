import Algorithms
import HTTPValues
import Search
import Terminal
import Text

/// A popup over the table: a title and lines that scroll.
enum PopupView {
  /// - Parameter base: The lines of the middle.
  static func lines(_ state: PagerState, _ popup: Popup, over base: () -> [Line]) -> [Line] {
    let (lines, box) = (state.popupLines, state.popupBox)
    let height = box.inner.rows
    let highlight = MatchHighlight(phrase: popup.searchText)
    let (content, place): ([Line], String)
    if let entries = state.popupPlace {
      content = lines.enumerated().map { number, line in
        let shown = self.line(line, highlight, state)
        return entries.selected.contains(number) ? selected(shown, width: box.inner.columns, state) : shown
      }
      let (first, last) = (
        Digits.grouped(entries.shown.lowerBound + 1), Digits.grouped(entries.shown.upperBound)
      )
      let count = Digits.grouped(entries.count)
      place =
        entries.isWhole
        ? ""
        : popup.hasCursor
          ? "\(Digits.grouped(popup.selection + 1)) of \(count)"
          : "\(first)\(state.glyphs.dash)\(last) of \(count) lines"
    } else {
      let count = lines.count
      let top = max(0, min(popup.scroll, count - height))
      place =
        count > height ? "\(top + 1)\(state.glyphs.dash)\(min(top + height, count)) of \(count) lines" : ""
      content = lines.dropFirst(top).prefix(height).map { line($0, highlight, state) }
    }
    return box.lines(title: Sanitized(name(state, popup)), place: place, content, over: base, state)
  }

  private static func name(_ state: PagerState, _ popup: Popup) -> String {
    switch popup.kind {
    case .help: "keys: \(HelpLines.place(state))"
    case .log: "request log"
    case .messages: "messages"
    case .output: state.effects.report.map { "output of \($0.name)" } ?? "output"
    case .request: state.loggedRequest(popup).map { "request: \($0.name)" } ?? "request"
    case .columns: (state.columnChoice?.title ?? "columns") + find(popup)
    case .detail: rowTitle(state) + (popup.showsJSON ? ", JSON" : "")
    }
  }

  /// The text that filters the lines.
  private static func find(_ popup: Popup) -> String {
    popup.searchText.isEmpty ? "" : ", with \(popup.searchText.quotedOnce)"
  }

  /// `row 3 of 47`.
  static func rowTitle(_ state: PagerState) -> String {
    "row \(Digits.grouped(state.list.viewport.selection + 1)) of \(Digits.grouped(state.list.count))"
  }

  /// The line under the cursor; its first terminal column is blank.
  private static func selected(_ line: Line, width: Int, _ state: PagerState) -> Line {
    let background = state.theme[.selected]
    let text = line.split { [($0, $1.laid(over: background))] }
    var selected = Line(state.glyphs.selection, style: state.theme[.accent].laid(over: background))
    selected.append(text, columns: 1..<width, at: 1, state.widthModel)
    selected.advance(to: width, style: background)
    return selected
  }

  private static func line(_ line: Line, _ highlight: MatchHighlight, _ state: PagerState) -> Line {
    if highlight.isEmpty { return line }
    return line.split { text, style in
      highlight.parts(of: text).map { ($0, $1 ? state.theme[.match] : style) }
    }
  }
}

/// All keys in groups, generated from the table of actions. The usual ones are first, then those of the mode help was
/// opened from.
enum HelpLines {
  /// - Parameter text: Shows only actions whose keys, names or summaries contain it; "" shows all.
  static func lines(_ state: PagerState, matching text: String) -> [Line] {
    let modes = modes(state)
    let usual =
      text.isEmpty && modes.first == .table
      ? section(Actions.usual, .table, isFirst: true, matching: text, state) : nil
    let sections =
      [usual].compactMap(\.self)
      + modes.flatMap { mode in
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
      // The keys of the other modes are not repeated for those that are based on them.
      let map = state.rules.keyMap
      let keys = KeyMap.labels(
        isFirst ? map.keys(of: action.name, in: mode) : map.ownKeys(of: action.name, in: mode))
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
    case .detail: "Details"
    case .columns: "Columns"
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
  static func entries(_ state: PagerState) -> PopupEntries {
    let log = state.session.log
    return PopupEntries(
      count: log.count, lines: { lines(of: log[log.count - 1 - $0], state) },
      text: { "\(log[log.count - 1 - $0].text)" }, empty: "No requests yet")
  }

  private static func lines(of entry: LoggedRequest, _ state: PagerState) -> [Line] {
    state.paragraph(facts(entry, state), entry.failure == nil ? .plain : state.theme[.error])
      + state.paragraph(entry.address, state.theme[.dim], indent: 3)
      + (entry.failure.map { state.paragraph($0, state.theme[.error], indent: 3) } ?? [])
  }

  /// Time, page, status, size, duration, rows and remaining budget, aligned if the screen is wide enough.
  private static func facts(_ entry: LoggedRequest, _ state: PagerState) -> String {
    let sentAt = entry.exchange.sentAt
    let time = sentAt > 0 ? Timestamp(epoch: sentAt)?.clock(in: state.rules.zone) : nil
    let outcome = entry.exchange.status == nil ? ["no response"] : entry.facts
    guard state.popupBox.inner.columns >= Self.minAlignedWidth else {
      return ([time, entry.name].compactMap(\.self) + outcome).joined(separator: "  ")
    }
    let start = (time ?? "").padded(to: 8) + "  " + entry.name.padded(to: 16)
    guard entry.exchange.status != nil else { return "\(start)  no response" }
    let facts = [(entry.status, 3), (entry.size, 9), (entry.time, 9), (entry.rowCount, 10)].map {
      ($0 ?? "").padded(to: $1, isTrailing: true)
    }
    return ([start] + facts + [entry.left].compactMap(\.self)).joined(separator: "  ")
  }

  private static let minAlignedWidth = 76
}

/// A request of the log: its line and its header fields, then those of the response, what an error says, and the
/// beginning of the response's body.
enum RequestLines {
  /// A text of one line, which may be wrapped.
  private struct Entry {
    var text: Substring
    var style = Style.plain
    var indent = 1
    var isJSON = false
  }

  static func entries(_ state: PagerState, _ popup: Popup) -> PopupEntries {
    let entries = state.loggedRequest(popup).map { self.entries(of: $0, state) } ?? []
    return PopupEntries(
      count: entries.count, lines: { lines(of: entries[$0], state) }, text: { String(entries[$0].text) },
      empty: "The log no longer has this request")
  }

  private static func entries(of request: LoggedRequest, _ state: PagerState) -> [Entry] {
    let transcript = request.exchange.transcript
    let facts = request.exchange.status == nil ? ["no response"] : request.facts
    let sentAt = request.exchange.sentAt
    let time = sentAt > 0 ? Timestamp(epoch: sentAt)?.clock(in: state.rules.zone) : nil
    let result = (facts + [time.map { "sent at \($0)" }].compactMap(\.self)).joined(separator: "  ")
    let error = state.theme[.error]
    func entry(_ text: String, _ style: Style = .plain, indent: Int = 1) -> [Entry] {
      state.popupParts(of: text).map { Entry(text: $0, style: style, indent: indent) }
    }
    let parts = [
      entry(request.address, state.theme[.header])
        + (transcript?.request ?? []).flatMap { entry($0, indent: 3) },
      entry(result, request.failure == nil ? state.theme[.header] : error)
        + (transcript?.response ?? []).flatMap { entry($0, indent: 3) },
      request.failure.map { entry($0, error) } ?? [], transcript.map { body(of: $0, request, state) } ?? [],
    ]
    return Array(parts.filter { !$0.isEmpty }.joined(separator: [Entry(text: "")]))
  }

  private static func body(of transcript: Transcript, _ request: LoggedRequest, _ state: PagerState)
    -> [Entry]
  {
    func note(_ text: String) -> Entry { Entry(text: text[...], style: state.theme[.warning]) }
    guard let body = transcript.body else {
      let limit = Digits.bytes(Double(Session.maxLoggedBytes)) ?? ""
      return [note("The log no longer has this body, as it keeps only the latest \(limit)")]
    }
    var entries: [Entry] = []
    if body.isCut, let shown = Digits.bytes(Double(Transcript.maxBody)), let size = request.size {
      entries.append(note("The first \(shown) of \(size)"))
    }
    return entries
      + body.lines.flatMap { line in
        state.popupParts(of: line).map { Entry(text: $0, isJSON: body.isJSON) }
      }
  }

  private static func lines(of entry: Entry, _ state: PagerState) -> [Line] {
    if entry.text.isEmpty { return [Line()] }
    let text = String(entry.text)
    return entry.isJSON
      ? JSONLine(text).lines(state, width: state.popupBox.inner.columns)
      : state.paragraph(text, entry.style, indent: entry.indent)
  }
}

extension PagerState {
  /// The request that a popup shows; nil if the log no longer has it.
  func loggedRequest(_ popup: Popup) -> LoggedRequest? {
    session.log.last { $0.number == popup.request }
  }
}

/// Messages, the latest first, with how the list ended, which its own line may truncate; after a failure also how to
/// record the next session for a bug report.
enum MessageLines {
  static func lines(_ state: PagerState) -> [Line] {
    let current = state.phaseText.outcome.map { Messages.Message(text: $0.texts.first ?? "", role: $0.role) }
    let messages = state.messages.all + [current].compactMap(\.self)
    let said =
      messages.isEmpty
      ? state.paragraph("No other messages yet", state.theme[.dim]) : lines(of: messages[...], state)
    return said + offer(state)
  }

  static func lines(of messages: ArraySlice<Messages.Message>, _ state: PagerState) -> [Line] {
    // The same message several times in a row is one: `no more rows (×6)`.
    messages.reversed().chunked(by: ==).flatMap { group in
      group.first.map { message in
        let count = group.count > 1 ? " (×\(group.count))" : ""
        return state.paragraph(message.text + count, state.theme[message.role])
      } ?? []
    }
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
  static func entries(_ state: PagerState) -> PopupEntries {
    let texts = texts(state)
    let style = { (role: Role?) in role.map { state.theme[$0] } ?? .plain }
    return PopupEntries(
      count: texts.count,
      lines: { number in
        texts[number].text.isEmpty
          ? [Line()] : state.paragraph(String(texts[number].text), style(texts[number].role))
      }, text: { String(texts[$0].text) }, empty: "No program has run yet")
  }

  /// O(lines).
  private static func texts(_ state: PagerState) -> [(text: Substring, role: Role?)] {
    guard let report = state.effects.report else { return [] }
    var texts: [(text: Substring, role: Role?)] = []
    for run in report.runs {
      if !texts.isEmpty { texts.append(("", nil)) }
      if !run.command.isEmpty { texts.append((run.command[...], .header)) }
      for line in run.output { texts += state.popupParts(of: line).map { ($0, nil) } }
      texts.append((run.end.text[...], run.end.isFailure ? .error : .dim))
    }
    if report.leftOut > 0 {
      texts += [("", nil), (Digits.counted(report.leftOut, "more run")[...], .dim)]
    }
    return texts
  }
}

extension StringProtocol where SubSequence == Substring {
  /// The text in parts of at most a number of characters; one part if it is shorter. The parts beyond 5,000 are left out.
  func parts(of most: Int) -> [Substring] {
    guard utf8.count > most else { return [self[...]] }
    var parts: [Substring] = []
    var rest = self[...]
    while !rest.isEmpty, parts.count < 5_000 {
      parts.append(rest.prefix(most))
      rest = rest.dropFirst(most)
    }
    return parts
  }
}

extension String {
  /// The text with blanks after it, or before it, up to a number of characters.
  func padded(to width: Int, isTrailing: Bool = false) -> String {
    let blanks = String(repeating: " ", count: max(0, width - count))
    return isTrailing ? blanks + self : self + blanks
  }
}

extension PagerState {
  /// A line of text in parts that fit the popup even if words wrap, so that each can be scrolled to.
  fileprivate func popupParts(of line: String) -> [Substring] {
    let inner = popupBox.inner
    return line.parts(of: max(1, inner.rows / 2) * max(1, inner.columns - 4))
  }

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

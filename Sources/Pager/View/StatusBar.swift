private import Search
import Terminal
private import Text

/// The last line: the visible rows, how many are loaded and found, the state of the session and, at the
/// right, the most useful keys. Narrow screens drop keys one by one, then facts; `?: help` is the last key to
/// be dropped.
enum StatusBar {
  /// A key with its description, as bound in this mode.
  private struct Hint {
    let text: String
    /// Hints with a higher rank are dropped first.
    let rank: Int
  }

  /// How much of the facts is shown.
  private enum Length: CaseIterable {
    /// Everything.
    case full
    /// The same in fewer words.
    case short
    /// Without what matters least.
    case brief
  }

  static func line(_ state: PagerState) -> Line {
    // A prompt occupies the line where messages are shown.
    let message = state.prompt == nil ? nil : state.messages.current
    let lefts = message.map { [$0.text] } ?? Length.allCases.map { facts(state, $0) }
    let style = message.map { state.theme[$0.role] } ?? .plain
    let hints = hints(state)
    for (number, left) in lefts.map({ Sanitized(" \($0)") }).enumerated() {
      // Fewer words rather than a single key.
      let minimum = number < lefts.count - 2 ? 2 : 1
      guard let right = fitting(hints, atLeast: minimum, nextTo: left, state) else { continue }
      return Line(left: [(left, style)], right: [(right, state.theme[.dim])], state)
    }
    return Line(left: [(Sanitized(" \(lefts.last ?? "")"), style)], right: [], state)
  }

  /// As many hints as fit next to a text; nil if fewer than `minimum` fit.
  private static func fitting(
    _ hints: [Hint], atLeast minimum: Int, nextTo left: Sanitized, _ state: PagerState
  ) -> Sanitized? {
    let room = state.screenWidth - left.width(state.widthModel) - 4
    var shown = hints
    while true {
      let text = Sanitized(shown.map(\.text).joined(separator: "  "))
      if text.width(state.widthModel) <= room { return text }
      guard shown.count > minimum, let last = shown.indices.max(by: { shown[$0].rank < shown[$1].rank })
      else {
        return nil
      }
      shown.remove(at: last)
    }
  }

  // MARK: Facts

  private static func facts(_ state: PagerState, _ length: Length) -> String {
    let facts =
      state.prompt?.purpose == .source ? [sources(state)] : sessionFacts(state, length)
    return facts.joined(separator: state.glyphs.divider.string)
  }

  /// `22 sources`, or `3 of 22 sources` if filtered.
  private static func sources(_ state: PagerState) -> String {
    let all = Digits.counted(state.rules.sources.count, "source")
    guard let prompt = state.prompt else { return all }
    let count = PromptList(state, prompt).items.count
    return count == state.rules.sources.count ? all : "\(group(count)) of \(all)"
  }

  private static func sessionFacts(_ state: PagerState, _ length: Length) -> [String] {
    let isBrief = length == .brief
    let session = state.session
    var facts: [String] = []
    if let match = typedMatch(state) { facts.append(match) }
    facts.append(rows(state, isBrief: isBrief))
    if let total = session.total, !showsAll(state), total.count > 0 || !state.rows.isEmpty {
      facts.append(found(total, reachable: isBrief ? nil : state.rules.reachableRows))
    }
    if let word = word(for: session, length) { facts.append(word) }
    if let marks = marked(state.marks) { facts.append(marks) }
    if let keys = typedKeys(state) { facts.append(keys) }
    if state.showsPreviousResults { facts.append("previous results") }
    if isBrief { return facts }
    if let stale = session.stale {
      facts.append(stale.cause == .refresh && !session.isSettled ? "refreshing" : "previous results")
    }
    if session.duplicates > 0 { facts.append("\(Digits.counted(session.duplicates, "duplicate")) dropped") }
    if state.rules.isAccessible { facts += aboutRow(state) }
    return facts
  }

  /// `match 3 of 9`, while a search is typed.
  private static func typedMatch(_ state: PagerState) -> String? {
    guard state.prompt?.purpose == .search, state.shownPopup == nil,
      !state.search.text.isEmpty, let matches = state.matches, let current = matches.current
    else { return nil }
    return "match \(group(current)) of \(group(matches.count))"
  }

  /// Whether all rows found are loaded, so that one number is enough.
  private static func showsAll(_ state: PagerState) -> Bool {
    guard state.list.filter.isEmpty, !state.rows.isEmpty, state.session.stale == nil else { return false }
    return switch (state.session.total, state.session.phase) {
    case (.exact(let count)?, _): count == state.rows.count
    case (nil, .end(.last)), (nil, .end(.emptyPage)): true
    default: false
    }
  }

  /// `1–38 of 120 loaded`, `1–38 of 120` if there are no more, or how many match the filter.
  private static func rows(_ state: PagerState, isBrief: Bool) -> String {
    let loaded = group(state.rows.count)
    if !state.list.filter.isEmpty {
      return state.isFiltering
        ? "filtering \(loaded) loaded" : "\(group(state.listCount)) of \(loaded) loaded match"
    }
    if isBrief || state.listCount == 0 {
      return showsAll(state) ? Digits.counted(state.rows.count, "row") : "\(loaded) loaded"
    }
    let last = min(state.viewport.top + state.shownRowCount, state.listCount)
    let shown = "\(group(state.viewport.top + 1))\(state.glyphs.dash)\(group(last)) of \(loaded)"
    return showsAll(state) ? shown : "\(shown) loaded"
  }

  private static func found(_ total: Total, reachable: Int?) -> String {
    let text =
      switch total {
      case .exact(let count): "\(group(count)) found"
      case .atLeast(let count): "at least \(group(count)) found"
      case .estimate(let count): "about \(group(count)) found"
      }
    guard let reachable, reachable < total.count else { return text }
    return "\(text) (\(group(reachable)) available)"
  }

  /// The state of the session, as named in the manual.
  private static func word(for session: Session, _ length: Length) -> String? {
    switch session.phase {
    case .idle: nil
    case .loading: "loading"
    case .waiting(_, let wait): wait.isRateLimited ? "rate limited" : "waiting"
    case .failed(_, let error): error.kind == .offline ? "offline" : "failed"
    case .stopped: "stopped"
    case .end(let reason): session.rows.isEmpty ? "no results" : end(reason, length)
    }
  }

  private static func end(_ reason: EndReason, _ length: Length) -> String {
    let end = length == .full ? "end of results" : "end"
    return switch reason {
    case .cap: "end: limit of the service"
    case .repeats: "end: the service is repeating pages"
    case .emptyPages(let count): "end: \(count) empty pages in a row"
    case .maxRows(let count): "stopped at \(group(count)) rows (pager.max_rows)"
    case .status(let status): "\(end) (\(status))"
    case .refusedNext: "stopped: next page refused"
    case .last, .emptyPage, .total, .limit, .maxPages: end
    }
  }

  /// `2 marked, 3 in other results`.
  private static func marked(_ marks: Marks) -> String? {
    switch (marks.count, marks.elsewhere) {
    case (0, 0): nil
    case (let here, 0): "\(group(here)) marked"
    case (0, let elsewhere): "\(group(elsewhere)) marked in other results"
    case (let here, let elsewhere): "\(group(here)) marked, \(group(elsewhere)) in other results"
    }
  }

  private static func typedKeys(_ state: PagerState) -> String? {
    let keys = state.pendingKeys.map(\.notation).joined(separator: " ")
    switch (state.count, keys.isEmpty) {
    case (nil, true): return nil
    case (nil, false): return "keys \(keys)"
    case (let count?, true): return "count \(count)"
    case (let count?, false): return "count \(count), keys \(keys)"
    }
  }

  /// For screen readers: what the indicators of the row show.
  private static func aboutRow(_ state: PagerState) -> [String] {
    guard let row = state.selectedRow else { return [] }
    let signs =
      (state.marks.contains(row) ? ["marked"] : []) + (state.newRows.contains(row) ? ["new"] : [])
    let place = "row \(group(state.viewport.selection + 1))"
    return [signs.isEmpty ? place : "\(place) (\(signs.joined(separator: ", ")))"]
  }

  private static func group(_ number: Int) -> String { Digits.grouped(number) }

  // MARK: Hints

  /// The most useful keys in the current mode, from left to right.
  private static func hints(_ state: PagerState) -> [Hint] {
    let quit = state.rules.leadsBack ? "back" : "quit"
    let actions: [(action: String, effect: String, rank: Int)] =
      switch state.mode {
      case .query:
        [
          ("submit", "search", 1), ("cancel", "results", state.rows.isEmpty ? 9 : 3), ("help", "help", 0),
          ("interrupt", quit, 2),
        ]
      case .table where state.rules.purpose == .pick:
        [
          ("accept", "select", 1), ("toggle-mark", "mark", 3), ("help", "help", 0),
          ("quit", state.rules.leadsBack ? "back" : "cancel", 2),
        ]
      case .table:
        [
          (state.keyLabel("accept", in: .table) == nil ? "details" : "accept", "details", 2),
          ("edit-query", "search", 3), ("filter", "filter", 4), ("help", "help", 0), ("quit", quit, 1),
        ]
      case .popup: popupHints(state)
      case .prompt: promptHints(state)
      }
    let needsRow = state.mode == .table && state.listCount == 0 ? ["accept", "details", "toggle-mark"] : []
    return actions.filter { $0.rank < 9 && !needsRow.contains($0.action) }.compactMap {
      action, effect, rank in
      let mode: Mode = action == "quit" ? .table : state.mode
      return state.keyLabel(action, in: mode).map { Hint(text: "\($0): \(effect)", rank: rank) }
    }
  }

  private static func popupHints(_ state: PagerState) -> [(action: String, effect: String, rank: Int)] {
    switch state.popup?.kind {
    case .detail?:
      [
        ("toggle-json", state.popup?.showsJSON ?? false ? "fields" : "JSON", 1), ("next-row", "next row", 2),
        ("open-link", "open", 3), ("copy-row", "copy", 4), ("cancel", "close", 0),
      ]
    case .help?: [("find", "filter", 1), ("cancel", "close", 0)]
    case .log?, .messages?:
      [("find", "find", 1), ("save-recording", "save recording", 2), ("cancel", "close", 0)]
    case nil: []
    }
  }

  private static func promptHints(_ state: PagerState) -> [(action: String, effect: String, rank: Int)] {
    guard let prompt = state.prompt else { return [] }
    let effect =
      switch prompt.purpose {
      case .search: "find"
      case .filter: "apply"
      case .file: "write"
      case .recording: "save"
      case .history: "search"
      case .palette: "run"
      case .source: "open"
      }
    let leave: (String, String, Int) =
      prompt.purpose == .source
      ? (prompt.line.isEmpty ? "quit" : "cancel", "quit", 1) : ("cancel", "cancel", 1)
    return [("submit", effect, 0), leave]
  }
}

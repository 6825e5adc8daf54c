private import Search
import Terminal
private import Text

/// The last line: which rows are seen, how many are loaded, how many there are. A narrow screen keeps what matters
/// most: rows loaded or matching, rows found, and the word for what the session is doing.
enum StatusBar {
  static func line(_ state: PagerState) -> Line {
    let right = [(Sanitized(hint(state)), state.theme[.dim])]
    // A line that is typed has the place where messages are shown.
    if state.prompt != nil, let message = state.messages.current {
      return Line(left: [(Sanitized(" \(message.text)"), state.theme[message.role])], right: right, state)
    }
    let model = state.canvas.widthModel
    let room = state.canvas.size.columns - 2
    let texts = [facts(state, isBrief: false), facts(state, isBrief: true)].map { facts in
      Sanitized(facts.joined(separator: state.rules.glyphs.divider.string))
    }
    let text = texts.first { $0.width(model) <= room } ?? texts[1]
    return Line(left: [(Sanitized(" ") + text, .plain)], right: right, state)
  }

  private static func facts(_ state: PagerState, isBrief: Bool) -> [String] {
    if state.prompt?.purpose == .source { return [Digits.counted(state.rules.sources.count, "source")] }
    let session = state.session
    var facts = [rows(state, isBrief: isBrief)]
    if let total = session.total {
      facts.append(found(total, reachable: isBrief ? nil : state.rules.reachableRows))
    }
    if let word = word(for: session) { facts.append(word) }
    if let marks = marked(state.marks) { facts.append(marks) }
    if let keys = typedKeys(state) { facts.append(keys) }
    if isBrief { return facts }
    if let stale = session.stale {
      facts.append(stale.cause == .refresh && !session.isSettled ? "refreshing" : "old rows")
    }
    if session.duplicates > 0 { facts.append("\(group(session.duplicates)) duplicates dropped") }
    if state.rules.isAccessible { facts += aboutRow(state) }
    return facts
  }

  /// `12 of 300 loaded match`, or `looking in 300 loaded` as long as it is not known how many do.
  static func matching(_ state: PagerState) -> String {
    let loaded = "\(group(state.rows.count)) loaded"
    return state.isLooking ? "looking in \(loaded)" : "\(group(state.listCount)) of \(loaded) match"
  }

  /// `1–38 of 120 loaded`, or how many match the filter.
  private static func rows(_ state: PagerState, isBrief: Bool) -> String {
    let loaded = state.rows.count
    if !state.list.filter.isEmpty { return matching(state) }
    guard state.listCount > 0, !isBrief else { return "\(group(loaded)) loaded" }
    let last = min(state.viewport.top + state.shownRowCount, state.listCount)
    return
      "\(group(state.viewport.top + 1))\(state.rules.glyphs.dash)\(group(last)) of \(group(loaded)) loaded"
  }

  private static func found(_ total: Total, reachable: Int?) -> String {
    let text =
      switch total {
      case .exact(let count): "\(group(count)) found"
      case .atLeast(let count): "at least \(group(count)) found"
      case .estimate(let count): "about \(group(count)) found"
      }
    guard let reachable, reachable < total.count else { return text }
    return "\(text) (\(group(reachable)) reachable)"
  }

  /// The state of the session in the words the manual uses.
  private static func word(for session: Session) -> String? {
    switch session.phase {
    case .idle: nil
    case .loading: "loading"
    case .waiting: "waiting"
    case .failed(_, let error): error.kind == .offline ? "offline" : "failed"
    case .stopped: "stopped"
    case .end(let reason): session.rows.isEmpty ? "no results" : end(reason)
    }
  }

  private static func end(_ reason: EndReason) -> String {
    switch reason {
    case .cap: "end: the service shows no more"
    case .repeats: "end: the service repeats itself"
    case .emptyPages(let count): "end: \(count) empty pages in a row"
    case .maxRows(let count): "end: \(group(count)) rows are the most kept"
    case .status(let status): "end (\(status))"
    case .refusedNext: "stopped: the next page was refused"
    case .last, .emptyPage, .total, .limit, .maxPages: "end"
    }
  }

  /// `2 marked, 3 elsewhere`.
  private static func marked(_ marks: Marks) -> String? {
    switch (marks.count, marks.elsewhere) {
    case (0, 0): nil
    case (let here, 0): "\(group(here)) marked"
    case (0, let elsewhere): "\(group(elsewhere)) marked elsewhere"
    case (let here, let elsewhere): "\(group(here)) marked, \(group(elsewhere)) elsewhere"
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

  /// What signs say to those who see them.
  private static func aboutRow(_ state: PagerState) -> [String] {
    guard let row = state.selectedRow else { return [] }
    return ["row \(group(state.viewport.selection + 1))"]
      + (state.marks.contains(row) ? ["row is marked"] : [])
      + (state.novelties.contains(row) ? ["row is new"] : [])
  }

  /// Keys that lead on from here, as they are bound here.
  private static func hint(_ state: PagerState) -> String {
    let quit = state.rules.leadsBack ? "back" : "quit"
    let leave = state.rules.leadsBack ? "back" : "leave"
    let actions =
      switch state.mode {
      case .query: [("submit", "ask, to the table"), ("help", "help"), ("interrupt", quit)]
      case .table where state.rules.purpose == .pick:
        [("choose", "take"), ("mark", "mark"), ("help", "help"), ("quit", leave)]
      case .table: [("edit-query", "search"), ("refresh", "refresh"), ("help", "help"), ("quit", quit)]
      case .popup: [("cancel", "close")]
      case .prompt: [("submit", "accept"), ("cancel", "back")]
      }
    return actions.compactMap { name, effect in
      state.keyLabel(name, in: state.mode).map { "\($0) \(effect)" }
    }.joined(separator: "  ")
  }

  private static func group(_ number: Int) -> String { Digits.grouped(number) }
}

import Algorithms
import Search
import Terminal
import Text

struct Notice {
  /// From the longest to the shortest.
  var texts: [String]
  /// What the user can do, the most useful first.
  var keys: [KeyHint] = []
  var role = Role.dim
}

/// The line above the status: what is loading, or what failed and what to do. Narrow screens show fewer
/// words; the keys stay as long as a few words fit before them.
enum NoticeLine {
  static func line(_ state: PagerState) -> Line {
    guard let notice = notice(state) else { return Line() }
    return Line.justified([(text(of: notice, state), state.theme[notice.role])], state)
  }

  /// The longest text that fits; else the shortest, truncated before its keys.
  private static func text(of notice: Notice, _ state: PagerState) -> Sanitized {
    let model = state.widthModel
    let room = state.screenWidth - 1
    let hints = state.keyHints(notice.keys)
    let keys = Sanitized(hints.isEmpty ? "" : " \(hints)")
    let texts = notice.texts.map { Sanitized(" \($0)") }
    if let fitting = texts.first(where: { $0.width(model) + keys.width(model) <= room }) {
      return fitting + keys
    }
    guard let brief = texts.last else { return keys }
    // The list of messages has what is cut off.
    let isListed = notice.keys.isEmpty && notice.role != .dim
    let more = isListed ? state.keyHints([("messages", "all")]) : hints
    let end = Sanitized(more.isEmpty ? "" : " \(more)")
    let rest = room - end.width(model)
    guard rest >= 12 else { return brief }
    return brief.fitted(to: rest, ellipsis: state.glyphs.ellipsis, model) + end
  }

  private static func notice(_ state: PagerState) -> Notice? {
    if case .question(let question)? = state.overlays.stack.last { return text(of: question, state) }
    if state.typed.listsContinuations { return continuations(state) }
    if let message = state.messages.current {
      return Notice(texts: [message.text, message.brief].compactMap(\.self), role: message.role)
    }
    if let popup = state.overlays.popup {
      if popup.kind == .detail, state.isRequestingDetail {
        return Notice(texts: ["\(state.spinner)Loading details\(state.glyphs.busy)"])
      }
      if popup.kind == .columns, state.columnChoice?.rowCount == nil {
        return Notice(texts: ["\(state.spinner)Looking for fields\(state.glyphs.busy)"])
      }
      if let match = popup.match { return found(popup.searchText, match.number, match.count, "line", state) }
    }
    if state.list.awaitedFilter != nil, let notice = filtered(state) { return notice }
    if state.addedColumns.areBeingRead {
      return Notice(texts: ["\(state.spinner)Reading the new columns\(state.glyphs.busy)"])
    }
    // It is shown in the middle of the empty table.
    if EmptyView.showsPhase(state) { return nil }
    guard var notice = state.phaseText.notice else {
      return matched(state) ?? filtered(state) ?? unfinished(state) ?? state.phaseText.outcome ?? draft(state)
    }
    if !state.session.phase.isWaiting { notice.keys = Array(notice.keys.prefix(1)) }
    return notice
  }

  /// `copy  y: row  c: cell  u: link`, or `z: scroll the row …` if the actions have no verb in common.
  private static func continuations(_ state: PagerState) -> Notice {
    let entries = state.rules.keyMap.continuations(of: state.typed.keys, in: state.mode)
      .chunked { $0.action.name == $1.action.name }
      .compactMap { group in
        group.first.map { (keys: KeyMap.labels(group.map(\.keys)), label: $0.action.label) }
      }
    func list(_ labels: [Substring]) -> String {
      zip(entries, labels).map { "\($0.keys): \($1)" }.joined(separator: "  ")
    }
    let verbs = Set(entries.map { $0.label.prefix { $0 != " " } })
    guard entries.count > 1, let verb = verbs.first, verbs.count == 1,
      entries.allSatisfy({ $0.label.count > verb.count })
    else { return Notice(texts: [list(entries.map { $0.label[...] })]) }
    return Notice(texts: ["\(verb)  \(list(entries.map { $0.label.dropFirst(verb.count + 1) }))"])
  }

  // MARK: Questions

  private static func text(of question: Confirmation, _ state: PagerState) -> Notice {
    switch question {
    case .reset:
      let marks = Digits.counted(state.list.marks.count + state.list.marks.elsewhere, "mark")
      return Notice(texts: ["Reset and lose \(marks)? (y/N)"], role: .warning)
    case .run(let action):
      let rows = Digits.counted(state.picked.numbers.count, "row")
      return Notice(texts: ["Run \(action.name) for \(rows)? (y/N)"], role: .warning)
    case .keepColumns:
      let count = state.table.shown.count
      let columns = count == 1 ? "this column" : "these \(count) columns"
      return Notice(texts: ["Save \(columns) for source \(state.rules.title)? (y/N)"], role: .warning)
    case .accept:
      let here =
        state.list.marks.isEmpty ? "only this row" : Digits.counted(state.list.marks.count, "marked row")
      let elsewhere = "\(Digits.counted(state.list.marks.elsewhere, "marked row")) in other results"
      return Notice(
        texts: ["Select \(here) and leave out \(elsewhere)? (y/N)", "Leave out \(elsewhere)? (y/N)"],
        role: .warning)
    }
  }

  // MARK: Rows

  /// `"arrow": match 3 of 9 (n: next, N: previous)`.
  private static func matched(_ state: PagerState) -> Notice? {
    guard !state.list.search.text.isEmpty, state.overlays.isEmpty else { return nil }
    guard let matches = state.matches else {
      return Notice(texts: ["Finding \(state.list.search.text.quotedOnce)\(state.glyphs.busy)"])
    }
    return found(state.list.search.text, matches.current, matches.count, "match", state)
  }

  private static func found(
    _ text: String, _ number: Int?, _ count: Int, _ what: String, _ state: PagerState
  ) -> Notice {
    let place = number.map { "\(what) \(Digits.grouped($0)) of \(Digits.grouped(count))" }
    let keys: [KeyHint] = [("next-match", "next"), ("previous-match", "previous")]
    let fact = place ?? "\(Digits.grouped(count)) \(count == 1 ? what : "\(what)es")"
    return Notice(texts: ["\(text.quotedOnce): \(fact)", fact], keys: count == 0 ? [] : keys)
  }

  /// `7 of 60 loaded rows match "down" (M: load more)`.
  private static func filtered(_ state: PagerState) -> Notice? {
    guard !state.list.rows.isEmpty, !state.list.filter.isEmpty || state.list.awaitedFilter != nil else {
      return nil
    }
    let loaded = Digits.counted(state.list.rows.count, "loaded row")
    if state.isFiltering { return Notice(texts: ["Filtering \(loaded)\(state.glyphs.busy)"]) }
    let matching = Digits.grouped(state.list.count)
    let verb = state.list.count == 1 ? "matches" : "match"
    return Notice(
      texts: [
        "\(matching) of \(loaded) \(verb) \(state.list.filter.quotedOnce)",
        "\(matching) of \(loaded) \(verb)",
        "\(matching) of \(Digits.grouped(state.list.rows.count)) \(verb)",
      ],
      keys: state.loadMoreKeys)
  }

  /// In a sorted list, nothing loads automatically.
  private static func unfinished(_ state: PagerState) -> Notice? {
    guard state.list.sort != nil, state.session.hasMore else { return nil }
    return Notice(texts: ["More rows available"], keys: state.loadMoreKeys)
  }

  private static func draft(_ state: PagerState) -> Notice? {
    guard state.mode == .query, !state.query.editor.isEmpty, !state.isLive, state.isDraft else { return nil }
    let text = state.rules.input.isLive ? "Few requests left: live search paused" : "Not searched yet"
    return Notice(texts: [text], keys: [("submit", "search")], role: .warning)
  }
}

/// The last line: the visible rows, how many are loaded and found, the state of the session and, at the right,
/// the most useful keys. Narrow screens drop keys one by one, `?: help` last, then facts.
enum StatusBar {
  /// A key hint, such as `Enter: details`; those with a higher rank are dropped first.
  private struct Hint {
    let text: String
    let rank: Int
    /// `Enter:details`.
    var brief: String { text.replacing(": ", with: ":", maxReplacements: 1) }
  }

  enum Length: CaseIterable {
    case full
    /// The same in fewer words.
    case short
    /// Without what matters least.
    case brief
  }

  static func line(_ state: PagerState) -> Line {
    // A prompt occupies the line where messages are shown.
    let message = state.overlays.prompt == nil ? nil : state.messages.current
    let mistake = state.typedMistake
    let lefts =
      mistake.map { Self.texts(of: $0) } ?? message.map { [$0.text] }
      ?? (state.overlays.prompt?.purpose.listsSources == true
        ? [sources(state)] : Length.allCases.map { facts(of: state, $0) })
    let role = mistake == nil ? message?.role : .error
    let style = role.map { state.theme[$0] } ?? .plain
    let hints = hints(state)
    for (number, left) in lefts.map({ Sanitized(" \($0)") }).enumerated() {
      // Fewer words rather than a single key.
      let isShortest = number == lefts.count - 1
      let minimum = state.mode == .columns && !isShortest ? 3 : number < lefts.count - 2 ? 2 : 1
      guard let right = fitting(hints, atLeast: minimum, nextTo: left, state) else { continue }
      return Line.justified([(left, style)], right: right, state)
    }
    return Line.justified([(Sanitized(" \(lefts.last ?? "")"), style)], state)
  }

  private static func texts(of mistake: FilterError) -> [String] {
    [mistake.remedy, mistake.question].map { Sentences.joined([mistake.text, $0]) } + [mistake.text]
  }

  /// As many hints as fit next to a text, shortened before one is dropped; nil if fewer than `minimum` fit.
  private static func fitting(
    _ hints: [Hint], atLeast minimum: Int, nextTo left: Sanitized, _ state: PagerState
  ) -> Sanitized? {
    let room = state.screenWidth - left.width(state.widthModel) - 4
    var shown = hints
    while true {
      let texts = [
        shown.map(\.text).joined(separator: "  "), shown.map(\.brief).joined(separator: "  "),
        shown.map(\.brief).joined(separator: " "),
      ]
      if let text = texts.map({ Sanitized($0) }).first(where: { $0.width(state.widthModel) <= room }) {
        return text
      }
      guard shown.count > minimum, let last = shown.indices.max(by: { shown[$0].rank < shown[$1].rank })
      else { return nil }
      shown.remove(at: last)
    }
  }

  /// `30 sources`, or `3 of 30 sources` if filtered.
  private static func sources(_ state: PagerState) -> String {
    guard state.sources.found != nil else { return "" }
    let all = Digits.counted(state.offeredSources.count, "source")
    guard let prompt = state.overlays.prompt else { return all }
    let count = PromptList(state, prompt).items.filter { $0.leaving == nil }.count
    return count == state.offeredSources.count ? all : "\(Digits.grouped(count)) of \(all)"
  }

  // MARK: Hints

  /// The most useful keys in the current mode, from left to right.
  private static func hints(_ state: PagerState) -> [Hint] {
    let quit = state.rules.leadsBack ? "back" : state.tabs.tabs.isEmpty ? "quit" : "close"
    let actions: [(action: String, effect: String, rank: Int)] =
      switch state.mode {
      case .query:
        [
          ("submit", "search", 1), ("cancel", "results", state.list.rows.isEmpty ? 9 : 3),
          ("help", "help", 0),
          ("interrupt", quit, 2),
        ]
      case .table where state.rules.purpose == .pick:
        [
          ("accept", "select", 1), ("toggle-mark", "mark", 3), ("help", "help", 0),
          ("quit", state.rules.leadsBack ? "back" : "cancel", 2),
        ]
      case .table:
        [
          state.sources.children.isEmpty
            ? (state.keyLabel("accept", in: .table) == nil ? "details" : "accept", "details", 2)
            : (state.keyLabel("accept", in: .table) == nil ? "open-rows" : "accept", "open", 2),
          ("edit-query", "query", 3), ("filter", "filter", 4), ("help", "help", 0), ("quit", quit, 1),
        ]
      case .popup, .detail, .columns: popupHints(state)
      case .prompt: promptHints(state)
      }
    let needsRow =
      state.mode == .table && state.list.count == 0 ? ["accept", "details", "open-rows", "toggle-mark"] : []
    return actions.filter { $0.rank < 9 && !needsRow.contains($0.action) }.compactMap {
      action, effect, rank in
      let mode: Mode = action == "quit" ? .table : state.mode
      return state.text(of: (action, effect), in: mode).map { Hint(text: $0, rank: rank) }
    }
  }

  private static func popupHints(_ state: PagerState) -> [(action: String, effect: String, rank: Int)] {
    switch state.overlays.popup?.kind {
    case .detail?:
      [
        ("toggle-json", state.overlays.popup?.showsJSON ?? false ? "fields" : "JSON", 1),
        ("next-row", "next row", 2),
        ("open-link", "open", 3), ("copy-field", "copy", 4), ("add-column", "column", 5),
        ("cancel", "close", 0),
      ]
    case .columns?:
      [
        ("submit", "apply", 0), ("toggle-column", "choose", 1), ("move-column-right", "move down", 4),
        ("find", "find", 3),
        ("cancel", state.overlays.popup?.searchText.isEmpty ?? true ? "cancel" : "all fields", 2),
      ]
    case .help?: [("find", "find", 1), ("cancel", "close", 0)]
    case .output?: [("find", "find", 1), ("cancel", "close", 0)]
    case .log?: [("open-request", "open", 1), ("find", "find", 2), ("cancel", "close", 0)]
    case .messages?, .request?: [("find", "find", 1), ("cancel", "close", 0)]
    case nil: []
    }
  }

  private static func promptHints(_ state: PagerState) -> [(action: String, effect: String, rank: Int)] {
    guard let prompt = state.overlays.prompt else { return [] }
    let leave: (String, String, Int) =
      prompt.purpose == .source
      ? (prompt.line.isEmpty ? "quit" : "cancel", "quit", 1) : ("cancel", "cancel", 1)
    return [("submit", prompt.purpose.words.verb, 0), leave]
  }
}

// MARK: The session in words

/// How the phase of a session reads in the status and in the notice; `emptyText` is for a table without rows.
struct PhaseText {
  /// For the status, as named in the manual; nil while nothing is loading.
  var word: String?
  /// A shorter `word`, if there is one.
  var brief: String?
  /// Nil if the rows say more than the phase.
  var notice: Notice?
  /// What is left to say if there is no other notice.
  var outcome: Notice?
}

extension PagerState {
  /// The number, from 1, of the page being loaded or waited for, or that failed.
  var pageNumber: Int { (session.currentOrdinal ?? 0) + 1 }

  var phaseText: PhaseText {
    switch session.phase {
    case .idle where session.emptyPagesSoFar > 0:
      let count = Digits.counted(session.emptyPagesSoFar, "empty page")
      return PhaseText(notice: Notice(texts: ["\(count) so far"], keys: [("load-more", "continue")]))
    case .idle:
      return PhaseText(
        outcome: pageWithoutNewRows.map { Notice(texts: ["Page \($0) has no new rows"], keys: loadMoreKeys) })
    case .loading(let load):
      return PhaseText(word: "loading", notice: Notice(texts: [spinner + text(of: load)]))
    case .waiting(let load, let wait): return text(of: wait, before: load)
    case .failed(_, let error): return text(of: error)
    case .stopped:
      return PhaseText(
        word: "stopped",
        notice: Notice(
          texts: ["Stopped"], keys: [("refresh", "retry"), ("edit-query", "edit the query")], role: .warning))
    case .end(let reason):
      var text =
        session.rows.isEmpty && session.completeness?.isComplete != false
        ? PhaseText(word: "no results") : text(of: reason)
      text.outcome = outcome(of: reason)
      return text
    }
  }

  /// Whether something on the screen moves: a visible spinner or a countdown.
  package var isAnimated: Bool {
    let spins = session.phase.isLoading || isRequestingDetail
    return session.phase.isWaiting || spins && isFocused && !rules.isAccessible
  }

  /// A frame of the animation with a space; "" without animation.
  var spinner: String {
    let frames = rules.isAccessible ? [] : glyphs.spinner
    return frames.isEmpty ? "" : "\(frames[ticks % frames.count]) "
  }

  private func text(of load: Load) -> String {
    switch load {
    case .first where session.stale == nil: "Loading\(glyphs.busy)"
    case .first: "Searching for \"\(session.query.text)\"\(glyphs.busy)"
    case .more: "Loading page \(pageNumber)\(glyphs.busy)"
    case .refresh: "Refreshing page \(pageNumber)\(glyphs.busy)"
    }
  }

  private func text(of wait: Wait, before load: Load) -> PhaseText {
    let left = DurationText.words(seconds: max(1, wait.until - clock))
    let retrying = "Retrying in \(left)"
    let keys: [KeyHint] = [("refresh", "now"), ("cancel", "cancel")]
    func text(_ word: String, _ texts: [String]) -> PhaseText {
      PhaseText(word: word, notice: Notice(texts: texts, keys: keys, role: .warning))
    }
    switch wait.reason {
    case .pacing:
      let next = load == .more ? "page" : "request"
      return text("waiting", ["Waiting \(left) before the next \(next)", "Waiting \(left)"])
    case .retry(let error) where error.kind == .rateLimited:
      return text("rate limited", ["Rate limited: retrying in \(left)", retrying])
    case .retry(let error): return text("waiting", failures(error).map { "\($0). \(retrying)" } + [retrying])
    }
  }

  private func text(of error: PageError) -> PhaseText {
    let texts = failures(error)
    let withRemedy = error.remedySentence.map { ["\(texts[0]). \($0)"] } ?? []
    let retry: KeyHint = ("refresh", error.canRepeat == .afterRestart ? "start over" : "retry")
    let edit: KeyHint =
      error.isAboutOption ? ("options", "change the option") : ("edit-query", "edit the query")
    let notice = Notice(
      texts: (withRemedy + texts + [error.brief.withoutSchemes]).map { glyphs.failure.string + $0 },
      keys: (error.isWorthRepeating ? [retry] : [])
        // If the query is right for the first page, editing it does not help a later one.
        + (error.isRejected && !list.rows.isEmpty ? [] : [edit]), role: .error)
    return PhaseText(word: error.kind == .offline ? "offline" : "failed", notice: notice)
  }

  /// `Page 3 failed: 500 Internal Server Error: the service's own words`, and shorter variants.
  private func failures(_ error: PageError) -> [String] {
    let brief = failureText(error)
    let said = error.serviceMessage.map { message in
      ["\(brief): \(message)"] + (error.status.map { ["Page \(pageNumber) failed: \($0): \(message)"] } ?? [])
    }
    return (said ?? []) + [brief, brief.withoutSchemes]
  }

  /// `Page 3 failed: 500 Internal Server Error`, with the time after which it may be retried.
  func failureText(_ error: PageError) -> String {
    let start = "Page \(pageNumber) failed: \(error.brief)"
    guard let until = session.refusedUntil, let wait = error.wait, until > clock else { return start }
    let isToday = wait < 12 * 3600
    let time = isToday ? Timestamp(epoch: until)?.clock(in: rules.zone) : nil
    return "\(start), \(time.map { "retry after \($0)" } ?? "retry in \(DurationText.words(seconds: wait))")"
  }

  private func text(of reason: EndReason) -> PhaseText {
    switch reason {
    case .cap: PhaseText(word: "stopped: limit of the service", brief: "stopped")
    case .repeats where session.completeness?.isComplete == false:
      PhaseText(word: "stopped: the service is repeating pages", brief: "stopped")
    case .returned(let page):
      PhaseText(word: "stopped: the service returned page \(page) again", brief: "stopped")
    case .emptyPages(let count): PhaseText(word: "stopped: \(count) empty pages in a row", brief: "stopped")
    case .maxRows(let count): PhaseText(word: "stopped at \(Digits.grouped(count)) rows (pager.max_rows)")
    case .status(let status): PhaseText(word: "end of results (\(status))", brief: "end (\(status))")
    case .refusedNext: PhaseText(word: "stopped: next page refused")
    case .last, .emptyPage, .total, .range, .limit, .maxPages, .repeats:
      PhaseText(word: "end of results", brief: "end")
    }
  }

  private func outcome(of reason: EndReason) -> Notice? {
    if case .refusedNext(let why) = reason { return Notice(texts: ["\(glyphs.failure)\(why)"], role: .error) }
    if case .unconfirmed(let reason)? = session.completeness {
      return Notice(texts: ["Rows may be missing: \(reason)"], role: .warning)
    }
    if case .partial(let why)? = session.completeness, session.isListOver, reason != .cap {
      return Notice(texts: ["Stopped: \(why)"], keys: [("refresh", "load again")], role: .warning)
    }
    if session.canContinueInParts, let plan = session.partsPlan {
      return Notice(texts: [plan.rowsText], keys: [("load-all", "read all in \(plan.costText)")])
    }
    if let note = session.notes.last { return Notice(texts: [note]) }
    guard case .emptyPage = reason else { return nil }
    return pageWithoutNewRows.map { Notice(texts: ["Page \($0) is empty: end of results"]) }
  }

  /// The number of the last page if it had no new rows, which would otherwise go unnoticed.
  private var pageWithoutNewRows: Int? {
    guard !list.rows.isEmpty, let page = session.fresh.blocks.last, page.kept.isEmpty else { return nil }
    return page.position.ordinal + 1
  }

  /// The complete failure of a page for the list of messages, because the notice may truncate it.
  func message(of error: PageError) -> String {
    let text = "Page \(pageNumber) failed: \(error.message)"
    return error.remedySentence.map { "\(text). \($0)" } ?? text
  }

  var loadMoreKeys: [KeyHint] { session.hasMore ? [("load-more", "load more")] : [] }
}

extension PageError {
  /// The remedy in sentences: `Is the service running on that port?`
  var remedySentence: String? {
    let sentences = [remedy, needsRestart ? "then start riffle again" : nil].compactMap { sentence in
      sentence.map { sentence in
        let text = sentence.prefix(1).uppercased() + sentence.dropFirst()
        return text.last.map { ".?!".contains($0) } ?? true ? text : text + "."
      }
    }
    return sentences.isEmpty ? nil : sentences.joined(separator: " ")
  }
}

extension String {
  /// URLs without their scheme.
  fileprivate var withoutSchemes: String { replacing(/https?:\/\/(?=[^ ])/, with: "") }
}

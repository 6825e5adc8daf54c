import Search
import Terminal
private import Text

/// The line above the status: what is loading, or what failed and what to do. Narrow screens show fewer
/// words; the keys stay as long as a few words fit before them.
enum NoticeLine {
  private struct Notice {
    /// From the longest to the shortest.
    let texts: [String]
    /// `(r: retry, Esc: cancel)`, or nothing.
    let keys: String
    let role: Role

    init(_ texts: [String], keys: String = "", role: Role) {
      self.texts = texts
      self.keys = keys
      self.role = role
    }

    init(_ text: String, keys: String = "", role: Role) { self.init([text], keys: keys, role: role) }
  }

  static func line(_ state: PagerState) -> Line {
    guard let notice = notice(state) else { return Line() }
    return Line(left: [(text(of: notice, state), state.theme[notice.role])], right: [], state)
  }

  /// The longest text that fits; else the shortest, truncated before its keys.
  private static func text(of notice: Notice, _ state: PagerState) -> Sanitized {
    let model = state.widthModel
    let room = state.screenWidth - 1
    let keys = Sanitized(notice.keys.isEmpty ? "" : " \(notice.keys)")
    let texts = notice.texts.map { Sanitized(" \($0)") }
    if let fitting = texts.first(where: { $0.width(model) + keys.width(model) <= room }) {
      return fitting + keys
    }
    guard let brief = texts.last else { return keys }
    let rest = room - keys.width(model)
    guard rest >= 12 else { return brief }
    return brief.fitted(to: rest, ellipsis: state.glyphs.ellipsis, model) + keys
  }

  private static func notice(_ state: PagerState) -> Notice? {
    if case .question(let question)? = state.overlays.last { return text(of: question, state) }
    if let message = state.messages.current {
      return Notice([message.text, message.brief].compactMap(\.self), role: message.role)
    }
    if let popup = state.popup {
      if popup.kind == .detail, state.isRequestingDetail {
        return Notice("\(spinner(state))Loading details\(state.glyphs.busy)", role: .dim)
      }
      if let match = popup.match { return found(popup.searchText, match.number, match.count, "line", state) }
    }
    // It is shown in the middle of the empty table.
    if EmptyView.showsOutcome(state) { return nil }
    switch state.session.phase {
    case .loading(let load): return Notice(spinner(state) + loading(load, state), role: .dim)
    case .waiting(_, let wait): return waiting(wait, state)
    case .failed(_, let error): return failed(error, state)
    case .stopped: return Notice("Stopped", keys: state.keyHints([("refresh", "retry")]), role: .warning)
    case .idle, .end:
      return matched(state) ?? filtered(state) ?? unfinished(state) ?? settled(state)
    }
  }

  // MARK: Questions

  private static func text(of question: Question, _ state: PagerState) -> Notice {
    switch question {
    case .reset:
      let marks = Digits.counted(state.marks.count + state.marks.elsewhere, "mark")
      return Notice(["Reset and lose \(marks)? (y/N)"], role: .warning)
    case .accept:
      let here = state.marks.isEmpty ? "only this row" : Digits.counted(state.marks.count, "marked row")
      let elsewhere = "\(Digits.counted(state.marks.elsewhere, "marked row")) in other results"
      return Notice(
        ["Select \(here) and leave out \(elsewhere)? (y/N)", "Leave out \(elsewhere)? (y/N)"], role: .warning)
    }
  }

  // MARK: Loads

  private static func spinner(_ state: PagerState) -> String {
    let glyphs = state.rules.isAccessible ? [] : state.glyphs.spinner
    return glyphs.isEmpty ? "" : "\(glyphs[state.ticks % glyphs.count]) "
  }

  private static func loading(_ load: Load, _ state: PagerState) -> String {
    let rest = state.glyphs.busy
    return switch load {
    case .first:
      state.session.stale == nil ? "Loading\(rest)" : "Searching for \"\(state.session.query.text)\"\(rest)"
    case .more: "Loading page \(state.pageNumber)\(rest)"
    case .refresh: "Refreshing page \(state.pageNumber)\(rest)"
    }
  }

  private static func waiting(_ wait: Wait, _ state: PagerState) -> Notice {
    let seconds = max(1, Int((wait.until - state.clock).rounded(.up)))
    let keys = state.keyHints([("refresh", "now"), ("cancel", "cancel")])
    let retrying = "Retrying in \(seconds) s"
    switch wait.reason {
    case .pacing:
      return Notice(
        ["Waiting \(seconds) s before the next page", "Waiting \(seconds) s"], keys: keys, role: .warning)
    case .retry where wait.isRateLimited:
      return Notice(["Rate limited: retrying in \(seconds) s", retrying], keys: keys, role: .warning)
    case .retry(let error):
      return Notice(
        failures(error, state).map { "\($0). \(retrying)" } + [retrying], keys: keys, role: .warning)
    }
  }

  private static func failed(_ error: PageError, _ state: PagerState) -> Notice {
    let texts = failures(error, state)
    let mark = state.glyphs.failure.string
    let withRemedy = error.remedySentence.map { ["\(texts[0]). \($0)"] } ?? []
    return Notice(
      (withRemedy + texts).map { mark + $0 } + [mark + error.brief.withoutSchemes],
      keys: state.keyHints(Array(state.failureKeys(error).prefix(1))), role: .error)
  }

  /// `Page 3 failed: 500 Internal Server Error: the service's own words`, and shorter variants.
  private static func failures(_ error: PageError, _ state: PagerState) -> [String] {
    let brief = state.failureText(error)
    return (error.serviceMessage.map { ["\(brief): \($0)"] } ?? []) + [brief, brief.withoutSchemes]
  }

  // MARK: Rows

  /// `"arrow": match 3 of 9 (n: next, N: previous)`.
  private static func matched(_ state: PagerState) -> Notice? {
    guard !state.search.text.isEmpty, state.overlays.isEmpty else { return nil }
    guard let matches = state.matches else {
      return Notice(
        "Finding \(state.search.text.quotedOnce)\(state.glyphs.busy)", role: .dim)
    }
    return found(state.search.text, matches.current, matches.count, "match", state)
  }

  private static func found(
    _ text: String, _ number: Int?, _ count: Int, _ what: String, _ state: PagerState
  ) -> Notice {
    let place = number.map { "\(what) \(Digits.grouped($0)) of \(Digits.grouped(count))" }
    let keys = [(action: "next-match", effect: "next"), (action: "previous-match", effect: "previous")]
    let fact = place ?? "\(Digits.grouped(count)) \(count == 1 ? what : "\(what)es")"
    return Notice(
      ["\(text.quotedOnce): \(fact)", fact], keys: count == 0 ? "" : state.keyHints(keys), role: .dim)
  }

  /// `7 of 60 loaded rows match "down" (M: load more)`.
  private static func filtered(_ state: PagerState) -> Notice? {
    guard !state.list.filter.isEmpty else { return nil }
    let loaded = Digits.counted(state.rows.count, "loaded row")
    if state.isFiltering { return Notice("Filtering \(loaded)\(state.glyphs.busy)", role: .dim) }
    let matching = Digits.grouped(state.listCount)
    let verb = state.listCount == 1 ? "matches" : "match"
    return Notice(
      [
        "\(matching) of \(loaded) \(verb) \(state.list.filter.quotedOnce)",
        "\(matching) of \(loaded) \(verb)",
        "\(matching) of \(Digits.grouped(state.rows.count)) \(verb)",
      ],
      keys: loadMore(state), role: .dim)
  }

  private static func loadMore(_ state: PagerState) -> String {
    state.session.hasMore ? state.keyHints([("load-more", "load more")]) : ""
  }

  /// In a sorted list, nothing loads automatically.
  private static func unfinished(_ state: PagerState) -> Notice? {
    guard state.list.sort != nil, state.session.hasMore else { return nil }
    return Notice("More rows available", keys: loadMore(state), role: .dim)
  }

  private static func settled(_ state: PagerState) -> Notice? {
    if case .end(.refusedNext(let why)) = state.session.phase {
      return Notice("\(state.glyphs.failure)\(why)", role: .error)
    }
    if let note = state.session.notes.last, case .end = state.session.phase {
      return Notice(note, role: .dim)
    }
    if let notice = withoutNewRows(state) { return notice }
    guard state.isDraft, !state.isLive, state.mode == .query, !state.line.isEmpty else { return nil }
    let keys = state.keyHints([("submit", "search")])
    return Notice(
      state.rules.input.isLive ? "Few requests left: live search paused" : "Not searched yet", keys: keys,
      role: .warning)
  }

  /// Reports that the last page had no new rows, which would otherwise go unnoticed.
  private static func withoutNewRows(_ state: PagerState) -> Notice? {
    guard !state.rows.isEmpty, let page = state.session.fresh.blocks.last, page.kept.isEmpty else {
      return nil
    }
    let number = page.position.ordinal + 1
    switch state.session.phase {
    case .end(.emptyPage): return Notice("Page \(number) is empty: end of results", role: .dim)
    case .idle: return Notice("Page \(number) has no new rows", keys: loadMore(state), role: .dim)
    default: return nil
    }
  }
}

extension String {
  fileprivate var withoutSchemes: String {
    replacing("https://", with: "").replacing("http://", with: "")
  }
}

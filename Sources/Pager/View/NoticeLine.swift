private import Search
import Terminal
private import Text

/// The line above the status: what is loading, what failed, and first of all what may be done about it. A narrow
/// screen has it in fewer words, so that keys and cause both show.
enum NoticeLine {
  private struct Notice {
    /// From the fullest to the briefest.
    let texts: [String]
    let role: Role

    init(_ texts: String..., role: Role) {
      self.texts = texts
      self.role = role
    }
  }

  static func line(_ state: PagerState) -> Line {
    guard let notice = notice(state) else { return Line() }
    let texts = notice.texts.map { Sanitized(" \($0)") }
    let fitting = texts.first { $0.width(state.canvas.widthModel) < state.canvas.size.columns }
    guard let text = fitting ?? texts.last else { return Line() }
    return Line(left: [(text, state.theme[notice.role])], right: [], state)
  }

  private static func notice(_ state: PagerState) -> Notice? {
    if case .question(let question)? = state.overlays.last { return text(of: question, state) }
    if let message = state.messages.current { return Notice(message.text, role: message.role) }
    if state.popup?.kind == .detail, state.isAskingForDetail {
      return Notice("\(spinner(state))loading the row's detail \(state.rules.glyphs.ellipsis)", role: .dim)
    }
    switch state.session.phase {
    case .loading(let load): return Notice(spinner(state) + loading(load, state), role: .dim)
    case .waiting(_, let wait): return waiting(wait, state)
    case .failed(_, let error): return failed(error, state)
    case .stopped:
      let keys = [("refresh", "asks again"), ("load-more", "loads on")].compactMap { key($0, $1, state) }
      return Notice(joined(keys + ["stopped"], state), role: .warning)
    case .idle, .end: return filtered(state) ?? sorted(state) ?? settled(state)
    }
  }

  private static func text(of question: Question, _ state: PagerState) -> Notice {
    switch question {
    case .reset: reset(state)
    case .accept: accept(state)
    }
  }

  private static func reset(_ state: PagerState) -> Notice {
    let marks = Digits.counted(state.marks.count + state.marks.elsewhere, "mark")
    return Notice(
      joined(["y resets", "any other key keeps", "reset drops \(marks)"], state),
      joined(["y drops \(marks)", "other keys keep"], state), role: .warning)
  }

  private static func accept(_ state: PagerState) -> Notice {
    let here = state.marks.isEmpty ? "the selected row" : "\(Digits.grouped(state.marks.count)) marked here"
    let rest = "\(Digits.grouped(state.marks.elsewhere)) marked elsewhere"
    return Notice(
      joined(["y takes \(here)", "any other key goes back", "not taken: \(rest)"], state),
      joined(["y takes \(here)", "not \(rest)"], state),
      role: .warning)
  }

  private static func joined(_ parts: [String?], _ state: PagerState) -> String {
    parts.compactMap(\.self).joined(separator: state.rules.glyphs.divider.string)
  }

  /// "r asks again", with the key the action has where keys go now; nil in popups and lines.
  private static func key(_ action: String, _ effect: String, _ state: PagerState) -> String? {
    guard state.overlays.isEmpty else { return nil }
    return state.keyLabel(action, in: state.mode).map { "\($0) \(effect)" }
  }

  private static func spinner(_ state: PagerState) -> String {
    let glyphs = state.rules.isAccessible ? [] : state.rules.glyphs.spinner
    return glyphs.isEmpty ? "" : "\(glyphs[state.ticks % glyphs.count]) "
  }

  private static func loading(_ load: Load, _ state: PagerState) -> String {
    let rest = " \(state.rules.glyphs.ellipsis)"
    return switch load {
    case .first:
      state.session.stale == nil ? "loading\(rest)" : "loading \"\(state.session.query.text)\"\(rest)"
    case .more: "loading page \(pageNumber(state))\(rest)"
    case .refresh: "loading page \(pageNumber(state)) again\(rest)"
    }
  }

  private static func waiting(_ wait: Wait, _ state: PagerState) -> Notice {
    let seconds = max(1, Int((wait.until - state.clock).rounded(.up)))
    let (now, stop) = (key("refresh", "asks now", state), key("cancel", "stops", state))
    let briefNow = key("refresh", "now", state)
    switch wait.reason {
    case .pacing:
      return Notice(
        joined([now, stop, "waiting \(seconds) s before the next page"], state),
        joined([briefNow, stop, "waiting \(seconds) s"], state), role: .warning)
    case .retry(let error):
      let again = "again in \(seconds) s"
      let place = "waiting: page \(pageNumber(state))"
      return Notice(
        joined([now, stop, again, "\(place): \(error.message)"], state),
        joined([now, stop, again, "\(place): \(error.message.withoutSchemes)"], state),
        joined([now, stop, again, error.message.withoutAddresses], state),
        joined([briefNow, stop, "\(seconds) s: \(error.message.withoutAddresses)"], state), role: .warning)
    }
  }

  private static func failed(_ error: PageError, _ state: PagerState) -> Notice {
    let word = error.kind == .offline ? "offline" : "failed"
    let place = "\(word): page \(pageNumber(state))"
    let again = key("refresh", error.canRepeat == .afterRestart ? "begins again" : "asks again", state)
    let sign = state.rules.glyphs.failure.string
    let early = earliest(error, state)
    // The messages have what is left out here.
    let rest = error.remedy == nil ? "" : " \(state.rules.glyphs.ellipsis)"
    let brief = error.message.withoutAddresses + rest
    return Notice(
      sign + joined([early, again, "\(place): \(error.message)", error.remedy], state),
      sign + joined([early, again, "\(place): \(error.message)\(rest)"], state),
      sign + joined([early, again, "\(place): \(error.message.withoutSchemes)\(rest)"], state),
      sign + joined([early, again, "\(place): \(brief)"], state),
      sign + joined([early, again, "\(word): \(brief)"], state),
      sign + joined([early, key("refresh", "again", state), brief], state), role: .error)
  }

  /// From when on asking again makes sense: `not before 14:02`.
  private static func earliest(_ error: PageError, _ state: PagerState) -> String? {
    guard let until = state.session.refusedUntil, let wait = error.wait, until > state.clock else {
      return nil
    }
    let isToday = wait < 12 * 3600
    let time = isToday ? Timestamp(epoch: until)?.clock(in: state.rules.zone) : nil
    return time.map { "not before \($0)" } ?? "not for \(DurationText.words(seconds: wait))"
  }

  /// `12 of 300 loaded match · M loads more`.
  private static func filtered(_ state: PagerState) -> Notice? {
    guard !state.list.filter.isEmpty else { return nil }
    let more = state.session.hasMore ? key("load-more", "loads more", state) : nil
    return Notice(
      joined([more, StatusBar.matching(state), "filter: \(state.list.filter)"], state), role: .dim)
  }

  /// `M loads more · loaded rows are sorted`.
  private static func sorted(_ state: PagerState) -> Notice? {
    guard state.list.sort != nil, state.session.hasMore else { return nil }
    return Notice(
      joined([key("load-more", "loads more", state), "loaded rows are sorted"], state), role: .dim)
  }

  private static func settled(_ state: PagerState) -> Notice? {
    if case .end(.refusedNext(let why)) = state.session.phase {
      return Notice("\(state.rules.glyphs.failure)\(why)", role: .error)
    }
    if let note = state.session.notes.last, case .end = state.session.phase {
      return Notice(note, role: .dim)
    }
    if let notice = withoutNews(state) { return notice }
    // Live search pauses when few requests are left.
    guard state.isDraft, !state.isLive, state.mode == .query, !state.line.isEmpty else { return nil }
    return key("submit", "to search", state).map { Notice($0, role: .warning) }
  }

  /// The last page brought nothing, which otherwise would not show.
  private static func withoutNews(_ state: PagerState) -> Notice? {
    guard !state.rows.isEmpty, let page = state.session.fresh.blocks.last, page.kept.isEmpty else {
      return nil
    }
    let number = page.position.ordinal + 1
    switch state.session.phase {
    case .end(.emptyPage): return Notice("page \(number) has no rows: this is the end", role: .dim)
    case .idle:
      return Notice(
        joined([key("load-more", "loads more", state), "page \(number) has no new row"], state), role: .dim)
    default: return nil
    }
  }

  private static func pageNumber(_ state: PagerState) -> Int { (state.session.currentOrdinal ?? 0) + 1 }
}

extension String {
  fileprivate var withoutSchemes: String {
    replacing("https://", with: "").replacing("http://", with: "")
  }

  /// The text without the words that are addresses; itself when it is nothing else.
  fileprivate var withoutAddresses: String {
    var words: [Substring] = []
    for word in split(separator: " ") {
      let isAddress = word.hasPrefix("https://") || word.hasPrefix("http://")
      if !isAddress { words.append(word) } else if words.last == "by" { words.removeLast() }
    }
    return words.isEmpty ? self : words.joined(separator: " ")
  }
}

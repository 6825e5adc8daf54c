private import Search
import Terminal
private import Text

/// The line above the status: what is loading, what failed, and first of all what may be done about it, so that a
/// narrow screen cuts the rest.
enum NoticeLine {
  static func line(_ state: PagerState) -> Line {
    guard let (text, role) = notice(state) else { return Line() }
    return Line(left: [(Sanitized(" \(text)"), state.theme[role])], right: [], state)
  }

  private static func notice(_ state: PagerState) -> (String, Role)? {
    if case .question(.reset)? = state.overlays.last {
      let count = Digits.grouped(state.marks.count)
      return (
        joined(
          [
            "y resets", "any other key keeps",
            "reset drops \(count) \(state.marks.count == 1 ? "mark" : "marks")",
          ], state), .warning
      )
    }
    if let message = state.messages.current { return (message.text, message.role) }
    switch state.session.phase {
    case .loading(let load): return (spinner(state) + loading(load, state), .dim)
    case .waiting(_, let wait): return (waiting(wait, state), .warning)
    case .failed(_, let error): return (failed(error, state), .error)
    case .stopped:
      let keys = [("refresh", "asks again"), ("load-more", "loads on")].compactMap { key($0, $1, state) }
      return (joined(keys + ["stopped"], state), .warning)
    case .idle, .end: return filtered(state) ?? settled(state)
    }
  }

  private static func joined(_ parts: [String], _ state: PagerState) -> String {
    parts.joined(separator: state.rules.glyphs.divider.string)
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

  private static func waiting(_ wait: Wait, _ state: PagerState) -> String {
    let seconds = max(1, Int((wait.until - state.clock).rounded(.up)))
    let keys = [key("refresh", "asks now", state), key("cancel", "stops", state)].compactMap(\.self)
    return switch wait.reason {
    case .pacing: joined(keys + ["waiting \(seconds) s before the next page"], state)
    case .retry(let error):
      joined(keys + ["again in \(seconds) s", "waiting: page \(pageNumber(state)): \(error.message)"], state)
    }
  }

  private static func failed(_ error: PageError, _ state: PagerState) -> String {
    let word = error.kind == .offline ? "offline" : "failed"
    let again = error.canRepeat == .afterRestart ? "begins again" : "asks again"
    return state.rules.glyphs.failure.string
      + joined(
        [key("refresh", again, state), "\(word): page \(pageNumber(state)): \(error.message)", error.remedy]
          .compactMap(\.self), state)
  }

  /// `12 of 300 loaded match · M loads more`.
  private static func filtered(_ state: PagerState) -> (String, Role)? {
    guard !state.list.filter.isEmpty else { return nil }
    let match = "\(Digits.grouped(state.listCount)) of \(Digits.grouped(state.rows.count)) loaded match"
    let more = state.session.hasMore ? key("load-more", "loads more", state) : nil
    return (joined([more, match, "filter: \(state.list.filter)"].compactMap(\.self), state), .dim)
  }

  private static func settled(_ state: PagerState) -> (String, Role)? {
    if case .end(.refusedNext(let why)) = state.session.phase {
      return ("\(state.rules.glyphs.failure)\(why)", .error)
    }
    if case .end = state.session.phase { return state.session.notes.last.map { ($0, .dim) } }
    // Live search pauses when few requests are left.
    guard state.isDraft, !state.isLive, state.mode == .query, !state.line.isEmpty else { return nil }
    return key("submit", "to search", state).map { ($0, .warning) }
  }

  private static func pageNumber(_ state: PagerState) -> Int { (state.session.currentOrdinal ?? 0) + 1 }
}

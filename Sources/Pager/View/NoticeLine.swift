private import Search
import Terminal
private import Text

/// The line above the status: what is loading, what failed and what may be done about it.
enum NoticeLine {
  static func line(_ state: PagerState) -> Line {
    guard let (text, role) = notice(state) else { return Line() }
    return Line(left: [(Sanitized(" \(text)"), state.rules.theme[role])], right: [], canvas: state.canvas)
  }

  private static func notice(_ state: PagerState) -> (String, Role)? {
    if let message = state.message { return (message, .warning) }
    switch state.session.phase {
    case .loading(let load): return ("\(spinner(state)) \(loading(load, state))", .dim)
    case .waiting(_, let wait): return (waiting(wait, state), .warning)
    case .failed(_, let error): return (failed(error, state), .error)
    case .stopped: return ("stopped · r or M loads on", .warning)
    case .idle: return budgetPause(state).map { ($0, .warning) }
    case .end(.refusedNext(let why)): return ("✗ \(why)", .error)
    case .end: return state.session.notes.last.map { ($0, .dim) }
    }
  }

  private static func spinner(_ state: PagerState) -> String {
    let glyphs = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"]
    return glyphs[state.ticks % glyphs.count]
  }

  private static func loading(_ load: Load, _ state: PagerState) -> String {
    switch load {
    case .first:
      state.session.stale == nil ? "loading …" : "loading \"\(state.session.query.text)\" …"
    case .more: "loading page \(pageNumber(state)) …"
    case .refresh: "loading page \(pageNumber(state)) again …"
    }
  }

  private static func waiting(_ wait: Wait, _ state: PagerState) -> String {
    let seconds = max(1, Int((wait.until - state.clock).rounded(.up)))
    return switch wait.reason {
    case .pacing: "waiting \(seconds) s before the next page · r now · Esc stop"
    case .retry(let error):
      "waiting: page \(pageNumber(state)): \(error.message) · again in \(seconds) s · r now · Esc stop"
    }
  }

  private static func failed(_ error: PageError, _ state: PagerState) -> String {
    let word = error.kind == .offline ? "offline" : "failed"
    let remedy = error.remedy.map { " · \($0)" } ?? ""
    return
      "✗ \(word): page \(pageNumber(state)): \(error.message)\(remedy) · r \(error.canRepeat == .afterRestart ? "begins" : "asks") again"
  }

  /// Live search pauses when few requests are left.
  private static func budgetPause(_ state: PagerState) -> String? {
    guard state.isDraft, !state.isLive, state.mode == .query, !state.line.isEmpty else { return nil }
    return "Enter to search"
  }

  private static func pageNumber(_ state: PagerState) -> Int { (state.session.currentOrdinal ?? 0) + 1 }
}

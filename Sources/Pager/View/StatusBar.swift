private import Search
import Terminal
private import Text

/// The last line: which rows are seen, how many are loaded, how many there are.
enum StatusBar {
  static func line(_ state: PagerState) -> Line {
    Line(
      left: [(Sanitized(" " + facts(state).joined(separator: " · ")), .plain)],
      right: [(Sanitized(hint(state)), state.rules.theme[.dim])], canvas: state.canvas)
  }

  private static func facts(_ state: PagerState) -> [String] {
    let session = state.session
    let count = session.rows.count
    var facts: [String] = []
    if count > 0 {
      let last = min(state.viewport.top + state.height, count)
      facts.append("\(group(state.viewport.top + 1))–\(group(last)) of \(group(count)) loaded")
    } else {
      facts.append("0 loaded")
    }
    if let total = session.total { facts.append(found(total, reachable: state.rules.reachableRows)) }
    if session.duplicates > 0 { facts.append("\(group(session.duplicates)) duplicates dropped") }
    if let stale = session.stale { facts.append(stale.cause == .query ? "old rows" : "refreshing") }
    if let word = word(for: session) { facts.append(word) }
    if let count = state.count { facts.append("count \(count)") }
    return facts
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

  private static func hint(_ state: PagerState) -> String {
    switch state.mode {
    case .query: "Enter ask, to the table  F1 help  ctrl-c quit"
    case .table: "s search  r refresh  ? help  q quit"
    case .help: "Esc close"
    }
  }

  private static func group(_ number: Int) -> String { Digits.grouped(number) }
}

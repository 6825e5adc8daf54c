import HTTPValues
private import Search
import Terminal
private import Text

/// The text in the middle of a table without rows: how to start, that nothing was found, or what failed, with
/// the relevant keys.
enum EmptyView {
  private struct Text {
    let text: String
    var role: Role? = .dim
  }

  /// Whether a failed or stopped load is shown here, and so is omitted from the notice line.
  static func showsOutcome(_ state: PagerState) -> Bool {
    let phase = state.session.phase
    return state.rows.isEmpty && (phase.isFailed || phase.isStopped) && state.overlays.isEmpty
      && state.height >= 3
  }

  static func lines(_ state: PagerState) -> [Line] {
    let wrapped = texts(state).flatMap { text in
      Sanitized(text.text).wrapped(to: max(1, state.screenWidth - 4), state.widthModel).map {
        ($0, text.role)
      }
    }
    let lines = fitted(wrapped.map { (text: $0, role: $1) }, to: state.height)
    let indent = max(2, (state.screenWidth - (lines.map { $0.text.width(state.widthModel) }.max() ?? 0)) / 2)
    let blanks = [Line](repeating: Line(), count: (state.height - lines.count) / 2)
    return blanks
      + lines.map { Line(.spaces(indent) + $0.text, style: $0.role.map { state.theme[$0] } ?? .plain) }
  }

  /// On a low screen, drops blank lines first, then lines before the last, which has the keys.
  private static func fitted(
    _ lines: [(text: Sanitized, role: Role?)], to height: Int
  ) -> [(text: Sanitized, role: Role?)] {
    if lines.count <= height { return lines }
    let filled = lines.filter { !$0.text.isEmpty }
    return filled.count <= height ? filled : Array(filled.prefix(max(0, height - 1)) + filled.suffix(1))
  }

  private static func texts(_ state: PagerState) -> [Text] {
    if !state.rows.isEmpty { return filtered(state) }
    switch state.session.phase {
    case .end: return withoutResults(state)
    case .idle where !state.session.hasQuery: return start(state)
    case .idle:
      return [Text(text: "No results for \"\(state.session.query.text)\" yet")]
        + keys([("load-more", "load more"), ("edit-query", "edit the query")], state)
    case .failed(_, let error): return failure(error, state)
    case .stopped:
      return [Text(text: "Stopped before the first page")] + keys(state.phaseText.notice?.keys ?? [], state)
    case .loading, .waiting: return []
    }
  }

  private static func filtered(_ state: PagerState) -> [Text] {
    if state.isFiltering { return [Text(text: "Filtering\(state.glyphs.busy)")] }
    return [Text(text: "No loaded rows match \(state.list.filter.quotedOnce)")]
      + keys(
        [("cancel", "show all rows"), ("filter", "edit the filter")]
          + (state.session.hasMore ? [("load-more", "load more")] : []), state)
  }

  private static func withoutResults(_ state: PagerState) -> [Text] {
    let query = state.session.query.text
    if query.isEmpty { return [Text(text: "No results")] + keys([("refresh", "refresh")], state) }
    return [
      Text(text: "No results for \"\(query)\"", role: nil),
      Text(text: "Check the spelling or try fewer words."),
    ]
      + keys(
        [("edit-query", "edit the query"), ("reset", "start over"), ("previous-history", "previous query")],
        state)
  }

  private static func start(_ state: PagerState) -> [Text] {
    let minLength = state.session.rules.minLength
    let title = state.rules.title
    let start =
      state.mode == .query
      ? minLength > 1 ? "Type at least \(minLength) characters to search \(title)" : "Type to search \(title)"
      : "No query yet"
    let examples = state.rules.input.examples.prefix(3).map { Text(text: "Example: \($0)") }
    let history = [("previous-history", "previous query"), ("search-history", "history")]
    return [Text(text: start, role: nil)] + examples
      + keys(
        [("edit-query", "type a query")]
          + (state.history.entries.isEmpty || state.mode != .query ? [] : history),
        state)
  }

  /// Page, cause, host, remedy and keys.
  private static func failure(_ error: PageError, _ state: PagerState) -> [Text] {
    let host =
      error.status == nil ? nil : error.exchange.flatMap { try? WebURL($0.address).origin.description }
    let said = [host, error.serviceMessage].compactMap(\.self).joined(separator: ": ")
    return [Text(text: "\(state.glyphs.failure)\(state.failureText(error))", role: .error)]
      + (said.isEmpty ? [] : [Text(text: said, role: nil)])
      + (error.remedySentence.map { [Text(text: $0, role: nil)] } ?? [])
      + keys((state.phaseText.notice?.keys ?? []) + [("request-log", "request log")], state)
  }

  /// A blank line, followed by the keys of actions available in the current mode, as many per line as fit.
  private static func keys(_ hints: [KeyHint], _ state: PagerState) -> [Text] {
    var lines: [String] = []
    for hint in hints.compactMap({ state.text(of: $0, in: state.mode) }) {
      let joined = lines.last.map { "\($0)   \(hint)" } ?? hint
      let fits = Sanitized(joined).width(state.widthModel) <= state.screenWidth - 4
      if fits, !lines.isEmpty { lines[lines.count - 1] = joined } else { lines.append(hint) }
    }
    return lines.isEmpty ? [] : [Text(text: "")] + lines.map { Text(text: $0) }
  }
}

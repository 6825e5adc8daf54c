import HTTPValues
import Search
import Terminal
import Text

/// The text in the middle of a table without rows, with the relevant keys.
enum EmptyView {
  /// Whether what happens to the first page is shown here, and so is omitted from the notice line.
  static func showsPhase(_ state: PagerState) -> Bool {
    let phase = state.session.phase
    let isSignaled = phase.isLoading || phase.isWaiting || phase.isFailed || phase.isStopped
    return state.list.rows.isEmpty && isSignaled && state.overlays.isEmpty && state.height >= 3
  }

  static func lines(_ state: PagerState) -> [Line] {
    let text = state.emptyText
    let width = state.screen.table.columns
    let wrapped = (text.lines + keys(text.keys, state)).flatMap { text, role in
      Sanitized(text).wrapped(to: width - 4, state.widthModel).map { (text: $0, role: role) }
    }
    let lines = fitted(wrapped, to: state.height)
    let indent = max(2, (width - (lines.map { $0.text.width(state.widthModel) }.max() ?? 0)) / 2)
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

  /// A blank line, followed by the keys of actions available in the current mode, as many per line as fit.
  private static func keys(_ hints: [KeyHint], _ state: PagerState) -> [(text: String, role: Role?)] {
    var lines: [String] = []
    for hint in hints.compactMap({ state.text(of: $0, in: state.mode) }) {
      let joined = lines.last.map { "\($0)   \(hint)" } ?? hint
      let fits = Sanitized(joined).width(state.widthModel) <= state.screen.table.columns - 4
      if fits, !lines.isEmpty { lines[lines.count - 1] = joined } else { lines.append(hint) }
    }
    return lines.isEmpty ? [] : ([""] + lines).map { ($0, .dim) }
  }
}

struct EmptyText {
  /// Plain without a role.
  var lines: [(text: String, role: Role?)] = []
  /// Those of the current mode are shown.
  var keys: [KeyHint] = []
}

extension PagerState {
  /// How to start, what is loading or waited for, that nothing was found, or what failed.
  var emptyText: EmptyText {
    let query = session.query.text
    if !list.rows.isEmpty { return emptiedByFilter }
    return switch session.phase {
    case .end where session.completeness?.isComplete == false:
      EmptyText(
        lines: [("Stopped before the first row: \(session.completeness?.reason ?? "")", .warning)],
        keys: [("refresh", "load again")])
    case .end where query.isEmpty: EmptyText(lines: [("No results", .dim)], keys: [("refresh", "refresh")])
    case .end:
      EmptyText(
        lines: [("No results for \"\(query)\"", nil), ("Check the spelling or try fewer words.", .dim)],
        keys: [
          ("edit-query", "edit the query"), ("reset", "reset"), ("previous-history", "previous query"),
        ])
    case .idle where !session.hasQuery: emptyAtStart
    case .idle where session.emptyPagesSoFar > 0:
      EmptyText(
        lines: [("\(Digits.counted(session.emptyPagesSoFar, "empty page")) so far", nil)],
        keys: [("load-more", "continue"), ("edit-query", "edit the query")])
    case .idle:
      EmptyText(
        lines: [("No results for \"\(query)\" yet", .dim)],
        keys: [("load-more", "load more"), ("edit-query", "edit the query")])
    case .failed(_, let error):
      EmptyText(
        lines: lines(of: error), keys: (phaseText.notice?.keys ?? []) + [("request-log", "request log")])
    case .stopped:
      EmptyText(lines: [("Stopped before the first page", .dim)], keys: phaseText.notice?.keys ?? [])
    case .loading, .waiting:
      phaseText.notice.map { notice in
        EmptyText(lines: notice.texts.prefix(1).map { ($0, notice.role) }, keys: notice.keys)
      } ?? EmptyText()
    }
  }

  private var emptiedByFilter: EmptyText {
    if isFiltering { return EmptyText(lines: [("Filtering\(glyphs.busy)", .dim)]) }
    return EmptyText(
      lines: [("No loaded rows match \(list.filter.quotedOnce)", .dim)],
      keys: [("cancel", "show all rows"), ("filter", "edit the filter")] + loadMoreKeys)
  }

  private var emptyAtStart: EmptyText {
    let minLength = session.rules.minLength
    let start =
      mode != .query
      ? "No query yet"
      : minLength > 1
        ? "Type at least \(minLength) characters to search \(rules.title)" : "Type to search \(rules.title)"
    let history = [("previous-history", "previous query"), ("search-history", "history")]
    var lines: [(text: String, role: Role?)] = []
    if let goal = rules.goal {
      let search = goal.query.isEmpty ? "" : ". Then riffle searches \(goal.title) for \"\(goal.query)\""
      lines.append(("\(goal.title): \(goal.instruction)\(search)", nil))
    }
    lines.append((start, nil))
    for example in rules.input.examples.prefix(3) { lines.append(("Example: \(example)", .dim)) }
    return EmptyText(
      lines: lines,
      keys: [("edit-query", "type a query")]
        + (query.history.entries.isEmpty || mode != .query ? [] : history))
  }

  /// Page, cause, URL, the service's own words, and remedy.
  private func lines(of error: PageError) -> [(text: String, role: Role?)] {
    // Any other message contains the URL.
    let url =
      error.brief == error.message ? nil : error.exchange.flatMap { try? WebURL($0.address).withoutQuery }
    let said = [url, error.serviceMessage].compactMap(\.self).joined(separator: ": ")
    return [("\(glyphs.failure)\(failureText(error))", .error)]
      + (said.isEmpty ? [] : [(said, nil)]) + (error.remedySentence.map { [($0, nil)] } ?? [])
  }
}

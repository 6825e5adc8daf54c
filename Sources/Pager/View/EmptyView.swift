private import Search
import Terminal
private import Text

/// What stands in the table's place when there are no rows: how to begin, or that nothing was found.
enum EmptyView {
  static func lines(_ state: PagerState) -> [Line] {
    let model = state.canvas.widthModel
    let columns = max(1, state.canvas.size.columns - 4)
    let blank = state.height > 2 ? [Line()] : []
    return blank
      + texts(state).flatMap { Sanitized($0).wrapped(to: columns, model) }.prefix(state.height - blank.count)
      .map {
        Line(Sanitized("  ") + $0, style: state.theme[.dim])
      }
  }

  private static func texts(_ state: PagerState) -> [String] {
    if !state.rows.isEmpty { return filtered(state) }
    return switch state.session.phase {
    case .end: ["no results for \"\(state.session.query.text)\"", "try other words, or fewer of them"]
    case .idle where !state.session.isAsking: beginning(state)
    case .idle:
      [
        "no results for \"\(state.session.query.text)\" yet"
          + (state.keyLabel("load-more", in: state.mode).map { "; \($0) loads more" } ?? "")
      ]
    case .loading, .waiting, .failed, .stopped: []
    }
  }

  private static func filtered(_ state: PagerState) -> [String] {
    [
      state.isLooking
        ? "looking \(state.rules.glyphs.ellipsis)" : "no loaded row matches \"\(state.list.filter)\""
    ]
  }

  private static func beginning(_ state: PagerState) -> [String] {
    let least = state.session.rules.minLength
    let start = least > 1 ? "type at least \(least) characters to search" : "type to search"
    let examples = state.rules.input.examples.prefix(3).map { "for example: \($0)" }
    return ["\(start) \(state.rules.title)"] + examples
  }
}

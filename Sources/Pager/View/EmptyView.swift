private import Search
import Terminal
private import Text

/// What stands in the table's place when there are no rows: how to begin, or that nothing was found.
enum EmptyView {
  static func lines(_ state: PagerState) -> [Line] {
    [Line()] + texts(state).map { Line(Sanitized("  \($0)"), style: state.rules.theme[.dim]) }
  }

  private static func texts(_ state: PagerState) -> [String] {
    switch state.session.phase {
    case .end:
      ["no results for \"\(state.session.query.text)\"", "try other words, or fewer of them"]
    case .idle where !state.session.isAsking: beginning(state)
    case .idle: ["no results for \"\(state.session.query.text)\" yet; M loads more"]
    case .loading, .waiting, .failed, .stopped: []
    }
  }

  private static func beginning(_ state: PagerState) -> [String] {
    let least = state.session.rules.minLength
    let start = least > 1 ? "type at least \(least) characters to search" : "type to search"
    let examples = state.rules.input.examples.prefix(3).map { "for example: \($0)" }
    return ["\(start) \(state.rules.title)"] + examples
  }
}

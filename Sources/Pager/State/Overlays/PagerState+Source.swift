import Search
package import Terminal

/// A source that can be chosen.
package struct SourceChoice: Sendable, Hashable {
  package let id: String
  package let title: String

  package init(id: String, title: String) {
    self.id = id
    self.title = title
  }
}

extension PagerState {
  /// The state that lists the sources, for a start without one. It makes no requests and ends with the exit
  /// reason `.source` or `.quit`.
  package static func choosingSource(_ rules: PagerRules, canvas: Canvas) -> PagerState {
    var nothing = Session.Rules(first: Position(ordinal: 0, value: .start))
    nothing.minLength = .max
    var state = PagerState(
      rules: rules, session: Session(rules: nothing), columns: [], canvas: canvas, query: Query(), now: 0)
    state.ask(.source)
    return state
  }

  /// Clears the filter of the list of sources, on return from a session.
  mutating func showAllSources(selecting id: String) {
    guard case .prompt(var prompt)? = overlays.last, prompt.purpose == .source else { return }
    prompt.line = LineEditor()
    prompt.selection = rules.sources.firstIndex { $0.id == id } ?? 0
    overlays[overlays.count - 1] = .prompt(prompt)
  }
}

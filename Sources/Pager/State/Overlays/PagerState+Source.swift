import Search
package import Terminal

/// A source one may choose.
package struct SourceChoice: Sendable, Hashable {
  package let id: String
  package let title: String

  package init(id: String, title: String) {
    self.id = id
    self.title = title
  }
}

extension PagerState {
  /// The list of sources, for a start without one: it ends with the departure `.source` or `.quit`, and never asks
  /// a service.
  package static func choosingSource(_ rules: PagerRules, canvas: Canvas) -> PagerState {
    var nothing = Session.Rules(first: Position(ordinal: 0, value: .start))
    nothing.minLength = .max
    var state = PagerState(
      rules: rules, session: Session(rules: nothing), columns: [], canvas: canvas, query: Query(), now: 0)
    state.ask(.source)
    return state
  }
}

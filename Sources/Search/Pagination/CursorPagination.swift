/// `cursor`: a value from the reply (a token in the body, a header, a field of the last row) goes into
/// the next request.
package struct CursorPagination: PaginationStyle {
  package static let keys = PaginationStyles.sharedKeys.union(["param", "into", "first", "next"])
  package static let name = "cursor"

  private let signs: EndSigns
  private let slot: Slot

  package init(_ settings: PaginationSettings) throws(PaginationProblem) {
    guard let slot = settings.into else {
      throw PaginationProblem(key: "into", "says where the cursor goes and is required here: \"query:NAME\"")
    }
    guard settings.next != nil else {
      throw PaginationProblem(key: "next", "says where the next cursor is and is required here")
    }
    self.signs = EndSigns(settings: settings)
    self.slot = slot
  }

  package var first: Position {
    Position(ordinal: 0, value: signs.settings.first.map { .token($0) } ?? .start)
  }

  package func apply(_ position: Position, to draft: inout RequestDraft) {
    if case .token(let token) = position.value { draft.put(token, into: slot) }
  }

  package func continuation(
    after page: PageFacts, at position: Position
  ) throws(PaginationProblem) -> Continuation {
    guard let (value, evidence) = signs.promise(in: page.reply) else { return .end(.last) }
    guard let token = value.token, token.text != nil || slot.takesAnyValue else {
      throw PaginationProblem(key: "next", "gave \(value.kindName), which no query or header can carry")
    }
    return .next(position.next(.token(token)), evidence)
  }
}

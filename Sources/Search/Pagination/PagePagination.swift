/// `page`: the same request with the page number one higher. A declared `next` is only a flag here: the
/// request is built from the number (rule 1).
package struct PagePagination: PaginationStyle {
  package static let keys = PaginationStyles.sharedKeys.union([
    "param", "into", "first", "next", "pages", "end_on",
  ])
  package static let name = "page"

  private let signs: EndSigns
  private let slot: Slot
  private let firstNumber: Int

  package init(_ settings: PaginationSettings) throws(PaginationProblem) {
    guard let slot = settings.into else {
      throw PaginationProblem(key: "param", "names the parameter of the page number and is required here")
    }
    guard let number = Int(settings.first?.text ?? "1"), number >= 0 else {
      throw PaginationProblem(key: "first", "is the number of the first page: 0 or 1")
    }
    self.signs = EndSigns(settings: settings)
    self.slot = slot
    self.firstNumber = number
  }

  package var first: Position { Position(ordinal: 0, value: .number(firstNumber)) }
  package var stride: Int? { 1 }

  package func apply(_ position: Position, to draft: inout RequestDraft) {
    if case .number(let number) = position.value { draft.put(JSONToken(number), into: slot) }
  }

  package func continuation(
    after page: PageFacts, at position: Position
  ) throws(PaginationProblem) -> Continuation {
    guard case .number(let number) = position.value else { return .end(.last) }
    return signs.continuation(
      after: page, to: position.next(.number(number + 1)), pagesSoFar: number - firstNumber + 1)
  }
}

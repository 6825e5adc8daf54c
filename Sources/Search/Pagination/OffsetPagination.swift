/// `offset`: the same request with the offset moved on by the rows received, which may be fewer than were
/// asked for (rule 11), or by the page size where the service counts that way (`advance = "asked"`).
package struct OffsetPagination: PaginationStyle {
  package static let keys = PaginationStyles.sharedKeys.union([
    "param", "into", "first", "next", "pages", "end_on", "advance",
  ])
  package static let name = "offset"

  private let signs: EndSigns
  private let slot: Slot
  private let firstOffset: Int

  package init(_ settings: PaginationSettings) throws(PaginationProblem) {
    guard let slot = settings.into else {
      throw PaginationProblem(key: "param", "names the parameter of the offset and is required here")
    }
    guard let offset = Int(settings.first?.text ?? "0"), offset >= 0 else {
      throw PaginationProblem(key: "first", "is the offset of the first row: 0 or 1")
    }
    if settings.advance == .asked, settings.size.standard == nil {
      throw PaginationProblem(key: "advance", "= \"asked\" needs size.default, by which the offset moves on")
    }
    self.signs = EndSigns(settings: settings)
    self.slot = slot
    self.firstOffset = offset
  }

  package var first: Position { Position(ordinal: 0, value: .number(firstOffset)) }

  package func apply(_ position: Position, to draft: inout RequestDraft) {
    if case .number(let offset) = position.value { draft.put(JSONToken(offset), into: slot) }
  }

  package func continuation(
    after page: PageFacts, at position: Position
  ) throws(PaginationProblem) -> Continuation {
    guard case .number(let offset) = position.value else { return .end(.last) }
    let next = position.next(.number(offset + advance(after: page)))
    return signs.continuation(after: page, to: next, pagesSoFar: position.ordinal + 1)
  }

  private func advance(after page: PageFacts) -> Int {
    switch signs.settings.advance {
    case .received: page.rowCount
    case .asked: page.pageSize ?? page.rowCount
    }
  }
}

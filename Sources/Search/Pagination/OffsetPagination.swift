package import HTTPValues
import JSON

/// `offset`: the same request with the offset increased by the number of rows received, which may be fewer
/// than requested (rule 11), or by the page size if the service counts that way (`advance = "asked"`).
package struct OffsetPagination: PaginationStyle {
  package static let keys = PaginationStyles.numberedKeys.union(["advance"])
  package static let name = "offset"

  private let signs: EndConditions
  private let slot: Slot
  private let firstOffset: Int

  package init(_ settings: PaginationSettings) throws(PaginationProblem) {
    slot = try settings.valueSlot(
      key: "param", purpose: "missing: the name of the offset parameter")
    guard let offset = Int(settings.first?.text ?? "0"), 0...1_000_000 ~= offset else {
      throw PaginationProblem(key: "first", "expected the offset of the first row, 0 or 1")
    }
    if settings.advance == .asked, settings.size.standard == nil {
      throw PaginationProblem(key: "advance", "= \"asked\" needs size.default: the offset advances by it")
    }
    signs = EndConditions(settings: settings)
    firstOffset = offset
  }

  package var first: Position { Position(ordinal: 0, value: .number(firstOffset)) }
  package var numbering: Numbering? { .rows(from: firstOffset) }

  package func apply(_ position: Position, to draft: inout RequestDraft) {
    if case .number(let offset) = position.value { draft.put(JSONToken(offset), into: slot) }
  }

  package func continuation(
    after page: PageFacts, at position: Position
  ) throws(PaginationProblem) -> Continuation {
    guard case .number(let offset) = position.value else { return .end(.last) }
    let (number, overflows) = offset.addingReportingOverflow(advance(after: page))
    guard !overflows else { return .end(.last) }
    return signs.continuation(
      after: page, to: position.next(.number(number)), pagesSoFar: position.ordinal + 1)
  }

  package func check(_ position: Position, origin: Origin) throws(PaginationProblem) {
    guard case .number(let offset) = position.value, offset >= firstOffset, position.carried.isEmpty else {
      throw .foreignPosition
    }
  }

  package func pageCount(in page: PageFacts) -> Int? { signs.pageCount(in: page.reply) }

  private func advance(after page: PageFacts) -> Int {
    switch signs.settings.advance {
    case .received: page.rowCount
    case .asked: page.pageSize ?? page.rowCount
    }
  }
}

package import HTTPValues
import JSON

/// `offset`: the same request with the offset increased by the number of rows received, which may be fewer
/// than requested (rule 11), or by the page size if the service counts that way (`advance = "asked"`).
package struct OffsetPagination: PaginationStyle {
  package static let keys = PaginationStyles.numberedKeys
  package static let ownKeys = [
    PaginationKey(
      name: "advance", kind: .choice(["received", "asked"]),
      meaning:
        "With `offset`: increase it by the number of rows received (`received`) or by the page size (`asked`)."
    )
  ]
  package static let name = "offset"
  package static let placeholders = ["offset", "last", "end"]
  package static let meaning = "The same request with the offset increased by the number of rows received."

  private let signs: EndConditions
  private let slot: Slot
  private let firstOffset: Int
  /// The offset advances by the number of rows requested, not received.
  private let advancesByPageSize: Bool

  package init(_ settings: PaginationSettings) throws(PaginationError) {
    slot = try settings.valueSlot(key: "param", purpose: "missing (the name of the offset parameter)")
    guard let offset = Int(settings.first?.text ?? "0"), 0...1_000_000 ~= offset else {
      throw PaginationError(key: "first", "expected the offset of the first row, 0 or 1")
    }
    advancesByPageSize = settings.own["advance"] == .word("asked")
    if advancesByPageSize, settings.size.standard == nil {
      throw PaginationError(key: "advance", "= \"asked\" needs size.default: the offset advances by it")
    }
    signs = EndConditions(settings: settings)
    firstOffset = offset
  }

  package var first: Position { Position(ordinal: 0, value: .number(firstOffset)) }
  package var numbering: Numbering? { .rows(from: firstOffset) }
  package var slots: [Slot] { [slot] }

  package func apply(_ position: Position, to draft: inout RequestDraft) {
    if case .number(let offset) = position.value { draft.put(JSONToken(offset), into: slot) }
  }

  package func continuation(
    after page: PageFacts, at position: Position
  ) throws(PaginationError) -> Continuation {
    guard case .number(let offset) = position.value else { return .end(.last) }
    // After an empty page, rows can only be found one page further on.
    let advance =
      advancesByPageSize || page.rowCount == 0 ? page.pageSize ?? page.rowCount : page.rowCount
    let (number, overflows) = offset.addingReportingOverflow(advance)
    guard !overflows else { return .end(.last) }
    return signs.continuation(
      after: page, to: position.next(.number(number)), pagesSoFar: position.ordinal + 1,
      first: firstOffset)
  }

  package func check(_ position: Position, origin: Origin) throws(PaginationError) {
    guard case .number(let offset) = position.value, offset >= firstOffset, position.carried.isEmpty else {
      throw .foreignPosition
    }
  }

  package func pageCount(in page: PageFacts) -> Int? { signs.pageCount(in: page.response) }
}

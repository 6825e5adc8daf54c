package import HTTPValues
import JSON

/// `page`: the same request with the page number increased by 1. A declared `next` is only a flag: the
/// request is built from the number (rule 1).
package struct PagePagination: PaginationStyle {
  package static let keys = PaginationStyles.numberedKeys
  package static let name = "page"
  package static let placeholders = ["page"]
  package static let meaning = "The same request with the next page number."

  private let signs: EndConditions
  private let slot: Slot
  private let firstNumber: Int

  package init(_ settings: PaginationSettings) throws(PaginationError) {
    slot = try settings.valueSlot(key: "param", purpose: "missing (the name of the page parameter)")
    guard let number = Int(settings.first?.text ?? "1"), 0...1_000_000 ~= number else {
      throw PaginationError(key: "first", "expected the number of the first page, 0 or 1")
    }
    signs = EndConditions(settings: settings)
    firstNumber = number
  }

  package var first: Position { Position(ordinal: 0, value: .number(firstNumber)) }
  package var numbering: Numbering? { .pages(from: firstNumber) }
  package var slots: [Slot] { [slot] }

  package func apply(_ position: Position, to draft: inout RequestDraft) {
    if case .number(let number) = position.value { draft.put(JSONToken(number), into: slot) }
  }

  package func continuation(
    after page: PageFacts, at position: Position
  ) throws(PaginationError) -> Continuation {
    guard case .number(let number) = position.value else { return .end(.last) }
    return signs.continuation(
      after: page, to: position.next(.number(number + 1)), pagesSoFar: number - firstNumber + 1,
      first: firstNumber)
  }

  package func check(_ position: Position, origin: Origin) throws(PaginationError) {
    guard position.value == .number(firstNumber + position.ordinal), position.carried.isEmpty else {
      throw .foreignPosition
    }
  }

  package func pageCount(in page: PageFacts) -> Int? {
    signs.pageCount(in: page.response) ?? pageCount(byLink: page.response)
  }

  /// The number of the last page, from the URL of the `rel=last` link: a page number, not a count (rule 21).
  private func pageCount(byLink response: ResponseValues) -> Int? {
    guard case .query(let name) = slot,
      let target = LinkHeader.target(rel: "last", in: response.headers.all("Link")),
      let items = try? response.url.resolving(target).queryItems,
      let number = items.first(where: { $0.name == name })?.value.flatMap({ Int($0) }), number >= firstNumber
    else { return nil }
    return number == .max ? nil : number - firstNumber + 1
  }
}

package import HTTPValues

/// `cursor`: a value from the response (a token in the body, a header, a field of the last row) is sent in the
/// next request, along with any other values listed in `carry`.
package struct CursorPagination: PaginationStyle {
  package static let keys = PaginationStyles.followingKeys.union([
    "param", "into", "first", "carry",
  ])
  package static let ownKeys = [
    PaginationKey(
      name: "empty_next", kind: .choice(["end", "value"]),
      meaning: "With `cursor`: whether an empty string is the end (the default) or a cursor.")
  ]
  package static let name = "cursor"
  package static let placeholders = ["cursor"]
  package static let meaning = "A value from the response, or from its last row, goes into the next request."

  private let signs: EndConditions
  private let slot: Slot

  package init(_ settings: PaginationSettings) throws(PaginationError) {
    slot = try settings.valueSlot(
      key: "into", purpose: "missing (where to put the cursor, like \"query:NAME\")")
    guard settings.next != nil else {
      throw PaginationError(key: "next", "missing (where the next cursor is in a response)")
    }
    guard Set(settings.carry.map(\.into)).isDisjoint(with: [slot, .body([])]) else {
      throw PaginationError(key: "carry", "cannot use the same place as the cursor")
    }
    try settings.refuseShortEnd()
    signs = EndConditions(settings: settings)
  }

  package var first: Position {
    Position(ordinal: 0, value: signs.settings.first.map { .token($0) } ?? .start)
  }

  package var slots: [Slot] { [slot] }
  package var carriedSlots: [Slot] { signs.settings.carry.map(\.into) }

  package func apply(_ position: Position, to draft: inout RequestDraft) {
    for carried in position.carried { draft.put(carried.value, into: carried.slot) }
    if case .token(let token) = position.value { draft.put(token, into: slot) }
  }

  package func continuation(
    after page: PageFacts, at position: Position
  ) throws(PaginationError) -> Continuation {
    guard let (value, evidence) = try signs.promise(after: page) else { return .end(.last) }
    var next = position.next(.token(try slot.token(of: value, from: "next")))
    next.carried = try carried(after: page.response, keeping: position.carried)
    return .next(next, evidence)
  }

  package func check(_ position: Position, origin: Origin) throws(PaginationError) {
    switch position.value {
    case .start where position.ordinal == 0: break
    case .token(let token): try slot.check(token, from: "next")
    default: throw .foreignPosition
    }
    for carried in position.carried {
      guard signs.settings.carry.contains(where: { $0.into == carried.slot }) else { throw .foreignPosition }
      try carried.slot.check(carried.value, from: "carry")
    }
  }

  /// The carried values: those of this response or, where it has none, those of the last response that had them.
  private func carried(
    after response: ResponseValues, keeping known: [Position.CarriedValue]
  ) throws(PaginationError) -> [Position.CarriedValue] {
    try signs.settings.carry.map { carry throws(PaginationError) -> Position.CarriedValue? in
      guard let value = response.presentValue(of: carry.from) else {
        return known.first { $0.slot == carry.into }
      }
      return Position.CarriedValue(slot: carry.into, value: try carry.into.token(of: value, from: "carry"))
    }.compactMap(\.self)
  }
}

package import HTTPValues
import JSON

/// `merge`: every field of an object in the response is sent in the next request, in the query or the body. The fields
/// of the previous object are replaced as a whole (MediaWiki's `continue`).
package struct MergePagination: PaginationStyle {
  package static let keys = PaginationStyles.followingKeys.union(["into"])
  package static let name = "merge"
  package static let meaning = "All fields of an object in the response go into the next request."

  private let signs: EndConditions
  /// The field names from the body's root; nil if the fields go into the query.
  private let bodyPath: [String]?

  /// The maximum number of fields, because each one becomes part of the request.
  private static let maxMembers = 64

  package init(_ settings: PaginationSettings) throws(PaginationError) {
    guard settings.next != nil else {
      throw PaginationError(key: "next", "missing (where the object with the next parameters is)")
    }
    switch settings.into {
    case nil: bodyPath = nil
    case .body(let path)?: bodyPath = path
    case .query?, .header?, .placeholder?:
      throw PaginationError(
        key: "into",
        "not allowed here: fields go into the query by name. To put them into the body, use \"body:a.b\"")
    }
    try settings.refuseShortEnd()
    signs = EndConditions(settings: settings)
  }

  package var slots: [Slot] { bodyPath.map { [.body($0)] } ?? [] }

  package func apply(_ position: Position, to draft: inout RequestDraft) {
    guard case .members(let members) = position.value else { return }
    for member in members { draft.put(member.value, into: slot(of: member.name)) }
  }

  package func continuation(
    after page: PageFacts, at position: Position
  ) throws(PaginationError) -> Continuation {
    guard let (value, evidence) = try signs.promise(after: page) else { return .end(.last) }
    return .next(position.next(.members(try members(of: value))), evidence)
  }

  package func check(_ position: Position, origin: Origin) throws(PaginationError) {
    guard position.carried.isEmpty else { throw .foreignPosition }
    switch position.value {
    case .start where position.ordinal == 0: break
    case .members(let members) where members.count <= Self.maxMembers:
      for member in members { try slot(of: member.name).check(member.value, from: "next") }
    default: throw .foreignPosition
    }
  }

  private func slot(of name: String) -> Slot { bodyPath.map { .body($0 + [name]) } ?? .query(name) }

  private func members(of value: ResponseValue) throws(PaginationError) -> [Position.Member] {
    guard case .node(let node, let document) = value, document.kind(of: node) == .object else {
      throw PaginationError(key: "next", "returned \(value.kindName) instead of an object")
    }
    let found = JSONValue(document: document, node: node).members
    guard found.count <= Self.maxMembers else {
      throw PaginationError(
        key: "next",
        "returned an object with \(found.count) fields, more than the limit of \(Self.maxMembers)")
    }
    // A null means that the parameter has no value, so it is left out of a query.
    let sent = found.filter { bodyPath != nil || !$0.value.isNull }
    return try sent.map { name, value throws(PaginationError) in
      let token = try slot(of: name).token(of: .node(value.node, document), from: "next")
      return Position.Member(name: name, value: token)
    }
  }
}

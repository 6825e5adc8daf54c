/// `none`: all rows are on one page.
package struct SinglePage: PaginationStyle {
  package static let name = "none"
  package static let keys: Set = ["size", "hosts"]

  package init(_ settings: PaginationSettings) throws(PaginationProblem) {}

  package var first: Position { Position(ordinal: 0, value: .start) }

  package func apply(_ position: Position, to draft: inout RequestDraft) {}

  package func continuation(
    after page: PageFacts, at position: Position
  ) throws(PaginationProblem) -> Continuation { .end(.last) }

  package func check(_ position: Position, origin: Origin) throws(PaginationProblem) {
    if position != first { throw .foreignPosition }
  }
}

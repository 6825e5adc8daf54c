/// A source before it is tried: the facts about its first page, and possible paginations with a document for each.
package protocol SourceDraft: Sendable {
  /// The paginations, most likely first; the last one is a single page.
  var paginations: [PaginationGuess] { get }
  var rowsPath: String { get }
  /// The number of rows on the first page.
  var rowCount: Int { get }
  /// The value expression of the key.
  var key: String? { get }
  var link: String? { get }
  var total: TotalGuess? { get }
  /// The parameter or field for the search text, and the text with which the first page was requested; nil for none.
  var searchName: String? { get }
  var searchText: String? { get }
  /// Whether the first page was requested by its position in the list.
  var hasPosition: Bool { get }
  /// Parameters with a fixed value that may be a position in the list, as `name=value`.
  var fixedPositions: [String] { get }
  /// Whether a flag of the first page says that more rows follow.
  var saysMore: Bool { get }
  /// The parts of a description that the page contradicts.
  var contradictions: [String] { get }

  /// - Parameter remarks: The findings of the second page, written as comments in the pagination table.
  func document(id: String, title: String, pagination: PaginationGuess, remarks: [String]) -> String
}

extension SourceDraft {
  package var saysMore: Bool { false }
}

extension SourceGuess: SourceDraft {
  package var key: String? { identity.key }
  package var link: String? { identity.link }
  package var searchText: String? { request.searchText }
  package var hasPosition: Bool { request.hasPosition }
  package var fixedPositions: [String] { request.fixedPositions }
  package var contradictions: [String] { [] }

  package var searchName: String? { request.searchName }
}

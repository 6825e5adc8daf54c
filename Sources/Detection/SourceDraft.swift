/// A source before it is tried: what is known of its first page, and ways to page, with a document for each.
package protocol SourceDraft: Sendable {
  /// Most likely first; the last one is a single page.
  var paginations: [PaginationGuess] { get }
  var rowsPath: String { get }
  /// Of the first page.
  var rowCount: Int { get }
  /// Value expressions.
  var key: String? { get }
  var link: String? { get }
  var total: TotalGuess? { get }
  /// The parameter or member for the search text, and the text that the first page was requested with; nil for none.
  var searchName: String? { get }
  var searchText: String? { get }
  /// Whether the first page was requested as a certain page of the list.
  var hasPosition: Bool { get }
  /// What a description says and the page does not have.
  var contradictions: [String] { get }

  /// - Parameter remarks: What the second page showed; written as comments in the pagination table.
  func document(id: String, title: String, pagination: PaginationGuess, remarks: [String]) -> String
}

extension SourceGuess: SourceDraft {
  package var key: String? { identity.key }
  package var link: String? { identity.link }
  package var searchText: String? { request.searchText }
  package var hasPosition: Bool { request.hasPosition }
  package var contradictions: [String] { [] }

  package var searchName: String? { request.searchName }
}

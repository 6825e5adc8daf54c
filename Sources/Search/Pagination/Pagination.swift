/// The `[pagination]` table of a source: the keys that all styles share, and the style made from them.
package struct Pagination: Sendable {
  package let settings: PaginationSettings
  package let style: any PaginationStyle

  package init(_ type: any PaginationStyle.Type, _ settings: PaginationSettings) throws(PaginationProblem) {
    self.settings = settings
    self.style = try type.init(settings)
  }

  package var name: String { Swift.type(of: style).name }

  /// The paging limit that the service sets for a run; nil if there is none.
  ///
  /// - Parameters:
  ///   - pageSize: The page size of the run; nil if the service chooses it.
  ///   - credentials: The credentials that the run sends, because a cap may not apply with them.
  package func pagingCap(pageSize: Int?, with credentials: Set<CredentialName> = []) -> PagingCap? {
    guard let cap = settings.cap, cap.unless.map({ !credentials.contains($0) }) ?? true else { return nil }
    return PagingCap(cap, pageSize: pageSize, numbering: style.numbering)
  }
}

/// The `[pagination]` table of a source: the keys all styles share, and the style made from them.
package struct Pagination: Sendable {
  package let settings: PaginationSettings
  package let style: any PaginationStyle

  package init(_ type: any PaginationStyle.Type, _ settings: PaginationSettings) throws(PaginationProblem) {
    self.settings = settings
    self.style = try type.init(settings)
  }

  package var name: String { Swift.type(of: style).name }

  /// How far the service lets a run page; nil without a cap.
  ///
  /// - Parameters:
  ///   - pageSize: of the run; nil when it is left to the service.
  ///   - credentials: those the run sends, since a cap may not hold with them.
  package func reach(pageSize: Int?, with credentials: Set<CredentialName> = []) -> Reach? {
    guard let cap = settings.cap, cap.unless.map({ !credentials.contains($0) }) ?? true else { return nil }
    return Reach(cap, pageSize: pageSize, numbering: style.numbering)
  }
}

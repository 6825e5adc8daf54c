/// A total to be asked for apart from the pages.
package struct TotalQuery: Sendable, Hashable {
  package var query: Query
  package var generation: Int
}

extension Session {
  /// Set while the total of the current query is to be asked for: once, beside its first page, when the rules
  /// say that it is shown.
  package var totalQuery: TotalQuery? {
    guard rules.asksForTotal, isAsking, generation > 0, generation != totalGeneration else { return nil }
    return TotalQuery(query: query, generation: generation)
  }

  /// Takes the answer in; a late one is dropped.
  mutating func settle(_ total: Total?, for asked: TotalQuery) {
    guard asked == totalQuery else { return }
    totalGeneration = generation
    if let total { self.total = total }
    // A known total may let several pages be asked at once.
    proceed()
  }
}

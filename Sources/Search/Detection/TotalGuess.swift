/// Where a reply contains the total number of rows.
package struct TotalGuess: Sendable, Hashable {
  /// A value expression.
  package let expression: String
  package let count: Int

  init?(_ members: MemberIndex, rows: RowsGuess, headers: HTTPFields) {
    guard let found = Self.inBody(members, rows) ?? Self.inHead(headers, rows) else { return nil }
    self = found
  }

  private init(expression: String, count: Int) {
    self.expression = expression
    self.count = count
  }

  /// Prefers totals next to the rows or at the root, then the best name, then the least depth.
  private static func inBody(_ members: MemberIndex, _ rows: RowsGuess) -> TotalGuess? {
    let candidates = members.places.enumerated().compactMap { offset, place in
      rank(place, members, rows).map { (rank: ($0.place, $0.name, offset), place: place) }
    }
    guard let best = candidates.min(by: { $0.rank < $1.rank })?.place, let count = members.count(best) else {
      return nil
    }
    return TotalGuess(expression: "\(best.path)", count: count)
  }

  private static func rank(
    _ place: MemberIndex.Place, _ members: MemberIndex, _ rows: RowsGuess
  ) -> (name: Int, place: Int)? {
    // Elasticsearch has `total.value`; `_shards.total` is a different count.
    let word = place.word == "value" ? ParameterRole.word(place.parentName) : place.word
    guard let name = names.firstIndex(of: word), !place.parentName.hasPrefix("_"),
      let count = members.count(place), count >= rows.count, !(word == "count" && count == rows.count)
    else { return nil }
    let isNear = place.path.steps.dropLast() == rows.path.steps.dropLast() || place.depth == 1
    return (name, isNear ? 0 : 1)
  }

  private static func inHead(_ headers: HTTPFields, _ rows: RowsGuess) -> TotalGuess? {
    for name in fields {
      if let count = headers.first(name).flatMap({ Int($0) }), count >= rows.count {
        return TotalGuess(expression: "header:\(name.lowercased())", count: count)
      }
    }
    return nil
  }

  private static let names = [
    "totalcount", "totalresults", "totalhits", "totalitems", "totalelements", "totalrecords", "totalmatches",
    "totalentries", "total", "nbhits", "numfound", "odatacount", "hydratotalitems", "numbermatched",
    "matched",
    "recordstotal", "recordcount", "resultcount", "found", "count",
  ]
  private static let fields = [
    "X-Total-Count", "X-Total", "X-WP-Total", "Total-Count", "X-Total-Results", "X-Pagination-Total-Count",
  ]
}

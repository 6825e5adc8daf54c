package import Search

/// `--sort NAME[:desc]`: all rows of a run in the order of one column's exact values.
package struct RowSort: Sendable {
  private let column: ColumnSelection
  private let isDescending: Bool

  /// - Throws: when the direction is neither `asc` nor `desc`, or the name cannot be one.
  package init(parsing text: String, of source: Source) throws(ColumnSelectionError) {
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    let direction = parts.count == 2 ? parts[1] : "asc"
    guard ["asc", "desc"].contains(direction) else {
      throw ColumnSelectionError(
        text, "does not say how to sort", remedy: "write \(parts[0]) or \(parts[0]):desc")
    }
    column = try ColumnSelection([parts[0]], of: source)
    isDescending = direction == "desc"
    guard !column.takesAllKeys else {
      throw ColumnSelectionError(text, "is not one column", remedy: "sort by the name of a column")
    }
  }

  /// The rows of all pages in order, equal ones as they came; rows next to each other that are of one page
  /// stay together. O(n log n).
  ///
  /// - Throws: when the rows show that the column is none.
  package func sorted(_ pages: [OutputRows]) throws(ColumnSelectionError) -> [OutputRows] {
    guard let first = pages.first(where: { !$0.nodes.isEmpty }) else { return [] }
    var survey = KeySurvey()
    for page in pages { survey.add(page) }
    guard let column = try column.columns(of: first, keys: survey.names).first else { return pages }
    var places: [Place] = []
    for (index, page) in pages.enumerated() {
      for node in page.nodes {
        places.append(Place(key: SortKey(column.value(at: node, in: page)), page: index, node: node))
      }
    }
    return Self.runs(
      of: isDescending ? Self.descending(places) : places.sorted { $0.key < $1.key }, in: pages)
  }

  private struct Place {
    let key: SortKey
    let page: Int
    let node: JSONNode
  }

  private static func descending(_ places: [Place]) -> [Place] {
    places.sorted { a, b in a.key != .missing && (b.key == .missing || b.key < a.key) }
  }

  private static func runs(of places: [Place], in pages: [OutputRows]) -> [OutputRows] {
    var runs: [OutputRows] = []
    var nodes: [JSONNode] = []
    for (index, place) in places.enumerated() {
      nodes.append(place.node)
      let isLast = index + 1 == places.count || places[index + 1].page != place.page
      if isLast {
        runs.append(pages[place.page].with(nodes))
        nodes = []
      }
    }
    return runs
  }
}

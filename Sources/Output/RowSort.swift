import JSON
package import Search

/// `--sort NAME[:desc],…`: sorts all rows of a run by the exact values of columns, the first column first.
package struct RowSort: Sendable {
  private struct Key: Sendable {
    let column: ColumnSelection
    let isDescending: Bool
  }

  private let keys: [Key]

  /// - Parameter lists: Entries separated by commas; later lists add keys.
  /// - Throws: If a direction is neither `asc` nor `desc`, or a name is invalid or duplicate.
  package init(parsing lists: [String], of source: Source) throws(ColumnSelectionError) {
    var names: [String] = []
    var keys: [Key] = []
    for entry in lists.flatMap(ColumnSelection.entries) {
      let (name, direction) = Self.parts(of: entry)
      guard ["asc", "desc"].contains(direction) else {
        throw ColumnSelectionError(
          entry, "invalid sort order \"\(direction)\" in \"\(entry)\"",
          remedy: "write \(name) or \(name):desc")
      }
      if names.contains(name) { throw ColumnSelectionError(name, "sort column \"\(name)\" is listed twice") }
      names.append(name)
      let column = try ColumnSelection([name], of: source)
      guard !column.takesAllKeys else {
        throw ColumnSelectionError(entry, "cannot sort by \"\(entry)\"", remedy: "use a column name")
      }
      keys.append(Key(column: column, isDescending: direction == "desc"))
    }
    self.keys = keys
  }

  /// The paths among the columns, as written.
  var paths: [(text: String, path: JSONPath)] { keys.flatMap(\.column.paths) }

  /// The first column of a list, and whether it is sorted in descending order; nil if the list is empty.
  package static func first(of lists: [String]) -> (column: String, isDescending: Bool)? {
    lists.lazy.flatMap(ColumnSelection.entries).first.map(parts).map { ($0.name, $0.direction == "desc") }
  }

  /// The names of all columns to sort by.
  package static func names(of lists: [String]) -> [String] {
    lists.flatMap(ColumnSelection.entries).map { parts(of: $0).name }
  }

  /// Splits an entry at the colon after the name; a colon inside brackets is part of a path.
  private static func parts(of entry: String) -> (name: String, direction: String) {
    let end = entry.lastIndex(of: "]").map { entry.index(after: $0) } ?? entry.startIndex
    guard let colon = entry[end...].firstIndex(of: ":") else { return (entry, "asc") }
    return (String(entry[..<colon]), String(entry[entry.index(after: colon)...]))
  }

  /// The rows of all pages in sorted order. The sort is stable; adjacent rows of the same page remain
  /// together. O(n log n).
  ///
  /// - Parameter limit: The maximum number of sorted rows; nil for all.
  /// - Throws: If the rows show that a column does not exist.
  package func sorted(
    _ pages: [OutputRows], first limit: Int? = nil
  ) throws(ColumnSelectionError) -> [OutputRows] {
    guard pages.contains(where: { !$0.nodes.isEmpty }) else { return [] }
    var collector = KeyCollector()
    for page in pages { collector.add(page) }
    var columns: [OutputColumn] = []
    for key in keys { columns += try key.column.columns(of: pages, keys: collector.names).prefix(1) }
    let places = pages.enumerated().flatMap { index, page in
      page.nodes.map { node in
        Place(values: columns.map { $0.sortValue(at: node, in: page) }, page: index, node: node)
      }
    }.sorted(by: isBefore)
    return Self.runs(of: places.prefix(limit ?? .max), in: pages)
  }

  private struct Place {
    let values: [SortValue]
    let page: Int
    let node: JSONNode
  }

  private func isBefore(_ a: Place, _ b: Place) -> Bool {
    for (index, key) in keys.enumerated() {
      if let decided = a.values[index].precedes(b.values[index], descending: key.isDescending) {
        return decided
      }
    }
    return false
  }

  private static func runs(of places: ArraySlice<Place>, in pages: [OutputRows]) -> [OutputRows] {
    var runs: [(page: Int, nodes: [JSONNode])] = []
    for place in places {
      if runs.last?.page != place.page { runs.append((place.page, [])) }
      runs[runs.count - 1].nodes.append(place.node)
    }
    return runs.map { pages[$0.page].with($0.nodes) }
  }
}

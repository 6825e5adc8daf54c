private import Text

extension Source {
  /// Whether rows are filtered locally because the service cannot search (`[input] filter = "client"`).
  func isFiltering(_ query: Query) -> Bool { input.filter == .client && !Self.words(of: query).isEmpty }

  /// The rows that match the query and the user's filter. If the service cannot search, every word of the
  /// query must occur in some cell, ignoring case. O(rows × columns × words).
  ///
  /// - Parameter isFirst: Whether these rows determine the known keys.
  /// - Throws: If the filter names a column that neither the source nor the rows of the first page have.
  func matching(
    _ rows: DocumentRows, _ query: Query, _ filter: RowFilter?, isFirst: Bool
  ) throws(PageError) -> DocumentRows {
    let words = isFiltering(query) ? Self.words(of: query) : []
    let filter = filter.flatMap { $0.isEmpty ? nil : $0 }
    if words.isEmpty && filter == nil || rows.nodes.isEmpty { return rows }
    let (columns, own) = try filteredColumns(of: rows, filter, isFirst: isFirst)
    let names = columns.map(\.name)
    let nodes = rows.nodes.filter { node in
      let cells = columns.map { rows.reply.cell($0, at: node).text(separator: $0.separator) }
      guard filter?.admits(columns: names, cells: cells, own: own) ?? true else { return false }
      if words.isEmpty { return true }
      let folded = cells[..<own].map { $0.lowercased() }
      return words.allSatisfy { word in folded.contains { $0.contains(word) } }
    }
    return DocumentRows(reply: rows.reply, nodes: nodes)
  }

  /// The columns that words are matched in, followed by those that only `name:word` can match: row keys that
  /// the source declares no column for.
  private func filteredColumns(
    of rows: DocumentRows, _ filter: RowFilter?, isFirst: Bool
  ) throws(PageError) -> (columns: [Column], own: Int) {
    let guessed = columns.isEmpty ? Column.guessed(from: rows) : []
    let own = columns.isEmpty ? guessed : columns
    let missing = (filter?.columnNames ?? []).filter { name in !own.contains { $0.name == name } }
    if missing.isEmpty { return (own, own.count) }
    let keys = columns.isEmpty ? guessed : Column.guessed(from: rows)
    if isFirst, let unknown = missing.first(where: { name in !keys.contains { $0.name == name } }) {
      throw unknownColumn(unknown, among: Set(own.map(\.name) + keys.map(\.name)).sorted())
    }
    let others = missing.map { name in
      keys.first { $0.name == name } ?? Column(name: name, value: ValueExpression([]))
    }
    return (own + others, own.count)
  }

  private func unknownColumn(_ name: String, among names: [String]) -> PageError {
    let nearest = NearestName.nearest(to: name, among: names)
    let advice =
      nearest.isEmpty ? "" : "Did you mean \(nearest.map { "\"\($0)\"" }.joined(separator: " or "))? "
    return PageError(
      .invalidRequest, message: "--filter: no column \"\(name)\" in source \(id) or its rows",
      remedy: advice + "To search for text with a colon, quote it: '\"\(name):…\"'")
  }

  private static func words(of query: Query) -> [String] {
    query.text.lowercased().split(separator: " ").map(String.init)
  }
}

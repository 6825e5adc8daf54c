extension Source {
  /// Whether rows are chosen here because the service cannot search (`[input] filter = "client"`).
  func isFiltering(_ query: Query) -> Bool { input.filter == .client && !Self.words(of: query).isEmpty }

  /// The rows that the query and the user's filter choose: every word of the query, where the service cannot
  /// search, occurs in some cell whatever its case. O(rows × columns × words).
  func matching(_ rows: DocumentRows, _ query: Query, _ filter: RowFilter?) -> DocumentRows {
    let words = isFiltering(query) ? Self.words(of: query) : []
    let filter = filter.flatMap { $0.isEmpty ? nil : $0 }
    if words.isEmpty, filter == nil { return rows }
    let columns = columns.isEmpty ? Column.guessed(from: rows, limit: 50) : columns
    let names = columns.map(\.name)
    let nodes = rows.nodes.filter { node in
      let cells = columns.map { rows.reply.cell($0, at: node).text(separator: $0.separator) }
      guard filter?.admits(columns: names, cells: cells) ?? true else { return false }
      if words.isEmpty { return true }
      let folded = cells.map { $0.lowercased() }
      return words.allSatisfy { word in folded.contains { $0.contains(word) } }
    }
    return DocumentRows(reply: rows.reply, nodes: nodes)
  }

  private static func words(of query: Query) -> [String] {
    query.text.lowercased().split(separator: " ").map(String.init)
  }
}

extension Source {
  /// Whether rows are chosen here, because the service cannot search (`[input] filter = "client"`).
  func isFiltering(_ query: Query) -> Bool { input.filter == .client && !Self.words(of: query).isEmpty }

  /// The rows in whose cells every word of the query occurs, whatever their case; all of them where the service
  /// searches. O(rows × columns × words).
  func matching(_ rows: DocumentRows, _ query: Query) -> DocumentRows {
    guard isFiltering(query) else { return rows }
    let words = Self.words(of: query)
    let columns = columns.isEmpty ? Column.guessed(from: rows, limit: 50) : columns
    let nodes = rows.nodes.filter { node in
      let cells = columns.map { column in
        rows.reply.cell(column, at: node).text(separator: column.separator).lowercased()
      }
      return words.allSatisfy { word in cells.contains { $0.contains(word) } }
    }
    return DocumentRows(reply: rows.reply, nodes: nodes)
  }

  private static func words(of query: Query) -> [String] {
    query.text.lowercased().split(separator: " ").map(String.init)
  }
}

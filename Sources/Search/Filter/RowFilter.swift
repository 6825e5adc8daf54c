/// What rows are chosen by, as one types it: words that must all occur in the cells of a row, `"a phrase"`,
/// `-not` for what must not, `name:word` for one column. A word in small letters is looked for whatever the
/// case, one with a capital as it is written.
package struct RowFilter: Sendable, Hashable {
  package struct Term: Sendable, Hashable {
    /// As typed, without quotes and minus.
    package let text: String
    package let isExcluding: Bool
    /// The name before a colon and what follows, where the word has one.
    package let named: Named?

    package struct Named: Sendable, Hashable {
      package let column: String
      package let text: String
    }
  }

  package let terms: [Term]

  package init(_ text: String) {
    terms = FilterWords.words(of: text).compactMap { Term($0) }
  }

  /// It chooses every row.
  package var isEmpty: Bool { terms.isEmpty }

  /// The columns that its words name.
  var columnNames: [String] { terms.compactMap { $0.named?.column } }

  /// Whether a row is chosen. O(terms × length of the cells).
  ///
  /// - Parameters:
  ///   - columns: their names; a term that names another column is looked for as it is written.
  ///   - cells: the texts of the row, one a column.
  ///   - own: words without a name are looked for in so many columns from the first; nil: in all.
  package func admits(columns: [String], cells: [String], own: Int? = nil) -> Bool {
    guard !terms.isEmpty else { return true }
    let folded = cells.map { $0.lowercased() }
    return terms.allSatisfy { $0.isFound(columns, cells, folded, own ?? cells.count) != $0.isExcluding }
  }
}

extension RowFilter.Term {
  fileprivate init?(_ word: FilterWords.Word) {
    isExcluding = word.isExcluding
    text = word.text
    // Neither an address nor a time of day names a column.
    let isNamed = !word.rest.hasPrefix("//") && !(word.column?.first?.isNumber ?? false)
    named = isNamed ? word.column.map { Named(column: $0, text: word.rest) } : nil
    if text.isEmpty { return nil }
  }

  fileprivate func isFound(
    _ columns: [String], _ cells: [String], _ folded: [String], _ count: Int
  ) -> Bool {
    if let named, let column = columns.firstIndex(of: named.column) {
      return Self.contains(named.text, cells[column], folded[column])
    }
    return cells.indices.prefix(count).contains { Self.contains(text, cells[$0], folded[$0]) }
  }

  private static func contains(_ word: String, _ cell: String, _ folded: String) -> Bool {
    word == word.lowercased() ? folded.contains(word) : cell.contains(word)
  }
}

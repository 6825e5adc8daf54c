/// The filter for rows, as typed: words that must all occur in the cells of a row, `"a phrase"`, `-not` to
/// exclude a word, `name:word` for one column. A word in lower case ignores case; a word with a capital is
/// case-sensitive.
package struct RowFilter: Sendable, Hashable {
  package struct Term: Sendable, Hashable {
    /// As typed, without quotes and the minus sign.
    package let text: String
    package let isExcluding: Bool
    /// The name before a colon and the text after it, if the word has one.
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

  /// Whether every row matches.
  package var isEmpty: Bool { terms.isEmpty }

  /// The columns that the words name.
  var columnNames: [String] { terms.compactMap { $0.named?.column } }

  /// Whether a row matches. O(terms × length of the cells).
  ///
  /// - Parameters:
  ///   - columns: The names of the columns; a term that names another column is matched as written.
  ///   - cells: The texts of the row, one per column.
  ///   - own: The number of columns, from the first, that words without a name are matched in; nil for all.
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
    // Neither a URL nor a time of day names a column.
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

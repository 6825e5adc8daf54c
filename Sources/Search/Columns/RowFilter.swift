private import Text

/// The filter for rows, as typed: words that must all occur in the cells of a row, `"a phrase"`, `-not` to
/// exclude a word, `name:word` for one column. Only a word with a capital is case-sensitive.
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

  /// Words are separated by blanks, except between quotes. An unclosed quote extends to the end.
  package init(_ text: String) {
    var terms: [Term?] = []
    var word = Word()
    for character in text {
      switch character {
      case "\"":
        word.isQuoted.toggle()
        word.hasBegun = true
      case " " where !word.isQuoted, "\t" where !word.isQuoted:
        terms.append(word.term)
        word = Word()
      case "-" where !word.hasBegun && !word.isExcluding: word.isExcluding = true
      default: word.append(character)
      }
    }
    self.terms = (terms + [word.term]).compactMap(\.self)
  }

  /// The words of a query, without any of the notation of a filter.
  fileprivate init(words query: Query) {
    terms = query.text.lowercased().split(separator: " ").map {
      Term(text: String($0), isExcluding: false, named: nil)
    }
  }

  /// Whether every row matches.
  package var isEmpty: Bool { terms.isEmpty }

  /// The columns that the words name.
  var columnNames: [String] { terms.compactMap { $0.named?.column } }
}

/// A word of a filter while it is read.
private struct Word {
  var text = ""
  var isExcluding = false
  var isQuoted = false
  /// Whether a character or a quote has been read.
  var hasBegun = false
  /// The text before the first colon outside quotes, if it can be a column name.
  private var column: String?
  /// The text after that colon.
  private var rest = ""

  mutating func append(_ character: Character) {
    hasBegun = true
    if column != nil {
      rest.append(character)
    } else if character == ":", !isQuoted, !text.isEmpty, text.unicodeScalars.allSatisfy(\.isIdentifier) {
      column = text
    }
    text.append(character)
  }

  /// Nil for an empty word.
  var term: RowFilter.Term? {
    if text.isEmpty { return nil }
    // Neither a URL nor a time of day names a column.
    let isNamed = !rest.hasPrefix("//") && !(column?.first?.isNumber ?? false)
    return RowFilter.Term(
      text: text, isExcluding: isExcluding,
      named: isNamed ? column.map { RowFilter.Term.Named(column: $0, text: rest) } : nil)
  }
}

extension Source {
  /// Whether rows are filtered locally because the service cannot search (`[input] filter = "client"`).
  func isFiltering(_ query: Query) -> Bool { input.filter == .client && !RowFilter(words: query).isEmpty }

  /// The rows that match the query and the user's filter. If the service cannot search, every word of the
  /// query must occur in some cell, ignoring case. O(rows × columns × words).
  ///
  /// - Parameter isFirst: Whether these rows determine the known keys.
  /// - Throws: If the filter names a column that neither the source nor the rows of the first page have.
  func matching(
    _ rows: DocumentRows, _ query: Query, _ filter: RowFilter?, isFirst: Bool
  ) throws(PageError) -> DocumentRows {
    let filters = [filter, isFiltering(query) ? RowFilter(words: query) : nil].compactMap(\.self)
      .filter { !$0.isEmpty }
    if filters.isEmpty || rows.nodes.isEmpty { return rows }
    let (columns, own) = try filteredColumns(of: rows, filter, isFirst: isFirst)
    let matchers = filters.map { RowMatcher($0, columns: columns.map(\.name), visible: Array(0..<own)) }
    let nodes = rows.nodes.filter { node in
      let cells = columns.map { rows.reply.cell($0, at: node).text(separator: $0.separator) }
      return matchers.allSatisfy { $0.admits(cells) }
    }
    return DocumentRows(reply: rows.reply, nodes: nodes)
  }

  /// The columns that words are matched in, then row keys without a column, which only `name:word` can match.
  private func filteredColumns(
    of rows: DocumentRows, _ filter: RowFilter?, isFirst: Bool
  ) throws(PageError) -> (columns: [Column], own: Int) {
    let own = columns.isEmpty ? Column.guessed(from: rows) : columns
    let missing = (filter?.columnNames ?? []).filter { name in !own.contains { $0.name == name } }
    if missing.isEmpty { return (own, own.count) }
    let keys = columns.isEmpty ? own : Column.guessed(from: rows)
    if isFirst, let unknown = missing.first(where: { name in !keys.contains { $0.name == name } }) {
      throw unknownColumn(unknown, among: Set(own.map(\.name) + keys.map(\.name)).sorted())
    }
    let others = missing.map { name in
      keys.first { $0.name == name } ?? Column(name: name, value: ValueExpression([]))
    }
    return (own + others, own.count)
  }

  private func unknownColumn(_ name: String, among names: [String]) -> PageError {
    let question = NearestName.question(name, among: names).map { "\($0) " } ?? ""
    return PageError(
      .invalidRequest, message: "--filter: no column \"\(name)\" in source \(id) or its rows",
      remedy: question + "To search for text with a colon, quote it: '\"\(name):…\"'")
  }
}

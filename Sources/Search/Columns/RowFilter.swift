package import JSON
private import Text

/// The filter for rows, as typed: terms that must all hold for a row. A space ends a term, except between quotes; `""`
/// within quotes is a quote, and an unclosed quote extends to the end. See `notation`.
package struct RowFilter: Sendable, Hashable {
  /// How a note on a path without a value begins.
  package static let pathNote = "the filter names "

  package struct Term: Sendable, Hashable {
    /// The text of the term as typed, without quotes, the minus sign and the tilde.
    package let text: String
    package let isExcluding: Bool
    package var isFuzzy = false
    /// The comparison with one column, if the term begins with a name and an operator.
    package let named: Named?
    /// The range of the term, in characters from the start of the filter.
    package var range = 0..<0

    package struct Named: Sendable, Hashable {
      package let column: String
      /// The name as a path; nil for a plain name.
      package let path: JSONPath?
      /// The comparison operator; nil for `:`, which finds a string in the column.
      package let comparison: Comparison?
      package let text: String
      /// Whether the term has an operand, even if it is empty quotes.
      let hasText: Bool
      let columnRange: Range<Int>
      let textRange: Range<Int>
    }
  }

  package enum Comparison: String, Sendable, Hashable, CaseIterable {
    case equal = "="
    case unequal = "!="
    case less = "<"
    case atMost = "<="
    case greater = ">"
    case atLeast = ">="
  }

  package let terms: [Term]
  /// As typed.
  package let text: String

  package init(_ text: String) {
    self.text = text
    var reader = TermReader(text)
    var terms: [Term] = []
    while let term = reader.next() {
      if !term.text.isEmpty || term.named != nil { terms.append(term) }
    }
    self.terms = terms
  }

  /// Creates a filter from the words of a query, in which filter notation has no meaning.
  fileprivate init(words query: Query) {
    text = query.text
    terms = query.text.lowercased().split(separator: " ").map {
      Term(text: String($0), isExcluding: false, named: nil)
    }
  }

  /// Whether every row matches.
  package var isEmpty: Bool { terms.isEmpty }

  /// Whether the last quote of a filter is not closed. While the user types, such a quote extends to the end.
  package static func hasOpenQuote(_ text: String) -> Bool { text.count { $0 == "\"" } % 2 == 1 }

  /// Whether a term compares the age of a time.
  package var hasAges: Bool {
    terms.contains { $0.named?.comparison != nil && FilterOperand.seconds($0.named?.text ?? "") != nil }
  }

  /// A string as it is written in a filter: in quotes if it needs them.
  package static func quoted(_ text: String) -> String {
    let isPlain =
      !text.isEmpty && !text.contains { $0.isWhitespace || $0 == "\"" || $0 == "=" }
    return isPlain ? text : "\"\(text.replacing("\"", with: "\"\""))\""
  }
}

extension RowFilter {
  /// The terms of a filter and which rows they keep, for the manual and for help.
  package static let notation: [(term: String, meaning: String)] = [
    ("word", "A cell contains the word. Case matters only if the word has a capital letter."),
    ("\"a phrase\"", "A cell contains the text, including its spaces. Within quotes, \"\" is a quote."),
    ("~word", "A cell has a word with these letters in this order: ~fzy finds fuzzy."),
    (
      "column:word",
      "The cell of this column contains the word. Name a column by its name or title (\"Total amount\":5), by at least the first three letters of either, or by the path of a value: owner.login, tags[0]."
    ),
    ("column=value", "The column has this value, ignoring case and Latin accents. \"\" means no value."),
    ("column!=value", "The column has another value, or none."),
    ("column<value", "The value is smaller; likewise <=, > and >=. Strings compare in sort order."),
    ("-term", "The row does not match the term."),
  ]

  package static let values: [(value: String, meaning: String)] = [
    ("1500", "A number, such as 1,500 or 1.5k (k, M, G, T: thousands; KiB, MiB, GiB: 1024; 25%: 0.25)."),
    ("2026-01-31", "A day in UTC, a month (2026-01), a year, or a time (2026-01-31T12:00:00Z)."),
    ("30d", "How long ago a time is, or a duration: s, m, h, d, w, mo (30 days), y (365 days)."),
  ]
}

/// Reads the terms of a filter in order.
private struct TermReader {
  private let characters: [Character]
  private var place = 0

  init(_ text: String) { characters = Array(text) }

  /// The next term; nil at the end.
  mutating func next() -> RowFilter.Term? {
    while let character, character.isTermEnd { place += 1 }
    guard let character else { return nil }
    let start = place
    let isExcluding = character == "-"
    if isExcluding { place += 1 }
    let isFuzzy = self.character == "~"
    if isFuzzy { place += 1 }
    let name = isFuzzy ? nil : readName()
    let textStart = place
    let text = readText()
    guard let name else {
      return RowFilter.Term(
        text: text, isExcluding: isExcluding, isFuzzy: isFuzzy, named: nil, range: start..<place)
    }
    return RowFilter.Term(
      text: name.text + text, isExcluding: isExcluding,
      named: RowFilter.Term.Named(
        column: name.column, path: name.path, comparison: name.comparison, text: text,
        hasText: place > textStart,
        columnRange: name.range, textRange: textStart..<place),
      range: start..<place)
  }

  private var character: Character? { place < characters.count ? characters[place] : nil }

  /// Reads the rest of the term, without quotes.
  private mutating func readText() -> String {
    var text = ""
    while let character, !character.isTermEnd {
      if character == "\"" {
        text += readQuoted()
      } else {
        text.append(character)
        place += 1
      }
    }
    return text
  }

  /// Reads a string in quotes, without them.
  private mutating func readQuoted() -> String {
    var text = ""
    place += 1
    while let character {
      place += 1
      if character == "\"" {
        guard self.character == "\"" else { break }
        place += 1
      }
      text.append(character)
    }
    return text
  }

  private struct Name {
    let column: String
    let path: JSONPath?
    let comparison: RowFilter.Comparison?
    let range: Range<Int>
    /// The name with the operator, as typed.
    let text: String
  }

  /// Reads a name and the operator after it. Returns nil, without reading anything, if the term begins with something
  /// else. A URL or a time of day is not the name of a column.
  private mutating func readName() -> Name? {
    let start = place
    var quoted = self
    let isQuoted = character == "\""
    let name = isQuoted ? quoted.readQuoted() : String(characters[start..<endOfName(from: start)])
    let end = isQuoted ? quoted.place : start + name.count
    guard let first = name.first, isQuoted || !first.isNumber else { return nil }
    let isPath = !isQuoted && name.contains { [".", "[", "$"].contains($0) }
    let path = isPath ? try? JSONPath(name) : nil
    guard !isPath || path != nil else { return nil }
    let rest = String(characters[end..<min(end + 3, characters.count)])
    if rest.hasPrefix(":") {
      guard !rest.hasPrefix("://"), isPath || isQuoted || name == name.lowercased() else { return nil }
      place = end + 1
      return Name(column: name, path: path, comparison: nil, range: start..<end, text: name + ":")
    }
    let sign = ["==", "!=", "<=", ">=", "=", "<", ">"].first { rest.hasPrefix($0) }
    guard let sign, let comparison = RowFilter.Comparison(rawValue: sign == "==" ? "=" : sign) else {
      return nil
    }
    place = end + sign.count
    return Name(
      column: isPath || isQuoted ? name : name.lowercased(), path: path, comparison: comparison,
      range: start..<end, text: name + sign)
  }

  /// The end of a name or a path: `name`, `owner.login`, `tags[0]`, `$.id`.
  private func endOfName(from start: Int) -> Int {
    var end = start
    while end < characters.count {
      let next = end + 1 < characters.count ? characters[end + 1] : " "
      switch characters[end] {
      case let letter where letter.isNameLetter: end += 1
      case "$" where end == start: end += 1
      case "." where end > start && next.isNameLetter: end += 1
      case "[" where next == "\"":
        guard let close = characters[(end + 2)...].firstIndex(of: "\""), close + 1 < characters.count,
          characters[close + 1] == "]"
        else { return end }
        end = close + 2
      case "[" where end > start:
        guard let close = characters[end...].firstIndex(of: "]"),
          characters[end + 1..<close].allSatisfy({ $0.isNumber || "-:*".contains($0) })
        else { return end }
        end = close + 1
      default: return end
      }
    }
    return end
  }
}

extension Character {
  fileprivate var isTermEnd: Bool { self == " " || self == "\t" }
  fileprivate var isNameLetter: Bool { isASCII && (isLetter || isNumber) || self == "_" }
}

// MARK: Mistakes

/// A mistake in a filter, and its location.
package struct FilterError: Error, Sendable, Hashable {
  /// The location of the mistake, in characters from the start of the filter.
  package let range: Range<Int>
  package let text: String
  package let remedy: String
  /// The part of the remedy that suggests other names.
  package let question: String?
  /// The filter as typed, followed by a line that marks the mistake.
  package let excerpt: String

  init(_ range: Range<Int>, of filter: String, _ text: String, question: String? = nil, remedy: String) {
    self.range = range
    self.question = question
    self.text = text
    self.remedy = remedy
    func width(_ text: Substring) -> Int { Sanitized(String(text)).width(.clusters) }
    let before = width(filter.prefix(range.lowerBound))
    let marked = width(filter.dropFirst(range.lowerBound).prefix(range.count))
    let mark = "^" + String(repeating: "~", count: max(0, marked - 1))
    excerpt = "  \(filter)\n  " + String(repeating: " ", count: before) + mark
  }
}

extension RowFilter.Term.Named {
  /// The name of the field that the path begins with, or the name itself.
  fileprivate var key: String {
    guard let path else { return Column.identifier(column) }
    let names = path.steps.compactMap { step -> String? in
      if case .member(let key) = step { key.name } else { nil }
    }
    return names.first.map { Column.identifier($0) } ?? column
  }

  /// The index of the column that is meant; nil if there is none. A path is that of the column's value.
  package func index(in columns: [Column]) -> Int? {
    guard let path else { return columns.index(named: column) ?? columns.index(abbreviated: column) }
    return columns.firstIndex { $0.name == column || $0.value.alternatives.contains(.path(path)) }
  }
}

extension RowFilter {
  private static func names(of columns: [Column], _ keys: [String]) -> [String] {
    var taken: Set<String> = []
    let own = columns.flatMap { column in
      let title = Column.identifier(column.title)
      return title == Column.identifier(column.name) ? [column.name] : [column.name, title]
    }
    return (own + keys).filter { taken.insert($0).inserted }
  }

  /// The first term that cannot be applied to rows with these columns; nil if all can.
  ///
  /// - Parameters:
  ///   - keys: The names of further columns, of unknown kind; nil if there may be any.
  ///   - fields: The fields that were looked for, to suggest for a misspelled name; nil if there was no look at rows.
  ///   - place: Where a column is missing, for the message: ` in source NAME`.
  package func mistake(
    in columns: [Column], keys: [String]? = [], fields: [String]? = nil, _ place: String = ""
  ) -> FilterError? {
    for term in terms {
      guard let named = term.named else { continue }
      let column = named.index(in: columns).map { columns[$0] }
      if column == nil, let keys, !keys.contains(named.key) {
        let noun = fields == nil ? "column" : "column or field"
        let names = Self.names(of: columns, keys + (fields ?? []))
        let question = NearestName.question(named.column, among: names)
        let remedy = Sentences.joined([
          question, "to find this text, quote it: \"\(term.text.replacing("\"", with: "\"\""))\"",
        ])
        return FilterError(
          named.columnRange, of: text, "no \(noun) \"\(named.column)\"\(place)", question: question,
          remedy: remedy)
      }
      guard let comparison = named.comparison else { continue }
      let reading = column?.format.reading ?? .any
      let isEquality = comparison == .equal || comparison == .unequal
      if !named.hasText || named.text.isEmpty && !isEquality {
        let none = isEquality ? ", or \"\" for rows without a value" : ""
        return FilterError(
          term.range, of: text, "nothing after \"\(term.text)\"",
          remedy: "give \(reading == .any ? "a value" : reading.example)\(none)")
      }
      if reading == .bool, !isEquality {
        return FilterError(
          term.range, of: text, "\(named.column) is yes or no, and has no order", remedy: "use = or !=")
      }
      if !named.text.isEmpty, !reading.accepts(named.text) {
        return FilterError(
          named.textRange, of: text, "\"\(named.text)\" is not \(reading.noun)",
          remedy: "\(named.column) is \(reading.noun): write \(reading.example)")
      }
    }
    return nil
  }
}

extension Source {
  /// Whether rows are filtered locally because the service cannot search (`[input] filter = "client"`).
  func isFiltering(_ query: Query) -> Bool { input.filter == .client && !RowFilter(words: query).isEmpty }

  /// The rows that match the query and the user's filter. If the service cannot search, every word of the
  /// query must occur in some cell, ignoring case. O(rows × columns × terms).
  ///
  /// - Parameters:
  ///   - now: The time from which ages are counted, in seconds since 1970.
  ///   - isFirst: Whether these rows determine the known keys.
  /// - Throws: If the filter has a mistake, such as an unknown column, which neither the source nor the rows of the
  ///   first page have.
  func matching(
    _ rows: DocumentRows, _ query: Query, _ filter: RowFilter?, now: Double, isFirst: Bool
  ) throws(PageError) -> DocumentRows {
    let filters = [filter, isFiltering(query) ? RowFilter(words: query) : nil].compactMap(\.self)
      .filter { !$0.isEmpty }
    if filters.isEmpty || rows.nodes.isEmpty { return rows }
    let (columns, own) = try filteredColumns(of: rows, filter, isFirst: isFirst)
    let matchers = filters.map { RowMatcher($0, columns: columns, visible: Array(0..<own), now: now) }
    let compared = Set(matchers.flatMap(\.comparedColumns)).sorted()
    let nodes = rows.nodes.filter { node in
      let values = columns.map { rows.response.cell($0, at: node) }
      let cells = zip(values, columns).map { $0.text(separator: $1.separator) }
      let keys = Dictionary(
        uniqueKeysWithValues: compared.map { ($0, SortValue(values[$0], in: columns[$0]).key) })
      return matchers.allSatisfy { $0.admits(cells, keys) }
    }
    return DocumentRows(response: rows.response, nodes: nodes)
  }

  /// The columns in which words are matched, followed by fields of the rows that have no column; only a term that names
  /// such a field matches it.
  private func filteredColumns(
    of rows: DocumentRows, _ filter: RowFilter?, isFirst: Bool
  ) throws(PageError) -> (columns: [Column], own: Int) {
    let own = columns.isEmpty ? Column.guessed(from: rows) : columns
    let missing = (filter?.terms ?? []).compactMap(\.named).filter { $0.index(in: own) == nil }
    let keys = missing.isEmpty || columns.isEmpty ? own : Column.guessed(from: rows)
    if isFirst, let filter,
      let mistake = filter.mistake(in: own, keys: keys.map(\.name), " in source \(id) or its rows")
    {
      throw PageError(
        .invalidRequest, message: "invalid filter: \(mistake.text)",
        remedy: "\(mistake.remedy)\n\(mistake.excerpt)")
    }
    let others = missing.map { named in
      let path = named.path ?? keys.first { $0.name == named.key }?.value.onlyPath
      return path.map { Column($0, named: named.column, FieldCensus.Kind(of: $0, in: rows)) }
        ?? Column(name: named.column, value: ValueExpression([]))
    }
    return (own + others, own.count)
  }

  /// What to say (`RowFilter.pathNote`) about each path of a filter at which no row has a value, because no row can match.
  func notes(on filter: RowFilter?, in rows: DocumentRows) -> [String] {
    guard let filter, !rows.nodes.isEmpty else { return [] }
    return filter.terms.compactMap(\.named).filter { $0.index(in: columns) == nil }.compactMap { named in
      guard let path = named.path else { return nil }
      let expression = ValueExpression([.path(path)])
      if rows.nodes.contains(where: { rows.response.value(of: expression, at: $0) != nil }) { return nil }
      return Sentences.joined([
        "\(RowFilter.pathNote)\(named.column), but no row of the first page has a value there",
        FieldCensus(of: rows).question(named.column),
      ])
    }
  }
}

package import JSON
package import Text

/// A column of a source (`[[columns]]`).
package struct Column: Sendable {
  /// The name in `--columns` and machine formats: `[a-z0-9_]+`, unique in its source.
  package var name: String
  /// The heading on the screen; for display only.
  package var title: String
  package var value = ValueExpression([])
  package var format = ColumnFormat.text
  /// How markup in the value's texts is handled.
  package var markup = Markup.kept
  /// The value is missing in rows where this condition does not hold.
  package var condition: Condition?
  /// The offset of times without a zone, in seconds east of UTC.
  package var zone = 0
  package var alignment: Alignment
  package var width = ColumnWidth.preferred
  /// Whether the pager initially wraps long cells.
  package var isWrapped = false
  /// On a narrow screen, columns with a larger number are dropped first.
  package var priority = 0
  package var color: ColumnColor?
  /// The separator of list elements.
  package var separator = ", "
  /// The text shown for null, missing, and "".
  package var empty = ""
  /// Whether a table initially hides the column; filter, sort, `--columns`, and machine formats include it.
  package var isHidden = false

  /// Whether a truncated cell is still correct: text is, but a truncated number or time would read as a different one.
  package var canBeCut: Bool { alignment != .trailing && format.isExact }

  /// The role that a cell with this text is displayed in.
  package func role(for text: String) -> Role? { color?.role(for: text) }

  /// The path of the value whose source text is the text of the cell; nil if the value is selected, composed, or
  /// transformed.
  package var verbatimPath: JSONPath? {
    guard format.isExact, markup == .kept, condition == nil, zone == 0, value.alternatives.count == 1,
      case .path(let path)? = value.alternatives.first, !path.isPlural
    else { return nil }
    return path
  }

  /// How HTML in the texts of a column is handled (`html`).
  package enum Markup: String, Sendable, CaseIterable {
    /// Unchanged: the text is not HTML.
    case kept = "none"
    /// Tags are removed, entities decoded.
    case stripped = "strip"
    /// Entities are decoded; there are no tags.
    case decoded = "entities"

    /// The text without markup. O(bytes).
    package func plain(_ text: String) -> String {
      switch self {
      case .kept: text
      case .stripped: HTMLText.stripped(text)
      case .decoded: HTMLText.decoded(text)
      }
    }
  }
}

/// The theme role of a column's cells (`color`).
package enum ColumnColor: Sendable, Hashable {
  case always(Role)
  /// The role depends on the text of the cell in lower case.
  case byText([String: Role])

  package func role(for text: String) -> Role? {
    switch self {
    case .always(let role): role
    case .byText(let roles): roles[text.lowercased()]
    }
  }
}

extension Column {
  package init(name: String, title: String? = nil, value: ValueExpression, format: ColumnFormat = .text) {
    self.name = name
    self.title = title ?? name
    self.value = value
    self.format = format
    alignment = format.alignment
  }

  /// The number of columns that a table shows for a source that declares none.
  private static let maxShown = 6
  /// The number of rows examined for columns.
  private static let maxRows = 1_000

  /// The columns of a source that declares none. Rows that are objects have a column for each field of the first 1,000
  /// rows: plain values come first, then long strings and URLs, then objects and lists, each group in the order of the
  /// response. Arrays have a column for each position, and plain values have one column. Rows that are the values of a
  /// map begin with a column for the key.
  ///
  /// A table shows the first six plain columns; the others are hidden.
  ///
  /// - Parameters:
  ///   - pages: The pages to take keys from: the first, or all if all are loaded.
  ///   - limit: The maximum number of columns, because a response may have any number of keys.
  package static func guessed(from pages: [DocumentRows], limit: Int = 1_000) -> [Column] {
    guard let page = pages.first(where: { !$0.nodes.isEmpty }) else { return [] }
    let (document, first) = (page.response.document, page.nodes[0])
    let key =
      !page.response.namesRows || document.name(of: first) == nil ? nil : column("key", "Key", at: "@key")
    var columns: [Column]
    var plainCount: Int
    switch document.kind(of: first) {
    case .object: (columns, plainCount) = members(of: pages)
    case .array:
      columns = places(of: pages)
      plainCount = columns.count
    case .string, .number, .bool, .null:
      columns = [column("value", "Value", at: "$")].compactMap(\.self)
      plainCount = 1
    }
    if let key {
      columns = [key] + columns.filter { $0.name != key.name }
      plainCount += 1
    }
    let shown = min(maxShown, plainCount == 0 ? columns.count : plainCount)
    for index in columns.indices.dropFirst(shown) { columns[index].isHidden = true }
    return Array(columns.prefix(limit))
  }

  package static func guessed(from rows: DocumentRows, limit: Int = 1_000) -> [Column] {
    guessed(from: [rows], limit: limit)
  }

  /// The kind of a field's values, most readable first.
  private enum Reading: Int, CaseIterable { case plain, long, nested }

  private static func members(of pages: [DocumentRows]) -> (columns: [Column], plainCount: Int) {
    var names: [String] = []
    var readings: [String: Reading] = [:]
    var count = 0
    for page in pages {
      let document = page.response.document
      for node in page.nodes where count < maxRows && document.kind(of: node) == .object {
        count += 1
        for (name, value) in JSONValue(document: document, node: node).members
        where !name.isEmpty && name != JSONPath.enclosing.name {
          let known = readings[name]
          if known == nil { names.append(name) }
          // Twenty rows are enough to recognize long strings.
          if known == nil || known == .nested || count <= 20 {
            readings[name] = reading(of: value, known: known)
          }
        }
      }
    }
    var taken: Set<String> = []
    let sorted = Reading.allCases.flatMap { reading in names.filter { readings[$0] == reading } }
    let columns = sorted.compactMap {
      column(identifier($0, taken: &taken), $0, at: "[\(JSONText.quoted($0))]")
    }
    return (columns, names.count { readings[$0] != .nested })
  }

  /// A null or compound value does not change a field that is plain in other rows.
  private static func reading(of value: JSONValue, known: Reading?) -> Reading {
    guard let text = value.text else { return known ?? .nested }
    return known == .long || text.utf8.count > 80 || text.hasPrefix("http") ? .long : .plain
  }

  private static func places(of pages: [DocumentRows]) -> [Column] {
    let counts = pages.map { page in
      page.nodes.prefix(maxRows).map { page.response.document.count(of: $0) }.max() ?? 0
    }
    let width = counts.max() ?? 0
    return (0..<min(width, 1_000)).compactMap { column("column_\($0 + 1)", "\($0 + 1)", at: "[\($0)]") }
  }

  private static func column(_ name: String, _ title: String, at path: String) -> Column? {
    (try? ValueExpression(parsing: path)).map { Column(name: name, title: title, value: $0) }
  }

  /// Converts any text to `[a-z0-9_]+`.
  package static func identifier(_ text: String) -> String {
    let mapped = text.lowercased().unicodeScalars.map { $0.isIdentifier ? Character($0) : "_" }
    return mapped.isEmpty ? "_" : String(mapped)
  }

  /// An identifier that is not taken yet, with a number appended if necessary.
  package static func identifier(_ text: String, taken: inout Set<String>) -> String {
    identifier(text).numbered("_", taken: &taken)
  }
}

extension String {
  /// The text if it is not taken yet, else with the first free number from 2 appended.
  package func numbered(_ separator: String, taken: inout Set<String>) -> String {
    var name = self
    var number = 2
    while !taken.insert(name).inserted {
      name = "\(self)\(separator)\(number)"
      number += 1
    }
    return name
  }
}

extension Unicode.Scalar {
  /// Whether the name of a column may contain the character.
  var isIdentifier: Bool { "a"..."z" ~= self || "0"..."9" ~= self || self == "_" }
}

/// Converts a column's value to the text of a table cell and, where scripts need a different form (a date given in
/// seconds), to the value that machine formats write. A new format is a value and its entry in `all`.
package struct ColumnFormat: Sendable {
  /// The value of `format`.
  package let name: String
  package let summary: String
  /// The alignment of cells of this format, unless the column sets one.
  package var alignment = Alignment.leading
  /// The kind of operand that a filter compares with values of this format.
  package var reading = ValueReading.any
  /// The point in time that a value represents, for formats that display times.
  fileprivate var time: (@Sendable (CellValue) -> Timestamp?)?
  fileprivate let rendered: @Sendable (CellValue, FormatContext) -> String

  /// The text of a cell on the screen or in a table, not yet sanitized.
  package func display(_ value: CellValue, _ context: FormatContext) -> String {
    let value = known(value)
    return if case .missing = value { "" } else { rendered(value.readable, context) }
  }

  /// The value in CSV, TSV, and JSON: a time in RFC 3339, UTC; anything else unchanged.
  package func machineValue(_ value: CellValue) -> CellValue {
    let value = known(value)
    guard let time = time(of: value) else { return value }
    if case .text(let text) = value { return .text(time.rfc3339(fractionOf: text)) }
    return .text(time.rfc3339)
  }

  /// Whether the text of a value depends on when its page arrived.
  var isAge: Bool { name == Self.relative.name }

  /// Whether `machineValue` is always the value itself.
  package var isExact: Bool { time == nil }

  /// Nil if the value is not a time, or the format does not display times.
  func time(of value: CellValue) -> Timestamp? { time?(value) }

  /// The value, or a missing value if the format displays times and the value is Go's zero time, 0001-01-01T00:00:00Z,
  /// which stands for no time.
  func known(_ value: CellValue) -> CellValue {
    guard time != nil, case .text(let text) = value, text.hasPrefix("0001-01-01T00:00:00") else {
      return value
    }
    return .missing
  }

  package static let all: [ColumnFormat] = [
    .text, .number, .bytes, .percent, .duration, .relative, .datetime, .date, .bool, .list, .link, .json,
    .markdown,
  ]

  package static func named(_ name: String) -> ColumnFormat? { all.first { $0.name == name } }
}

/// The facts other than the value that the displayed text depends on.
package struct FormatContext: Sendable {
  /// When the page arrived, in seconds since 1970; relative times refer to it.
  package var now: Double
  /// The zone that local times are displayed in.
  package var zone: LocalZone
  package var separator: String

  package init(now: Double, zone: LocalZone = .utc, separator: String = ", ") {
    self.now = now
    self.zone = zone
    self.separator = separator
  }
}

extension ColumnFormat {
  package static let text = plain("text", "the value unchanged")
  package static let list = plain("list", "list elements, joined")
  package static let link = plain("link", "a URL, unchanged")
  package static let json = plain("json", "compact JSON")
  package static let markdown = plain("markdown", "Markdown as plain text", MarkdownText.plain)

  package static let bool = ColumnFormat(name: "bool", summary: "yes or no", reading: .bool) {
    value, context in
    if case .bool(let flag) = value { flag ? "yes" : "no" } else { value.text(separator: context.separator) }
  }

  /// A format that shows the text of any value, unchanged or transformed.
  private static func plain(
    _ name: String, _ summary: String, _ rendered: @escaping @Sendable (String) -> String = { $0 }
  ) -> ColumnFormat {
    ColumnFormat(name: name, summary: summary) { rendered($0.text(separator: $1.separator)) }
  }
}

extension ColumnFormat {
  package static let number = numeric("number", "12.3k in tables, exact in csv, tsv, json and jsonl") {
    Digits.compact($0)
  }
  package static let bytes = numeric("bytes", "a size: 1.4 MiB") { Digits.bytes($0) }
  package static let percent = numeric("percent", "a fraction of 1: 0.25 is 25.0%", .percent) {
    Digits.percent($0)
  }
  package static let duration = numeric("duration", "seconds: 3m20s", .duration) { seconds in
    // Beyond 10,000 years, a number of seconds is more readable.
    seconds.magnitude < 3.2e11 ? DurationText.text(.milliseconds(Int64(seconds * 1000))) : nil
  }

  /// A format for numbers. Anything but a number, and a number that it cannot format, is shown unchanged.
  private static func numeric(
    _ name: String, _ summary: String, _ reading: ValueReading = .number,
    rendered: @escaping @Sendable (Double) -> String?
  ) -> ColumnFormat {
    ColumnFormat(name: name, summary: summary, alignment: .trailing, reading: reading) { value, context in
      let text = value.text(separator: context.separator)
      return Double(text).flatMap(rendered) ?? text
    }
  }
}

extension ColumnFormat {
  package static let relative = time("relative", "how long before the page arrived: 2 h ago") {
    time, context in
    Timestamp(epoch: context.now).map { RelativeTime.text(time, now: $0) } ?? time.rfc3339
  }

  package static let datetime = time("datetime", "local date and time: 2026-11-21 14:02") { time, context in
    "\(time.date(in: context.zone)) \(time.clock(in: context.zone))"
  }

  package static let date = time("date", "local date: 2026-11-21") { time, context in
    time.date(in: context.zone)
  }

  /// A format for times: RFC 3339, an HTTP date, or seconds or milliseconds since 1970. Anything else is unchanged.
  private static func time(
    _ name: String, _ summary: String, rendered: @escaping @Sendable (Timestamp, FormatContext) -> String
  ) -> ColumnFormat {
    ColumnFormat(name: name, summary: summary, reading: .time, time: timestamp) { value, context in
      guard let time = timestamp(value) else { return value.text(separator: context.separator) }
      var context = context
      if isDateAlone(value) { context.zone = .utc }
      return rendered(time, context)
    }
  }

  /// Whether the value is a date without a time, which is independent of the time zone.
  private static func isDateAlone(_ value: CellValue) -> Bool {
    if case .text(let text) = value { text.utf8.count == 10 } else { false }
  }

  /// The reference time for two-digit years, which only obsolete HTTP dates have: the last such year is 2049.
  private static let twoDigitYears = Timestamp(epochSeconds: 946_684_800)

  /// How many of its units a second has. The size of a number shows whether it counts seconds, milliseconds, microseconds
  /// or nanoseconds since 1970, because times before March 1973 are rare.
  private static func unit(of number: Double) -> Double {
    number > 1e17 ? 1e9 : number > 1e14 ? 1e6 : number > 1e11 ? 1e3 : 1
  }

  private static func timestamp(_ value: CellValue) -> Timestamp? {
    switch value {
    case .number(let text): Double(text).flatMap { Timestamp(epoch: $0 / unit(of: $0)) }
    case .text(let text):
      Timestamp(iso8601: text) ?? Timestamp(dotNet: text)
        ?? twoDigitYears.flatMap { Timestamp(httpDate: text, now: $0) }
    case .missing, .bool, .list, .json: nil
    }
  }
}

extension [Column] {
  /// The index of the column with this name, else of the one with this title; titles ignore case, and a space may be
  /// written `_`. Nil if there is none.
  package func index(named text: String) -> Int? {
    firstIndex { $0.name == text } ?? firstIndex { Column.identifier($0.title) == Column.identifier(text) }
  }

  /// The index of the only column whose name or title begins with these three or more letters; nil if none or several
  /// do.
  package func index(abbreviated text: String) -> Int? {
    guard text.utf8.count >= 3 else { return nil }
    let start = Column.identifier(text)
    let found = indices.filter {
      self[$0].name.hasPrefix(start) || Column.identifier(self[$0].title).hasPrefix(start)
    }
    return found.count == 1 ? found[0] : nil
  }
}

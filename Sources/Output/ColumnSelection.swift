import JSON
package import Search
import Text

/// The columns of a document: those specified by the user, or else the source's.
///
/// A name refers to the source's column with that name or title, else to the field of the rows, else to the only column
/// that begins with it. A name that is none of these is an error, which is reported when the first rows are loaded; all
/// other errors are reported earlier.
package struct ColumnSelection: Sendable {
  /// The maximum number of fields for `*`, because a response may have any number of keys.
  static let maxKeys = 1_000

  let source: Source
  /// The specified columns; nil if none were specified.
  private let names: [ColumnName]?
  /// Whether the row's link is the last column, `link`, if the source has links and no column of this name.
  package var addsLink = false

  private static let linkName = "link"

  /// The source's own columns, and whole rows in json and jsonl.
  package init(columnsOf source: Source) {
    self.source = source
    names = nil
  }

  /// Parses `--columns a,b.c,@link`; each column may occur once.
  package init(parsing list: String, of source: Source) throws(ColumnSelectionError) {
    let entries = Self.entries(of: list)
    for (index, entry) in entries.enumerated() where entries[..<index].contains(entry) {
      throw ColumnSelectionError(entry, "column \"\(entry)\" is listed twice")
    }
    try self.init(entries, of: source)
  }

  /// Parses columns in the syntax of `--columns`.
  package init(_ entries: [String], of source: Source) throws(ColumnSelectionError) {
    var names: [ColumnName] = []
    for entry in entries {
      let name = try ColumnName(entry)
      if case .reserved(let reserved) = name { _ = try Self.column(reserved, of: source) }
      names.append(name)
    }
    self.source = source
    self.names = names
  }

  /// The entries of a list: separated by commas outside brackets and quotes, with surrounding spaces removed.
  package static func entries(of list: String) -> [String] {
    var entries = [""]
    var (isQuoted, isEscaped, depth) = (false, false, 0)
    for character in list {
      if character == ",", !isQuoted, depth == 0 {
        entries.append("")
        continue
      }
      entries[entries.count - 1].append(character)
      switch character {
      case "\"" where !isEscaped: isQuoted.toggle()
      case "[" where !isQuoted: depth += 1
      case "]" where !isQuoted: depth = max(0, depth - 1)
      default: break
      }
      isEscaped = isQuoted && character == "\\" && !isEscaped
    }
    return entries.map { entry in
      let start = entry.drop { $0 == " " }
      return start.lastIndex { $0 != " " }.map { String(start[...$0]) } ?? ""
    }
  }

  var isWholeRows: Bool { names == nil }

  var takesAllKeys: Bool { names?.contains { if case .allKeys = $0 { true } else { false } } ?? false }

  /// The paths among the columns, as written.
  var paths: [(text: String, path: JSONPath)] {
    (names ?? []).compactMap { if case .path(let text, let path) = $0 { (text, path) } else { nil } }
  }

  /// Whether keys that first occur on later pages have no column, although all keys of the first page do.
  func leavesLateKeys(_ wanted: DefaultColumns) -> Bool {
    takesAllKeys || names == nil && source.columns.isEmpty && wanted == .all
  }

  /// Whether the keys of the first page determine the columns.
  var needsKeys: Bool {
    names?.contains { name in
      switch name {
      case .allKeys: true
      case .name(let text, _): source.columns.index(named: text) == nil
      case .path, .reserved: false
      }
    } ?? false
  }

  /// The columns of a list that begins with the rows of `pages`, with these field names.
  ///
  /// - Parameter wanted: The format's default columns.
  func columns(
    of pages: [OutputRows], keys: [String], _ wanted: DefaultColumns = .all
  ) throws(ColumnSelectionError) -> [OutputColumn] {
    guard let names else {
      let own = ownColumns(pages).filter { wanted != .shown || !$0.isHidden }
      return own.isEmpty ? [.wholeValue] : withLink(own.map { OutputColumn($0) })
    }
    let own = needsKeys ? ownColumns(pages) : source.columns
    var columns: [OutputColumn] = []
    for name in names { columns += try self.columns(name, own: own, keys: keys) }
    return columns.isEmpty && takesAllKeys ? [.wholeValue] : withLink(columns)
  }

  private func withLink(_ columns: [OutputColumn]) -> [OutputColumn] {
    let isNamed = columns.contains { $0.name == Self.linkName || $0.name == ReservedColumn.link.rawValue }
    return addsLink && !isNamed ? columns + [link].compactMap(\.self) : columns
  }

  private var link: OutputColumn? {
    source.rows.link.map { OutputColumn(name: Self.linkName, content: .link($0)) }
  }

  /// The known columns if there are no rows.
  var columnsWithoutRows: [OutputColumn] {
    guard let names else { return withLink(source.columns.map { OutputColumn($0) }) }
    return withLink(names.flatMap { (try? columns($0, own: source.columns, keys: nil)) ?? [] })
  }

  private func ownColumns(_ pages: [OutputRows]) -> [Column] {
    guard source.columns.isEmpty else { return source.columns }
    return Column.guessed(
      from: pages.map { DocumentRows(response: $0.response, nodes: $0.nodes) }, limit: Self.maxKeys)
  }

  /// The columns that an entry refers to.
  ///
  /// - Parameter keys: The fields of the first rows; nil if there are no rows.
  private func columns(
    _ name: ColumnName, own: [Column], keys: [String]?
  ) throws(ColumnSelectionError) -> [OutputColumn] {
    switch name {
    case .allKeys:
      return (keys ?? []).prefix(Self.maxKeys).filter { !isNamed($0) }.compactMap(OutputColumn.init(key:))
    case .reserved(let reserved): return [try Self.column(reserved, of: source)]
    case .path(let text, let path): return [OutputColumn(name: text, at: path)]
    case .name(let text, let path):
      let isField = keys?.contains(text) ?? false
      if let index = own.index(named: text) ?? (isField ? nil : own.index(abbreviated: text)) {
        return [OutputColumn(own[index])]
      }
      guard isField || keys == nil else { throw unknown(text, own: own.map(\.name), keys: keys ?? []) }
      return [OutputColumn(name: text, at: path)]
    }
  }

  private func unknown(_ name: String, own: [String], keys: [String]) -> ColumnSelectionError {
    let fields = keys.filter { !own.contains($0) }
    let known = Sentences.list(own + fields, limit: 20)
    let kinds = [own.isEmpty ? nil : "columns", fields.isEmpty ? nil : "fields"].compactMap(\.self)
    return ColumnSelectionError(
      name, "no column \"\(name)\" in source \(source.id)", among: own + fields,
      remedy: Sentences.joined([
        kinds.isEmpty ? nil : "its \(kinds.joined(separator: " and ")) are: \(known)",
        "for a field of later rows, write $.\(name)",
      ]))
  }

  /// Whether a key has a separate entry in addition to `*`.
  private func isNamed(_ key: String) -> Bool {
    names?.contains { if case .name(key, _) = $0 { true } else { false } } ?? false
  }

  private static func column(
    _ reserved: ReservedColumn, of source: Source
  ) throws(ColumnSelectionError) -> OutputColumn {
    guard let column = reserved.column(of: source) else {
      throw ColumnSelectionError(
        reserved.rawValue, "source \(source.id) has no \(reserved.rawValue)",
        remedy: reserved == .parent
          ? "it is for nested lists, such as gitlab-issues" : reserved.key.map { "set \($0) in the source" })
    }
    return column
  }
}

extension OutputColumn {
  /// The row itself, if rows are not objects.
  fileprivate static var wholeValue: OutputColumn { OutputColumn(name: "value", at: .root) }

  /// A field of the row by its name, which may contain any characters.
  fileprivate init?(key: String) {
    guard let path = try? JSONPath("[\(JSONText.quoted(key))]") else { return nil }
    self.init(name: key, at: path)
  }

  init(name: String, at path: JSONPath) {
    self.init(Column(name: name, value: ValueExpression([.path(path)])))
  }
}

/// One entry of `--columns`, parsed before anything is requested.
enum ColumnName: Sendable {
  /// `*`: every field of the rows.
  case allKeys
  case reserved(ReservedColumn)
  /// A column of the source, or else a field of the rows.
  case name(String, JSONPath)
  case path(String, JSONPath)

  init(_ text: String) throws(ColumnSelectionError) {
    if text.isEmpty {
      throw ColumnSelectionError(text, "empty column name", remedy: "write columns as name,owner.login,@link")
    } else if text == "*" {
      self = .allKeys
    } else if text.hasPrefix("@") {
      let names = ReservedColumn.allCases.map(\.rawValue)
      guard let reserved = ReservedColumn(rawValue: text) else {
        throw ColumnSelectionError(
          text, "unknown column \"\(text)\"", among: names, remedy: "use \(names.joined(separator: ", "))")
      }
      self = .reserved(reserved)
    } else {
      do throws(JSONPathError) {
        let path = try JSONPath(text)
        self = path.lastName == text ? .name(text, path) : .path(text, path)
      } catch {
        throw ColumnSelectionError(
          text,
          "invalid column \"\(text)\": expected \(error.expected) at character \(error.column), found \(error.found)\(error.advice)"
        )
      }
    }
  }
}

/// A column of a document as stored for resuming it: its name and, if only the response names it, its path.
package struct RecordedColumn: Sendable, Hashable, Codable {
  package let name: String
  /// The path; nil for a column of the source and for a reserved one.
  package let path: String?
}

extension ColumnSelection {
  /// The stored form of the columns of a document.
  func settled(_ columns: [OutputColumn]) -> [RecordedColumn] {
    columns.map { column in
      let isKnown =
        ReservedColumn(rawValue: column.name) != nil || source.columns.contains { $0.name == column.name }
      return RecordedColumn(name: column.name, path: isKnown ? nil : column.verbatimPath.map { "\($0)" })
    }
  }

  /// The columns from their stored form; names that no longer exist are left out.
  package func columns(settled: [RecordedColumn]) -> [OutputColumn] {
    settled.compactMap { kept in
      if let path = kept.path { return (try? JSONPath(path)).map { OutputColumn(name: kept.name, at: $0) } }
      if let reserved = ReservedColumn(rawValue: kept.name) { return reserved.column(of: source) }
      let own = source.columns.first { $0.name == kept.name }.map { OutputColumn($0) }
      return own ?? (kept.name == Self.linkName ? link : nil)
    }
  }
}

/// The distinct field names of the rows, in order of first occurrence.
struct KeyCollector: Sendable {
  private(set) var names: [String] = []
  private var known: Set<String> = []

  /// Adds rows and returns the new names. Rows that are not objects have none. O(fields).
  @discardableResult
  mutating func add(_ rows: OutputRows) -> [String] {
    let document = rows.response.document
    let before = names.count
    for node in rows.nodes {
      for member in document.members(of: node) {
        if let name = document.string(of: member.name), known.insert(name).inserted { names.append(name) }
      }
    }
    return Array(names[before...])
  }
}

/// A list of columns that is invalid, or names a column that does not exist.
package struct ColumnSelectionError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The name as typed.
  package let name: String
  package let problem: String
  /// The suggested next step; similar names if there are any.
  package let remedy: String?

  init(_ name: String, _ problem: String, among names: [String] = [], remedy: String? = nil) {
    self.name = name
    self.problem = problem
    self.remedy = NearestName.question(name, among: names) ?? remedy
  }

  package var description: String { Sentences.joined([problem, remedy]) }
}

/// One column of a document.
package struct OutputColumn: Sendable {
  enum Content: Sendable {
    case column(Column)
    case pageNumber
    case parent
    /// The same text in every row.
    case constant(String)
    /// The URL of the row's page, if it can be opened.
    case link(ValueExpression)
  }

  /// The name in machine formats: a column's name, or a path or reserved name as typed.
  package let name: String
  let content: Content
  /// The path of the value whose own text is the exact text of the cell.
  var verbatimPath: JSONPath?

  /// The heading in tables.
  package var title: String { if case .column(let column) = content { column.title } else { name } }

  var alignment: Alignment {
    switch content {
    case .column(let column): column.alignment
    case .pageNumber: .trailing
    case .parent, .constant, .link: .leading
    }
  }

  var separator: String { if case .column(let column) = content { column.separator } else { "" } }
}

extension OutputColumn {
  package init(_ column: Column) {
    self.init(name: column.name, content: .column(column), verbatimPath: column.verbatimPath)
  }

  /// The exact value of the cell in the row at `node`: strings decoded, numbers as written, null as missing.
  func value(at node: JSONNode, in rows: OutputRows) -> CellValue {
    switch content {
    case .column(let column): column.format.machineValue(rows.response.cell(column, at: node))
    case .pageNumber: .number(String(rows.pageNumber))
    case .parent: rows.parent.map { .text($0) } ?? .missing
    case .constant(let text): .text(text)
    case .link(let address): rows.response.link(address, at: node).map { .text($0) } ?? .missing
    }
  }

  /// The sort key of the row at `node`; the same as on the screen.
  func sortValue(at node: JSONNode, in rows: OutputRows) -> SortValue {
    switch content {
    case .column(let column): SortValue(rows.response.cell(column, at: node), in: column)
    case .link, .pageNumber, .parent, .constant:
      SortValue(value(at: node, in: rows), in: Column(name: name, value: ValueExpression([])))
    }
  }

  /// Appends the exact value of the cell as JSON on one line; a missing value is null.
  func appendJSON(at node: JSONNode, in rows: OutputRows, to output: inout [UInt8]) {
    if let found = verbatimPath?.firstNode(in: rows.response.document, from: node) {
      rows.response.document.append(compact: found, to: &output)
    } else {
      value(at: node, in: rows).appendJSON(to: &output)
    }
  }
}

extension CellValue {
  fileprivate func appendJSON(to output: inout [UInt8]) {
    switch self {
    case .missing: output += "null".utf8
    case .text(let text): JSONText.append(quoted: text, to: &output)
    case .number(let text), .json(let text): output += text.utf8
    case .bool(let flag): output += (flag ? "true" : "false").utf8
    case .list(let values):
      output.append(UInt8(ascii: "["))
      for (index, value) in values.enumerated() {
        if index > 0 { output.append(UInt8(ascii: ",")) }
        value.appendJSON(to: &output)
      }
      output.append(UInt8(ascii: "]"))
    }
  }
}

extension OutputColumn {
  /// The cell of the row at `node` as shown in tables: sanitized for a terminal, otherwise exact.
  func rendered(at node: JSONNode, in rows: OutputRows, on outputOptions: OutputOptions) -> String {
    guard case .column(let column) = content else {
      return outputOptions.shown(value(at: node, in: rows).text(separator: separator))
    }
    let context = FormatContext(now: rows.arrivedAt, zone: outputOptions.zone, separator: column.separator)
    let text = column.format.display(rows.response.cell(column, at: node), context)
    return outputOptions.shown(text.isEmpty ? column.empty : text)
  }
}

/// A column with a reserved name that every source has in addition to its own.
package enum ReservedColumn: String, CaseIterable, Sendable {
  /// The URL of the row's web page.
  case link = "@link"
  /// The key that identifies the row.
  case key = "@key"
  /// The number of the row's page, from 1.
  case page = "@page"
  /// The value of the parent row of the row's list.
  case parent = "@parent"
  /// The id of the source.
  case source = "@source"
  /// The whole row.
  case json = "@json"

  /// The key of a source that the column requires; nil if every source has the column.
  fileprivate var key: String? {
    switch self {
    case .link: "rows.link"
    case .key: "rows.id"
    case .page, .parent, .source, .json: nil
    }
  }

  /// The column for a source; nil if the source does not declare the location of the value.
  func column(of source: Source) -> OutputColumn? {
    switch self {
    case .link: source.rows.link.map { OutputColumn(name: rawValue, content: .link($0)) }
    case .key: (source.rows.key ?? source.rows.link).map { OutputColumn(Column(name: rawValue, value: $0)) }
    case .page: OutputColumn(name: rawValue, content: .pageNumber)
    case .parent: source.parent.map { _ in OutputColumn(name: rawValue, content: .parent) }
    case .source: OutputColumn(name: rawValue, content: .constant(source.id))
    case .json: OutputColumn(Column(name: rawValue, value: ValueExpression([.path(.root)]), format: .json))
    }
  }
}

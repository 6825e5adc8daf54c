/// A TOML 1.0 document as a tree of values with positions.
package struct TOMLDocument: Sendable {
  /// The path as the user would write it, or `builtin:NAME`.
  package let file: String
  package let root: TOMLTable

  /// The maximum size in bytes; a larger document is rejected.
  package static let largest = 1 << 20

  /// - Parameter file: The name of the document in messages.
  /// - Throws: The first error, with line and column.
  package init(_ bytes: [UInt8], file: String) throws(ConfigError) {
    guard bytes.count <= Self.largest else {
      throw ConfigError(at: .named(file), "is larger than the limit of \(Self.largest) bytes")
    }
    self.file = file
    var parser = TOMLParser(bytes, file: file)
    do throws(TOMLSyntaxError) { root = try parser.document() } catch {
      throw ConfigError(at: .position(error.position), error.problem)
    }
    // This is valid TOML, but C functions would treat it as the end of a string.
    if let position = parser.nulEscape {
      throw ConfigError(at: .position(position), "invalid Unicode code point")
    }
  }

  package init(_ text: String, file: String) throws(ConfigError) {
    try self.init(Array(text.utf8), file: file)
  }
}

/// Reads a document of TOML 1.0.0 (https://toml.io/en/v1.0.0) into values with positions.
///
/// Any bytes yield a table or one error with its position; the first error ends parsing. Time and memory are linear in
/// the number of bytes, and recursion is limited by `deepest`. Names in parentheses are those of the sections of the
/// specification.
struct TOMLParser {
  /// The limit on the nesting of values and tables, and on the parts of a dotted key.
  static let deepest = 64

  private var scanner: TOMLScanner
  private let root = Section(.header, depth: 0)

  /// The parser can be used once; `file` is the name of the document in positions.
  init(_ bytes: [UInt8], file: String) { scanner = TOMLScanner(bytes, file: file) }

  /// The position of the first escape for U+0000. TOML allows it, but for C functions it ends the string.
  var nulEscape: FilePosition? { scanner.nulEscape }

  mutating func document() throws(TOMLSyntaxError) -> TOMLTable {
    try scanner.checkText()
    var section = root
    while try scanner.skipToExpression() {
      if scanner.isAt("[") { section = try header() } else { try pair(in: section) }
      try scanner.endLine()
    }
    return root.closed()
  }
}

/// The reason why a document is not TOML.
struct TOMLSyntaxError: Error {
  let position: FilePosition
  /// The expectation, the finding, and the remedy.
  let problem: String
}

// MARK: Tables and arrays of tables

extension TOMLParser {
  private typealias Key = TOMLScanner.Key

  /// A table that later lines may extend, or an array of such tables. A reference, because headers return to
  /// tables in any order.
  private final class Section {
    enum Definition {
      /// The table was created by the header of a table inside it.
      case implicit
      /// The table was created by its own header.
      case header
      /// The table was created by a dotted key, or by braces that are still open.
      case keys
      /// The array was created by headers in double brackets.
      case array
    }

    var definition: Definition
    /// The number of containers around it; 0 for the document.
    let depth: Int
    private(set) var table = TOMLTable()
    /// The values of `table` that are sections, by index. The table has an empty value until it is closed.
    private var sections: [Int: Section] = [:]
    /// The tables of an array, with the positions of their headers.
    var elements: [(section: Section, position: FilePosition)] = []

    init(_ definition: Definition, depth: Int) {
      self.definition = definition
      self.depth = depth
    }

    func section(at index: Int) -> Section? { sections[index] }

    func add(_ value: TOMLValue, _ key: Key) {
      table.set(TOMLTable.Entry(key: key.name, position: key.position, value: value))
    }

    func add(_ section: Section, _ key: Key, at position: FilePosition) {
      sections[table.entries.count] = section
      add(TOMLValue(section.definition == .array ? .array([]) : .table(TOMLTable()), at: position), key)
    }

    /// The table with everything inside it.
    func closed() -> TOMLTable {
      for (index, section) in sections { table.setContent(section.content, at: index) }
      return table
    }

    private var content: TOMLValue.Content {
      guard definition == .array else { return .table(closed()) }
      return .array(elements.map { TOMLValue(.table($0.section.closed()), at: $0.position) })
    }
  }

  /// Reads `[table]` (Table) or `[[table]]` (Array of Tables). The following pairs belong to the result.
  private mutating func header() throws(TOMLSyntaxError) -> Section {
    let position = scanner.position()
    _ = scanner.take("[")
    let isElement = scanner.take("[")
    let (parent, key) = try path(from: root, through: .implicit)
    try scanner.expect("]")
    if isElement { try scanner.expect("]") }
    let section = try self.section(key, of: parent, as: isElement ? .array : .header, at: position)
    guard isElement else { return section }
    let element = try newSection(.header, in: section, at: position)
    section.elements.append((element, position))
    return element
  }

  /// The table or array that a header names.
  private func section(
    _ key: Key, of parent: Section, as definition: Section.Definition, at position: FilePosition
  ) throws(TOMLSyntaxError) -> Section {
    guard let index = parent.table.index(of: key.name) else {
      let section = try newSection(definition, in: parent, at: position)
      parent.add(section, key, at: position)
      return section
    }
    if let section = parent.section(at: index) {
      if definition == .array, section.definition == .array { return section }
      if definition == .header, section.definition == .implicit {
        section.definition = .header
        return section
      }
    }
    switch (parent.table.entries[index].value.content, definition) {
    case (.table, .header), (.array, .array): throw redefined(key, in: parent)
    default: throw taken(key)
    }
  }

  /// Reads a dotted key, and enters or creates the tables that its parts but the last name (Keys; Table). They
  /// are `implicit` in a header, `keys` in a pair. The result is the last part, and the table it belongs to.
  private mutating func path(
    from start: Section, through definition: Section.Definition
  ) throws(TOMLSyntaxError) -> (Section, Key) {
    var section = start
    var key = try scanner.key()
    var parts = 1
    while scanner.take(".") {
      section = try table(key, of: section, through: definition)
      key = try scanner.key()
      parts += 1
      if parts > Self.deepest { throw scanner.fault("key with more than \(Self.deepest) parts") }
    }
    return (section, key)
  }

  /// The table that a part of a dotted key names. In a header, the name of an array refers to its last table.
  private func table(
    _ key: Key, of parent: Section, through definition: Section.Definition
  ) throws(TOMLSyntaxError) -> Section {
    guard let index = parent.table.index(of: key.name) else {
      let section = try newSection(definition, in: parent, at: key.position)
      parent.add(section, key, at: key.position)
      return section
    }
    guard let section = parent.section(at: index) else {
      if parent.table.entries[index].value.table == nil { throw taken(key) }
      throw fault(key, "is an inline table and cannot be extended. Add the key inside its braces")
    }
    switch (section.definition, definition) {
    case (.array, .implicit): return section.elements.last?.section ?? section
    case (.array, _): throw taken(key)
    case (.header, .keys): throw fault(key, "already has its own header. Add the key there")
    case (.implicit, .keys): section.definition = .keys
    default: break
    }
    return section
  }

  private func newSection(
    _ definition: Section.Definition, in parent: Section, at position: FilePosition
  ) throws(TOMLSyntaxError) -> Section {
    try checkDepth(parent.depth + 1, at: position)
    return Section(definition, depth: parent.depth + 1)
  }

  private func checkDepth(_ depth: Int, at position: FilePosition) throws(TOMLSyntaxError) {
    guard depth > Self.deepest else { return }
    throw TOMLSyntaxError(position: position, problem: "nested more than \(Self.deepest) levels deep")
  }

  private func fault(_ key: Key, _ problem: String) -> TOMLSyntaxError {
    TOMLSyntaxError(position: key.position, problem: "\(Wording.quoted(key.name)) \(problem)")
  }

  private func taken(_ key: Key) -> TOMLSyntaxError {
    fault(key, "is already defined as something else. Keep one of the two")
  }

  private func redefined(_ key: Key, in section: Section) -> TOMLSyntaxError {
    let earlier = section.table[key.name]
    let place = earlier.map { " in line \($0.position.line)" } ?? ""
    let isTable = if case .table? = earlier?.content { true } else { false }
    let name = key.name.count > 60 ? "\(key.name.prefix(60))…" : key.name
    return TOMLSyntaxError(
      position: key.position,
      problem: isTable
        ? "table \(Wording.quoted(name)) is already defined\(place). Merge the two"
        : "\(Wording.quoted(name)) is already set\(place). Remove one")
  }
}

// MARK: Pairs and values

extension TOMLParser {
  /// Reads `key = value` (Key/Value Pair), in a table or between braces.
  private mutating func pair(in section: Section) throws(TOMLSyntaxError) {
    let (section, key) = try path(from: section, through: .keys)
    try scanner.expect("=")
    if section.table.index(of: key.name) != nil { throw redefined(key, in: section) }
    scanner.skipBlanks()
    section.add(try value(depth: section.depth + 1), key)
  }

  /// - Parameter depth: The number of containers around the value.
  private mutating func value(depth: Int) throws(TOMLSyntaxError) -> TOMLValue {
    let position = scanner.position()
    try checkDepth(depth, at: position)
    let content: TOMLValue.Content =
      if scanner.take("[") {
        .array(try elements(depth: depth))
      } else if scanner.take("{") {
        .table(try members(depth: depth))
      } else {
        try scanner.scalar(at: position)
      }
    return TOMLValue(content, at: position)
  }

  /// Reads the rest of an array: values over any number of lines; a comma may follow the last one (Array).
  private mutating func elements(depth: Int) throws(TOMLSyntaxError) -> [TOMLValue] {
    var elements: [TOMLValue] = []
    try scanner.skipFiller()
    while !scanner.take("]") {
      elements.append(try value(depth: depth + 1))
      try scanner.skipFiller()
      if scanner.take(",") {
        try scanner.skipFiller()
      } else if !scanner.isAt("]") {
        throw scanner.missing(", or ]")
      }
    }
    return elements
  }

  /// Reads the rest of an inline table: pairs on one line, without a comma after the last one (Inline Table).
  private mutating func members(depth: Int) throws(TOMLSyntaxError) -> TOMLTable {
    let section = Section(.keys, depth: depth)
    scanner.skipBlanks()
    if scanner.take("}") { return section.table }
    repeat {
      try pair(in: section)
      scanner.skipBlanks()
    } while scanner.take(",")
    if !scanner.take("}") { throw scanner.missing(", or }") }
    return section.closed()
  }
}

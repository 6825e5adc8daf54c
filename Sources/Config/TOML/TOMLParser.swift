private import TOMLKit

/// A TOML 1.0 document as a tree of values with positions. TOMLKit validates and parses the text; positions
/// and key order come from `TOMLOutline`.
package struct TOMLDocument: Sendable {
  /// The path as the user would write it, or `builtin:NAME`.
  package let file: String
  package let root: TOMLTable

  /// In bytes; a larger document is rejected.
  package static let largest = 1 << 20

  /// - Parameter file: The name of the document in messages.
  /// - Throws: The first error, with line and column; syntax errors have TOMLKit's message.
  package init(_ bytes: [UInt8], file: String) throws(ConfigError) {
    self.file = file
    self.root = try TOMLParser(bytes: bytes, file: file).root()
  }

  package init(_ text: String, file: String) throws(ConfigError) {
    try self.init(Array(text.utf8), file: file)
  }
}

/// Parses one document. The outline is built first, because TOMLKit is recursive and traps on some invalid
/// input (`a = [,]`): it only receives text with a valid structure of limited depth.
struct TOMLParser {
  let bytes: [UInt8]
  let file: String

  func root() throws(ConfigError) -> TOMLTable {
    guard bytes.count <= TOMLDocument.largest else {
      throw error("is larger than the limit of \(TOMLDocument.largest) bytes")
    }
    if let place = firstUnreadableByte { throw error("not UTF-8 text", at: place) }
    let outline: TOMLOutline
    do { outline = try TOMLOutlineParser.outline(of: bytes) } catch {
      throw self.error(error.problem, at: error.place)
    }
    return try assembled(parsed(), outline)
  }

  private func parsed() throws(ConfigError) -> TOMLKit.TOMLTable {
    do { return try TOMLKit.TOMLTable(string: String(decoding: bytes, as: UTF8.self)) } catch {
      guard let fault = error as? TOMLParseError else { throw self.error("\(error)") }
      throw self.error(
        Self.words(fault.description),
        at: TOMLOutline.Place(line: fault.source.begin.line, column: fault.source.begin.column))
    }
  }

  /// TOMLKit's message without its prefix; a remedy is appended where the message lacks one.
  private static func words(_ description: String) -> String {
    let start =
      description.hasPrefix("Error while parsing ") ? description.firstRange(of: ": ")?.upperBound : nil
    let fault = String(description[(start ?? description.startIndex)...])
    return fault.hasPrefix("cannot redefine ") ? "\(fault). Keep one, or merge the two" : fault
  }

  /// NUL is considered unreadable, because TOMLKit would take it for the end.
  private var firstUnreadableByte: TOMLOutline.Place? {
    if !bytes.contains(0), String(validating: bytes, as: UTF8.self) != nil { return nil }
    var line = 1
    var column = 1
    var decoder = UTF8()
    var rest = bytes.makeIterator()
    while case .scalarValue(let scalar) = decoder.decode(&rest), scalar != "\0" {
      column = scalar == "\n" ? 1 : column + 1
      line += scalar == "\n" ? 1 : 0
    }
    return TOMLOutline.Place(line: line, column: column)
  }

  private func error(_ problem: String, at place: TOMLOutline.Place? = nil) -> ConfigError {
    guard let place else { return ConfigError([ConfigProblem(at: .named(file), problem)]) }
    return ConfigError([ConfigProblem(at: .position(position(place)), problem)])
  }

  private func position(_ place: TOMLOutline.Place) -> FilePosition {
    FilePosition(file: file, line: place.line, column: place.column)
  }

  // MARK: Assembly

  /// Combines TOMLKit's values with the positions of the outline. Containers precede their children, so one
  /// forward pass finds the values and one backward pass builds the tree.
  private func assembled(
    _ parsed: TOMLKit.TOMLTable, _ outline: TOMLOutline
  ) throws(ConfigError) -> TOMLTable {
    let parts = try parts(of: parsed, outline)
    var values = [TOMLValue?](repeating: nil, count: outline.nodes.count)
    for (index, node) in outline.nodes.enumerated().reversed() {
      let content = try content(of: node, parts[index], &values)
      values[index] = TOMLValue(content, at: position(node.place))
    }
    return values[TOMLOutline.root]?.table ?? TOMLTable()
  }

  /// TOMLKit's value for each node.
  private func parts(
    of parsed: TOMLKit.TOMLTable, _ outline: TOMLOutline
  ) throws(ConfigError) -> [(any TOMLValueConvertible)?] {
    var parts = [(any TOMLValueConvertible)?](repeating: nil, count: outline.nodes.count)
    parts[TOMLOutline.root] = parsed
    for (index, node) in outline.nodes.enumerated() where node.kind != .scalar {
      let table = parts[index]?.table
      let array = parts[index]?.array
      guard table?.count ?? array?.count == node.children.count else { throw misread(node) }
      for (offset, child) in node.children.enumerated() {
        parts[child.node] = if let key = child.key { table?[key.name] } else { array?[offset] }
      }
    }
    return parts
  }

  private func content(
    of node: TOMLOutline.Node, _ part: (any TOMLValueConvertible)?, _ values: inout [TOMLValue?]
  ) throws(ConfigError) -> TOMLValue.Content {
    switch node.kind {
    case .table:
      var table = TOMLTable()
      for child in node.children {
        guard let key = child.key, let value = values[child.node].take() else { continue }
        table.set(TOMLTable.Entry(key: key.name, position: position(key.place), value: value))
      }
      return .table(table)
    case .array: return .array(node.children.compactMap { values[$0.node].take() })
    case .scalar:
      if let part, let scalar = scalar(part, bytes[node.bytes]) { return scalar }
      throw misread(node)
    }
  }

  private func scalar(_ part: any TOMLValueConvertible, _ text: ArraySlice<UInt8>) -> TOMLValue.Content? {
    switch part.type {
    case .string: part.string.map { .string($0) }
    case .int: part.int.map { .integer($0) }
    case .double: part.double.map { .float($0) }
    case .bool: part.bool.map { .bool($0) }
    case .date, .time, .dateTime: .date(String(decoding: text, as: UTF8.self))
    case .table, .array: nil
    }
  }

  /// Should not occur: the outline and TOMLKit interpret the same text differently.
  private func misread(_ node: TOMLOutline.Node) -> ConfigError {
    error("ambiguous TOML. Write it more simply", at: node.place)
  }
}

/// The structure of a TOML document: its tables, arrays and values with their positions, in document order.
/// TOMLKit provides neither positions nor order, so they are found by a separate iterative pass. Any input
/// yields an outline or a fault, in time linear in its length.
struct TOMLOutline {
  enum Kind { case scalar, array, table }

  struct Node {
    let kind: Kind
    let place: Place
    /// The number of containers around it; 0 for the document.
    let depth: Int
    /// The range of a scalar in the text.
    var bytes = 0..<0
    /// The children of a container.
    var children: [Child] = []
  }

  struct Child {
    /// Nil in an array.
    let key: Key?
    let node: Int
  }

  struct Key {
    let name: String
    let place: Place
  }

  /// Line and column from 1.
  struct Place {
    let line: Int
    let column: Int
  }

  /// Containers precede their children; the first node is the document.
  private(set) var nodes = [Node(kind: .table, place: Place(line: 1, column: 1), depth: 0)]
  private var members: [MemberName: Int] = [:]

  private struct MemberName: Hashable {
    let table: Int
    let name: String
  }

  static let root = 0
  /// The nesting limit; deeper documents are rejected.
  static let deepest = 64

  func member(of table: Int, named name: String) -> Int? { members[MemberName(table: table, name: name)] }

  /// Adds a node at `place` to a table, or at the end of an array.
  mutating func add(
    _ kind: Kind, to parent: Int, key: Key? = nil, at place: Place
  ) throws(TOMLFault) -> Int {
    let depth = nodes[parent].depth + 1
    guard depth <= Self.deepest else {
      throw TOMLFault(place: place, problem: "nested more than \(Self.deepest) levels deep")
    }
    let node = nodes.count
    nodes.append(Node(kind: kind, place: place, depth: depth))
    nodes[parent].children.append(Child(key: key, node: node))
    if let key { members[MemberName(table: parent, name: key.name)] = node }
    return node
  }

  mutating func setBytes(_ bytes: Range<Int>, of node: Int) { nodes[node].bytes = bytes }
}

/// Scans a document to build its outline. It checks the structure (TOML 1.0), but not the values or duplicate
/// keys.
struct TOMLOutlineParser {
  private var cursor: TOMLCursor
  private var outline = TOMLOutline()
  /// The table opened by the latest header.
  private var table = TOMLOutline.root
  /// The arrays and inline tables that are still open, innermost last.
  private var open: [Int] = []

  private init(_ bytes: [UInt8]) { cursor = TOMLCursor(bytes) }

  static func outline(of bytes: [UInt8]) throws(TOMLFault) -> TOMLOutline {
    var outliner = TOMLOutlineParser(bytes)
    while true {
      outliner.cursor.skipFiller()
      guard outliner.cursor.current != nil else { return outliner.outline }
      if outliner.cursor.isAt("[") {
        try outliner.header()
      } else {
        try outliner.openMember(of: outliner.table)
        try outliner.closeContainers()
      }
      try outliner.endOfLine()
    }
  }

  private mutating func endOfLine() throws(TOMLFault) {
    cursor.skipBlanks()
    cursor.skipComment()
    if !cursor.takeNewline(), cursor.current != nil { throw cursor.missing("the end of the line") }
  }

  private mutating func expect(_ character: Unicode.Scalar) throws(TOMLFault) {
    if !cursor.take(character) { throw cursor.missing("\(character)") }
  }

  // MARK: Headers

  private mutating func header() throws(TOMLFault) {
    let start = cursor.place
    cursor.advance()
    let isElement = cursor.take("[")
    var keys = try dottedKey()
    try expect("]")
    if isElement { try expect("]") }
    let last = keys.removeLast()
    let parent = try descend(keys, from: TOMLOutline.root)
    table = try member(last, of: parent, orNew: isElement ? .array : .table, at: start)
    if isElement, outline.nodes[table].kind == .array {
      table = try outline.add(.table, to: table, at: start)
    }
    if outline.nodes[table].kind != .table {
      throw TOMLFault(place: last.place, problem: Self.taken(last))
    }
  }

  private static func taken(_ key: TOMLOutline.Key) -> String {
    "\(Wording.quoted(key.name)) is already defined as something else. Keep one of the two"
  }

  /// The table at this path; missing tables are created, and an array of tables stands for its last element.
  private mutating func descend(_ keys: [TOMLOutline.Key], from start: Int) throws(TOMLFault) -> Int {
    var node = start
    for key in keys {
      node = try member(key, of: node, orNew: .table, at: key.place)
      if outline.nodes[node].kind == .array, let last = outline.nodes[node].children.last { node = last.node }
      if outline.nodes[node].kind != .table {
        throw TOMLFault(place: key.place, problem: Self.taken(key))
      }
    }
    return node
  }

  private mutating func member(
    _ key: TOMLOutline.Key, of table: Int, orNew kind: TOMLOutline.Kind, at place: TOMLOutline.Place
  ) throws(TOMLFault) -> Int {
    if let node = outline.member(of: table, named: key.name) { return node }
    return try outline.add(kind, to: table, key: key, at: place)
  }

  // MARK: Keys and values

  private mutating func dottedKey() throws(TOMLFault) -> [TOMLOutline.Key] {
    var keys: [TOMLOutline.Key] = []
    repeat {
      cursor.skipBlanks()
      let place = cursor.place
      keys.append(TOMLOutline.Key(name: try cursor.key(), place: place))
      cursor.skipBlanks()
      if keys.count > TOMLOutline.deepest {
        throw cursor.fault("key with more than \(TOMLOutline.deepest) parts")
      }
    } while cursor.take(".")
    return keys
  }

  /// Reads a key, `=`, and the start of its value.
  private mutating func openMember(of table: Int) throws(TOMLFault) {
    var keys = try dottedKey()
    try expect("=")
    cursor.skipBlanks()
    let last = keys.removeLast()
    try openValue(in: descend(keys, from: table), key: last)
  }

  /// Reads a whole scalar, or the bracket that opens a container.
  private mutating func openValue(in parent: Int, key: TOMLOutline.Key?) throws(TOMLFault) {
    if cursor.isAt("[") || cursor.isAt("{") {
      open.append(try outline.add(cursor.isAt("[") ? .array : .table, to: parent, key: key, at: cursor.place))
      cursor.advance()
      return
    }
    let node = try outline.add(.scalar, to: parent, key: key, at: cursor.place)
    let start = cursor.index
    if cursor.isAt("\"") || cursor.isAt("'") { try cursor.skipString() } else { try cursor.skipBareValue() }
    outline.setBytes(start..<cursor.index, of: node)
  }

  /// Reads to the end of the outermost open container.
  private mutating func closeContainers() throws(TOMLFault) {
    // An element must be followed by a comma before the next one.
    var needsComma = false
    while let container = open.last {
      let isArray = outline.nodes[container].kind == .array
      if isArray { cursor.skipFiller() } else { cursor.skipBlanks() }
      if needsComma, cursor.take(",") {
        needsComma = false
      } else if cursor.take(isArray ? "]" : "}") {
        open.removeLast()
        needsComma = true
      } else if needsComma {
        throw cursor.missing(", or \(isArray ? "]" : "}")")
      } else {
        let depth = open.count
        try isArray ? openValue(in: container, key: nil) : openMember(of: container)
        needsComma = open.count == depth
      }
    }
  }
}

/// A position in the bytes of a TOML document, with its line and column, and the lexical rules for where a
/// key, a string or a bare value ends (TOML 1.0).
struct TOMLCursor {
  let bytes: [UInt8]
  private(set) var index = 0
  private var line = 1
  private var column = 1

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { index = 3 }
  }

  var current: UInt8? { index < bytes.count ? bytes[index] : nil }

  var place: TOMLOutline.Place { TOMLOutline.Place(line: line, column: column) }

  func fault(_ problem: String) -> TOMLFault { TOMLFault(place: place, problem: problem) }

  /// The fault for a missing token at this position.
  func missing(_ expected: String) -> TOMLFault { fault("expected \(expected), found \(found)") }

  /// The text at this position, for messages.
  private var found: String {
    guard let byte = current else { return "the end of the file" }
    if isAt("\n") || isAt("\r") { return "the end of the line" }
    // The text has already been validated as UTF-8.
    let end = bytes[index...].indices.dropFirst().first { bytes[$0] & 0xC0 != 0x80 } ?? bytes.endIndex
    return byte < 0x20 || byte == 0x7F
      ? "a control character" : String(decoding: bytes[index..<end], as: UTF8.self)
  }

  func isAt(_ character: Unicode.Scalar) -> Bool { current == UInt8(ascii: character) }

  mutating func advance() {
    guard let byte = current else { return }
    index += 1
    if byte == UInt8(ascii: "\n") {
      line += 1
      column = 1
    } else if byte & 0xC0 != 0x80 {
      column += 1
    }
  }

  mutating func advance(while isWanted: (UInt8) -> Bool) {
    while let byte = current, isWanted(byte) { advance() }
  }

  /// Skips the character if it is next.
  mutating func take(_ character: Unicode.Scalar) -> Bool {
    guard isAt(character) else { return false }
    advance()
    return true
  }

  mutating func skipBlanks() { advance { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") } }

  /// Skips LF or CR LF.
  mutating func takeNewline() -> Bool {
    if isAt("\r"), index + 1 < bytes.count, bytes[index + 1] == UInt8(ascii: "\n") { advance() }
    return take("\n")
  }

  /// Skips whitespace, newlines and comments.
  mutating func skipFiller() {
    repeat {
      skipBlanks()
      skipComment()
    } while takeNewline()
  }

  /// Skips a comment to the end of the line, if one starts here.
  mutating func skipComment() {
    if isAt("#") { advance { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") } }
  }

  /// Skips a number, keyword or date. Date and time may be separated by a space.
  mutating func skipBareValue() throws(TOMLFault) {
    let start = self
    var end = self
    while let byte = current, byte.isBareKeyByte || " \t+.:".utf8.contains(byte) {
      advance()
      if byte != UInt8(ascii: " "), byte != UInt8(ascii: "\t") { end = self }
    }
    self = end
    if index == start.index { throw missing("a value") }
    try Self.check(word: String(decoding: bytes[start.index..<index], as: UTF8.self), at: start)
  }

  /// Reports any other word as an unquoted text.
  private static func check(word: String, at start: TOMLCursor) throws(TOMLFault) {
    let letters = word.drop { $0 == "+" || $0 == "-" }
    guard letters.first?.isLetter == true, !["true", "false", "inf", "nan"].contains(letters) else { return }
    let isFlag = ["true", "false"].contains(word.lowercased())
    throw start.fault(
      "expected a value, found a word. "
        + (isFlag ? "Write \(word.lowercased())" : "Put text in quotes: \(Wording.quoted(word))"))
  }
}

/// Why a document could not be outlined.
struct TOMLFault: Error {
  let place: TOMLOutline.Place
  let problem: String
}

extension UInt8 {
  /// `A`–`Z`, `a`–`z`, `0`–`9`, `-` and `_`.
  var isBareKeyByte: Bool {
    switch self {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"): true
    default: false
    }
  }
}

extension TOMLCursor {
  /// One part of a dotted key: bare, `"basic"` or `'literal'`.
  mutating func key() throws(TOMLFault) -> String {
    if isAt("\"") || isAt("'") { return try quotedKey() }
    let start = index
    advance(while: \.isBareKeyByte)
    guard index > start else { throw missing("a key") }
    return String(decoding: bytes[start..<index], as: UTF8.self)
  }

  private mutating func quotedKey() throws(TOMLFault) -> String {
    let isLiteral = isAt("'")
    let quote: Unicode.Scalar = isLiteral ? "'" : "\""
    let start = self
    advance()
    var name: [UInt8] = []
    while !isAt(quote) {
      guard let byte = current, byte != UInt8(ascii: "\n") else {
        throw start.fault("unterminated key: close it with the quote it starts with")
      }
      if byte == UInt8(ascii: "\\"), !isLiteral {
        name.append(contentsOf: String(try escapedScalar()).utf8)
      } else {
        name.append(byte)
        advance()
      }
    }
    advance()
    return String(decoding: name, as: UTF8.self)
  }

  /// Skips a string of any of the four kinds.
  mutating func skipString() throws(TOMLFault) {
    let start = self
    let isLiteral = isAt("'")
    let quote: Unicode.Scalar = isLiteral ? "'" : "\""
    var quotes = 0
    while quotes < 3, take(quote) { quotes += 1 }
    guard quotes != 2 else { return }
    let isMultiline = quotes == 3
    while let byte = current, byte != UInt8(ascii: "\n") || isMultiline {
      if byte == UInt8(ascii: "\\"), !isLiteral {
        _ = try escapedScalar(orLineEnd: isMultiline)
      } else if take(quote) {
        if !isMultiline || takeClosing(quote) { return }
      } else {
        advance()
      }
    }
    throw start.fault("unterminated string: close it with the quotes it starts with")
  }

  /// Whether the quote just consumed starts the closing three; up to two more quotes belong to the text.
  private mutating func takeClosing(_ quote: Unicode.Scalar) -> Bool {
    var quotes = 1
    while quotes < 5, take(quote) { quotes += 1 }
    return quotes >= 3
  }

  /// Skips a backslash escape. NUL is rejected, because TOMLKit would silently end the text there.
  private mutating func escapedScalar(orLineEnd: Bool = false) throws(TOMLFault) -> Unicode.Scalar {
    let start = self
    advance()
    let letter = current.map { Unicode.Scalar($0) }
    if orLineEnd, let letter, " \t\r\n".unicodeScalars.contains(letter) { return letter }
    advance()
    switch letter {
    case "u": return try codePoint(digits: 4, from: start)
    case "U": return try codePoint(digits: 8, from: start)
    case "b": return "\u{8}"
    case "t": return "\t"
    case "n": return "\n"
    case "f": return "\u{C}"
    case "r": return "\r"
    case "\"": return "\""
    case "\\": return "\\"
    default:
      throw start.fault("invalid escape. For a backslash, write \\\\ or use 'single quotes'")
    }
  }

  private mutating func codePoint(digits: Int, from start: TOMLCursor) throws(TOMLFault) -> Unicode.Scalar {
    let first = index
    for _ in 0..<digits { advance() }
    let text = String(decoding: bytes[first..<index], as: UTF8.self)
    guard text.utf8.allSatisfy(\.isBareKeyByte), let number = UInt32(text, radix: 16),
      let scalar = Unicode.Scalar(number), number > 0
    else { throw start.fault("invalid Unicode code point") }
    return scalar
  }
}

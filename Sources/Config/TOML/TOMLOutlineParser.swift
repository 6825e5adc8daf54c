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

private import TOMLKit

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

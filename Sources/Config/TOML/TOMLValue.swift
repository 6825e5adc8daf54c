import OrderedCollections
import Text

/// A value of a TOML document with its start position.
package struct TOMLValue: Sendable, Hashable {
  package enum Content: Sendable, Hashable {
    case string(String)
    case integer(Int)
    case float(Double)
    case bool(Bool)
    case date(TOMLDate)
    case array([TOMLValue])
    case table(TOMLTable)
  }

  package var content: Content
  package let position: FilePosition

  init(_ content: Content, at position: FilePosition) {
    self.content = content
    self.position = position
  }

  package var table: TOMLTable? {
    if case .table(let table) = content { table } else { nil }
  }

  package var string: String? {
    if case .string(let text) = content { text } else { nil }
  }

  /// The elements of an array; only the value itself if it is something else.
  var elements: [TOMLValue] { if case .array(let elements) = content { elements } else { [self] } }

  /// The name of the kind with its article, for messages.
  package var kindName: String {
    switch content {
    case .string: "a string"
    case .integer: "an integer"
    case .float: "a float"
    case .bool: "a boolean"
    case .date(let date): date.kind == .localTime ? "a time" : "a date"
    case .array: "an array"
    case .table: "a table"
    }
  }
}

/// A date, a time or both, checked against the calendar and stored as written.
package struct TOMLDate: Sendable, Hashable, CustomStringConvertible {
  package enum Kind: Sendable, Hashable { case offsetDateTime, localDateTime, localDate, localTime }

  package let kind: Kind
  package let text: String

  package var description: String { text }
}

/// A table whose keys keep their document order.
package struct TOMLTable: Sendable, Hashable {
  package struct Entry: Sendable, Hashable {
    package let key: String
    /// The position of the key.
    package let position: FilePosition
    package var value: TOMLValue
  }

  private var members: OrderedDictionary<String, Entry> = [:]

  init() {}

  package var entries: [Entry] { members.values.elements }

  /// The index of a key in `entries`. Takes constant time.
  func index(of key: String) -> Int? { members.index(forKey: key) }

  package func entry(_ key: String) -> Entry? { members[key] }

  package subscript(key: String) -> TOMLValue? { entry(key)?.value }

  /// Replaces the entry with the same key, or appends the entry.
  mutating func set(_ entry: Entry) { members[entry.key] = entry }

  mutating func setContent(_ content: TOMLValue.Content, at index: Int) {
    members.values[index].value.content = content
  }

  mutating func remove(_ key: String) { members[key] = nil }
}

/// A position in a document: line and column from 1, columns counted in code points.
package struct FilePosition: Sendable, Hashable, CustomStringConvertible {
  /// The path as the user would write it, or `builtin:NAME`.
  package let file: String
  package let line: Int
  package let column: Int

  package var description: String { "\(file):\(line):\(column)" }
}

extension TOMLValue {
  /// The text of a string, number or Boolean; nil for anything else.
  var scalarText: String? {
    switch content {
    case .string(let text): text
    case .integer(let number): String(number)
    case .float(let number): number.isFinite ? String(number) : nil
    case .bool(let flag): String(flag)
    case .date, .array, .table: nil
    }
  }

  /// The kind of a value that is not a string, number or Boolean, for messages.
  var oddName: String {
    if case .float(let number) = content, !number.isFinite { return "an infinite number or NaN" }
    return kindName
  }
}

extension TOMLTable {
  /// The table as a TOML document: scalars and arrays first, then the tables, each under its header or, if it is short,
  /// on one line. Original positions and comments are lost.
  package var document: String { lines(path: []).joined(separator: "\n") + "\n" }

  /// Recursion is bounded by the depth of a document, which the parser limits.
  private func lines(path: [String]) -> [String] {
    var lines: [String] = []
    var blocks: [[String]] = []
    for entry in entries {
      let key = TOMLText.key(entry.key)
      let inline = "\(key) = \(entry.value.inlineText)"
      switch entry.value.content {
      case .table(let table) where path.isEmpty || inline.utf8.count > Self.maxLineLength:
        let path = path + [key]
        blocks.append(["", "[\(path.joined(separator: "."))]"] + table.lines(path: path))
      case .array(let elements)
      where path.isEmpty && !elements.isEmpty && elements.allSatisfy { $0.table != nil }:
        for table in elements.compactMap(\.table) {
          blocks.append(["", "[[\(key)]]"] + table.entries.map(\.line))
        }
      default: lines.append(entry.line)
      }
    }
    return lines + blocks.flatMap { $0 }
  }

  private static var maxLineLength: Int { 100 }
}

extension TOMLTable.Entry {
  fileprivate var line: String {
    if case .string(let text) = value.content, text.contains("\n"), let block = TOMLText.block(text) {
      return "\(TOMLText.key(key)) = \(block)"
    }
    return "\(TOMLText.key(key)) = \(value.inlineText)"
  }
}

extension TOMLValue {
  var inlineText: String {
    switch content {
    case .string(let text): TOMLText.string(text)
    case .integer(let number): String(number)
    case .float(let number):
      number.isNaN ? "nan" : number.isInfinite ? (number < 0 ? "-inf" : "inf") : "\(number)"
    case .bool(let flag): String(flag)
    case .date(let date): date.text
    case .array(let elements): "[\(elements.map(\.inlineText).joined(separator: ", "))]"
    case .table(let table):
      table.entries.isEmpty
        ? "{}"
        : "{ \(table.entries.map { "\(TOMLText.key($0.key)) = \($0.value.inlineText)" }.joined(separator: ", ")) }"
    }
  }
}

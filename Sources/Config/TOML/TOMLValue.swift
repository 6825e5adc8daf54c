/// A value of a TOML document with its start position.
package struct TOMLValue: Sendable, Hashable {
  package enum Content: Sendable, Hashable {
    case string(String)
    case integer(Int)
    case float(Double)
    case bool(Bool)
    /// A date, a time or both, as written.
    case date(String)
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

  /// With its article, for messages.
  package var kindName: String {
    switch content {
    case .string: "a string"
    case .integer: "an integer"
    case .float: "a number with a fraction"
    case .bool: "a boolean"
    case .date: "a date"
    case .array: "an array"
    case .table: "a table"
    }
  }
}

/// A table whose keys keep their document order.
package struct TOMLTable: Sendable, Hashable {
  package struct Entry: Sendable, Hashable {
    package let key: String
    /// The position of the key.
    package let position: FilePosition
    package var value: TOMLValue
  }

  package private(set) var entries: [Entry] = []
  private var indices: [String: Int] = [:]

  init() {}

  package func entry(_ key: String) -> Entry? { indices[key].map { entries[$0] } }

  package subscript(key: String) -> TOMLValue? { entry(key)?.value }

  /// Replaces the entry with the same key, or appends the entry.
  mutating func set(_ entry: Entry) {
    if let index = indices[entry.key] {
      entries[index] = entry
    } else {
      indices[entry.key] = entries.count
      entries.append(entry)
    }
  }

  mutating func remove(_ key: String) {
    guard indices[key] != nil else { return }
    let rest = entries.filter { $0.key != key }
    self = TOMLTable()
    for entry in rest { set(entry) }
  }
}

/// A JSON text (RFC 8259), completely validated, with exact number text, member order, and byte offsets.
///
/// A byte order mark is skipped. Bytes in strings that are not UTF-8 are accepted, recorded in `firstMalformedByte`,
/// and read as U+FFFD, as are unpaired surrogate escapes. If an object has duplicate names, the last one counts. Values
/// are converted lazily: the document consists of the original bytes and a tape of 16 bytes for each value and each
/// name.
///
/// Values are accessed by `JSONNode` handles, which cost nothing to copy, or by `JSONValue`, which includes
/// its document. A node is valid only in the document it came from.
package struct JSONDocument: Sendable {
  /// The original text.
  package let bytes: [UInt8]
  /// The offset of the first byte that is not UTF-8; nil if there is none.
  package let firstMalformedByte: Int?

  let tape: [JSONTapeEntry]
  /// Whether there is a line feed or carriage return outside strings.
  let hasLineBreaks: Bool

  /// Parses a text of less than 4 GiB. O(bytes).
  ///
  /// - Parameter maxDepth: The maximum nesting depth of objects and arrays.
  package init(_ bytes: [UInt8], maxDepth: Int = 64) throws(JSONError) {
    do throws(JSONScanError) {
      guard bytes.count < UInt32.max else { throw JSONScanError(offset: 0, expectation: .size) }
      let start = JSONScanner.lengthOfPrefix(bytes)
      let scan = try bytes.withUnsafeBufferPointer { text throws(JSONScanError) in
        try JSONScan(text, from: start, maxDepth: maxDepth)
      }
      (tape, firstMalformedByte, hasLineBreaks) = (scan.tape, scan.firstMalformedByte, scan.hasLineBreaks)
      self.bytes = bytes
    } catch {
      throw JSONError(error, in: bytes)
    }
  }

  private init(null: [UInt8]) {
    bytes = null
    tape = [JSONTapeEntry(start: 0, end: 4, link: 0, kind: .null, flags: [])]
    firstMalformedByte = nil
    hasLineBreaks = false
  }

  package static let null = JSONDocument(null: Array("null".utf8))

  package var root: JSONValue { JSONValue(document: self, node: rootNode) }
  package var rootNode: JSONNode { JSONNode(index: 0) }
}

extension JSONDocument {
  /// The kind of a value; a member name is a string. O(1).
  package func kind(of node: JSONNode) -> JSONKind {
    switch tape[node.index].kind {
    case .object: .object
    case .array: .array
    case .string, .name: .string
    case .number: .number
    case .true, .false: .bool
    case .null: .null
    }
  }

  /// The range of the value in `bytes`, including the quotes of a string. O(1).
  package func byteRange(of node: JSONNode) -> Range<Int> {
    let entry = tape[node.index]
    let isQuoted = entry.kind == .string || entry.kind == .name
    return isQuoted ? Int(entry.start) - 1..<Int(entry.end) + 1 : entry.range
  }

  /// The value of the last member with this name; nil if there is none or the node is not an object.
  /// O(members).
  package func member(of node: JSONNode, named key: JSONKey) -> JSONNode? {
    guard tape[node.index].kind == .object else { return nil }
    let entries = tape.span
    let end = Int(entries[node.index].link)
    var found: JSONNode?
    var index = node.index + 1
    while index < end {
      let name = entries[index]
      if matches(name, key) { found = JSONNode(index: index + 1) }
      index = Self.indexAfter(index + 1, in: entries)
    }
    return found
  }

  /// The elements of an array in order; empty if the node is not an array.
  package func elements(of node: JSONNode) -> JSONElements { JSONElements(tape, of: node) }

  /// The members of an object as written, including duplicate names; empty if the node is not an object.
  package func members(of node: JSONNode) -> JSONMembers { JSONMembers(tape, of: node) }

  /// The name of a value that is a member of an object. O(1).
  package func name(of node: JSONNode) -> JSONNode? {
    guard node.index > 0, tape[node.index - 1].kind == .name else { return nil }
    return JSONNode(index: node.index - 1)
  }

  /// The number of elements or members, as written; 0 for a scalar. O(count).
  package func count(of node: JSONNode) -> Int {
    elements(of: node).count { _ in true } + members(of: node).count { _ in true }
  }

  /// The element at an index, from the end if negative (-1 is the last); nil if out of range. O(elements).
  package func element(of node: JSONNode, at index: Int) -> JSONNode? {
    let position = index < 0 ? index + count(of: node) : index
    guard position >= 0 else { return nil }
    return elements(of: node).dropFirst(position).first { _ in true }
  }

  /// The index of the entry after a value and its descendants.
  @inline(__always)
  static func indexAfter(_ index: Int, in entries: Span<JSONTapeEntry>) -> Int {
    let entry = entries[index]
    return entry.isContainer ? Int(entry.link) : index + 1
  }

  @inline(__always)
  private func matches(_ name: JSONTapeEntry, _ key: JSONKey) -> Bool {
    if name.isVerbatim {
      Int(name.end &- name.start) == key.utf8.count && bytes[name.range].elementsEqual(key.utf8)
    } else {
      decodedString(name).utf8.elementsEqual(key.utf8)
    }
  }
}

extension JSONDocument {
  /// The decoded text of a string or member name; nil for anything else.
  package func string(of node: JSONNode) -> String? {
    let entry = tape[node.index]
    guard entry.kind == .string || entry.kind == .name else { return nil }
    return decodedString(entry)
  }

  /// The text of a number exactly as written, whatever its size.
  package func numberText(of node: JSONNode) -> String? {
    let entry = tape[node.index]
    return entry.kind == .number ? String(decoding: bytes[entry.range], as: UTF8.self) : nil
  }

  /// The value of `true` or `false`; nil for anything else.
  package func bool(of node: JSONNode) -> Bool? {
    switch tape[node.index].kind {
    case .true: true
    case .false: false
    default: nil
    }
  }

  /// A scalar as plain text: a decoded string, a number as written, `true` or `false`; nil for null, objects,
  /// and arrays.
  package func text(of node: JSONNode) -> String? {
    switch kind(of: node) {
    case .string, .number, .bool: withUTF8(of: node) { String(decoding: $0, as: UTF8.self) }
    case .null, .object, .array: nil
    }
  }

  /// Calls the closure with the text of a value as well-formed UTF-8: a decoded string, anything else as
  /// written. Copies nothing unless the string contains escapes or the text is malformed.
  package func withUTF8<Result, Failure>(
    of node: JSONNode, _ body: (UnsafeBufferPointer<UInt8>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let entry = tape[node.index]
    guard isCopyNeeded(entry) else {
      return try bytes.withUnsafeBufferPointer { text throws(Failure) in
        try body(UnsafeBufferPointer(rebasing: text[entry.range]))
      }
    }
    let isString = entry.kind == .string || entry.kind == .name
    let decoded = isString ? decodedString(entry) : String(decoding: bytes[entry.range], as: UTF8.self)
    return try Array(decoded.utf8).withUnsafeBufferPointer(body)
  }

  private func isCopyNeeded(_ entry: JSONTapeEntry) -> Bool {
    switch entry.kind {
    case .object, .array: firstMalformedByte != nil
    case .string, .name, .number, .true, .false, .null: !entry.isVerbatim
    }
  }

  func decodedString(_ entry: JSONTapeEntry) -> String {
    let content = bytes[entry.range]
    return String(
      decoding: entry.flags.contains(.escaped) ? ArraySlice(JSONText.unescaped(content)) : content,
      as: UTF8.self)
  }
}

/// The elements of an array in order.
package struct JSONElements: Sequence, IteratorProtocol, Sendable {
  private let tape: [JSONTapeEntry]
  private var index: Int
  private let end: Int

  init(_ tape: [JSONTapeEntry], of node: JSONNode, in kind: JSONTapeEntry.Kind = .array) {
    self.tape = tape
    index = node.index + 1
    end = tape[node.index].kind == kind ? Int(tape[node.index].link) : 0
  }

  package mutating func next() -> JSONNode? {
    guard index < end else { return nil }
    defer { index = JSONDocument.indexAfter(index, in: tape.span) }
    return JSONNode(index: index)
  }
}

/// The members of an object as written; `name` is the node of a string.
package struct JSONMembers: Sequence, IteratorProtocol, Sendable {
  /// Names and values in turn.
  private var nodes: JSONElements

  init(_ tape: [JSONTapeEntry], of node: JSONNode) { nodes = JSONElements(tape, of: node, in: .object) }

  package mutating func next() -> (name: JSONNode, value: JSONNode)? {
    guard let name = nodes.next(), let value = nodes.next() else { return nil }
    return (name, value)
  }
}

/// A member name prepared for fast lookup: create it once and use it for every row.
package struct JSONKey: Sendable, Hashable, ExpressibleByStringLiteral {
  package let name: String
  let utf8: [UInt8]

  package init(_ name: String) {
    self.name = name
    utf8 = Array(name.utf8)
  }

  package init(stringLiteral value: String) { self.init(value) }
}

/// The type of a JSON value (RFC 8259, section 3).
package enum JSONKind: String, Sendable, Hashable {
  case object = "an object"
  case array = "an array"
  case string = "a string"
  case number = "a number"
  case bool = "a boolean"
  case null

  /// The name of the kind with its article, for messages.
  package var phrase: String { rawValue }
}

/// A handle to one value or member name of the `JSONDocument` it came from, and valid only there; free to copy.
package struct JSONNode: Sendable, Hashable {
  let index: Int
}

extension JSONDocument {
  /// O(1). A member name is a string.
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
  /// O(members), without reading the bytes of other names.
  package func member(of node: JSONNode, named key: JSONKey) -> JSONNode? {
    guard tape[node.index].kind == .object else { return nil }
    var found: JSONNode?
    let entries = tape.span
    let end = Int(entries[node.index].link)
    var index = node.index + 1
    while index < end {
      if matches(entries[index], key) { found = JSONNode(index: index + 1) }
      index = Self.indexAfter(index + 1, in: entries)
    }
    return found
  }

  /// The elements of an array in order; empty if the node is not an array.
  package func elements(of node: JSONNode) -> JSONElements {
    JSONElements(tape, of: node)
  }

  /// The members of an object as written, including duplicate names; empty if the node is not an object.
  package func members(of node: JSONNode) -> JSONMembers {
    JSONMembers(tape, of: node)
  }

  /// The name of a value that is a member of an object. O(1).
  package func name(of node: JSONNode) -> JSONNode? {
    guard node.index > 0, tape[node.index - 1].kind == .name else { return nil }
    return JSONNode(index: node.index - 1)
  }

  /// The number of elements or members, as written; 0 for a scalar. O(count).
  package func count(of node: JSONNode) -> Int {
    switch tape[node.index].kind {
    case .array: elements(of: node).reduce(0) { count, _ in count + 1 }
    case .object: members(of: node).reduce(0) { count, _ in count + 1 }
    default: 0
    }
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
      name.link == key.fingerprint && Int(name.end &- name.start) == key.utf8.count
        && bytes[name.range].elementsEqual(key.utf8)
    } else {
      decodedString(name).utf8.elementsEqual(key.utf8)
    }
  }
}

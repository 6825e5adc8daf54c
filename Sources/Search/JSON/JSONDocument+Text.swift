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

  /// The value of `true` or `false`.
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
  /// written.
  ///
  /// Copies nothing unless the string contains escapes or the text is malformed.
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

extension JSONDocument {
  /// The value on one line of well-formed UTF-8, as JSON Lines requires.
  package func compactBytes(of node: JSONNode) -> [UInt8] {
    var output: [UInt8] = []
    append(compact: node, to: &output)
    return output
  }

  /// Appends the bytes of the value, with malformed UTF-8 as U+FFFD. Removes white space outside strings if
  /// it contains a line break. O(bytes).
  package func append(compact node: JSONNode, to output: inout [UInt8]) {
    let range = byteRange(of: node)
    let isOnOneLine = !hasLineBreaks || !hasLineBreaks(in: node)
    if firstMalformedByte == nil {
      if isOnOneLine { output += bytes[range] } else { appendWithoutWhiteSpace(node, to: &output) }
    } else {
      var exact: [UInt8] = []
      if isOnOneLine { exact = Array(bytes[range]) } else { appendWithoutWhiteSpace(node, to: &exact) }
      output += String(decoding: exact, as: UTF8.self).utf8
    }
  }

  /// A string cannot contain a raw line break, so any in the range is outside strings.
  private func hasLineBreaks(in node: JSONNode) -> Bool {
    bytes[byteRange(of: node)].contains { $0 == 0x0A || $0 == 0x0D }
  }

  /// Copies strings as a whole and the text between them byte by byte.
  private func appendWithoutWhiteSpace(_ node: JSONNode, to output: inout [UInt8]) {
    let range = byteRange(of: node)
    output.reserveCapacity(output.count + range.count)
    bytes.withUnsafeBufferPointer { text in
      var copied = range.lowerBound
      for entry in tape[node.index...] {
        guard Int(entry.start) < range.upperBound else { break }
        guard entry.kind == .string || entry.kind == .name else { continue }
        for byte in text[copied..<Int(entry.start)] where !byte.isJSONWhiteSpace { output.append(byte) }
        output.append(contentsOf: UnsafeBufferPointer(rebasing: text[entry.range]))
        copied = Int(entry.end)
      }
      for byte in text[copied..<range.upperBound] where !byte.isJSONWhiteSpace { output.append(byte) }
    }
  }
}

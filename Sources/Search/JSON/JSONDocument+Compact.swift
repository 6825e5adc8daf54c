extension JSONDocument {
  /// The bytes of a value on one line of well-formed UTF-8, as JSON Lines wants them.
  package func compactBytes(of node: JSONNode) -> [UInt8] {
    var output: [UInt8] = []
    append(compact: node, to: &output)
    return output
  }

  /// Appends every byte of the value, but for white space outside strings when the value holds a line
  /// break there, and with malformed UTF-8 as U+FFFD. O(bytes).
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

  /// A string cannot hold a raw line break, so any in the range is outside strings.
  private func hasLineBreaks(in node: JSONNode) -> Bool {
    bytes[byteRange(of: node)].contains { $0 == 0x0A || $0 == 0x0D }
  }

  /// Copies strings whole and what stands between them byte by byte.
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

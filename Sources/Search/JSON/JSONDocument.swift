/// A JSON text (RFC 8259), completely validated, with exact number text, member order, and byte offsets.
///
/// A byte order mark is skipped. Bytes in strings that are not UTF-8 are accepted, recorded in
/// `firstMalformedByte`, and read as U+FFFD, as are unpaired surrogate escapes. Of duplicate names in an
/// object the last one counts. Values are converted lazily: the document consists of the original bytes and a
/// tape of 12 bytes for each value and each name.
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
    do throws(JSONFault) {
      guard bytes.count < UInt32.max else { throw JSONFault(offset: 0, expectation: .size) }
      let start = JSONScanner.lengthOfByteOrderMark(bytes)
      let scan = try bytes.withUnsafeBufferPointer { text throws(JSONFault) in
        try JSONScan(text, from: start, maxDepth: maxDepth)
      }
      (tape, firstMalformedByte, hasLineBreaks) = (scan.tape, scan.firstMalformedByte, scan.hasLineBreaks)
      self.bytes = bytes
    } catch {
      throw JSONError(error, in: bytes)
    }
  }

  /// The whole value.
  package var root: JSONValue { JSONValue(document: self, node: rootNode) }

  /// The handle of the whole value.
  package var rootNode: JSONNode { JSONNode(index: 0) }
}

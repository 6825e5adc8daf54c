/// One JSON text (RFC 8259), validated whole, with exact number text, member order and byte offsets.
///
/// A byte order mark is skipped. Bytes in strings that are not UTF-8 are accepted, noted in
/// `firstMalformedByte` and read as U+FFFD; so are unpaired surrogate escapes. Of equal names in an object
/// the last one counts. Nothing is converted until asked for: the document is the bytes it was made from and
/// a tape of 12 bytes for each value and each name.
///
/// Values are reached by `JSONNode` handles, which cost nothing to copy, or by `JSONValue`, which carries
/// its document along. A node belongs to the document that gave it.
package struct JSONDocument: Sendable {
  /// The text as it came.
  package let bytes: [UInt8]
  /// The offset of the first byte that is not UTF-8.
  package let firstMalformedByte: Int?

  let tape: [JSONTapeEntry]
  /// Whether a line feed or carriage return stands anywhere outside strings.
  let hasLineBreaks: Bool

  /// O(bytes). Objects and arrays nest at most `maxDepth` deep, and the text is shorter than 4 GiB.
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

/// A word to find in cells, with the semantics of `RowFilter`: a lowercase word ignores case, a word with a
/// capital is case-sensitive. Only whole characters match.
struct Needle: Sendable {
  let text: String
  let ignoresCase: Bool
  private let bytes: [UInt8]
  /// Whether the word can be compared by its bytes: see `PlainText`.
  private let isPlain: Bool
  /// Whether it contains an emoji, which no plain text contains.
  private let isUnusual: Bool
  private let prefilter: Prefilter?

  init(_ text: String) {
    self.text = text
    let utf8 = Array(text.utf8)
    bytes = utf8
    ignoresCase = text == text.lowercased()
    isPlain = utf8.withUnsafeBufferPointer { PlainText($0, 0..<$0.count) != .no }
    isUnusual = text.unicodeScalars.contains { 0x1F000...0x1FAFF ~= $0.value }
    prefilter = Prefilter(of: text)
  }

  /// Whether a cell contains the word. O(length of the cell); compares bytes where possible.
  func isFound(
    in text: UnsafeBufferPointer<UInt8>, _ range: Range<Int>, _ letters: inout CaseFolding
  ) -> Bool {
    if bytes.isEmpty { return true }
    guard isPlain || isUnusual else { return isFound(in: String(decoding: text[range], as: UTF8.self)) }
    switch text.isASCII(range) ? .withoutCase : PlainText(text, range) {
    case .no:
      if let prefilter, !prefilter.mayBe(in: text, range, foldingASCII: ignoresCase) { return false }
      return isFound(in: String(decoding: text[range], as: UTF8.self))
    case .withoutCase,
      .cased where !ignoresCase:
      return isPlain && text.holds(bytes, in: range, foldingASCII: ignoresCase)
    case .cased:
      guard isPlain else { return false }
      letters.read(text, range)
      return letters.bytes.withUnsafeBufferPointer {
        $0.holds(bytes, in: 0..<$0.count, foldingASCII: false)
      }
    }
  }

  /// Compares character by character, like `RowFilter`.
  private func isFound(in cell: String) -> Bool {
    ignoresCase ? cell.lowercased().contains(text) : cell.contains(text)
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// Whether no byte of a range is above 0x7F. Checks all bytes, so that the loop needs no branch.
  fileprivate func isASCII(_ range: Range<Int>) -> Bool {
    var union: UInt8 = 0
    for offset in range { union |= self[offset] }
    return union < 0x80
  }
  /// Whether a non-empty sequence of bytes occurs in a range. O(range) for typical texts.
  ///
  /// - Parameter foldingASCII: Whether ASCII capitals in the range match their lowercase letters.
  func holds(_ bytes: [UInt8], in range: Range<Int>, foldingASCII: Bool) -> Bool {
    bytes.withUnsafeBufferPointer { needle in
      let first = needle[0]
      let other = foldingASCII && first &- 0x61 < 26 ? first & 0xDF : first
      var start = range.lowerBound
      let last = range.upperBound - needle.count
      while start <= last {
        let byte = self[start]
        if byte == first || byte == other {
          var length = 1
          while length < needle.count {
            let next = self[start + length]
            guard (foldingASCII ? next.smallASCII : next) == needle[length] else { break }
            length += 1
          }
          if length == needle.count { return true }
        }
        start += 1
      }
      return false
    }
  }
}

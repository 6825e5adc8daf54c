/// A word that is looked for in cells as `RowFilter` looks for it: one in small letters whatever the case, one with
/// a capital as it is written; whole characters only.
struct Needle: Sendable {
  let text: String
  let ignoresCase: Bool
  private let bytes: [UInt8]
  /// Whether its bytes say all: see `PlainText`.
  private let isPlain: Bool
  /// Whether it holds what no plain text is equal to: an emoji.
  private let isUnusual: Bool
  private let anchor: Anchor?

  init(_ text: String) {
    self.text = text
    let utf8 = Array(text.utf8)
    bytes = utf8
    ignoresCase = text == text.lowercased()
    isPlain = utf8.withUnsafeBufferPointer { PlainText($0, 0..<$0.count) != .no }
    isUnusual = text.unicodeScalars.contains { 0x1F000...0x1FAFF ~= $0.value }
    anchor = Anchor(of: text)
  }

  /// Whether the word is in a cell. O(length of the cell), as bytes where they say all.
  func isFound(
    in text: UnsafeBufferPointer<UInt8>, _ range: Range<Int>, _ letters: inout SmallLetters
  ) -> Bool {
    if bytes.isEmpty { return true }
    guard isPlain || isUnusual else { return isFound(in: String(decoding: text[range], as: UTF8.self)) }
    switch text.isASCII(range) ? .withoutCase : PlainText(text, range) {
    case .no:
      if let anchor, !anchor.mayBe(in: text, range, foldingASCII: ignoresCase) { return false }
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

  /// Character by character, as `RowFilter` does.
  private func isFound(in cell: String) -> Bool {
    ignoresCase ? cell.lowercased().contains(text) : cell.contains(text)
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// Whether no byte of a range is above 0x7F. It looks at all of them, so that the loop needs no branch.
  fileprivate func isASCII(_ range: Range<Int>) -> Bool {
    var union: UInt8 = 0
    for offset in range { union |= self[offset] }
    return union < 0x80
  }
  /// Whether bytes, at least one, occur in a range. O(range), for texts.
  ///
  /// - Parameter foldingASCII: capitals of ASCII in the range count as their small letters.
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

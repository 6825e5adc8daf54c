/// A word that is looked for in cells as `RowFilter` looks for it: one in small letters whatever the case, one with
/// a capital as it is written; whole characters only.
struct Needle: Sendable {
  let text: String
  let ignoresCase: Bool
  private let bytes: [UInt8]
  /// Whether its bytes say all: see `PlainFolding`.
  private let isPlain: Bool
  /// Whether it holds what no plain text is equal to: an emoji.
  private let isUnusual: Bool

  init(_ text: String) {
    self.text = text
    ignoresCase = text == text.lowercased()
    bytes = Array(text.utf8)
    var folding = PlainFolding()
    isUnusual = text.unicodeScalars.contains { 0x1F000...0x1FAFF ~= $0.value }
    let foldsCase = ignoresCase
    isPlain = Array(text.utf8).withUnsafeBufferPointer {
      folding.read($0, 0..<$0.count, foldingCase: foldsCase)
    }
  }

  /// Whether the word is in a cell. O(length of the cell), as bytes where they say all.
  func isFound(
    in text: UnsafeBufferPointer<UInt8>, _ range: Range<Int>, _ folding: inout PlainFolding
  ) -> Bool {
    if bytes.isEmpty { return true }
    if isPlain || isUnusual {
      if text.isASCII(range) {
        return isPlain && isFound(inBytes: text, range, foldingASCII: ignoresCase)
      }
      if folding.read(text, range, foldingCase: ignoresCase) {
        guard isPlain else { return false }
        return folding.bytes.withUnsafeBufferPointer {
          isFound(inBytes: $0, 0..<$0.count, foldingASCII: false)
        }
      }
    }
    return isFound(in: String(decoding: text[range], as: UTF8.self))
  }

  /// Character by character, as `RowFilter` does.
  private func isFound(in cell: String) -> Bool {
    ignoresCase ? cell.lowercased().contains(text) : cell.contains(text)
  }

  private func isFound(
    inBytes hay: UnsafeBufferPointer<UInt8>, _ range: Range<Int>, foldingASCII: Bool
  ) -> Bool {
    bytes.withUnsafeBufferPointer { needle in
      let first = needle[0]
      let other = foldingASCII && first &- 0x61 < 26 ? first & 0xDF : first
      var start = range.lowerBound
      let last = range.upperBound - needle.count
      while start <= last {
        let byte = hay[start]
        if byte == first || byte == other {
          var length = 1
          while length < needle.count {
            let next = hay[start + length]
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

extension UnsafeBufferPointer<UInt8> {
  /// Whether no byte of a range is above 0x7F. It looks at all of them, so that the loop needs no branch.
  fileprivate func isASCII(_ range: Range<Int>) -> Bool {
    var union: UInt8 = 0
    for offset in range { union |= self[offset] }
    return union < 0x80
  }
}

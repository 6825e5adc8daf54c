/// A plain text in lowercase: see `PlainText`. The buffer is reused for the next text.
struct CaseFolding {
  private(set) var bytes: [UInt8] = []

  /// Reads a plain text, in which lowercasing never changes the UTF-8 length. O(n).
  mutating func read(_ text: UnsafeBufferPointer<UInt8>, _ range: Range<Int>) {
    bytes.removeAll(keepingCapacity: true)
    bytes.append(contentsOf: text[range])
    bytes.withUnsafeMutableBufferPointer { bytes in
      for offset in bytes.indices {
        switch bytes[offset] {
        case 0x41...0x5A: bytes[offset] |= 0x20
        case 0xC3: Self.foldLatin(bytes, offset)
        case 0xD0: Self.foldCyrillic(bytes, offset)
        case 0xEF: Self.foldFullwidth(bytes, offset)
        default: break
        }
      }
    }
  }

  /// U+00C0–U+00DE except U+00D7.
  private static func foldLatin(_ bytes: UnsafeMutableBufferPointer<UInt8>, _ offset: Int) {
    if 0x80...0x9E ~= bytes[offset + 1], bytes[offset + 1] != 0x97 { bytes[offset + 1] += 0x20 }
  }

  /// U+0400–U+042F.
  private static func foldCyrillic(_ bytes: UnsafeMutableBufferPointer<UInt8>, _ offset: Int) {
    switch bytes[offset + 1] {
    case 0x80...0x8F: (bytes[offset], bytes[offset + 1]) = (0xD1, bytes[offset + 1] + 0x10)
    case 0x90...0x9F: bytes[offset + 1] += 0x20
    case 0xA0...0xAF: (bytes[offset], bytes[offset + 1]) = (0xD1, bytes[offset + 1] - 0x20)
    default: break
    }
  }

  /// U+FF21–U+FF3A.
  private static func foldFullwidth(_ bytes: UnsafeMutableBufferPointer<UInt8>, _ offset: Int) {
    if bytes[offset + 1] == 0xBC, 0xA1...0xBA ~= bytes[offset + 2] {
      (bytes[offset + 1], bytes[offset + 2]) = (0xBD, bytes[offset + 2] - 0x20)
    }
  }
}

extension UInt8 {
  /// The lowercase letter of an ASCII capital, else the byte itself.
  @inline(__always)
  var smallASCII: UInt8 { self &- 0x41 < 26 ? self | 0x20 : self }
}

/// Small letters for texts whose scalars each stand for themselves: ASCII, Latin-1, Cyrillic, CJK, kana, Hangul
/// syllables and their punctuation. Among such texts, equal bytes are equal characters, a match never splits a
/// character, and small letters take as many bytes as capitals; so a search may go byte by byte.
///
/// Everything else (combining marks, emoji, other cased scripts, what has another canonical form) is refused.
struct PlainFolding {
  /// The bytes of the last text, folded where that was asked for.
  private(set) var bytes: [UInt8] = []

  /// Reads valid UTF-8 into `bytes`; false for a text that is to be compared character by character. O(n).
  mutating func read(_ text: UnsafeBufferPointer<UInt8>, _ range: Range<Int>, foldingCase: Bool) -> Bool {
    bytes.removeAll(keepingCapacity: true)
    var offset = range.lowerBound
    while offset < range.upperBound {
      let lead = text[offset]
      if lead < 0x80 {
        bytes.append(foldingCase ? lead.smallASCII : lead)
        offset += 1
        continue
      }
      let length = lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4
      guard offset + length <= range.upperBound else { return false }
      let second = text[offset + 1]
      guard let scalar = length == 2 ? Self.pair(lead, second, foldingCase) : Self.longer(text, offset, lead)
      else { return false }
      switch scalar {
      case .same: bytes.append(contentsOf: text[offset..<offset + length])
      case .pair(let first, let second):
        bytes.append(first)
        bytes.append(second)
      case .fullwidthCapital(let last):
        if foldingCase { bytes += [0xEF, 0xBD, last - 0x20] } else { bytes += [0xEF, 0xBC, last] }
      }
      offset += length
    }
    return true
  }

  private enum Scalar {
    case same
    case pair(UInt8, UInt8)
    /// U+FF21 to U+FF3A, with its last byte.
    case fullwidthCapital(UInt8)
  }

  /// U+00A0–U+00FF and U+0400–U+045F.
  private static func pair(_ lead: UInt8, _ second: UInt8, _ foldingCase: Bool) -> Scalar? {
    switch (lead, second) {
    case (0xC2, 0xA0...0xBF): .same
    case (0xC3, 0x80...0x9E) where second != 0x97: foldingCase ? .pair(0xC3, second + 0x20) : .same
    case (0xC3, _): .same
    case (0xD0, 0x80...0x8F): foldingCase ? .pair(0xD1, second + 0x10) : .same
    case (0xD0, 0x90...0x9F): foldingCase ? .pair(0xD0, second + 0x20) : .same
    case (0xD0, 0xA0...0xAF): foldingCase ? .pair(0xD1, second - 0x20) : .same
    case (0xD0, _), (0xD1, 0x80...0x9F): .same
    default: nil
    }
  }

  private static func longer(
    _ text: UnsafeBufferPointer<UInt8>, _ offset: Int, _ lead: UInt8
  ) -> Scalar? {
    let second = text[offset + 1]
    let third = text[offset + 2]
    switch (lead, second) {
    // General punctuation, without spaces and joiners.
    case (0xE2, 0x80): return 0x90...0xA7 ~= third || third >= 0xB0 ? .same : nil
    case (0xE2, 0x81): return third <= 0x9E ? .same : nil
    // Box drawing to dingbats; CJK radicals.
    case (0xE2, 0x94...0x9E), (0xE2, 0xBA...0xBF): return .same
    // CJK punctuation and kana, without their combining marks.
    case (0xE3, 0x80): return 0xAA...0xAF ~= third ? nil : .same
    case (0xE3, 0x82): return 0x99...0x9A ~= third ? nil : .same
    // The rest up to U+9FFF, Hangul syllables.
    case (0xE3...0xE9, _), (0xEA, 0xB0...0xBF), (0xEB...0xEC, _), (0xED, 0x80...0x9D): return .same
    // Fullwidth forms and halfwidth katakana.
    case (0xEF, 0xBC): return 0xA1...0xBA ~= third ? .fullwidthCapital(third) : third == 0x80 ? nil : .same
    case (0xEF, 0xBD): return .same
    case (0xEF, 0xBE): return third <= 0x9D ? .same : nil
    // CJK extensions B to H without compatibility forms.
    case (0xF0, 0xA0...0xAE): return .same
    default: return nil
    }
  }
}

extension UInt8 {
  /// The small letter of an ASCII capital, else the byte itself.
  @inline(__always)
  var smallASCII: UInt8 { self &- 0x41 < 26 ? self | 0x20 : self }
}

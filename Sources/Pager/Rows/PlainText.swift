/// Classifies texts that can be searched by bytes: those of ASCII, Latin-1, Cyrillic, CJK, kana, Hangul
/// syllables and their punctuation. Among such texts equal characters have equal bytes, a match never splits
/// a character, and lowercase and uppercase letters have the same UTF-8 length.
///
/// Everything else (combining marks, emoji, other cased scripts, characters with other canonical forms) is
/// not plain.
enum PlainText: Comparable {
  /// Its only cased letters are ASCII.
  case withoutCase
  /// It may contain other capital letters.
  case cased
  /// It must be compared by character.
  case no

  /// - Parameter range: A range of valid UTF-8. O(n).
  init(_ text: UnsafeBufferPointer<UInt8>, _ range: Range<Int>) {
    var kind = PlainText.withoutCase
    var offset = range.lowerBound
    while offset < range.upperBound {
      let lead = text[offset]
      if lead < 0x80 {
        offset += 1
        continue
      }
      let length = lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4
      guard offset + length <= range.upperBound else {
        self = .no
        return
      }
      let scalar =
        length == 2
        ? Self.pair(lead, text[offset + 1]) : Self.longer(lead, text[offset + 1], text[offset + 2])
      if scalar == .no {
        self = .no
        return
      }
      kind = max(kind, scalar)
      offset += length
    }
    self = kind
  }

  /// U+00A0–U+00FF and U+0400–U+045F.
  private static func pair(_ lead: UInt8, _ second: UInt8) -> PlainText {
    switch (lead, second) {
    case (0xC2, 0xA0...0xBF): .withoutCase
    case (0xC3, _), (0xD0, _), (0xD1, 0x80...0x9F): .cased
    default: .no
    }
  }

  private static func longer(_ lead: UInt8, _ second: UInt8, _ third: UInt8) -> PlainText {
    switch (lead, second) {
    // The most frequent case: U+3100 to U+9FFF.
    case (0xE4...0xE9, _), (0xE3, 0x84...0xBF): .withoutCase
    // CJK punctuation and kana, except combining marks.
    case (0xE3, 0x80): 0xAA...0xAF ~= third ? .no : .withoutCase
    case (0xE3, 0x82): 0x99...0x9A ~= third ? .no : .withoutCase
    case (0xE3, _): .withoutCase
    // Hangul syllables.
    case (0xEA, 0xB0...0xBF), (0xEB...0xEC, _), (0xED, 0x80...0x9D): .withoutCase
    // General punctuation, except spaces and joiners.
    case (0xE2, 0x80): 0x90...0xA7 ~= third || third >= 0xB0 ? .withoutCase : .no
    case (0xE2, 0x81): third <= 0x9E ? .withoutCase : .no
    // Box drawing to dingbats; CJK radicals.
    case (0xE2, 0x94...0x9E), (0xE2, 0xBA...0xBF): .withoutCase
    // Fullwidth forms and halfwidth katakana.
    case (0xEF, 0xBC): 0xA1...0xBA ~= third ? .cased : third == 0x80 ? .no : .withoutCase
    case (0xEF, 0xBD): .withoutCase
    case (0xEF, 0xBE): third <= 0x9D ? .withoutCase : .no
    // CJK extensions B to H, except compatibility ideographs.
    case (0xF0, 0xA0...0xAE): .withoutCase
    default: .no
    }
  }
}

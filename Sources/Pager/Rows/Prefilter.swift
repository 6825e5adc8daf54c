/// A prefilter for a search word: bytes that every text containing the word must contain, even if the
/// comparison is by character. It relies on the known canonical equivalents and case foldings of those bytes
/// (Unicode 17.0).
struct Prefilter: Sendable {
  private let bytes: [UInt8]
  /// Equivalents that may occur instead: whole characters, or prefixes of their UTF-8.
  private let variants: [[UInt8]]

  /// Nil if the word has no such bytes.
  init?(of word: String) {
    if word.utf8.allSatisfy({ $0 < 0x80 }) {
      bytes = Array(word.utf8)
      variants = Self.ofASCII.filter { word.lowercased().contains($0.letter) }.map(\.bytes)
    } else if let emoji = word.unicodeScalars.first(where: { 0x1F000...0x1FAFF ~= $0.value }) {
      bytes = Array(String(emoji).utf8)
      variants = []
    } else if let ideograph = word.unicodeScalars.first(where: { 0x4E00...0x9FFF ~= $0.value }) {
      bytes = Array(String(ideograph).utf8)
      variants = Self.ofIdeographs
    } else {
      return nil
    }
  }

  /// Whether the text may contain the word: false is certain, true is not. O(range).
  func mayBe(in text: UnsafeBufferPointer<UInt8>, _ range: Range<Int>, foldingASCII: Bool) -> Bool {
    text.holds(bytes, in: range, foldingASCII: foldingASCII)
      || variants.contains { text.holds($0, in: range, foldingASCII: false) }
  }

  /// KELVIN SIGN, GREEK QUESTION MARK, GREEK VARIA.
  private static let ofASCII: [(letter: Character, bytes: [UInt8])] = [
    ("k", [0xE2, 0x84, 0xAA]), (";", [0xCD, 0xBE]), ("`", [0xE1, 0xBF, 0xAF]),
  ]

  /// The CJK compatibility ideographs, U+F900–U+FAFF and U+2F800–U+2FA1F.
  private static let ofIdeographs: [[UInt8]] = (0xA4...0xAB).map { [0xEF, $0] } + [[0xF0, 0xAF]]
}

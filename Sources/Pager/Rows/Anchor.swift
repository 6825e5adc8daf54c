/// Bytes of a word without which it is nowhere, even where characters are to be compared: what has no other form, or
/// only forms that are known (Unicode 17.0: canonical forms and small letters).
struct Anchor: Sendable {
  private let bytes: [UInt8]
  /// What may stand for it: whole characters, or how their UTF-8 begins.
  private let lookAlikes: [[UInt8]]

  /// Nil when the word has nothing of the kind.
  init?(of word: String) {
    if word.utf8.allSatisfy({ $0 < 0x80 }) {
      bytes = Array(word.utf8)
      lookAlikes = Self.ofASCII.filter { word.lowercased().contains($0.letter) }.map(\.bytes)
    } else if let emoji = word.unicodeScalars.first(where: { 0x1F000...0x1FAFF ~= $0.value }) {
      bytes = Array(String(emoji).utf8)
      lookAlikes = []
    } else if let ideograph = word.unicodeScalars.first(where: { 0x4E00...0x9FFF ~= $0.value }) {
      bytes = Array(String(ideograph).utf8)
      lookAlikes = Self.ofIdeographs
    } else {
      return nil
    }
  }

  /// Whether the word may be in a text: no for certain, yes perhaps. O(range).
  func mayBe(in text: UnsafeBufferPointer<UInt8>, _ range: Range<Int>, foldingASCII: Bool) -> Bool {
    text.holds(bytes, in: range, foldingASCII: foldingASCII)
      || lookAlikes.contains { text.holds($0, in: range, foldingASCII: false) }
  }

  /// KELVIN SIGN, GREEK QUESTION MARK, GREEK VARIA.
  private static let ofASCII: [(letter: Character, bytes: [UInt8])] = [
    ("k", [0xE2, 0x84, 0xAA]), (";", [0xCD, 0xBE]), ("`", [0xE1, 0xBF, 0xAF]),
  ]

  /// The compatibility ideographs, U+F900–U+FAFF and U+2F800–U+2FA1F.
  private static let ofIdeographs: [[UInt8]] = (0xA4...0xAB).map { [0xEF, $0] } + [[0xF0, 0xAF]]
}

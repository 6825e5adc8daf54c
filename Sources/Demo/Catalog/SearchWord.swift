/// One word of a query: text that must occur in a name, or the character's code point.
struct SearchWord: Hashable {
  /// The word with ASCII letters in upper case; never empty, without white space.
  let needle: Needle
  /// The code points that the word refers to: those of `→`, or of `U+2192` or `2192` (four to six digits).
  let codePoints: Set<UInt32>

  /// The distinct words of a text, longest first, since the longest probably has the fewest matches.
  static func words(of text: String) -> [SearchWord] {
    let words = text.split(whereSeparator: \.isWhitespace).map(SearchWord.init)
    return Set(words).sorted { $0.needle.bytes.count > $1.needle.bytes.count }
  }

  private init(_ word: Substring) {
    let lowerCase = UInt8(ascii: "a")...UInt8(ascii: "z")
    needle = Needle(word.utf8.map { lowerCase.contains($0) ? $0 & 0xDF : $0 })
    var codePoints = Set<UInt32>()
    if word.count == 1 { codePoints.formUnion(word.unicodeScalars.map(\.value)) }
    if let spelled = Self.codePoint(spelledBy: word) { codePoints.insert(spelled) }
    self.codePoints = codePoints
  }

  private static func codePoint(spelledBy word: Substring) -> UInt32? {
    let isPrefixed = word.hasPrefix("U+") || word.hasPrefix("u+")
    let digits = isPrefixed ? word.dropFirst(2) : word
    guard (isPrefixed ? 1...6 : 4...6).contains(digits.utf8.count), !digits.hasPrefix("+") else { return nil }
    return UInt32(digits, radix: 16)
  }
}

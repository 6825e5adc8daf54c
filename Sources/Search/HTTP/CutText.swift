/// A text as its pieces between the marks (`…`) that tell where it was cut: of a secret that stood there it
/// holds only a part.
struct CutText {
  private var pieces: [ArraySlice<UInt8>] = []

  private static let cut = WordSearch([Array("…".utf8)])
  /// Fewer bytes of a secret than this give nothing away.
  private static let shortest = 4

  init(_ bytes: [UInt8]) {
    var start = 0
    for cut in Self.cut.places(in: bytes) {
      pieces.append(bytes[start..<cut.lowerBound])
      start = cut.upperBound
    }
    pieces.append(bytes[start...])
  }

  /// Where the parts of these words stand that the cuts have left.
  func places(of words: [[UInt8]]) -> [Range<Int>] {
    pieces.enumerated().flatMap { index, piece in
      let (isCutBefore, isCutBehind) = (index > 0, index < pieces.count - 1)
      if isCutBefore, isCutBehind, Self.isInside(piece, words) { return [piece.indices] }
      let head = isCutBefore ? Self.head(of: piece, endingAny: words) : 0
      let tail = isCutBehind ? Self.tail(of: piece.dropFirst(head), beginningAny: words) : 0
      return [piece.prefix(head).indices, piece.suffix(tail).indices].filter { !$0.isEmpty }
    }
  }

  /// Whether the piece is from the middle of a word.
  private static func isInside(_ piece: ArraySlice<UInt8>, _ words: [[UInt8]]) -> Bool {
    piece.count >= shortest && words.contains { $0.count >= piece.count && $0.firstRange(of: piece) != nil }
  }

  /// How many bytes of the piece, from its first on, are the end of a word.
  private static func head(of piece: ArraySlice<UInt8>, endingAny words: [[UInt8]]) -> Int {
    lengths(of: piece, in: words).first { length in
      words.contains { $0.suffix(length).elementsEqual(piece.prefix(length)) }
    } ?? 0
  }

  /// How many bytes of the piece, up to its last, are the beginning of a word.
  private static func tail(of piece: ArraySlice<UInt8>, beginningAny words: [[UInt8]]) -> Int {
    lengths(of: piece, in: words).first { length in words.contains { $0.starts(with: piece.suffix(length)) } }
      ?? 0
  }

  /// The lengths a part can have, the longest first.
  private static func lengths(of piece: ArraySlice<UInt8>, in words: [[UInt8]]) -> [Int] {
    let most = min(piece.count, words.map(\.count).max() ?? 0)
    return most < shortest ? [] : (shortest...most).reversed()
  }
}

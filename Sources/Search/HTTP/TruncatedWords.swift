/// Finds the remainders of words in a text that was truncated, which is recognized by marks (`…`).
struct TruncatedWords: Sendable, Hashable {
  /// A minimal piece of a word: its bytes and its position.
  private struct Place: Sendable, Hashable {
    let bytes: UInt32
    let word: UInt32
    let offset: UInt32
  }

  private let words: [[UInt8]]
  /// Sorted by their bytes, so that few places must be compared for a piece of any text.
  private let places: [Place]

  private static let cut = WordSearch([Array("…".utf8)])
  /// Fewer bytes of a word than this reveal nothing.
  private static let shortest = 4

  init(_ words: [[UInt8]]) {
    self.words = words
    places = words.enumerated().flatMap { number, word in
      (0..<max(0, word.count - Self.shortest + 1)).map { offset in
        Place(bytes: Self.key(word[offset...]), word: UInt32(number), offset: UInt32(offset))
      }
    }.sorted { $0.bytes < $1.bytes }
  }

  /// The ranges of the parts of words that were left by truncation. O(text), unless the words contain
  /// repetitions.
  func parts(in text: [UInt8]) -> [Range<Int>] {
    let cuts = Self.cut.places(in: text)
    if cuts.isEmpty { return [] }
    let starts = [0] + cuts.map(\.upperBound)
    let ends = cuts.map(\.lowerBound) + [text.count]
    return zip(starts, ends).flatMap { start, end in
      parts(in: text[start..<end], isCutBefore: start > 0, isCutAfter: end < text.count)
    }
  }

  private func parts(in piece: ArraySlice<UInt8>, isCutBefore: Bool, isCutAfter: Bool) -> [Range<Int>] {
    guard piece.count >= Self.shortest else { return [] }
    if isCutBefore, isCutAfter, isInside(piece) { return [piece.indices] }
    let head = isCutBefore ? head(of: piece) : 0
    let tail = isCutAfter ? tail(of: piece.dropFirst(head)) : 0
    return [piece.prefix(head).indices, piece.suffix(tail).indices].filter { !$0.isEmpty }
  }

  /// Whether the piece is from the middle of a word.
  private func isInside(_ piece: ArraySlice<UInt8>) -> Bool {
    places(of: piece.prefix(Self.shortest)).contains { place in
      after(place).starts(with: piece)
    }
  }

  /// The number of bytes at the start of the piece that are the end of a word.
  private func head(of piece: ArraySlice<UInt8>) -> Int {
    places(of: piece.prefix(Self.shortest)).lazy
      .map(after).filter { piece.starts(with: $0) }.map(\.count).max() ?? 0
  }

  /// The number of bytes at the end of the piece that are the beginning of a word.
  private func tail(of piece: ArraySlice<UInt8>) -> Int {
    places(of: piece.suffix(Self.shortest)).lazy
      .map { words[Int($0.word)].prefix(Int($0.offset) + Self.shortest) }
      .filter { piece.suffix($0.count).elementsEqual($0) }.map(\.count).max() ?? 0
  }

  /// The rest of the word from a place on.
  private func after(_ place: Place) -> ArraySlice<UInt8> {
    words[Int(place.word)].dropFirst(Int(place.offset))
  }

  private func places(of part: ArraySlice<UInt8>) -> ArraySlice<Place> {
    guard part.count == Self.shortest else { return [] }
    let key = Self.key(part)
    var (low, high) = (0, places.count)
    while low < high {
      let middle = (low + high) / 2
      if places[middle].bytes < key { low = middle + 1 } else { high = middle }
    }
    return places[low...].prefix { $0.bytes == key }
  }

  private static func key(_ bytes: ArraySlice<UInt8>) -> UInt32 {
    bytes.prefix(shortest).reduce(0) { $0 << 8 | UInt32($1) }
  }
}

import Text

/// Searches for several words in one pass over a text.
struct WordSearch: Sendable, Hashable {
  /// Longest first.
  let words: [[UInt8]]
  /// The words by their first byte.
  private var starts = [[[UInt8]]](repeating: [], count: 256)

  init(_ words: [[UInt8]]) {
    self.words = words.sorted { $0.count > $1.count }.filter { !$0.isEmpty }
    for word in self.words { starts[Int(word[0])].append(word) }
  }

  /// The ranges of the words, the longest at each position. O(text), unless the words contain repetitions.
  func places(in text: [UInt8]) -> [Range<Int>] {
    var places: [Range<Int>] = []
    for place in text.indices {
      for word in starts[Int(text[place])] where Self.matches(word, at: place, in: text) {
        places.append(place..<place + word.count)
        break
      }
    }
    return places
  }

  private static func matches(_ word: [UInt8], at place: Int, in text: [UInt8]) -> Bool {
    guard text.count - place >= word.count else { return false }
    for index in word.indices where text[place + index] != word[index] { return false }
    return true
  }
}

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

/// A text with its escapes decoded once (percent-encoding, JSON escapes, and HTML character references) and
/// the original position of each byte.
struct EscapedText {
  private(set) var bytes: [UInt8] = []
  /// The offset at which each byte's spelling begins, followed by the end of the text.
  private var starts: [Int] = []
  let hasEscapes: Bool

  /// O(bytes).
  init(_ text: [UInt8]) {
    hasEscapes = text.contains {
      $0 == UInt8(ascii: "%") || $0 == UInt8(ascii: "\\") || $0 == UInt8(ascii: "&")
    }
    guard hasEscapes else { return }
    var place = 0
    while place < text.count {
      let (meaning, length) = Self.escape(text[place...]) ?? ([text[place]], 1)
      bytes += meaning
      starts += meaning.map { _ in place }
      place += length
    }
    starts.append(text.count)
  }

  /// The range of the original spelling of some bytes.
  func place(of range: Range<Int>) -> Range<Int> { starts[range.lowerBound]..<starts[range.upperBound] }

  private static func escape(_ text: ArraySlice<UInt8>) -> (meaning: [UInt8], length: Int)? {
    switch text.first {
    case UInt8(ascii: "%"): hexadecimal(text.dropFirst().prefix(2), digits: 2).map { ([UInt8($0)], 3) }
    case UInt8(ascii: "\\"): quoted(text.dropFirst())
    case UInt8(ascii: "&"): reference(text)
    default: nil
    }
  }

  private static func quoted(_ rest: ArraySlice<UInt8>) -> (meaning: [UInt8], length: Int)? {
    switch rest.first {
    case UInt8(ascii: "/"), UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "'"):
      rest.first.map { ([$0], 2) }
    case UInt8(ascii: "u"): hexadecimal(rest.dropFirst().prefix(4), digits: 4).flatMap(utf8).map { ($0, 6) }
    case UInt8(ascii: "x"): hexadecimal(rest.dropFirst().prefix(2), digits: 2).flatMap(utf8).map { ($0, 4) }
    default: nil
    }
  }

  private static func reference(_ text: ArraySlice<UInt8>) -> (meaning: [UInt8], length: Int)? {
    let longest = 10
    guard let end = text.prefix(longest).firstIndex(of: UInt8(ascii: ";")) else { return nil }
    let decoded = Array(HTMLText.decoded(String(decoding: text[...end], as: UTF8.self)).utf8)
    let length = end + 1 - text.startIndex
    return decoded.count < length && !decoded.isEmpty ? (decoded, length) : nil
  }

  private static func utf8(_ code: UInt32) -> [UInt8]? { Unicode.Scalar(code).map { Array(String($0).utf8) } }

  private static func hexadecimal(_ digits: ArraySlice<UInt8>, digits count: Int) -> UInt32? {
    guard digits.count == count else { return nil }
    return UInt32(String(decoding: digits, as: UTF8.self), radix: 16)
  }
}

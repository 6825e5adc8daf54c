import FeedbackLoop
import Glibc
import Text

extension UnicodeCatalog {
  /// The rows that match every word of a query, in ascending order; all rows if it has no words.
  ///
  /// A word matches a row if it occurs in the name, ignoring case, or is the code point: `→`, `U+2192`,
  /// `2192`. One pass over the stored names (1.2 MB), then one over the matching names for each further word.
  /// Names derived from a prefix and the code point are searched only if the word can occur in them.
  package func rows(matching query: String) -> [Int] {
    let words = SearchWord.words(of: query)
    guard let longest = words.first else { return Array(0..<count) }
    return words.dropFirst().reduce(rows(matching: longest)) { rows($0, matching: $1) }
  }

  /// All rows that match the word.
  private func rows(matching word: SearchWord) -> [Int] {
    var found: [Int] = []
    for segment in segments {
      switch segment.names {
      case .stored(let names): find(word.needle, in: names, firstRow: segment.firstRow, &found)
      case .made(let prefix):
        if word.needle.isFound(in: prefix) {
          found.append(contentsOf: segment.rows)
        } else if word.needle.mayEndInDigits(after: prefix) {
          found += rows(of: segment, prefix: prefix, holding: word.needle)
        }
      }
    }
    for spelled in word.codePoints.compactMap(row(of:)) {
      let place = found.partitionIndex { $0 >= spelled }
      if place == found.endIndex || found[place] != spelled { found.insert(spelled, at: place) }
    }
    return found
  }

  private func find(_ needle: NameNeedle, in names: Range<Int>, firstRow: Int, _ found: inout [Int]) {
    let text = Self.text
    var (row, name) = (firstRow, names.lowerBound)
    var start = name
    while let position = needle.firstPosition(in: text, from: start, to: names.upperBound) {
      var end = text.firstOffset(of: UnicodeNames.nameEnd, from: name)
      while end < position {
        row += 1
        name = end + 1
        end = text.firstOffset(of: UnicodeNames.nameEnd, from: name)
      }
      found.append(row)
      (row, name) = (row + 1, end + 1)
      start = name
    }
  }

  /// The rows of derived names in whose digits a word ends. O(rows × length of the word).
  private func rows(of segment: Segment, prefix: [UInt8], holding needle: NameNeedle) -> [Int] {
    // The part of the prefix where the word may begin, and the digits.
    var bytes = Array(prefix.suffix(needle.bytes.count - 1))
    let start = bytes.count
    bytes += [UInt8](repeating: 0, count: 6)
    return segment.rows.filter { row in
      let codePoint = segment.codePoint(at: row)
      let length = codePoint > 0xF_FFFF ? 6 : codePoint > 0xFFFF ? 5 : 4
      for place in 0..<length {
        let digit = UInt8(codePoint >> UInt32(4 * (length - 1 - place)) & 0xF)
        bytes[start + place] = digit < 10 ? 0x30 + digit : 0x37 + digit
      }
      return bytes.withUnsafeBytes { needle.firstPosition(in: $0, from: 0, to: start + length) != nil }
    }
  }

  /// The given rows that match the word.
  private func rows(_ rows: [Int], matching word: SearchWord) -> [Int] {
    rows.filter { row in
      guard let segment = segment(of: row) else { return false }
      if word.codePoints.contains(segment.codePoint(at: row)) { return true }
      switch segment.names {
      case .stored:
        let name = range(ofName: row, in: segment)
        return word.needle.firstPosition(in: Self.text, from: name.lowerBound, to: name.upperBound) != nil
      case .made(let prefix):
        return word.needle.isFound(in: prefix)
          || word.needle.mayEndInDigits(after: prefix)
            && word.needle.isFound(in: Array(name(at: row).utf8))
      }
    }
  }
}

/// One word of a query: text that must occur in a name, or the character's code point.
struct SearchWord: Hashable {
  /// The word with ASCII letters in upper case; never empty, without white space.
  let needle: NameNeedle
  /// The code points that the word refers to: those of `→`, or of `U+2192` or `2192` (four to six digits).
  let codePoints: Set<UInt32>

  /// The distinct words of a text, longest first, since the longest probably has the fewest matches.
  static func words(of text: String) -> [SearchWord] {
    let words = text.split(whereSeparator: \.isWhitespace).map(SearchWord.init)
    return Set(words).sorted { $0.needle.bytes.count > $1.needle.bytes.count }
  }

  private init(_ word: Substring) {
    let lowerCase = UInt8(ascii: "a")...UInt8(ascii: "z")
    needle = NameNeedle(word.utf8.map { lowerCase.contains($0) ? $0 & 0xDF : $0 })
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

/// Bytes to search for in names: those with the byte that is rarest in names, then the others around it.
struct NameNeedle: Hashable {
  let bytes: [UInt8]
  /// The offset of the byte that is rarest in names.
  private let anchor: Int

  /// The bytes of names from the most frequent on; all others are rarer.
  private static let frequentBytes = Array("ALETINRSOHGUBYMCDPWKFV-J".utf8)

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    anchor =
      bytes.indices.max { Self.rarity(of: bytes[$0]) < Self.rarity(of: bytes[$1]) } ?? bytes.startIndex
  }

  private static func rarity(of byte: UInt8) -> Int {
    frequentBytes.firstIndex(of: byte) ?? frequentBytes.count
  }

  /// The first occurrence in `start..<end`.
  func firstPosition(in haystack: UnsafeRawBufferPointer, from start: Int, to end: Int) -> Int? {
    guard let base = haystack.baseAddress else { return nil }
    let last = end - bytes.count
    var position = start
    while position <= last {
      let found = haystack.firstOffset(of: bytes[anchor], from: position + anchor, to: last + anchor + 1)
      guard let found else { return nil }
      position = found - anchor
      if memcmp(base + position, bytes, bytes.count) == 0 { return position }
      position += 1
    }
    return nil
  }

  /// Whether it occurs in the bytes.
  func isFound(in bytes: [UInt8]) -> Bool {
    bytes.withUnsafeBytes { firstPosition(in: $0, from: 0, to: bytes.count) != nil }
  }

  /// Whether it may occur in the prefix followed by hexadecimal digits, such that it ends in the digits.
  func mayEndInDigits(after prefix: [UInt8]) -> Bool {
    let digits = bytes.reversed().prefix { byte in
      UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte || UInt8(ascii: "A")...UInt8(ascii: "F") ~= byte
    }.count
    guard digits > 0 else { return false }
    return (max(0, bytes.count - digits)..<bytes.count).contains {
      prefix.suffix($0).elementsEqual(bytes[..<$0])
    }
  }
}

/// Caches the rows of recent queries, since every page of a list needs the same ones.
final class RecentSearches: Sendable {
  private let searches = Lock<[Search]>([])

  private struct Search {
    let query: String
    let rows: [Int]
  }

  /// The number of cached queries, each of at most 1.2 MB.
  private static let most = 4

  /// As `UnicodeCatalog.rows(matching:)`; recent queries are not searched again.
  func rows(matching query: String, in catalog: UnicodeCatalog) -> [Int] {
    if let known = searches.withLock({ $0.first { $0.query == query } }) { return known.rows }
    let rows = catalog.rows(matching: query)
    searches.withLock { searches in
      searches = [Search(query: query, rows: rows)] + searches.prefix(Self.most - 1)
    }
    return rows
  }
}

/// A filter prepared for the columns of a table: the same matcher for rows on the screen and in a pipe. A term with
/// the name of no column is a word to find, as typed.
package struct RowMatcher: Sendable {
  private enum Test: Sendable {
    case word(Needle)
    case fuzzy(FuzzyWord)
    case value(ValueTest)
  }

  private struct Term: Sendable {
    let test: Test
    let columns: [Int]
    let isExcluding: Bool
  }

  private let terms: [Term]

  /// - Parameters:
  ///   - columns: All columns; a term that names a column is about that one, shown or not.
  ///   - visible: The columns that other terms search.
  ///   - now: What ages are counted from, in seconds since 1970.
  package init(_ filter: RowFilter, columns: [Column], visible: [Int], now: Double) {
    terms = filter.terms.map { term in
      let column = term.named?.index(in: columns)
      guard let named = term.named, let column else {
        let test = term.isFuzzy ? Test.fuzzy(FuzzyWord(term.text)) : .word(Needle(term.text))
        return Term(test: test, columns: visible, isExcluding: term.isExcluding)
      }
      let reading = columns[column].format.reading
      let test = named.comparison.map {
        Test.value(ValueTest($0, named.text, reading, now: now))
      }
      return Term(test: test ?? .word(Needle(named.text)), columns: [column], isExcluding: term.isExcluding)
    }
  }

  package var admitsAll: Bool { terms.isEmpty }

  /// The columns whose values are compared.
  var comparedColumns: [Int] {
    terms.flatMap { term -> [Int] in if case .value = term.test { term.columns } else { [] } }
  }

  /// Whether a row of a table with this text matches. O(terms × length of the cells).
  package func admits(
    _ row: Int, of table: CellTable, _ text: UnsafeBufferPointer<UInt8>, _ folding: inout CaseFolding
  ) -> Bool {
    admits { test, column in
      let range = table.range(row: row, slot: column)
      switch test {
      case .word(let needle): return needle.isFound(in: text, range, &folding)
      case .fuzzy(let word): return word.isFound(in: UnsafeBufferPointer(rebasing: text[range]))
      case .value(let test):
        return test.holds(
          table.sortKey(row: row, column: column), UnsafeBufferPointer(rebasing: text[range]))
      }
    }
  }

  /// - Parameters:
  ///   - cells: The texts of the row, one per column.
  ///   - keys: The sort keys of `comparedColumns`.
  package func admits(_ cells: [String], _ keys: [Int: SortKey] = [:]) -> Bool {
    admits { test, column in
      var cell = cells[column]
      switch test {
      case .word(let needle): return needle.isFound(in: cell)
      case .fuzzy(let word): return cell.withUTF8 { word.isFound(in: $0) }
      case .value(let test): return cell.withUTF8 { test.holds(keys[column] ?? SortKey(text: $0), $0) }
      }
    }
  }

  @inline(__always)
  private func admits(_ isFound: (Test, Int) -> Bool) -> Bool {
    for term in terms where term.columns.contains(where: { isFound(term.test, $0) }) == term.isExcluding {
      return false
    }
    return true
  }
}

/// A word to find in cells: in lower case it ignores case, with a capital not. Only whole characters match.
package struct Needle: Sendable {
  package let text: String
  private let ignoresCase: Bool
  private let bytes: [UInt8]
  /// Whether the word can be compared by its bytes: see `PlainText`.
  private let isPlain: Bool
  /// Whether it contains an emoji, which no plain text contains.
  private let isUnusual: Bool
  private let prefilter: Prefilter?

  package init(_ text: String) {
    self.text = text
    let utf8 = Array(text.utf8)
    bytes = utf8
    ignoresCase = text == text.lowercased()
    isPlain = utf8.withUnsafeBufferPointer { PlainText($0, 0..<$0.count) != .no }
    isUnusual = text.unicodeScalars.contains { 0x1F000...0x1FAFF ~= $0.value }
    prefilter = Prefilter(of: text)
  }

  package func isFound(in text: String) -> Bool {
    var (text, folding) = (text, CaseFolding())
    return text.withUTF8 { isFound(in: $0, 0..<$0.count, &folding) }
  }

  /// The matches as byte offsets. Returns none if lowercasing changes the length of the text.
  package func ranges(in text: String) -> [Range<Int>] {
    let folded = ignoresCase ? text.lowercased() : text
    guard folded.utf8.count == text.utf8.count else { return [] }
    return folded.ranges(of: self.text).map { range in
      let start = folded.utf8.distance(from: folded.startIndex, to: range.lowerBound)
      return start..<start + folded.utf8.distance(from: range.lowerBound, to: range.upperBound)
    }
  }

  /// Whether a cell contains the word. O(length of the cell); compares bytes where possible.
  func isFound(
    in text: UnsafeBufferPointer<UInt8>, _ range: Range<Int>, _ folding: inout CaseFolding
  ) -> Bool {
    if bytes.isEmpty { return true }
    guard isPlain || isUnusual else { return isFound(inEach: String(decoding: text[range], as: UTF8.self)) }
    switch text.isASCII(range) ? .withoutCase : PlainText(text, range) {
    case .no:
      if let prefilter, !prefilter.mayBe(in: text, range, foldingASCII: ignoresCase) { return false }
      return isFound(inEach: String(decoding: text[range], as: UTF8.self))
    case .withoutCase,
      .cased where !ignoresCase:
      return isPlain && text.holds(bytes, in: range, foldingASCII: ignoresCase)
    case .cased:
      guard isPlain else { return false }
      folding.read(text, range)
      return folding.bytes.withUnsafeBufferPointer {
        $0.holds(bytes, in: 0..<$0.count, foldingASCII: false)
      }
    }
  }

  /// Compares character by character.
  private func isFound(inEach cell: String) -> Bool {
    ignoresCase ? cell.lowercased().contains(text) : cell.contains(text)
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// Whether no byte of a range is above 0x7F. Checks all bytes, so that the loop needs no branch.
  fileprivate func isASCII(_ range: Range<Int>) -> Bool {
    var union: UInt8 = 0
    for offset in range { union |= self[offset] }
    return union < 0x80
  }
  /// Whether a non-empty sequence of bytes occurs in a range. O(range) for typical texts.
  ///
  /// - Parameter foldingASCII: Whether ASCII capitals in the range match their lowercase letters.
  func holds(_ bytes: [UInt8], in range: Range<Int>, foldingASCII: Bool) -> Bool {
    bytes.withUnsafeBufferPointer { needle in
      let first = needle[0]
      let other = foldingASCII && first &- 0x61 < 26 ? first & 0xDF : first
      var start = range.lowerBound
      let last = range.upperBound - needle.count
      while start <= last {
        let byte = self[start]
        if byte == first || byte == other {
          var length = 1
          while length < needle.count {
            let next = self[start + length]
            guard (foldingASCII ? next.smallASCII : next) == needle[length] else { break }
            length += 1
          }
          if length == needle.count { return true }
        }
        start += 1
      }
      return false
    }
  }
}

/// Classifies texts that can be searched by bytes: those of ASCII, Latin-1, Cyrillic, CJK, kana, Hangul
/// syllables and their punctuation. Among such texts equal characters have equal bytes, a match never splits
/// a character, and lowercase and uppercase letters have the same UTF-8 length.
///
/// Everything else (combining marks, emoji, other cased scripts, other canonical forms) is not plain.
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

/// A plain text in lowercase: see `PlainText`. The buffer is reused for the next text.
package struct CaseFolding: Sendable {
  private(set) var bytes: [UInt8] = []

  package init() {}

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

/// A prefilter for a search word: bytes that every text containing the word must contain, even if the
/// comparison is by character, given their canonical equivalents and case foldings (Unicode 17.0).
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

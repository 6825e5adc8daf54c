/// A filter prepared for the columns of a table: the same matcher for rows on the screen and in a pipe. A term that
/// names no column is a word to find, as typed.
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
  ///   - columns: All columns; a term that names a column matches in that column, even if it is hidden.
  ///   - visible: The columns that other terms search.
  ///   - now: The time from which ages are counted, in seconds since 1970.
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
    _ row: Int, of table: CellTable, _ text: UnsafeBufferPointer<UInt8>
  ) -> Bool {
    admits { test, column in
      let range = table.range(row: row, slot: column)
      switch test {
      case .word(let needle): return needle.isFound(in: text, range)
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

/// A word to find in cells. A word in lower case ignores case and accents; a word with a capital is matched exactly.
package struct Needle: Sendable {
  package let text: String
  private let ignoresCase: Bool
  /// The letters as `FoldedText` reads them.
  private let letters: [UInt32]
  /// The bytes, if they are all ASCII.
  private let ascii: [UInt8]?

  package init(_ text: String) {
    self.text = text
    ignoresCase = text == text.lowercased()
    letters = FoldedText.letters(of: text).map(\.letter)
    ascii = text.utf8.allSatisfy { $0 < 0x80 } ? Array(text.utf8) : nil
  }

  package func isFound(in text: String) -> Bool {
    var text = text
    return text.withUTF8 { isFound(in: $0, 0..<$0.count) }
  }

  /// The matches as byte offsets. O(length of the text).
  package func ranges(in text: String) -> [Range<Int>] {
    guard ignoresCase else {
      return text.ranges(of: self.text).map { range in
        let start = text.utf8.distance(from: text.startIndex, to: range.lowerBound)
        return start..<start + text.utf8.distance(from: range.lowerBound, to: range.upperBound)
      }
    }
    guard !letters.isEmpty else { return [] }
    let cell = FoldedText.letters(of: text)
    var ranges: [Range<Int>] = []
    var start = 0
    while start + letters.count <= cell.count {
      if cell[start..<start + letters.count].lazy.map(\.letter).elementsEqual(letters) {
        let end = start + letters.count
        ranges.append(cell[start].offset..<(end < cell.count ? cell[end].offset : text.utf8.count))
        start = end
      } else {
        start += 1
      }
    }
    return ranges
  }

  /// Whether a cell contains the word. O(length of the cell).
  func isFound(in text: UnsafeBufferPointer<UInt8>, _ range: Range<Int>) -> Bool {
    if self.text.isEmpty { return true }
    if let ascii, text.isASCII(range) { return text.holds(ascii, in: range, foldingASCII: ignoresCase) }
    if ignoresCase, holdsLetters(UnsafeBufferPointer(rebasing: text[range])) { return true }
    // The cell may contain another canonical form of the same characters.
    guard ascii == nil || !ignoresCase else { return false }
    let cell = String(decoding: text[range], as: UTF8.self)
    return (ignoresCase ? cell.lowercased() : cell).contains(self.text)
  }

  private func holdsLetters(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    guard let first = letters.first else { return false }
    var cell = FoldedText(text)
    while let letter = cell.next() {
      guard letter == first else { continue }
      var rest = cell
      if letters.dropFirst().allSatisfy({ rest.next() == $0 }) { return true }
    }
    return false
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
  fileprivate func holds(_ bytes: [UInt8], in range: Range<Int>, foldingASCII: Bool) -> Bool {
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

extension UInt8 {
  /// The lowercase letter of an ASCII capital, else the byte itself.
  @inline(__always)
  var smallASCII: UInt8 { self &- 0x41 < 26 ? self | 0x20 : self }
}

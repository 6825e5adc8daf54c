extension UnicodeCatalog {
  /// The rows that match every word of a query, in ascending order; all rows if it has no words.
  ///
  /// A word matches a row if it occurs in the name, ignoring case, or is the code point: `→`, `U+2192`,
  /// `2192`. One pass over the stored names (1.2 MB), then one over the matching names for each further word.
  /// Names derived from a prefix and the code point are searched only if the word can occur in them.
  package func rows(matching query: String) -> [Int] {
    let words = SearchWord.words(of: query)
    guard let longest = words.first else { return Array(0..<count) }
    return words.dropFirst().reduce(rows(matching: longest)) { rows, word in
      self.rows(rows, matching: word)
    }
  }

  /// All rows that match the word.
  private func rows(matching word: SearchWord) -> [Int] {
    var found: [Int] = []
    names.withUnsafeBytes { names in
      for segment in segments {
        switch segment.names {
        case .stored(let first): find(word.needle, in: names, segment, firstName: first, &found)
        case .made(let prefix):
          if word.needle.isFound(in: prefix) {
            found.append(contentsOf: segment.rows)
          } else if word.needle.mayEndInDigits(after: prefix) {
            found += rows(of: segment, prefix: prefix, holding: word.needle)
          }
        }
      }
    }
    for spelled in word.codePoints.compactMap(row(of:)) {
      let place = found.firstIndex { $0 >= spelled } ?? found.endIndex
      if place == found.endIndex || found[place] != spelled { found.insert(spelled, at: place) }
    }
    return found
  }

  private func find(
    _ needle: Needle, in names: UnsafeRawBufferPointer, _ segment: Segment, firstName: Int,
    _ found: inout [Int]
  ) {
    let end = Int(starts[firstName + segment.count])
    var name = firstName
    var start = Int(starts[firstName])
    while let position = needle.firstPosition(in: names, from: start, to: end) {
      while starts[name + 1] <= position { name += 1 }
      found.append(segment.firstRow + name - firstName)
      start = Int(starts[name + 1])
    }
  }

  /// The rows of derived names in whose digits a word ends. O(rows × length of the word).
  private func rows(of segment: Segment, prefix: [UInt8], holding needle: Needle) -> [Int] {
    // The part of the prefix where the word may begin, the digits, and the padding that a needle needs.
    var bytes = Array(prefix.suffix(needle.bytes.count - 1))
    let start = bytes.count
    bytes += [UInt8](repeating: 0, count: 9)
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
    names.withUnsafeBytes { names in
      rows.filter { row in
        guard let segment = segment(of: row) else { return false }
        if word.codePoints.contains(segment.codePoint(at: row)) { return true }
        switch segment.names {
        case .stored(let first):
          let range = range(ofName: first + row - segment.firstRow)
          return word.needle.firstPosition(in: names, from: range.lowerBound, to: range.upperBound) != nil
        case .made(let prefix):
          return word.needle.isFound(in: prefix)
            || word.needle.mayEndInDigits(after: prefix)
              && word.needle.isFound(in: Array(name(at: row).utf8))
        }
      }
    }
  }
}

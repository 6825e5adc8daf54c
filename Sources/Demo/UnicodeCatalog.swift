import Locking

/// The assigned characters of Unicode in code point order, with their names in one array to be searched.
///
/// Private use and unassigned code points are left out.
package struct UnicodeCatalog: Sendable {
  /// The characters in ascending order. The index of a character is its row.
  package let scalars: [Unicode.Scalar]
  /// The names of all rows without separators, in ASCII (4.1 MB).
  private let names: [UInt8]
  /// Where the name of each row begins in `names`, then the length of `names`.
  private let starts: [Int]
  /// The last dozen searches, latest first: every page of a list needs the same one.
  private let recent = Lock<[(query: String, found: [Unicode.Scalar])]>([])

  /// The catalog of the standard library's Unicode version. Building it takes about 60 ms, once.
  package static let standard = UnicodeCatalog()

  private init() {
    var scalars: [Unicode.Scalar] = []
    var names = ""
    var starts = [0]
    // The other planes have no characters, or are for private use (Unicode Standard, section 2.8).
    for plane in [0, 1, 2, 3, 14] {
      for value in plane << 16..<(plane + 1) << 16 {
        guard let character = Unicode.Scalar(UInt32(value)).flatMap(NamedCharacter.init) else { continue }
        scalars.append(character.scalar)
        names += character.name
        starts.append(names.utf8.count)
      }
    }
    (self.scalars, self.names, self.starts) = (scalars, Array(names.utf8), starts)
  }

  /// The characters that match every word of a query, in ascending order; all characters if it has no words.
  ///
  /// A word matches a character if it occurs in the name, ignoring case, or is the character or its code point: `→`,
  /// `U+2192`, `2192`. One pass over the names; the last dozen queries are not searched again.
  package func scalars(matching query: String) -> [Unicode.Scalar] {
    recent.withLock { recent in
      if let known = recent.first(where: { $0.query == query }) { return known.found }
      let found = search(Array(Set(query.split(whereSeparator: \.isWhitespace).map(SearchWord.init))))
      recent = [(query, found)] + recent.prefix(11)
      return found
    }
  }

  private func search(_ words: [SearchWord]) -> [Unicode.Scalar] {
    if words.isEmpty { return scalars }
    var found: [Unicode.Scalar] = []
    rows: for row in 0..<scalars.count {
      for word in words where !word.scalars.contains(scalars[row]) {
        if !occurs(word.text, inNameAt: row) { continue rows }
      }
      found.append(scalars[row])
    }
    return found
  }

  private func occurs(_ text: [UInt8], inNameAt row: Int) -> Bool {
    var start = starts[row]
    while start + text.count <= starts[row + 1] {
      var length = 0
      while length < text.count, names[start + length] == text[length] { length += 1 }
      if length == text.count { return true }
      start += 1
    }
    return false
  }
}

/// One word of a query: text that must occur in a name, or the character or its code point.
private struct SearchWord: Hashable {
  /// The word with ASCII letters in upper case; never empty.
  let text: [UInt8]
  /// The scalars that the word refers to: those of `→`, or that of `U+2192` or `2192` (four to six digits).
  let scalars: Set<Unicode.Scalar>

  init(_ word: Substring) {
    let lowerCase = UInt8(ascii: "a")...UInt8(ascii: "z")
    text = word.utf8.map { lowerCase.contains($0) ? $0 - 0x20 : $0 }
    let isPrefixed = word.hasPrefix("U+") || word.hasPrefix("u+")
    let digits = isPrefixed ? word.dropFirst(2) : word
    let isCodePoint = (isPrefixed ? 1...6 : 4...6).contains(digits.utf8.count) && !digits.hasPrefix("+")
    let spelled = isCodePoint ? UInt32(digits, radix: 16).flatMap(Unicode.Scalar.init) : nil
    scalars = Set(word.count == 1 ? Array(word.unicodeScalars) : []).union(spelled.map { [$0] } ?? [])
  }
}

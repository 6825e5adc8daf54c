import Glibc
import Locking

/// The assigned characters of Unicode in code point order, with their names in one array to be searched.
///
/// Private use and unassigned code points are left out.
package struct UnicodeCatalog: Sendable {
  /// The characters in ascending order. The index of a character is its row.
  package let scalars: [Unicode.Scalar]
  /// The names of all rows in ASCII, each with a line feed after it, and a NUL at the end (4.2 MB).
  private let names: [CChar]
  /// Where the name of each row begins in `names`, then where the last one ends.
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
        names += "\n"
        starts.append(names.utf8.count)
      }
    }
    (self.scalars, self.names, self.starts) = (scalars, Array(names.utf8CString), starts)
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
    guard let first = words.first else { return scalars }
    let matching = words.dropFirst().reduce(rows(of: first)) { found, word in
      let others = Set(rows(of: word))
      return found.filter(others.contains)
    }
    return matching.map { scalars[$0] }
  }

  /// The rows that match a word, in ascending order.
  private func rows(of word: SearchWord) -> [Int] {
    let named = rows(containing: word.text)
    if word.scalars.isEmpty { return named }
    return Set(named).union(word.scalars.compactMap { scalars.firstIndex(of: $0) }).sorted()
  }

  /// The rows whose names contain a text, in ascending order.
  private func rows(containing text: [UInt8]) -> [Int] {
    // A NUL is in no name, and ends what strstr(3) looks for.
    guard !text.contains(0) else { return [] }
    let text = text.map(CChar.init(bitPattern:)) + [0]
    return names.withUnsafeBufferPointer { names in
      var rows: [Int] = []
      guard let start = names.baseAddress else { return rows }
      var row = 0
      while let place = strstr(start + starts[row], text) {
        while starts[row + 1] <= UnsafePointer(place) - start { row += 1 }
        rows.append(row)
        row += 1
      }
      return rows
    }
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

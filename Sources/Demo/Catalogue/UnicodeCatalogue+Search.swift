extension UnicodeCatalogue {
  /// The rows that match every word of a query, ascending; all rows when it has no words.
  ///
  /// A word matches a row when it occurs in the name, in upper or lower case, or spells the code point: `→`,
  /// `U+2192`, `2192`. One pass over the name bytes (4 MB), then one over the names found for each further word.
  package func rows(matching query: String) -> [Int] {
    let words = SearchWord.words(of: query)
    guard let longest = words.first else { return Array(0..<count) }
    return words.dropFirst().reduce(rows(matching: longest)) { rows, word in
      self.rows(rows, matching: word)
    }
  }

  /// Of all rows, those that match the word.
  private func rows(matching word: SearchWord) -> [Int] {
    var found: [Int] = []
    names.withUnsafeBytes { names in
      var row = 0
      var start = 0
      while let position = word.needle.firstPosition(in: names, from: start, to: Int(starts[count])) {
        while starts[row + 1] <= position { row += 1 }
        found.append(row)
        start = Int(starts[row + 1])
      }
    }
    for spelled in word.codePoints.compactMap(row(of:)) {
      let place = found.firstIndex { $0 >= spelled } ?? found.endIndex
      if place == found.endIndex || found[place] != spelled { found.insert(spelled, at: place) }
    }
    return found
  }

  /// Of some rows, those that match the word.
  private func rows(_ rows: [Int], matching word: SearchWord) -> [Int] {
    names.withUnsafeBytes { names in
      rows.filter { row in
        let start = Int(starts[row])
        let end = Int(starts[row + 1])
        return word.codePoints.contains(codePoints[row])
          || word.needle.firstPosition(in: names, from: start, to: end) != nil
      }
    }
  }
}

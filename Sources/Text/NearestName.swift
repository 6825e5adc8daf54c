/// "Did you mean …?": the names most like one that was not found.
package enum NearestName {
  /// At most three candidates, the nearest first, equals in the order given.
  ///
  /// Near is: at most a third of the typed letters wrong (one in a name of up to five, never more than four),
  /// counting a letter added, left out, changed or swapped with its neighbour; or beginning with what was
  /// typed, when that is three or more letters. Case does not matter. O(n) candidates of bounded cost each; a
  /// name of more than 64 letters is like none.
  package static func nearest(to name: String, among candidates: some Sequence<String>) -> [String] {
    let typed = Array(name.lowercased().unicodeScalars)
    guard 1...64 ~= typed.count else { return [] }
    let limit = min(max(typed.count / 3, 1), 4)
    var found: [(distance: Int, name: String)] = []
    for candidate in candidates {
      let letters = Array(candidate.lowercased().unicodeScalars)
      let begins = typed.count >= 3 && letters.starts(with: typed)
      let distance = begins ? min(letters.count - typed.count, 1) : distance(typed, letters, limit: limit)
      if distance <= limit { found.append((distance, candidate)) }
    }
    let ranked = found.enumerated().sorted {
      ($0.element.distance, $0.offset) < ($1.element.distance, $1.offset)
    }
    return ranked.prefix(3).map(\.element.name)
  }

  /// The Damerau–Levenshtein distance in its form of optimal string alignment; `limit + 1` when it is
  /// certainly greater.
  private static func distance(_ left: [Unicode.Scalar], _ right: [Unicode.Scalar], limit: Int) -> Int {
    guard abs(left.count - right.count) <= limit else { return limit + 1 }
    var beforePrevious: [Int] = []
    var previous = Array(0...right.count)
    for row in left.indices {
      var current = [row + 1]
      for column in right.indices {
        let changed = previous[column] + (left[row] == right[column] ? 0 : 1)
        var best = min(previous[column + 1] + 1, current[column] + 1, changed)
        if row > 0, column > 0, left[row] == right[column - 1], left[row - 1] == right[column] {
          best = min(best, beforePrevious[column - 1] + 1)
        }
        current.append(best)
      }
      (beforePrevious, previous) = (previous, current)
    }
    return previous[right.count]
  }
}

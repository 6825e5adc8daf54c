/// Suggestions for an unknown name: the most similar names.
package enum NearestName {
  /// At most three candidates, nearest first, equally near ones in the given order.
  ///
  /// A candidate is near if at most a third of the typed letters are wrong (one in a name of up to five,
  /// never more than four), counting a letter added, left out, changed, or swapped with its neighbor, or if
  /// it begins with the typed name and that has three or more letters. Ignores case. O(n) candidates of
  /// bounded cost each; a name of more than 64 letters has no suggestions.
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

  /// `Did you mean "a" or "b"?`, with the nearest candidates; nil if none is near.
  package static func question(_ name: String, among candidates: some Sequence<String>) -> String? {
    question(nearest(to: name, among: candidates).map { "\"\($0)\"" })
  }

  /// `Did you mean A or B?`, with the names as they are written, which includes their quotes; nil without names.
  package static func question(_ written: [String]) -> String? {
    written.isEmpty ? nil : "Did you mean \(written.joined(separator: " or "))?"
  }

  /// The Damerau–Levenshtein distance in its optimal string alignment variant; `limit + 1` if it is known to
  /// be greater.
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

/// Builds sentences from parts, some of which may be missing.
package enum Sentences {
  /// Joins parts as sentences: each but the first starts with a capital letter, and each but the last ends with a
  /// punctuation mark: `connection refused by example.org. Is the service running?`
  ///
  /// - Parameter parts: Nil and empty parts are left out.
  package static func joined(_ parts: [String?]) -> String {
    var result = ""
    for case let part? in parts where !part.isEmpty {
      guard let end = result.last else {
        result = part
        continue
      }
      result += (".?!".contains(end) ? " " : ". ") + part.prefix(1).uppercased() + part.dropFirst()
    }
    return result
  }

  /// `a, b, c`; `a, b and 8 others` if there are more words than the limit.
  package static func list(_ words: [String], limit: Int) -> String {
    let rest = words.count - limit
    let others = rest > 0 ? " and \(Digits.counted(rest, "other"))" : ""
    return words.prefix(limit).joined(separator: ", ") + others
  }

  /// `a, b or c`.
  package static func alternatives(_ words: [String]) -> String {
    let first = words.dropLast().joined(separator: ", ")
    return ([first].filter { !$0.isEmpty } + words.suffix(1)).joined(separator: " or ")
  }
}

extension Array {
  /// The first index from which on all elements satisfy a condition; `count` if there is none. O(log n).
  @inlinable
  package func partitionIndex(where isMet: (Element) -> Bool) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if isMet(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}

extension [String] {
  /// As the standard library's, which looks through all conformances of the program the first time (0.1 ms).
  package func joined(separator: String = "") -> String {
    var result = first ?? ""
    for text in dropFirst() {
      result += separator
      result += text
    }
    return result
  }
}

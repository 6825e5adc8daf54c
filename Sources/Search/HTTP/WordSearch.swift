/// Searches for several words in one pass over a text.
struct WordSearch: Sendable, Hashable {
  /// Longest first.
  let words: [[UInt8]]
  /// The words by their first byte.
  private var starts = [[[UInt8]]](repeating: [], count: 256)

  init(_ words: [[UInt8]]) {
    self.words = words.sorted { $0.count > $1.count }.filter { !$0.isEmpty }
    for word in self.words { starts[Int(word[0])].append(word) }
  }

  /// The ranges of the words, the longest at each position. O(text), unless the words contain repetitions.
  func places(in text: [UInt8]) -> [Range<Int>] {
    var places: [Range<Int>] = []
    for place in text.indices {
      for word in starts[Int(text[place])] where Self.matches(word, at: place, in: text) {
        places.append(place..<place + word.count)
        break
      }
    }
    return places
  }

  private static func matches(_ word: [UInt8], at place: Int, in text: [UInt8]) -> Bool {
    guard text.count - place >= word.count else { return false }
    for index in word.indices where text[place + index] != word[index] { return false }
    return true
  }
}

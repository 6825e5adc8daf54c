private import Search
import Text

/// Finds the matches in a text, for highlighting.
struct MatchHighlight {
  private let needles: [Needle]

  /// - Parameter text: A search or filter as typed.
  init(_ text: String) { self.init([text], in: nil, of: []) }

  /// Creates a highlight for one column of a table, without the words that are limited to other columns.
  ///
  /// - Parameter columns: The names of all columns.
  init(_ texts: [String], in column: String?, of columns: [String]) {
    needles = texts.flatMap { RowFilter($0).terms }.filter { !$0.isExcluding }.compactMap { term in
      guard let named = term.named else { return Needle(term.text) }
      guard let column, columns.contains(named.column) else {
        return Needle(column == nil ? named.text : term.text)
      }
      return named.column == column ? Needle(named.text) : nil
    }.filter { !$0.text.isEmpty }
  }

  var isEmpty: Bool { needles.isEmpty }

  func finds(_ text: String) -> Bool { needles.contains { $0.isFound(in: text) } }

  /// Splits the text into matching and other parts. O(length × words).
  func parts(of text: Sanitized) -> [(text: Sanitized, isMatch: Bool)] {
    let ranges = needles.flatMap { $0.ranges(in: text.string) }.sorted { $0.lowerBound < $1.lowerBound }
    guard !ranges.isEmpty else { return [(text, false)] }
    var parts: [(Sanitized, Bool)] = []
    var end = 0
    for range in ranges where range.lowerBound >= end {
      if range.lowerBound > end { parts.append((text[end..<range.lowerBound], false)) }
      parts.append((text[range], true))
      end = range.upperBound
    }
    if end < text.string.utf8.count { parts.append((text[end..<text.string.utf8.count], false)) }
    return parts
  }
}

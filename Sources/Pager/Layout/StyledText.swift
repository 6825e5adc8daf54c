private import Search
import Terminal
import Text

/// A line of text in a popup or in the table area.
struct StyledText: Hashable {
  private(set) var parts: [(text: Sanitized, style: Style, link: Link?)] = []

  init() {}

  init(_ text: Sanitized, _ style: Style = .plain) { append(text, style) }

  mutating func append(_ text: Sanitized, _ style: Style = .plain, link: Link? = nil) {
    parts.append((text, style, link))
  }

  var plainText: String { parts.map(\.text.string).joined() }

  var line: Line {
    var line = Line()
    for (text, style, link) in parts { line.append(text, style: style, link: link) }
    return line
  }

  static func == (a: StyledText, b: StyledText) -> Bool { a.line == b.line }
  func hash(into hasher: inout Hasher) { hasher.combine(line) }
}

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

  /// Whether a text contains any match.
  func finds(_ text: String) -> Bool {
    needles.contains { $0.ignoresCase ? text.lowercased().contains($0.text) : text.contains($0.text) }
  }

  /// Splits the text into matching and other parts. O(length × words).
  func parts(of text: Sanitized) -> [(text: Sanitized, isMatch: Bool)] {
    let ranges = matches(in: text.string)
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

  /// The matches as byte offsets, ascending. Returns none if lowercasing changes the length of the text.
  private func matches(in text: String) -> [Range<Int>] {
    needles.flatMap { needle -> [Range<Int>] in
      let folded = needle.ignoresCase ? text.lowercased() : text
      guard folded.utf8.count == text.utf8.count else { return [] }
      return folded.ranges(of: needle.text).map { range in
        let start = folded.utf8.distance(from: folded.startIndex, to: range.lowerBound)
        return start..<start + folded.utf8.distance(from: range.lowerBound, to: range.upperBound)
      }
    }.sorted { $0.lowerBound < $1.lowerBound }
  }
}

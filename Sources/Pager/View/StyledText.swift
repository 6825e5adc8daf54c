import Terminal
import Text

/// A line of text in a popup or in the place of the table.
struct StyledText: Hashable {
  private(set) var parts: [(text: Sanitized, style: Style)] = []

  init() {}

  init(_ text: Sanitized, _ style: Style = .plain) { append(text, style) }

  mutating func append(_ text: Sanitized, _ style: Style = .plain) { parts.append((text, style)) }

  var plainText: String { parts.map(\.text.string).joined() }

  var line: Line {
    var line = Line()
    for (text, style) in parts { line.append(text, style: style) }
    return line
  }

  static func == (a: StyledText, b: StyledText) -> Bool { a.line == b.line }
  func hash(into hasher: inout Hasher) { hasher.combine(line) }
}

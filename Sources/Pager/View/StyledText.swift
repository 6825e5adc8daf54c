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

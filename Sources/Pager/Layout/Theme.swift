import JSON
package import Terminal
package import Text

package struct Theme: Sendable, Hashable {
  fileprivate let styles: [Role: Style]

  package subscript(role: Role) -> Style { styles[role] ?? .plain }

  package static let standard = ThemePalette.plain.theme(for: .sixteen)
}

/// A theme for all color depths.
package struct ThemePalette: Sendable, Hashable {
  package let name: String
  /// Roles that are not listed are plain.
  let styles: [Role: RoleStyle]

  /// - Parameter replacements: The styles of roles that the user has set.
  package func theme(for depth: ColorDepth, with replacements: [Role: RoleStyle] = [:]) -> Theme {
    Theme(styles: styles.merging(replacements) { $1 }.mapValues { $0.style(for: depth) })
  }

  package static let all: [ThemePalette] = [dark, light, plain]

  package static func named(_ name: String) -> ThemePalette? { all.first { $0.name == name } }
}

extension RoleStyle {
  fileprivate func style(for depth: ColorDepth) -> Style {
    var attributes = attributes
    var fill = background.color(for: depth)
    if background != Shade(), depth == .monochrome || depth == .sixteen && background.sixteen == nil {
      fill = nil
      attributes.insert(.reverse)
    }
    return Style(foreground: foreground.color(for: depth), background: fill, attributes: attributes)
  }
}

extension RoleStyle.Shade {
  /// If only a richer color is given, the nearest one the terminal supports.
  fileprivate func color(for depth: ColorDepth) -> Color? {
    let (named, numbered) = (sixteen.map { Color.indexed($0) }, indexed.map { Color.indexed($0) })
    return switch depth {
    case .monochrome: nil
    case .sixteen: named ?? numbered ?? direct
    case .indexed: numbered ?? direct ?? named
    case .direct: direct ?? numbered ?? named
    }
  }
}

extension ThemePalette {
  package static let dark = ThemePalette(
    name: "dark",
    styles: [
      .accent: RoleStyle(14, 80, .rgb(95, 215, 215)), .header: RoleStyle(attributes: .bold),
      .selected: RoleStyle(on: RoleStyle.Shade(nil, 238, .rgb(58, 68, 96))),
      .dim: RoleStyle(8, 247, .rgb(158, 158, 158)), .error: RoleStyle(9, 210, .rgb(255, 135, 135)),
      .warning: RoleStyle(11, 221, .rgb(255, 215, 95)), .success: RoleStyle(10, 114, .rgb(135, 215, 135)),
      .match: RoleStyle(11, 221, .rgb(255, 215, 95), attributes: .reverse),
    ])

  package static let light = ThemePalette(
    name: "light",
    styles: [
      .accent: RoleStyle(6, 24, .rgb(0, 100, 115)), .header: RoleStyle(attributes: .bold),
      .selected: RoleStyle(on: RoleStyle.Shade(nil, 252, .rgb(200, 214, 236))),
      .dim: RoleStyle(8, 241, .rgb(98, 98, 98)), .error: RoleStyle(1, 124, .rgb(175, 0, 0)),
      .warning: RoleStyle(3, 94, .rgb(140, 80, 0)), .success: RoleStyle(2, 22, .rgb(0, 100, 0)),
      .match: RoleStyle(3, 94, .rgb(140, 80, 0), attributes: .reverse),
    ])

  /// For any background: the terminal's sixteen colors, without white or black text.
  package static let plain = ThemePalette(
    name: "plain",
    styles: [
      .accent: RoleStyle(6), .header: RoleStyle(attributes: .bold), .dim: RoleStyle(attributes: .dim),
      .selected: RoleStyle(attributes: .reverse), .match: RoleStyle(attributes: .reverse),
      .error: RoleStyle(1), .warning: RoleStyle(3), .success: RoleStyle(2),
    ])
}

/// The symbols on the screen, with alternatives for terminals that lack them and for screen readers.
package struct Glyphs: Sendable, Hashable {
  /// Before the selected row, a marked row, and a row added by a refresh; one column each.
  package var selection: Sanitized
  package var mark: Sanitized
  package var newRow: Sanitized
  /// After the title of the sort column.
  package var ascending: Sanitized
  package var descending: Sanitized
  /// Before the title of the current column; one column.
  package var current: Sanitized
  /// Next to the number of columns left of the screen, and of those right of it; one column each.
  package var earlier: Sanitized
  package var later: Sanitized
  /// Before a failure.
  package var failure: Sanitized
  /// Between facts.
  package var divider: Sanitized
  package var ellipsis: Sanitized
  /// After the label of a line being typed.
  package var prompt: Sanitized
  /// Repeated to draw a line between two parts of a popup.
  package var rule: Sanitized
  /// Between two numbers.
  package var dash: Sanitized
  /// Animation frames while loading; empty disables the animation.
  package var spinner: [Sanitized]
  /// Whether placeholders for characters that must not be drawn are ASCII, too.
  package var hasPlainMarks = false
  /// Repeated to draw a bar; "" draws none.
  package var bar: Sanitized = ""

  /// Ends the name of something that is going on.
  var busy: String { ellipsis == .asciiEllipsis ? "..." : "…" }

  package static let unicode = Glyphs(
    selection: "▌", mark: "●", newRow: "+", ascending: "▴", descending: "▾", current: "›", earlier: "«",
    later: "»", failure: "✗ ", divider: " · ", ellipsis: .ellipsis, prompt: "› ", rule: "─", dash: "–",
    spinner: ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"], bar: "█")

  package static let ascii = Glyphs(
    selection: ">", mark: "*", newRow: "+", ascending: "^", descending: "v", current: ">", earlier: "<",
    later: ">", failure: "x ", divider: " | ", ellipsis: .asciiEllipsis, prompt: "> ", rule: "-", dash: "-",
    spinner: ["|", "/", "-", "\\"], hasPlainMarks: true, bar: "#")

  /// Words, and symbols that screen readers read aloud; no animation.
  package static let words = Glyphs(
    selection: ">", mark: "*", newRow: "+", ascending: "ascending", descending: "descending", current: ">",
    earlier: "<", later: ">", failure: "", divider: ", ", ellipsis: .asciiEllipsis, prompt: ": ", rule: "",
    dash: " to ", spinner: [])
}

/// By the name of the set.
extension Glyphs: Codable {
  private static let sets = ["unicode": unicode, "ascii": ascii, "words": words]

  package init(from decoder: any Decoder) throws {
    let name = try decoder.singleValueContainer().decode(String.self)
    guard let glyphs = Self.sets[name] else { throw JSONCodingError("\(name) is not a set of symbols") }
    self = glyphs
  }

  package func encode(to encoder: any Encoder) throws {
    var text = encoder.singleValueContainer()
    try text.encode(Self.sets.first { $0.value == self }?.key ?? "unicode")
  }
}

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
  /// The styles for a light background, if they differ.
  var stylesOnLight: [Role: RoleStyle]?

  /// The theme until the terminal's background is known.
  ///
  /// - Parameter replacements: The styles of roles that the user has set.
  package func theme(for depth: ColorDepth, with replacements: [Role: RoleStyle] = [:]) -> Theme {
    Theme(styles: styles.merging(replacements) { $1 }.mapValues { $0.style(for: depth) })
  }

  /// The themes that differ by background; empty if the theme is the same on any.
  package func themes(
    for depth: ColorDepth, with replacements: [Role: RoleStyle] = [:]
  ) -> [Background: Theme] {
    guard let stylesOnLight else { return [:] }
    let onLight = ThemePalette(name: name, styles: stylesOnLight)
    return [
      .dark: theme(for: depth, with: replacements), .light: onLight.theme(for: depth, with: replacements),
    ]
  }

  package static let all: [ThemePalette] = [dark, light, highContrast, gruvbox, catppuccin, plain]

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

  /// At least 7 to 1 on black and on white, and 5 to 1 in the selected row.
  package static let highContrast = ThemePalette(
    name: "high-contrast",
    styles: [
      .accent: RoleStyle(14, 51, .rgb(0, 255, 255)), .header: RoleStyle(attributes: [.bold, .underline]),
      .selected: RoleStyle(on: RoleStyle.Shade(nil, 19, .rgb(0, 0, 175))),
      .dim: RoleStyle(7, 253, .rgb(218, 218, 218)), .error: RoleStyle(9, 217, .rgb(255, 175, 175)),
      .warning: RoleStyle(11, 226, .rgb(255, 255, 0)), .success: RoleStyle(10, 120, .rgb(128, 255, 128)),
      .match: RoleStyle(11, 226, .rgb(255, 255, 0), attributes: .reverse),
    ],
    stylesOnLight: [
      .accent: RoleStyle(4, 17, .rgb(0, 0, 95)), .header: RoleStyle(attributes: [.bold, .underline]),
      .selected: RoleStyle(on: RoleStyle.Shade(nil, 220, .rgb(255, 205, 60))),
      .dim: RoleStyle(0, 236, .rgb(48, 48, 48)), .error: RoleStyle(1, 88, .rgb(135, 0, 0)),
      .warning: RoleStyle(3, 52, .rgb(95, 0, 0)), .success: RoleStyle(2, 22, .rgb(0, 75, 0)),
      .match: RoleStyle(4, 17, .rgb(0, 0, 95), attributes: .reverse),
    ])

  /// The dark palette of gruvbox (github.com/morhetz/gruvbox), for its background #282828; the red is lighter, so
  /// that it has the contrast of text.
  package static let gruvbox = ThemePalette(
    name: "gruvbox",
    styles: [
      .accent: RoleStyle(14, 108, .rgb(142, 192, 124)),
      .header: RoleStyle(15, 223, .rgb(235, 219, 178), attributes: .bold),
      .selected: RoleStyle(on: RoleStyle.Shade(nil, 239, .rgb(80, 73, 69))),
      .dim: RoleStyle(7, 144, .rgb(189, 174, 147)), .error: RoleStyle(9, 210, .rgb(255, 122, 105)),
      .warning: RoleStyle(11, 214, .rgb(250, 189, 47)), .success: RoleStyle(10, 142, .rgb(184, 187, 38)),
      .match: RoleStyle(11, 214, .rgb(250, 189, 47), attributes: .reverse),
    ])

  /// The Mocha palette of Catppuccin (github.com/catppuccin/catppuccin), for its background #1e1e2e.
  package static let catppuccin = ThemePalette(
    name: "catppuccin",
    styles: [
      .accent: RoleStyle(14, 116, .rgb(148, 226, 213)),
      .header: RoleStyle(15, 189, .rgb(205, 214, 244), attributes: .bold),
      .selected: RoleStyle(on: RoleStyle.Shade(nil, 238, .rgb(69, 71, 90))),
      .dim: RoleStyle(7, 146, .rgb(166, 173, 200)), .error: RoleStyle(9, 211, .rgb(243, 139, 168)),
      .warning: RoleStyle(11, 223, .rgb(249, 226, 175)), .success: RoleStyle(10, 151, .rgb(166, 227, 161)),
      .match: RoleStyle(11, 223, .rgb(249, 226, 175), attributes: .reverse),
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
  /// Before the selected row, a marked row, and a row that a refresh added or changed; one column each.
  package var selection: Sanitized
  package var mark: Sanitized
  package var newRow: Sanitized
  package var changedRow: Sanitized
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
  /// Around popups, with `rule` at the top and the bottom; nil draws none.
  var frame: Frame?

  struct Frame: Sendable, Hashable {
    var topLeft: Sanitized
    var topRight: Sanitized
    var bottomLeft: Sanitized
    var bottomRight: Sanitized
    /// Also between the table and the preview.
    var side: Sanitized
  }

  /// Ends the name of something that is going on.
  var busy: String { ellipsis == .asciiEllipsis ? "..." : "…" }

  package static let unicode = Glyphs(
    selection: "▌", mark: "●", newRow: "+", changedRow: "~", ascending: "▴", descending: "▾", current: "›",
    earlier: "«",
    later: "»", failure: "✗ ", divider: " · ", ellipsis: .ellipsis, prompt: "› ", rule: "─", dash: "–",
    spinner: ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"], bar: "█",
    frame: Frame(topLeft: "╭", topRight: "╮", bottomLeft: "╰", bottomRight: "╯", side: "│"))

  package static let ascii = Glyphs(
    selection: ">", mark: "*", newRow: "+", changedRow: "~", ascending: "^", descending: "v", current: ">",
    earlier: "<",
    later: ">", failure: "x ", divider: " | ", ellipsis: .asciiEllipsis, prompt: "> ", rule: "-", dash: "-",
    spinner: ["|", "/", "-", "\\"], hasPlainMarks: true, bar: "#",
    frame: Frame(topLeft: "+", topRight: "+", bottomLeft: "+", bottomRight: "+", side: "|"))

  /// Words, and symbols that screen readers read aloud; no animation.
  package static let words = Glyphs(
    selection: ">", mark: "*", newRow: "+", changedRow: "~", ascending: "ascending", descending: "descending",
    current: ">",
    earlier: "<", later: ">", failure: "", divider: ", ", ellipsis: .asciiEllipsis, prompt: ": ", rule: "",
    dash: " to ", spinner: [])
}

package import JSON
package import Terminal
package import Text

/// The style of each role.
package struct Theme: Sendable, Hashable {
  private let styles: [Role: Style]

  package init(_ styles: [Role: Style]) { self.styles = styles }

  package subscript(role: Role) -> Style { styles[role] ?? .plain }

  /// Legible on light and dark backgrounds: the terminal's sixteen colors, without white or black text.
  package static let standard = ThemePalette.plain.theme(for: .sixteen)
}

/// A theme as data: the style of each role with 16 colors, with 256 colors, and with true color.
package struct ThemePalette: Sendable, Hashable {
  /// One color, at each color depth.
  package struct Shade: Sendable, Hashable {
    /// 0…15 of the user's color scheme; nil for the terminal's default color.
    package var sixteen: UInt8?
    /// 16…255.
    package var indexed: UInt8?
    package var direct: Color?

    package init(_ sixteen: UInt8? = nil, _ indexed: UInt8? = nil, _ direct: Color? = nil) {
      self.sixteen = sixteen
      self.indexed = indexed
      self.direct = direct
    }

    package static let none = Shade()
  }

  package struct DepthStyle: Sendable, Hashable {
    package var foreground: Shade
    /// With sixteen colors the text is reversed instead, because the contrast between colors of an unknown
    /// scheme is unknown.
    package var background: Shade
    package var attributes: Style.Attributes

    package init(
      _ foreground: Shade = .none, on background: Shade = .none, _ attributes: Style.Attributes = []
    ) {
      self.foreground = foreground
      self.background = background
      self.attributes = attributes
    }

    init(
      _ sixteen: UInt8?, _ indexed: UInt8? = nil, _ direct: Color? = nil, _ attributes: Style.Attributes = []
    ) {
      self.init(Shade(sixteen, indexed, direct), attributes)
    }
  }

  package let name: String
  /// Roles that are not listed are plain.
  package var styles: [Role: DepthStyle]

  package func theme(for depth: ColorDepth) -> Theme {
    Theme(styles.mapValues { $0.style(for: depth) })
  }

  package static let all: [ThemePalette] = [dark, light, plain]

  package static func named(_ name: String) -> ThemePalette? { all.first { $0.name == name } }
}

extension ThemePalette.DepthStyle {
  fileprivate func style(for depth: ColorDepth) -> Style {
    var attributes = attributes
    var fill = background.color(for: depth)
    if background != .none, depth == .monochrome || depth == .sixteen && background.sixteen == nil {
      fill = nil
      attributes.insert(.reverse)
    }
    return Style(foreground: foreground.color(for: depth), background: fill, attributes: attributes)
  }
}

extension ThemePalette.Shade {
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
  /// For dark backgrounds.
  package static let dark = ThemePalette(
    name: "dark",
    styles: [
      .accent: DepthStyle(14, 80, .rgb(95, 215, 215)), .header: DepthStyle([.bold]),
      .selected: DepthStyle(on: Shade(nil, 238, .rgb(58, 68, 96))),
      .dim: DepthStyle(8, 247, .rgb(158, 158, 158)),
      .error: DepthStyle(9, 210, .rgb(255, 135, 135)), .warning: DepthStyle(11, 221, .rgb(255, 215, 95)),
      .success: DepthStyle(10, 114, .rgb(135, 215, 135)),
      .match: DepthStyle(11, 221, .rgb(255, 215, 95), [.reverse]),
    ])

  /// For light backgrounds.
  package static let light = ThemePalette(
    name: "light",
    styles: [
      .accent: DepthStyle(6, 24, .rgb(0, 100, 115)), .header: DepthStyle([.bold]),
      .selected: DepthStyle(on: Shade(nil, 252, .rgb(200, 214, 236))),
      .dim: DepthStyle(8, 241, .rgb(98, 98, 98)),
      .error: DepthStyle(1, 124, .rgb(175, 0, 0)), .warning: DepthStyle(3, 94, .rgb(140, 80, 0)),
      .success: DepthStyle(2, 22, .rgb(0, 100, 0)), .match: DepthStyle(3, 94, .rgb(140, 80, 0), [.reverse]),
    ])

  /// For any background: the terminal's sixteen colors, without white or black text.
  package static let plain = ThemePalette(
    name: "plain",
    styles: [
      .accent: DepthStyle(6), .header: DepthStyle([.bold]), .selected: DepthStyle([.reverse]),
      .dim: DepthStyle([.dim]),
      .error: DepthStyle(1), .warning: DepthStyle(3), .success: DepthStyle(2), .match: DepthStyle([.reverse]),
    ])
}

extension ThemePalette.DepthStyle {
  fileprivate init(_ attributes: Style.Attributes) { self.init(.none, attributes) }
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

  /// Ends the name of something that is going on.
  var busy: String { ellipsis == .asciiEllipsis ? "..." : "…" }

  package static let unicode = Glyphs(
    selection: Sanitized("▌"), mark: Sanitized("●"), newRow: Sanitized("+"), ascending: Sanitized("▴"),
    descending: Sanitized("▾"), current: Sanitized("›"),
    earlier: Sanitized("«"), later: Sanitized("»"), failure: Sanitized("✗ "),
    divider: Sanitized(" · "), ellipsis: .ellipsis, prompt: Sanitized("› "), rule: Sanitized("─"),
    dash: Sanitized("–"),
    spinner: ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"].map { Sanitized($0) })

  package static let ascii = Glyphs(
    selection: Sanitized(">"), mark: Sanitized("*"), newRow: Sanitized("+"), ascending: Sanitized("^"),
    descending: Sanitized("v"), current: Sanitized(">"),
    earlier: Sanitized("<"), later: Sanitized(">"), failure: Sanitized("x "),
    divider: Sanitized(" | "), ellipsis: .asciiEllipsis, prompt: Sanitized("> "), rule: Sanitized("-"),
    dash: Sanitized("-"),
    spinner: ["|", "/", "-", "\\"].map { Sanitized($0) }, hasPlainMarks: true)

  /// Words, and symbols that screen readers read aloud; no animation.
  package static let words = Glyphs(
    selection: Sanitized(">"), mark: Sanitized("*"), newRow: Sanitized("+"),
    ascending: Sanitized("ascending"), descending: Sanitized("descending"), current: Sanitized(">"),
    earlier: Sanitized("<"), later: Sanitized(">"), failure: Sanitized(""), divider: Sanitized(", "),
    ellipsis: .asciiEllipsis, prompt: Sanitized(": "),
    rule: Sanitized(""), dash: Sanitized(" to "), spinner: [])
}

extension Glyphs: JSONCodable {
  private static let sets: [(Glyphs, String)] = [(.unicode, "unicode"), (.ascii, "ascii"), (.words, "words")]

  package func write(to json: inout JSONWriter) {
    json.text(Self.sets.first { $0.0 == self }?.1 ?? "unicode")
  }

  package init(json: JSONValue) throws(JSONCodingError) {
    guard let found = Self.sets.first(where: { $0.1 == json.string }) else {
      throw JSONCodingError(json, isNot: "a set of symbols")
    }
    self = found.0
  }
}

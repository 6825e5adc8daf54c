/// The style of text. `nil` colors are the terminal's defaults.
package struct Style: Sendable, Hashable {
  package var foreground: Color?
  package var background: Color?
  package var attributes: Attributes

  package init(foreground: Color? = nil, background: Color? = nil, attributes: Attributes = []) {
    self.foreground = foreground
    self.background = background
    self.attributes = attributes
  }

  package static let plain = Style()

  /// The style of a part of a line that is drawn in the style `line`; properties that the part does not set
  /// are the line's. In a reversed line, a color of the part would become a background and look like a patch
  /// in the bar, so the line's colors are used, and a part that is itself reversed is drawn not reversed,
  /// bold, and underlined.
  package func laid(over line: Style) -> Style {
    if line == .plain { return self }
    guard line.attributes.contains(.reverse) else {
      return Style(
        foreground: foreground ?? line.foreground, background: background ?? line.background,
        attributes: attributes.union(line.attributes))
    }
    var style = line
    style.attributes.formUnion(attributes.subtracting(.dim))
    if attributes.contains(.reverse) {
      style.attributes.remove(.reverse)
      style.attributes.formUnion([.bold, .underline])
    }
    return style
  }

  package struct Attributes: OptionSet, Sendable, Hashable {
    package let rawValue: UInt8
    package init(rawValue: UInt8) { self.rawValue = rawValue }

    package static let bold = Attributes(rawValue: 1 << 0)
    package static let dim = Attributes(rawValue: 1 << 1)
    package static let italic = Attributes(rawValue: 1 << 2)
    package static let underline = Attributes(rawValue: 1 << 3)
    package static let reverse = Attributes(rawValue: 1 << 4)
  }
}

/// A color of text or of its background.
package enum Color: Sendable, Hashable {
  /// A color of the 256-color palette. 0 to 15 are the sixteen colors of the user's color scheme; 16 to 255 are the
  /// color cube and the grays.
  case indexed(UInt8)
  case rgb(UInt8, UInt8, UInt8)
}

/// The style of a role at each color depth.
package struct RoleStyle: Sendable, Hashable {
  /// One color, at each color depth; if none is set, the terminal's default color.
  package struct Shade: Sendable, Hashable {
    /// A color of the terminal's color scheme, 0…15.
    package var sixteen: UInt8?
    /// A color of the 256-color palette, 16…255.
    package var indexed: UInt8?
    package var direct: Color?

    package init(_ sixteen: UInt8? = nil, _ indexed: UInt8? = nil, _ direct: Color? = nil) {
      self.sixteen = sixteen
      self.indexed = indexed
      self.direct = direct
    }
  }

  package var foreground: Shade
  /// The background. With sixteen colors the text is reversed instead, because the contrast between colors of an
  /// unknown scheme is unknown.
  package var background: Shade
  package var attributes: Style.Attributes

  package init(
    _ sixteen: UInt8? = nil, _ indexed: UInt8? = nil, _ direct: Color? = nil, on background: Shade = Shade(),
    attributes: Style.Attributes = []
  ) {
    foreground = Shade(sixteen, indexed, direct)
    self.background = background
    self.attributes = attributes
  }
}

/// The role of text, which determines its style in the theme. The names are those of the `[theme]` settings.
package enum Role: String, CaseIterable, Sendable {
  case accent, header, selected, dim, error, warning, success, match
}

/// When to use a feature: colors, progress, the preview.
package enum Occasion: String, Sendable, Hashable, CaseIterable { case auto, always, never }

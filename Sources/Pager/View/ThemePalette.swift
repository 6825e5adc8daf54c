package import Terminal
package import Text

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

  package init(name: String, styles: [Role: DepthStyle]) {
    self.name = name
    self.styles = styles
  }

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

package import Terminal
package import Text

/// A theme as data: what each role looks like with 16 colours, with 256, and with all.
package struct ThemePalette: Sendable, Hashable {
  /// One color, as far as each kind of terminal has it.
  package struct Shade: Sendable, Hashable {
    /// 0…15 of the user's own scheme; nil is the terminal's color.
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

  package struct Look: Sendable, Hashable {
    package var foreground: Shade
    /// Where a terminal has too few colors for it, the text is reversed: by the sixteen colors of a scheme nobody
    /// knows which of them is legible on which.
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
  /// Roles not named are plain.
  package var looks: [Role: Look]

  package init(name: String, looks: [Role: Look]) {
    self.name = name
    self.looks = looks
  }

  package func theme(for depth: ColorDepth) -> Theme {
    Theme(looks.mapValues { $0.style(for: depth) })
  }

  package static let all: [ThemePalette] = [dark, light, plain]

  package static func named(_ name: String) -> ThemePalette? { all.first { $0.name == name } }
}

extension ThemePalette.Look {
  fileprivate func style(for depth: ColorDepth) -> Style {
    var attributes = attributes
    var ground = background.color(for: depth)
    if background != .none, depth == .monochrome || depth == .sixteen && background.sixteen == nil {
      ground = nil
      attributes.insert(.reverse)
    }
    return Style(foreground: foreground.color(for: depth), background: ground, attributes: attributes)
  }
}

extension ThemePalette.Shade {
  /// Where only a richer one is named, the terminal gets the nearest it has.
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

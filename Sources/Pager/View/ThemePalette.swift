package import Terminal
package import Text

/// A theme as data: what each role looks like with 16 colours, with 256, and with all.
package struct ThemePalette: Sendable, Hashable {
  package struct Look: Sendable, Hashable {
    /// 0…15 of the user's own scheme; nil is the terminal's colour.
    package var sixteen: UInt8?
    /// 16…255.
    package var indexed: UInt8?
    package var direct: Color?
    package var attributes: Style.Attributes

    package init(
      _ sixteen: UInt8? = nil, _ indexed: UInt8? = nil, _ direct: Color? = nil,
      _ attributes: Style.Attributes = []
    ) {
      self.sixteen = sixteen
      self.indexed = indexed
      self.direct = direct
      self.attributes = attributes
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
    let sixteen = sixteen.map { Color.indexed($0) }
    let color: Color? =
      switch depth {
      case .monochrome: nil
      // Where only a richer one is named, the terminal gets the nearest it has.
      case .sixteen: sixteen ?? indexed.map { .indexed($0) } ?? direct
      case .indexed: indexed.map { .indexed($0) } ?? direct ?? sixteen
      case .direct: direct ?? indexed.map { .indexed($0) } ?? sixteen
      }
    return Style(foreground: color, attributes: attributes)
  }
}

import Terminal
package import Text

/// The style of each role.
package struct Theme: Sendable, Hashable {
  private let styles: [Role: Style]

  package init(_ styles: [Role: Style]) { self.styles = styles }

  package subscript(role: Role) -> Style { styles[role] ?? .plain }

  /// Legible on light and dark grounds: the terminal's own sixteen colors, nothing set in white or black.
  package static let standard = ThemePalette.plain.theme(for: .sixteen)
}

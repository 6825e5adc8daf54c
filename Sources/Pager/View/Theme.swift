import Terminal
package import Text

/// The style of each role.
package struct Theme: Sendable, Hashable {
  private let styles: [Role: Style]

  package init(_ styles: [Role: Style]) { self.styles = styles }

  package subscript(role: Role) -> Style { styles[role] ?? .plain }

  /// Legible on light and dark backgrounds: the terminal's sixteen colors, without white or black text.
  package static let standard = ThemePalette.plain.theme(for: .sixteen)
}

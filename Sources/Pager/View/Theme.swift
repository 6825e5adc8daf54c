package import Text

/// The style of each role.
package struct Theme: Sendable, Hashable {
  private let styles: [Role: Style]

  package init(_ styles: [Role: Style]) { self.styles = styles }

  package subscript(role: Role) -> Style { styles[role] ?? .plain }

  /// Legible on light and dark grounds: the terminal's own sixteen colours, nothing set in white or black.
  package static let standard = Theme([
    .accent: Style(foreground: .indexed(6)),
    .header: Style(attributes: [.bold]),
    .selected: Style(foreground: .indexed(6), attributes: [.bold]),
    .dim: Style(attributes: [.dim]),
    .error: Style(foreground: .indexed(1)),
    .warning: Style(foreground: .indexed(3)),
    .success: Style(foreground: .indexed(2)),
    .match: Style(attributes: [.reverse]),
  ])
}

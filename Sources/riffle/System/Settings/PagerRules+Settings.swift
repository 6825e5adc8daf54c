import Config
import Pager
import Terminal
import Text

extension PagerRules {
  /// The name of the theme that follows the terminal's background.
  static let automaticTheme = "auto"

  /// Applies the user's settings for the screen.
  ///
  /// - Parameter terminal: The terminal's options, including the user's settings.
  mutating func apply(_ settings: Settings, on terminal: TerminalOptions) {
    prefetch = settings.pager.prefetch
    isMouseOn = settings.pager.usesMouse
    isWrapped = settings.pager.wraps ? true : nil
    isAccessible = settings.pager.isAccessible
    glyphs = settings.pager.isAccessible ? .words : terminal.isASCII ? .ascii : .unicode
    let (styles, colors) = (settings.theme.styles, terminal.colors)
    theme = (ThemePalette.named(settings.theme.name) ?? .plain).with(styles).theme(for: colors)
    guard settings.theme.name == Self.automaticTheme else { return }
    themes = [
      .dark: ThemePalette.dark.with(styles).theme(for: colors),
      .light: ThemePalette.light.with(styles).theme(for: colors),
    ]
  }
}

extension ThemePalette {
  /// The theme with the styles of some roles replaced.
  fileprivate func with(_ styles: [Role: RoleStyle]) -> ThemePalette {
    var palette = self
    for (role, look) in styles {
      palette.styles[role] = DepthStyle(Shade(look.foreground), on: Shade(look.background), look.attributes)
    }
    return palette
  }
}

extension ThemePalette.Shade {
  fileprivate init(_ shade: RoleStyle.Shade) { self.init(shade.sixteen, shade.indexed, shade.direct) }
}

import Config
import Pager
import Terminal
import Text

extension PagerRules {
  /// The name of the theme that follows the terminal's background.
  static let themeByGround = "auto"

  /// Applies the user's settings for the screen.
  ///
  /// - Parameter terminal: The terminal's options, including the user's settings.
  mutating func apply(_ settings: Settings, on terminal: TerminalOptions) {
    prefetch = settings.pager.prefetch
    isMouseOn = settings.pager.usesMouse
    isWrapped = settings.pager.wraps ? true : nil
    isAccessible = settings.pager.isAccessible
    glyphs = settings.pager.isAccessible ? .words : terminal.isASCII ? .ascii : .unicode
    let (looks, colors) = (settings.theme.looks, terminal.colors)
    theme = (ThemePalette.named(settings.theme.name) ?? .plain).with(looks).theme(for: colors)
    guard settings.theme.name == Self.themeByGround else { return }
    themes = [
      .dark: ThemePalette.dark.with(looks).theme(for: colors),
      .light: ThemePalette.light.with(looks).theme(for: colors),
    ]
  }
}

extension ThemePalette {
  /// The theme with the styles of some roles replaced.
  fileprivate func with(_ looks: [Role: RoleLook]) -> ThemePalette {
    var palette = self
    for (role, look) in looks {
      palette.looks[role] = Look(Shade(look.foreground), on: Shade(look.background), look.attributes)
    }
    return palette
  }
}

extension ThemePalette.Shade {
  fileprivate init(_ shade: RoleLook.Shade) { self.init(shade.sixteen, shade.indexed, shade.direct) }
}

import Config
import Terminal

extension TerminalOptions {
  /// Overrides the options derived from the environment with the user's settings.
  mutating func apply(_ settings: Settings) {
    if let delay = settings.pager.escapeDelay { escapeDelay = delay }
    if let isASCII = settings.pager.isASCII { self.isASCII = isASCII }
    ambiguousIsWide = settings.pager.ambiguousWidth == 2
    usesAlternateScreen = settings.pager.usesAlternateScreen
    // A screen reader reads text that is written, not text that is scrolled.
    scrolls = !settings.pager.isAccessible
    switch settings.output.color {
    case .auto: break
    case .never: colors = .monochrome
    case .always: if colors == .monochrome { colors = availableColors }
    }
  }
}

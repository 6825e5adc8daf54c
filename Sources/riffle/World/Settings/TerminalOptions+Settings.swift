import Config
import Terminal

extension TerminalOptions {
  /// What the user settled takes the place of what the environment suggests.
  mutating func apply(_ settings: Settings) {
    if let delay = settings.pager.escapeDelay { escapeDelay = delay }
    if let isASCII = settings.pager.isASCII { self.isASCII = isASCII }
    ambiguousIsWide = settings.pager.ambiguousWidth == 2
    usesAlternateScreen = settings.pager.usesAlternateScreen
    // A screen reader reads what is written, not what moves.
    scrolls = !settings.pager.isAccessible
    switch settings.output.color {
    case .auto: break
    case .never: colors = .monochrome
    case .always: if colors == .monochrome { colors = availableColors }
    }
  }
}

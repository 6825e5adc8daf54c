import Config
import Terminal

extension TerminalOptions {
  /// What the user settled takes the place of what the environment suggests.
  mutating func apply(_ settings: Settings) {
    if let delay = settings.pager.escapeDelay { escapeDelay = delay }
    ambiguousIsWide = settings.pager.ambiguousWidth == 2
    switch settings.output.color {
    case .auto: break
    case .never: colors = .monochrome
    case .always: if colors == .monochrome { colors = .sixteen }
    }
  }
}

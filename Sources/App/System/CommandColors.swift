import Pager
@preconcurrency import Rainbow
import Terminal
package import Text

import enum Rainbow.Style

/// The colors of what the command line itself says: prefixes of messages, headings, findings. The pager draws its own
/// screen.
///
/// Whether a stream is colored is decided here, for all commands: `--color`, then `NO_COLOR` (no-color.org), then
/// `CLICOLOR_FORCE` (bixense.com/clicolors), then whether the stream is a terminal and `TERM` is not `dumb`.
package struct CommandColors: Sendable, Hashable {
  /// Whether text on stdout is colored.
  package let isOutputColored: Bool
  /// Whether text on stderr is colored.
  package let areErrorsColored: Bool

  package init(_ choice: Occasion, _ dependencies: Dependencies) {
    func isColored(_ isTerminal: Bool) -> Bool {
      let environment = dependencies.environment
      return switch choice {
      case .always: true
      case .never: false
      case .auto where environment["NO_COLOR"]?.isEmpty == false: false
      case .auto where !["", "0", nil].contains(environment["CLICOLOR_FORCE"]): true
      case .auto: isTerminal && !["", "dumb", nil].contains(environment["TERM"])
      }
    }
    isOutputColored = isColored(dependencies.output.isTerminal)
    areErrorsColored = isColored(dependencies.errors.isTerminal)
  }

  /// Text for stdout in the style of a role. It must be sanitized: Rainbow reads escape sequences in it.
  package func output(_ role: Role, _ text: String) -> String {
    isOutputColored ? Self.styled(text, Self.style(of: role)) : text
  }

  /// The same for stderr.
  package func errors(_ role: Role, _ text: String) -> String {
    areErrorsColored ? Self.styled(text, Self.style(of: role)) : text
  }

  /// The sixteen colors of the terminal, so that any background will do.
  private static func style(of role: Role) -> Text.Style {
    var style = Theme.standard[role]
    if role == .error { style.attributes.insert(.bold) }
    // Bold alone is not seen everywhere.
    if role == .header { style.foreground = style.foreground ?? Theme.standard[.accent].foreground }
    return style
  }

  /// Text between the control sequences of a style (SGR, ECMA-48), which Rainbow writes.
  package static func styled(_ text: String, _ style: Text.Style) -> String {
    isRainbowSet
      ? Rainbow.generateString(
        for: Rainbow.Entry(segments: [
          Rainbow.Segment(
            text: text, color: style.foreground.map(ColorType.init),
            backgroundColor: style.background.map { ColorType($0).toBackgroundColor },
            styles: style.attributes.rainbowStyles)
        ])) : text
  }

  /// Rainbow's own look at the environment must not decide: it is set once, before the first use.
  private static let isRainbowSet: Bool = {
    Rainbow.enabled = true
    Rainbow.outputTarget = .console
    return true
  }()
}

extension ColorType {
  /// The sixteen colors of settings are Rainbow's named ones: SGR 30 to 37, and 90 to 97 for the bright ones.
  fileprivate init(_ color: Text.Color) {
    switch color {
    case .indexed(let number):
      let code = number < 8 ? 30 + number : 82 &+ number
      self = (number < 16 ? NamedColor(rawValue: code) : nil).map { .named($0) } ?? .bit8(number)
    case .rgb(let red, let green, let blue): self = .bit24((red, green, blue))
    }
  }
}

extension Text.Style.Attributes {
  fileprivate var rainbowStyles: [Style] {
    let all: [(Self, Style)] = [
      (.bold, .bold), (.dim, .dim), (.italic, .italic), (.underline, .underline), (.reverse, .swap),
    ]
    return all.filter { contains($0.0) }.map(\.1)
  }
}

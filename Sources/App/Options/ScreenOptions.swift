package import ArgumentParser
package import Terminal

/// Options for how the pager uses the terminal.
package struct ScreenOptions: ParsableArguments, Sendable {
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Draw below the prompt, on this many lines or this share of them.", valueName: "lines|n%"))
  package var height: InlineHeight?

  @Flag(help: "Show rows as lines of text and read commands, without a screen.")
  package var plain = false

  package init() {}

  package mutating func validate() throws {
    if plain, height != nil { throw ValidationError("--plain and --height cannot be used together") }
  }

  /// The options of the terminal; nil if it cannot display the session.
  func terminal(_ dependencies: Dependencies) -> TerminalOptions? {
    guard !plain else {
      // Any terminal shows lines of text.
      var terminal = TerminalOptions(environment: ["TERM": "vt100"])
      terminal?.isAccessible = true
      return terminal
    }
    var terminal = TerminalOptions(environment: dependencies.environment)
    if dependencies.replay == nil { terminal?.height = height }
    return terminal
  }
}

extension RequestOptions {
  /// - Throws: If a session is to be recorded that has no screen.
  package func checkRecording(_ screen: ScreenOptions) throws {
    if record != nil, screen.plain { throw ValidationError("--plain and --record cannot be used together") }
  }
}

extension InlineHeight: ExpressibleByArgument {
  package init?(argument: String) { self.init(argument) }
}

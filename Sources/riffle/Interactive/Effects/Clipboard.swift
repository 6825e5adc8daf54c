import Pager

/// Copies text to the user's clipboard: through a terminal known to support it, else with a clipboard
/// program, else through the terminal anyway.
struct Clipboard: Sendable {
  let terminal: TerminalClipboard
  let environment: [String: String]

  /// A program that reads the text from stdin.
  private struct Way {
    let words: [String]
    /// The environment variable that is set where the program works.
    let variable: String
  }

  private static let ways = [
    Way(words: ["tmux", "load-buffer", "-w", "-"], variable: "TMUX"),
    Way(words: ["wl-copy"], variable: "WAYLAND_DISPLAY"),
    Way(words: ["xclip", "-selection", "clipboard"], variable: "DISPLAY"),
    Way(words: ["xsel", "--clipboard", "--input"], variable: "DISPLAY"),
    Way(words: ["clip.exe"], variable: "WSL_DISTRO_NAME"),
  ]

  /// The programs that would be tried.
  static func programs(environment: [String: String]) -> [String] {
    ways.filter { !(environment[$0.variable] ?? "").isEmpty }.map { $0.words[0] }
  }

  /// - Parameter what: A description of the text, for the message.
  func copy(_ text: String, what: String) async -> EffectOutcome {
    let copied = EffectOutcome.done("copied \(what): \(text.prefix(Self.mostShown))")
    if terminal.isBelieved, await terminal.copy(text) { return copied }
    for way in Self.ways where !(environment[way.variable] ?? "").isEmpty {
      guard (try? await ChildProgram.feed(Array(text.utf8), to: way.words)) != nil else { continue }
      return copied
    }
    if await terminal.copy(text) {
      return .done("sent \(what) to the terminal's clipboard (OSC 52, not confirmed)")
    }
    return .failed("cannot copy \(what): the terminal refused it. Install wl-copy, xclip or xsel")
  }

  /// The maximum number of characters of the text that the message repeats.
  private static let mostShown = 200
}

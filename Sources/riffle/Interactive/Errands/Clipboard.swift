import Pager

/// Gives text to the user's clipboard: through a terminal that is known to take it, else by the programs that are
/// there for it, else through the terminal all the same.
struct Clipboard: Sendable {
  let terminal: TerminalClipboard
  let environment: [String: String]

  /// A program that takes the text on stdin.
  private struct Way {
    let words: [String]
    /// Set where the program works.
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

  /// - Parameter what: what the text is, for the report.
  func copy(_ text: String, what: String) async -> ErrandOutcome {
    let copied = ErrandOutcome.done("copied \(what): \(text.prefix(Self.mostShown))")
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

  /// Characters of a text that the report repeats.
  private static let mostShown = 200
}

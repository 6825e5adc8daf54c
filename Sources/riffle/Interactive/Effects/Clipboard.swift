import Pager

/// Copies text to the user's clipboard: through a terminal known to support it, else with a clipboard
/// program, else through the terminal anyway.
struct Clipboard: Sendable {
  let terminal: TerminalClipboard
  let environment: [String: String]

  /// A program that reads the text from stdin.
  private struct CopyProgram {
    let words: [String]
    /// The environment variable that is set where the program works.
    let variable: String
  }

  private static let copyPrograms = [
    CopyProgram(words: ["tmux", "load-buffer", "-w", "-"], variable: "TMUX"),
    CopyProgram(words: ["wl-copy"], variable: "WAYLAND_DISPLAY"),
    CopyProgram(words: ["xclip", "-selection", "clipboard"], variable: "DISPLAY"),
    CopyProgram(words: ["xsel", "--clipboard", "--input"], variable: "DISPLAY"),
    CopyProgram(words: ["clip.exe"], variable: "WSL_DISTRO_NAME"),
  ]

  /// The programs that would be tried.
  static func programs(environment: [String: String]) -> [String] {
    copyPrograms.filter { !(environment[$0.variable] ?? "").isEmpty }.map { $0.words[0] }
  }

  /// - Parameter what: A description of the text, for the message.
  func copy(_ text: String, what: String) async -> EffectOutcome {
    let copied = EffectOutcome.done("copied \(what): \(text.prefix(Self.mostShown))")
    if terminal.isBelieved, await terminal.copy(text) { return copied }
    for program in Self.copyPrograms where !(environment[program.variable] ?? "").isEmpty {
      guard (try? await ChildProgram.feed(Array(text.utf8), to: program.words)) != nil else { continue }
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

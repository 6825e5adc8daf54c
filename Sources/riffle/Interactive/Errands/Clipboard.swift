import Pager

/// Gives text to the clipboard, by the programs that are there for it.
struct Clipboard: Sendable {
  let environment: [String: String]

  /// A program that takes the text on stdin, and when it can be of use.
  private struct Way {
    let words: [String]
    /// A variable that is set where the program works.
    let variable: String
  }

  private static let ways = [
    Way(words: ["tmux", "load-buffer", "-w", "-"], variable: "TMUX"),
    Way(words: ["wl-copy"], variable: "WAYLAND_DISPLAY"),
    Way(words: ["xclip", "-selection", "clipboard"], variable: "DISPLAY"),
    Way(words: ["xsel", "--clipboard", "--input"], variable: "DISPLAY"),
    Way(words: ["clip.exe"], variable: "WSL_DISTRO_NAME"),
    Way(words: ["pbcopy"], variable: "__CF_USER_TEXT_ENCODING"),
  ]

  /// - Parameter what: what the text is, for the report.
  func copy(_ text: String, what: String) async -> ErrandOutcome {
    for way in Self.ways where !(environment[way.variable] ?? "").isEmpty {
      guard (try? await ChildProgram.feed(Array(text.utf8), to: way.words)) != nil else { continue }
      return .done("copied the \(what) (\(way.words[0]))")
    }
    return .failed(
      "the \(what) is not copied: there is no clipboard here (wl-copy, xclip or xsel would do, or tmux)")
  }
}

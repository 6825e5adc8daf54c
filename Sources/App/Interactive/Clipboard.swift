import Pager
import Synchronization
import Terminal

/// Copies text to the user's clipboard: through a terminal known to support it, else with a clipboard
/// program, else through the terminal anyway.
struct Clipboard: Sendable {
  let terminal: TerminalClipboard
  let environment: [String: String]

  /// Programs that read the text from stdin, and the environment variable that is set where each works.
  private static let copyPrograms: [(words: [String], variable: String)] = [
    (["tmux", "load-buffer", "-w", "-"], "TMUX"),
    (["wl-copy"], "WAYLAND_DISPLAY"),
    (["xclip", "-selection", "clipboard"], "DISPLAY"),
    (["xsel", "--clipboard", "--input"], "DISPLAY"),
    (["clip.exe"], "WSL_DISTRO_NAME"),
  ]

  /// The command lines that would be tried.
  static func programs(environment: [String: String]) -> [[String]] {
    copyPrograms.filter { environment[$0.variable]?.isEmpty == false }.map(\.words)
  }

  /// - Parameter what: A description of the text, for the message.
  func copy(_ text: String, what: String) async -> EffectOutcome {
    let copied = EffectOutcome.done("copied \(what): \(text.prefix(Self.mostShown))")
    if terminal.isBelieved, await terminal.copy(text) { return copied }
    for words in Self.programs(environment: environment)
    where (try? await ChildProgram.feed(Array(text.utf8), to: words)) != nil { return copied }
    if await terminal.copy(text) {
      return .done("sent \(what) to the terminal's clipboard (OSC 52, not confirmed)")
    }
    return .failed("cannot copy \(what): the terminal refused it. Install wl-copy, xclip or xsel")
  }

  /// The maximum number of characters of the text that the message repeats.
  private static let mostShown = 200
}

/// Copies text through the terminal (OSC 52), with the next frame. It passes the text from the effect to the
/// screen's thread, and reports back whether it was sent.
final class TerminalClipboard: Sendable {
  private struct Waiting {
    let copy: Frame.Copy
    let isSent: CheckedContinuation<Bool, Never>
  }

  private struct State {
    var waiting: [Waiting] = []
    var lastID = 0
    var isBelieved = false
  }

  private let state = Mutex(State())
  private let wakeScreen: @Sendable () -> Void

  /// - Parameter wakeScreen: Schedules a redraw.
  init(wakeScreen: @escaping @Sendable () -> Void) { self.wakeScreen = wakeScreen }

  /// Whether the terminal is known to pass copied text to the clipboard.
  var isBelieved: Bool { state.withLock { $0.isBelieved } }

  /// The text to send with the next frame.
  var current: Frame.Copy? { state.withLock { $0.waiting.first?.copy } }

  /// - Returns: Whether the text was sent; false if it is too long.
  func copy(_ text: String) async -> Bool {
    await withCheckedContinuation { isSent in
      let isWaiting = state.withLock { state in
        state.lastID += 1
        guard let copy = Frame.Copy(id: state.lastID, text: text) else { return false }
        state.waiting.append(Waiting(copy: copy, isSent: isSent))
        return true
      }
      if isWaiting { wakeScreen() } else { isSent.resume(returning: false) }
    }
  }

  func learn(_ traits: TerminalTraits) { state.withLock { $0.isBelieved = traits.takesCopies } }

  func noteSent(_ id: Frame.Copy.ID, _ isSent: Bool) {
    let waiting = state.withLock { state in
      let index = state.waiting.firstIndex { $0.copy.id == id }
      return index.map { state.waiting.remove(at: $0) }
    }
    waiting?.isSent.resume(returning: isSent)
  }

  func close() {
    for copy in state.withLock({ $0.waiting.map(\.copy) }) { noteSent(copy.id, false) }
  }
}

import Synchronization
import Terminal

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

  /// Stops sending text.
  func close() {
    for copy in state.withLock({ $0.waiting.map(\.copy) }) { noteSent(copy.id, false) }
  }
}

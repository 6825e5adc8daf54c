import Synchronization
import Terminal

/// Copies through the terminal (OSC 52): the text goes out with the next picture. It passes what is to be copied from
/// the program to the screen's thread, and back whether it was sent.
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
  private let awaken: @Sendable () -> Void

  /// - Parameter awaken: has a picture drawn.
  init(awaken: @escaping @Sendable () -> Void) { self.awaken = awaken }

  /// Whether the terminal is known to give copies to the clipboard.
  var isBelieved: Bool { state.withLock { $0.isBelieved } }

  /// The text to be sent with the next picture.
  var current: Frame.Copy? { state.withLock { $0.waiting.first?.copy } }

  /// - Returns: whether it was sent; never when it is too long.
  func copy(_ text: String) async -> Bool {
    await withCheckedContinuation { isSent in
      let isWaiting = state.withLock { state in
        state.lastID += 1
        guard let copy = Frame.Copy(id: state.lastID, text: text) else { return false }
        state.waiting.append(Waiting(copy: copy, isSent: isSent))
        return true
      }
      if isWaiting { awaken() } else { isSent.resume(returning: false) }
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

  /// Nothing is sent any more.
  func close() {
    for copy in state.withLock({ $0.waiting.map(\.copy) }) { noteSent(copy.id, false) }
  }
}

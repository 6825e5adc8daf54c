import Search
import Terminal
import Text

/// Desktop notifications for a user who is in another window.
struct DesktopNotices: Sendable {
  /// The shortest load whose end is one, in seconds.
  static let minLoad = 10.0

  /// When the load began that has not ended, by the clock of the session.
  var loadingSince: Double?
  /// The latest notification; the terminal shows each once.
  fileprivate(set) var latest: Frame.Notification?
}

extension PagerState {
  /// Notifies the user, who has turned it on and is in another window.
  mutating func notifyDesktop(_ text: String) {
    guard rules.notifies, !isFocused else { return }
    let sentence = Sanitized("riffle: \(rules.title): \(text)")
    notices.latest = Frame.Notification(id: (notices.latest?.id ?? 0) + 1, sentence)
  }

  /// Notifies the user that a long load has ended or failed.
  mutating func noteEndOfLoad() {
    if session.phase.isLoading || session.phase.isWaiting {
      notices.loadingSince = notices.loadingSince ?? clock
      return
    }
    guard let since = notices.loadingSince else { return }
    notices.loadingSince = nil
    if clock - since < DesktopNotices.minLoad { return }
    let rows = Digits.counted(session.rows.count, "row")
    notifyDesktop(session.phase.isFailed ? "failed after \(rows)" : "\(rows) loaded")
  }
}

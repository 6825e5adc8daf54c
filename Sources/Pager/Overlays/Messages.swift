import Search
import Text

/// Messages for the user: the current one on a line until the next key, and all of them in the messages
/// popup.
package struct Messages: Sendable {
  struct Message: Sendable, Hashable {
    let text: String
    let role: Role
    /// A shorter text, for a line that is too narrow.
    var brief: String?
  }

  private static let maxCount = 200
  /// The number of messages so far.
  private(set) var count = 0

  private(set) var all: [Message] = []
  /// The message on the line.
  private(set) var current: Message?
  package var currentText: String? { current?.text }

  mutating func append(_ text: String, _ role: Role, brief: String? = nil) {
    note(text, role)
    current = all.last
    current?.brief = brief
  }

  /// Adds a message that is already shown elsewhere, possibly truncated, to the popup only.
  mutating func note(_ text: String, _ role: Role) {
    if all.count >= Self.maxCount { all.removeFirst(all.count - Self.maxCount + 1) }
    all.append(Message(text: text, role: role))
    count += 1
  }

  mutating func hide() { current = nil }
}

extension String {
  /// The text in quotation marks, unless it contains some, as a phrase query does.
  var quotedOnce: String { contains("\"") ? self : "\"\(self)\"" }
}

extension PagerState {
  /// - Parameter brief: The message for a narrow screen.
  mutating func notify(_ text: String, _ role: Role = .dim, brief: String? = nil) {
    messages.append(text, role, brief: brief)
  }
}

/// Why an action is unavailable.
extension PagerState {
  /// The reason for actions that need a row; nil if one is selected.
  var missingRowReason: String? {
    if selectedRow != nil { return nil }
    return rows.isEmpty ? "no rows yet" : "no row matches the filter"
  }

  mutating func notifyNoRow() { notify(missingRowReason ?? "no rows yet", .warning) }

  /// The reason for actions that need a query; nil if one was submitted.
  var missingQueryReason: String? {
    session.hasQuery ? nil : "no query yet" + hint("edit-query", "type one")
  }
}

/// Keys in messages.
extension PagerState {
  /// The label of an action's key in a mode; nil if it has none.
  func keyLabel(_ action: String, in mode: Mode) -> String? {
    rules.keyMap.keys(of: action, in: mode).first.map(KeyMap.label)
  }

  /// ` (s: type one)`: the key to press, to be appended to a message; "" if the action has no key here.
  func hint(_ action: String, _ effect: String) -> String {
    keyLabel(action, in: mode).map { " (\($0): \(effect))" } ?? ""
  }

  /// `(r: retry, Esc: cancel)`: actions with their keys in the current mode; "" if they have none, and in
  /// popups and prompts.
  func keyHints(_ actions: [(action: String, effect: String)]) -> String {
    guard overlays.isEmpty || popup != nil && actions.contains(where: { $0.action == "next-match" }) else {
      return ""
    }
    let hints = actions.compactMap { action, effect in keyLabel(action, in: mode).map { "\($0): \(effect)" } }
    return hints.isEmpty ? "" : "(\(hints.joined(separator: ", ")))"
  }
}

/// The texts for a failed page: in the notice, in the middle of an empty table, and in the messages.
extension PagerState {
  /// The number, from 1, of the page being loaded or waited for, or that failed.
  var pageNumber: Int { (session.currentOrdinal ?? 0) + 1 }

  /// `Page 3 failed: 500 Internal Server Error`, with the time after which it may be retried.
  func failureText(_ error: PageError) -> String {
    let start = "Page \(pageNumber) failed: \(error.brief)"
    guard let until = session.refusedUntil, let wait = error.wait, until > clock else { return start }
    let isToday = wait < 12 * 3600
    let time = isToday ? Timestamp(epoch: until)?.clock(in: rules.zone) : nil
    return "\(start), \(time.map { "retry after \($0)" } ?? "retry in \(DurationText.words(seconds: wait))")"
  }

  /// What to do about a failed page, the most useful first.
  func failureKeys(_ error: PageError) -> [(action: String, effect: String)] {
    let retry = ("refresh", error.canRepeat == .afterRestart ? "start over" : "retry")
    let edit = ("edit-query", "edit the query")
    return error.isWorthRepeating ? [retry, edit] : [edit]
  }
}

extension Wait {
  /// Whether the service refused a request because there were too many.
  var isRateLimited: Bool { if case .retry(let error) = reason { error.kind == .rateLimited } else { false } }
}

extension PageError {
  /// The remedy as a sentence: `Is the service running on that port?`
  var remedySentence: String? {
    remedy.map { remedy in
      let text = remedy.prefix(1).uppercased() + remedy.dropFirst()
      return text.last.map { ".?!".contains($0) } ?? true ? text : text + "."
    }
  }
}

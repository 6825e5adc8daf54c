import Search
import Text

/// Messages for the user: the current one, on a line until the next key but a redraw, and all, in the messages popup.
package struct Messages: Sendable {
  struct Message: Sendable, Hashable {
    let text: String
    let role: Role
    /// A shorter text, for a line that is too narrow.
    var brief: String?
  }

  private static let maxCount = 200
  private(set) var count = 0

  private(set) var all: [Message] = []
  var current: Message?

  /// Adds a message that is already shown elsewhere, possibly truncated, to the popup only.
  mutating func note(_ text: String, _ role: Role) {
    if all.count >= Self.maxCount { all.removeFirst(all.count - Self.maxCount + 1) }
    all.append(Message(text: text, role: role))
    count += 1
  }
}

extension String {
  /// The text in quotation marks, unless it contains some, as a phrase query does.
  var quotedOnce: String { contains("\"") ? self : "\"\(self)\"" }
}

/// A key to press, given by its action, and its effect: `r: retry`.
typealias KeyHint = (action: String, effect: String)

extension PagerState {
  /// - Parameter brief: The message for a narrow screen.
  mutating func notify(_ text: String, _ role: Role = .dim, brief: String? = nil) {
    messages.note(text, role)
    messages.current = Messages.Message(text: text, role: role, brief: brief)
  }

  /// The reason for actions that need a row; nil if one is selected.
  var missingRowReason: String? {
    if list.selectedRow != nil { return nil }
    if !list.rows.isEmpty { return "no row matches the filter" }
    return session.hasQuery && session.isSettled ? "no rows" : "no rows yet"
  }

  mutating func notifyNoRow() { notify(missingRowReason ?? "no rows yet", .warning) }

  /// The reason for actions that need a query; nil if one was submitted.
  var missingQueryReason: String? { session.hasQuery ? nil : "no query yet" + hint("edit-query", "type one") }
  /// The label of an action's key in a mode, or of the command in its place; nil if it has none.
  func keyLabel(_ action: String, in mode: Mode) -> String? {
    if rules.readsLines { return LineCommand.label(of: action) }
    return rules.keyMap.keys(of: action, in: mode).first.map(KeyMap.label)
  }

  /// `r: retry`; nil if the action has no key in the mode.
  func text(of hint: KeyHint, in mode: Mode) -> String? {
    keyLabel(hint.action, in: mode).map { "\($0): \(hint.effect)" }
  }

  /// ` (s: type one)`, to be appended to a message; "" if the action has no key in the mode (nil: the current).
  func hint(_ action: String, _ effect: String, in mode: Mode? = nil) -> String {
    text(of: (action, effect), in: mode ?? self.mode).map { " (\($0))" } ?? ""
  }

  /// `(r: retry, Esc: cancel)`: actions with their keys; "" if they have none, and in popups and prompts.
  func keyHints(_ hints: [KeyHint]) -> String {
    guard overlays.isEmpty || overlays.popup != nil && hints.contains(where: { $0.action == "next-match" })
    else {
      return ""
    }
    let texts = hints.compactMap { text(of: $0, in: mode) }
    return texts.isEmpty ? "" : "(\(texts.joined(separator: ", ")))"
  }
}

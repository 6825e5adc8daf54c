private import Search
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

  private static let most = 200
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
    if all.count >= Self.most { all.removeFirst(all.count - Self.most + 1) }
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

  /// The reason for actions that need a query; nil if one was submitted.
  var missingQueryReason: String? {
    session.hasQuery ? nil : "no query yet" + hint("edit-query", "type one")
  }

  /// ` (s: type one)`: the key to press, to be appended to a message; "" if the action has no key here.
  func hint(_ action: String, _ effect: String) -> String {
    keyLabel(action, in: mode).map { " (\($0): \(effect))" } ?? ""
  }
}

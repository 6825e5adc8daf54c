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

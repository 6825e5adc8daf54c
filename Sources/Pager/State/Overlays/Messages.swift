import Text

/// What the user is told: one line until the next key, and all of it in the popup of messages.
package struct Messages: Sendable {
  struct Message: Sendable, Hashable {
    let text: String
    let role: Role
    /// For a line in which the text does not fit.
    var brief: String?
  }

  private static let most = 200
  /// Messages ever.
  private(set) var count = 0

  private(set) var all: [Message] = []
  /// The line to be shown.
  private(set) var current: Message?
  package var currentText: String? { current?.text }

  mutating func append(_ text: String, _ role: Role, brief: String? = nil) {
    note(text, role)
    current = all.last
    current?.brief = brief
  }

  /// Keeps what is shown elsewhere, perhaps cut.
  mutating func note(_ text: String, _ role: Role) {
    if all.count >= Self.most { all.removeFirst(all.count - Self.most + 1) }
    all.append(Message(text: text, role: role))
    count += 1
  }

  mutating func hide() { current = nil }
}

extension String {
  /// In quotation marks, unless it has some of its own, as a phrase that is searched for has.
  var quotedOnce: String { contains("\"") ? self : "\"\(self)\"" }
}

extension PagerState {
  /// - Parameter brief: the same for a narrow screen.
  mutating func say(_ text: String, _ role: Role = .dim, brief: String? = nil) {
    messages.append(text, role, brief: brief)
  }
}

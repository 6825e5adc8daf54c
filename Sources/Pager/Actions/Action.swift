private import Text

/// A named thing a key can do. Help, palette, key map, manual and tests are made from these entries.
package struct Action: Sendable {
  /// The contract: what configuration and documentation call it.
  package let name: String
  package let summary: String
  /// Default keys per mode, in key notation; a sequence is divided by blanks.
  package let keys: [Mode: [String]]
  /// The transition; the count typed before the key, if any.
  package let perform: @Sendable (inout PagerState, Int?) -> Void

  /// - Parameter lack: why it can do nothing now, which is said in its place; nil when it can.
  init(
    _ name: String, _ summary: String, table: [String] = [], query: [String] = [], popup: [String] = [],
    prompt: [String] = [], unless lack: @escaping @Sendable (PagerState) -> String? = { _ in nil },
    perform: @escaping @Sendable (inout PagerState, Int?) -> Void
  ) {
    self.name = name
    self.summary = summary
    self.keys = [.table: table, .query: query, .popup: popup, .prompt: prompt].filter { !$0.value.isEmpty }
    self.perform = { state, count in
      if let reason = lack(state) { state.say(reason, .warning) } else { perform(&state, count) }
    }
  }

  /// One that takes no count.
  init(
    _ name: String, _ summary: String, table: [String] = [], query: [String] = [], popup: [String] = [],
    prompt: [String] = [], unless lack: @escaping @Sendable (PagerState) -> String? = { _ in nil },
    perform: @escaping @Sendable (inout PagerState) -> Void
  ) {
    self.init(
      name, summary, table: table, query: query, popup: popup, prompt: prompt, unless: lack
    ) { state, _ in perform(&state) }
  }
}

package enum Actions {
  /// Every action, in the order help shows them.
  package static let all: [Action] =
    moving + asking + loading + filtering + arranging + showing + marking + taking + leaving
}

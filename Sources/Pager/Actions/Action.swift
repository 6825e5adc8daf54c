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

  /// - Parameter reason: why it can do nothing now, which is shown instead; nil when it can.
  init(
    _ name: String, _ summary: String, table: [String] = [], query: [String] = [], popup: [String] = [],
    prompt: [String] = [], unless reason: @escaping @Sendable (PagerState) -> String? = { _ in nil },
    perform: @escaping @Sendable (inout PagerState, Int?) -> Void
  ) {
    self.name = name
    self.summary = summary
    self.keys = [.table: table, .query: query, .popup: popup, .prompt: prompt].filter { !$0.value.isEmpty }
    self.perform = { state, count in
      if let reason = reason(state) { state.say(reason, .warning) } else { perform(&state, count) }
    }
  }

  /// One that takes no count.
  init(
    _ name: String, _ summary: String, table: [String] = [], query: [String] = [], popup: [String] = [],
    prompt: [String] = [], unless reason: @escaping @Sendable (PagerState) -> String? = { _ in nil },
    perform: @escaping @Sendable (inout PagerState) -> Void
  ) {
    self.init(
      name, summary, table: table, query: query, popup: popup, prompt: prompt, unless: reason
    ) { state, _ in perform(&state) }
  }
}

package enum Actions {
  /// Actions that help shows under one heading.
  struct Group: Sendable {
    let title: String
    let actions: [Action]
  }

  static let groups = [
    Group(title: "Move", actions: moving), Group(title: "Query", actions: asking),
    Group(title: "Load", actions: loading), Group(title: "Find, filter, sort", actions: filtering),
    Group(title: "Columns", actions: arranging), Group(title: "Show", actions: showing),
    Group(title: "Mark", actions: marking), Group(title: "Open, copy, write", actions: taking),
    Group(title: "Leave", actions: leaving),
  ]

  /// Every action, in the order help shows them.
  package static let all: [Action] = groups.flatMap(\.actions)
}

private import Text

/// A named command that a key can be bound to. Help, palette, key map, manual and tests are generated from
/// these values.
package struct Action: Sendable {
  /// The stable name used in configuration and documentation.
  package let name: String
  package let summary: String
  /// The default keys per mode, in key notation; the keys of a sequence are separated by spaces.
  package let keys: [Mode: [String]]
  /// The state transition. The second argument is the count typed before the key, if any.
  package let perform: @Sendable (inout PagerState, Int?) -> Void

  /// - Parameter reason: Why the action is unavailable, shown instead of performing it; nil if it is
  ///   available.
  init(
    _ name: String, _ summary: String, table: [String] = [], query: [String] = [], popup: [String] = [],
    prompt: [String] = [], disabledReason reason: @escaping @Sendable (PagerState) -> String? = { _ in nil },
    perform: @escaping @Sendable (inout PagerState, Int?) -> Void
  ) {
    self.name = name
    self.summary = summary
    self.keys = [.table: table, .query: query, .popup: popup, .prompt: prompt].filter { !$0.value.isEmpty }
    self.perform = { state, count in
      if let reason = reason(state) { state.notify(reason, .warning) } else { perform(&state, count) }
    }
  }

  /// Creates an action that takes no count.
  init(
    _ name: String, _ summary: String, table: [String] = [], query: [String] = [], popup: [String] = [],
    prompt: [String] = [], disabledReason reason: @escaping @Sendable (PagerState) -> String? = { _ in nil },
    perform: @escaping @Sendable (inout PagerState) -> Void
  ) {
    self.init(
      name, summary, table: table, query: query, popup: popup, prompt: prompt, disabledReason: reason
    ) { state, _ in perform(&state) }
  }
}

/// All actions, in the order of help, palette and manual.
package enum Actions {
  /// Actions that help lists under one heading.
  struct Group: Sendable {
    let title: String
    let actions: [Action]
  }

  static let groups = [
    Group(title: "Navigation", actions: moving), Group(title: "Query", actions: querying),
    Group(title: "Loading", actions: loading), Group(title: "Find, filter, sort", actions: filtering),
    Group(title: "Columns", actions: arranging), Group(title: "Views", actions: showing),
    Group(title: "Marks", actions: marking), Group(title: "Open, copy, write", actions: taking),
    Group(title: "Quit", actions: leaving),
  ]

  /// All actions, in the order help lists them.
  package static let all: [Action] = groups.flatMap(\.actions)
}

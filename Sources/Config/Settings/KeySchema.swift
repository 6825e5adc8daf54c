/// Keys in key notation (`"j"`, `"ctrl-x"`, `"y c"`), by mode and action. An empty list unbinds.
package typealias BoundKeys = [String: [String: [String]]]

/// What `[keys.MODE]` may contain; the pager provides the names and the validation.
package struct KeySchema: Sendable {
  package struct Action: Sendable, Hashable {
    package let name: String
    /// What it was called in the previous version: still accepted, with a note.
    package let oldNames: [String]
    package let summary: String
    /// The default keys, by mode.
    package let keys: [String: [String]]

    package init(
      name: String, oldNames: [String] = [], summary: String, keys: [String: [String]]
    ) {
      self.name = name
      self.oldNames = oldNames
      self.summary = summary
      self.keys = keys
    }
  }

  /// The names of the modes, in display order.
  package let modes: [String]
  package let actions: [Action]
  /// The first problem with the user's keys; nil if there is none.
  package let problem: @Sendable (BoundKeys) -> KeyProblem?

  package init(
    modes: [String], actions: [Action], problem: @escaping @Sendable (BoundKeys) -> KeyProblem?
  ) {
    self.modes = modes
    self.actions = actions
    self.problem = problem
  }
}

/// Why keys cannot be bound.
package struct KeyProblem: Sendable, Hashable {
  /// What is wrong and what to do.
  package let message: String
  /// Nil if it may be any mode that binds the key to one of the actions.
  package let mode: String?
  /// The actions involved, two in a conflict.
  package let actions: [String]
  /// The offending key, as written.
  package let key: String?

  package init(_ message: String, mode: String?, actions: [String], key: String?) {
    self.message = message
    self.mode = mode
    self.actions = actions
    self.key = key
  }
}

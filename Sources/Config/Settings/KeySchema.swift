/// Keys in key notation (`"j"`, `"ctrl-x"`, `"y c"`): by mode, then by action. An empty list unbinds.
package typealias BoundKeys = [String: [String: [String]]]

/// What `[keys.MODE]` may hold: the names come from the pager, and so does the judgement on keys.
package struct KeySchema: Sendable {
  package struct Action: Sendable, Hashable {
    package let name: String
    package let summary: String
    /// The keys it has when nobody binds it, by mode.
    package let keys: [String: [String]]

    package init(name: String, summary: String, keys: [String: [String]]) {
      self.name = name
      self.summary = summary
      self.keys = keys
    }
  }

  /// The names of the modes, in the order in which they are listed.
  package let modes: [String]
  package let actions: [Action]
  /// The first thing that is wrong with the user's keys; nil when nothing is.
  package let problem: @Sendable (BoundKeys) -> KeyProblem?

  package init(
    modes: [String], actions: [Action], problem: @escaping @Sendable (BoundKeys) -> KeyProblem?
  ) {
    self.modes = modes
    self.actions = actions
    self.problem = problem
  }
}

/// Why keys cannot be bound so.
package struct KeyProblem: Sendable, Hashable {
  /// What is wrong and what to do.
  package let message: String
  /// Nil when it may be any that binds the key to one of the actions.
  package let mode: String?
  /// Those that take part in it: two in a conflict.
  package let actions: [String]
  /// The key at fault, as it was written.
  package let key: String?

  package init(_ message: String, mode: String?, actions: [String], key: String?) {
    self.message = message
    self.mode = mode
    self.actions = actions
    self.key = key
  }
}

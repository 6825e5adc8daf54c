/// What the user asked of a source.
package struct Query: Sendable, Hashable {
  package var text: String
  /// Chosen options by name; those not chosen have their defaults.
  package var options: [String: String]

  package init(_ text: String = "", options: [String: String] = [:]) {
    self.text = text
    self.options = options
  }
}

/// The page a session wants now. Every answer carries the request it answers; an answer to any other
/// request than the current one is dropped.
package struct PageRequest: Sendable, Hashable {
  package var query: Query
  package var position: Position
  /// Moves on with a new query and with a refresh.
  package var generation: Int
  /// 0 for the first try.
  package var attempt: Int

  package init(query: Query, position: Position, generation: Int, attempt: Int = 0) {
    self.query = query
    self.position = position
    self.generation = generation
    self.attempt = attempt
  }
}

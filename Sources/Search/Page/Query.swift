/// A user's query of a source.
package struct Query: Sendable, Hashable {
  package var text: String
  /// Chosen options by name; the others have their defaults.
  package var options: [String: String]

  package init(_ text: String = "", options: [String: String] = [:]) {
    self.text = text
    self.options = options
  }
}

/// The page that a session wants now. Every reply identifies its request; a reply to any request other than
/// the current one is dropped.
package struct PageRequest: Sendable, Hashable {
  package var query: Query
  package var position: Position
  /// Incremented by a new query and by a refresh.
  package var generation: Int
  /// 0 for the first attempt.
  package var attempt: Int

  package init(query: Query, position: Position, generation: Int, attempt: Int = 0) {
    self.query = query
    self.position = position
    self.generation = generation
    self.attempt = attempt
  }
}

import Search

/// The member names seen in rows, each once, in the order they came.
struct KeySurvey: Sendable {
  private(set) var names: [String] = []
  private var known: Set<String> = []

  /// Returns the names that are new. Rows that are no objects have none. O(members).
  @discardableResult
  mutating func add(_ rows: OutputRows) -> [String] {
    let document = rows.reply.document
    let before = names.count
    for node in rows.nodes {
      for member in document.members(of: node) {
        if let name = document.string(of: member.name), known.insert(name).inserted { names.append(name) }
      }
    }
    return Array(names[before...])
  }
}

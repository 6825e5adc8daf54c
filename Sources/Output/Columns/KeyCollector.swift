import Search

/// The distinct member names of the rows, in order of first occurrence.
struct KeyCollector: Sendable {
  private(set) var names: [String] = []
  private var known: Set<String> = []

  /// Adds rows and returns the new names. Rows that are not objects have none. O(members).
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

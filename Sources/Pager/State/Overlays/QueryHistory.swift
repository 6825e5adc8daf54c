/// The queries of this and earlier sessions, the latest last, without duplicates.
package struct QueryHistory: Sendable, Hashable {
  package private(set) var entries: [String]
  /// The position of the query line in the history; 0 is what was typed.
  private var place = 0
  private var typed = ""

  init(_ entries: [String]) {
    var seen: Set<String> = []
    self.entries = entries.reversed().filter { seen.insert($0).inserted }.reversed()
  }

  mutating func append(_ query: String) {
    entries.removeAll { $0 == query }
    entries.append(query)
    place = 0
  }

  /// Inserts the queries of earlier sessions before those of this one.
  mutating func prepend(_ queries: [String]) { self = QueryHistory(queries + entries) }

  mutating func forgetPlace() { place = 0 }

  /// The query before (or, if negative, after) the one on the line; nil at the ends.
  mutating func step(back: Int, from line: String) -> String? {
    if place == 0 { typed = line }
    let target = place + back
    guard 0...entries.count ~= target, target != place else { return nil }
    place = target
    return target == 0 ? typed : entries[entries.count - target]
  }
}

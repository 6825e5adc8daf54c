/// How many requests each walk has made, for faults that strike only some of them.
struct WalkCounts: Sendable {
  private var counts: [String: Int] = [:]

  /// How many walks are told apart at most; beyond that all begin anew.
  private static let most = 1_000

  /// The number of one more request of a walk, from 1.
  mutating func add(_ walk: String) -> Int {
    if counts.count == Self.most, counts[walk] == nil { counts = [:] }
    counts[walk, default: 0] += 1
    return counts[walk, default: 1]
  }
}

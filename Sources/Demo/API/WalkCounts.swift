/// The number of requests in each sequence, for faults that apply only to some of them.
struct WalkCounts: Sendable {
  private var counts: [String: Int] = [:]

  /// The maximum number of sequences to track; beyond that, all counts are reset.
  private static let most = 1_000

  /// Counts one more request of a sequence and returns its number, from 1.
  mutating func add(_ walk: String) -> Int {
    if counts.count == Self.most, counts[walk] == nil { counts = [:] }
    counts[walk, default: 0] += 1
    return counts[walk, default: 1]
  }
}

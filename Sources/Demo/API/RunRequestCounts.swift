/// The number of requests in each sequence, for faults that apply only to some of them.
struct RunRequestCounts: Sendable {
  private var counts: [String: Int] = [:]

  /// The maximum number of sequences to track; beyond that, all counts are reset.
  private static let most = 1_000

  /// Counts one more request of a sequence and returns its number, from 1.
  mutating func add(_ runID: String) -> Int {
    if counts.count == Self.most, counts[runID] == nil { counts = [:] }
    counts[runID, default: 0] += 1
    return counts[runID, default: 1]
  }
}

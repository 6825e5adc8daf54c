/// A set of row keys that is cheap to copy and to grow by a page: sorted runs, each at least twice as long as
/// the next (a log-structured merge). Insertion is O(log n) amortized per key, lookup O(log² n). A copy is
/// one reference, and appending never copies older, larger runs.
package struct SeenKeys: Sendable, Hashable {
  private var runs: [[UInt64]] = []

  package init() {}

  package var count: Int { runs.reduce(0) { $0 + $1.count } }

  package func contains(_ key: UInt64) -> Bool { runs.contains { $0.containsSorted(key) } }

  package mutating func insert(_ keys: [UInt64]) {
    guard !keys.isEmpty else { return }
    var run = keys.sorted()
    while let last = runs.last, last.count < 2 * run.count {
      runs.removeLast()
      run = Self.merged(last, run)
    }
    runs.append(run)
  }

  private static func merged(_ a: [UInt64], _ b: [UInt64]) -> [UInt64] {
    var result: [UInt64] = []
    result.reserveCapacity(a.count + b.count)
    var (i, j) = (0, 0)
    while i < a.count && j < b.count {
      if a[i] <= b[j] {
        result.append(a[i])
        i += 1
      } else {
        result.append(b[j])
        j += 1
      }
    }
    result += a[i...]
    result += b[j...]
    return result
  }
}

extension [UInt64] {
  /// Binary search. The array must be in ascending order.
  fileprivate func containsSorted(_ key: UInt64) -> Bool {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if self[middle] < key { low = middle + 1 } else { high = middle }
    }
    return low < count && self[low] == key
  }
}

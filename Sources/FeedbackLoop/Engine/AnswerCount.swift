/// How often each query was answered since an event from outside or progress was last reduced.
struct AnswerCount<Query: Hashable & Sendable>: Sendable {
  private var counts: [Query: Int] = [:]
  private var epoch: UInt64 = 0

  func count(of query: Query, epoch: UInt64) -> Int {
    epoch == self.epoch ? counts[query, default: 0] : 0
  }

  mutating func add(_ query: Query, epoch: UInt64) {
    if epoch != self.epoch {
      counts.removeAll()
      self.epoch = epoch
    }
    counts[query, default: 0] += 1
  }
}

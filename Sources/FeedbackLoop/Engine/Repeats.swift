/// The number of consecutive answers to an equal query since an event from outside or progress was last reduced.
struct Repeats<Query: Equatable & Sendable>: Sendable {
  private var last: (query: Query, count: Int, epoch: UInt64)?

  func count(of query: Query, epoch: UInt64) -> Int {
    guard let last, last.epoch == epoch, last.query == query else { return 0 }
    return last.count
  }

  mutating func add(_ query: Query, epoch: UInt64) {
    last = (query, count(of: query, epoch: epoch) + 1, epoch)
  }
}

/// ``Repeats`` for each key of a set. Removes all keys when the epoch changes.
struct KeyedRepeats<Key: Hashable & Sendable, Query: Equatable & Sendable>: Sendable {
  private var repeats: [Key: Repeats<Query>] = [:]
  private var epoch: UInt64 = 0

  func count(of query: Query, key: Key, epoch: UInt64) -> Int {
    repeats[key]?.count(of: query, epoch: epoch) ?? 0
  }

  mutating func add(_ query: Query, key: Key, epoch: UInt64) {
    if epoch != self.epoch {
      repeats.removeAll()
      self.epoch = epoch
    }
    repeats[key, default: Repeats()].add(query, epoch: epoch)
  }
}

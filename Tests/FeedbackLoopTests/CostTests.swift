import FeedbackLoopTesting
import Locking
import Testing

@testable import FeedbackLoop

/// Tests the upper bounds of the cost of a change.
@Suite struct CostTests {
  /// Counts how often it is hashed.
  private struct Key: Hashable, Sendable {
    static let hashes = Lock<Int>(0)
    let number: Int

    func hash(into hasher: inout Hasher) {
      Key.hashes.withLock { $0 += 1 }
      hasher.combine(number)
    }
  }

  @Test func `An append to a set of queries hashes only what is new`() {
    let executor = ManualExecutor()
    let system = FeedbackSystem<[Key], Int>(
      initialState: (0..<10_000).map(Key.init), reduce: { $0.append(Key(number: $1)) },
      feedbacks: [.react(toEach: { $0 }) { _ in nil }], executor: executor)
    system.start()
    executor.runUntilIdle()
    let before = Key.hashes.withLock { $0 }
    system.send(10_000)
    let hashes = Key.hashes.withLock { $0 } - before
    // 10,000 keys are not where a dictionary grows, which would hash all of them.
    #expect(hashes <= 10)
    let second = Key.hashes.withLock { $0 }
    system.send(10_001)
    #expect(Key.hashes.withLock { $0 } - second <= 10)
    system.stop()
    executor.runUntilIdle()
  }

  private struct Table: Sendable {
    var rows = Array(0..<1_000)
    /// Where the rows are in memory, which changes when they are copied.
    var address: Int { rows.withUnsafeBytes { Int(bitPattern: $0.baseAddress) } }
  }

  /// Changes a row, and returns whether that copied the rows.
  private func isCopied(_ system: FeedbackSystem<Table, Int>) -> Bool {
    let before = system.state.address
    system.send(1)
    return system.state.address != before
  }

  @Test func `An idle observer of the latest state does not make a change copy the rows`() {
    let executor = ManualExecutor()
    let system = FeedbackSystem<Table, Int>(
      initialState: Table(), reduce: { $0.rows[0] += $1 },
      feedbacks: [
        .bind(name: "outside") { _, _ in await untilCancelled() },
        .bind(name: "screen") { states, _ in for await _ in states { await untilCancelled() } },
      ], executor: executor)
    system.start()
    let states = system.states()
    executor.runUntilIdle()
    for _ in 0..<3 { #expect(!isCopied(system)) }
    // The measurement works: a state that is held is copied.
    let held = system.state
    #expect(isCopied(system))
    withExtendedLifetime((held, states)) {}
    system.stop()
    executor.runUntilIdle()
  }

  @Test(
    arguments: [
      ([1, 2], [1, 2], nil), ([], [1], "0..<0 0..<1"), ([1, 2, 3], [1, 2, 3, 4], "3..<3 3..<4"),
      ([1, 2, 3], [2, 3], "0..<1 0..<0"), ([1, 2, 3], [1, 9, 3], "1..<2 1..<2"),
      ([1, 1], [1], "1..<2 1..<1"),
      ([1, 2], [2, 1], "0..<2 0..<2"),
    ] as [([Int], [Int], String?)])
  func `The part in which two arrays differ`(old: [Int], new: [Int], expected: String?) {
    let change = ArrayChange(from: old, to: new)
    #expect(change.map { "\($0.old) \($0.new)" } == expected)
  }

  /// Compares a react with a simple model, for random changes of an array.
  @Test(arguments: 0..<20)
  func `A set react gives slots in the order of the array, whatever changes`(seed: UInt64) {
    var random = Generator(state: seed &+ 1)
    var react = QuerySet<[Int], Never, Int, Int>(
      key: { $0 }, slots: 3, hasUpdates: false, effect: { _, _, _ in })
    var steps = Steps<[Int], Never>()
    var keys: [Int] = []
    var occupied: [Int: Lifetime] = [:]
    var running: Set<Lifetime> = []
    for _ in 0..<200 {
      var new = keys
      for _ in 0..<Int.random(in: 0...2, using: &random) {
        let position = Int.random(in: 0...new.count, using: &random)
        if Bool.random(using: &random), position < new.count {
          new.remove(at: position)
        } else {
          new.insert(Int.random(in: 0..<12, using: &random), at: position)
        }
      }
      let expected = occupied.filter { !new.contains($0.key) }
      for (key, lifetime) in expected {
        occupied[key] = nil
        running.remove(lifetime)
      }
      keys = new
      let before = running.count
      react.change(to: keys, &steps)
      #expect(steps.cancellations == expected.values.sorted())
      steps.cancellations = []
      check(free: 3 - before)
      if let ended = running.min(), Bool.random(using: &random) {
        running.remove(ended)
        let free = 3 - running.count
        react.ended(ended, &steps)
        check(free: free)
      }
      #expect(react.hasDuplicates == (Set(keys).count != keys.count))
    }

    func check(free: Int) {
      var waiting: [Int] = []
      for key in keys where occupied[key] == nil && !waiting.contains(key) { waiting.append(key) }
      let admitted = steps.starts.compactMap { $0.effect.query as? Int }
      #expect(admitted == Array(waiting.prefix(free)))
      for (key, start) in zip(admitted, steps.starts) {
        occupied[key] = start.lifetime
        running.insert(start.lifetime)
      }
      steps.starts = []
    }
  }

  private struct Generator: RandomNumberGenerator {
    var state: UInt64
    mutating func next() -> UInt64 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return state ^ (state >> 29)
    }
  }
}

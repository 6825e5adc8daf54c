import FeedbackLoop
import Glibc
import Locking

/// The costs as multiples of those of a bare actor, measured in turns in one process, so that the speed of the machine
/// and what else it does cancel out.
func printRatios() async {
  print("\nratio".padded(to: 68), "median".padded(to: 14), "limit")
  for (count, limit) in [(0, 4.0), (5, 10), (20, 30)] {
    let name = "an event with \(count) feedbacks / a call of an actor"
    report(name, await eventRatio(feedbacks: count), limit: limit)
  }
  report("10,000 keyed effects / 10,000 tasks in a dictionary", await keyedRatio(), limit: 1.5)
  report("an event with 1,000,000 rows: with an idle subscriber / without", idleSubscriberRatio(), limit: 1.1)
  let bytes = systemBytes()
  print("a system of five feedbacks".padded(to: 66), "\(bytes) bytes".padded(to: 14), "4096 bytes")
}

private func report(_ name: String, _ ratio: Double, limit: Double) {
  print(name.padded(to: 66), "\((ratio * 100).rounded() / 100)".padded(to: 14), "\(limit)")
}

private actor Counter {
  private(set) var value = 0
  func increment() { value += 1 }
}

/// What `await actor.increment()` costs in one task, and what `send` costs on one thread: reduce, settle, return.
private func eventRatio(feedbacks count: Int) async -> Double {
  let events = 100_000
  let actor = Counter()
  let system = FeedbackSystem<[Int], Int>(
    initialState: Array(repeating: 0, count: 20), reduce: { $0[0] += $1 },
    feedbacks: (0..<count).map { index in
      .react(to: { index < 19 && $0[index + 1] > 0 ? $0[index + 1] : nil }, effect: { _ in nil })
    })
  system.start()
  return await medianRatio {
    for _ in 0..<events { system.send(1) }
  } to: {
    for _ in 0..<events { await actor.increment() }
  }
}

/// 10,000 effects of a set, from the event that requests them to the event that removes them when all have ended;
/// against as many tasks in a dictionary of their keys, behind a lock, as they would be kept without the library.
///
/// Both sides start a task for each key, which calls an actor that counts them. Both keep the task to be able to cancel
/// it, let go of it when it ends, so that `stop` would know what still runs, and forget the keys in the end. Only the
/// loop keeps the order, the lifetimes, the description of each query and the limit of effects at once.
func keyedRatio() async -> Double {
  let keys = Array(0..<10_000)
  let ends = Ends()
  let system = FeedbackSystem<[Int], [Int]>(
    initialState: [], reduce: { $0 = $1 },
    feedbacks: [
      .react(
        toEach: { $0 },
        effect: { _ in
          await ends.count()
          return nil
        })
    ])
  system.start()
  return await medianRatio(runs: 11) {
    await ends.reach(keys.count) { system.send(keys) }
    system.send([])
    _ = await system.wait(while: { !$0.isEmpty })
  } to: {
    let tasks = Tasks()
    await ends.reach(keys.count) { tasks.start(keys, ends) }
    tasks.removeAll()
  }
}

private actor Ends {
  private var left = 0
  private var end: CheckedContinuation<Void, Never>?

  func reach(_ count: Int, _ start: @Sendable () -> Void) async {
    left = count
    await withCheckedContinuation { continuation in
      end = continuation
      start()
    }
  }

  func count() {
    left -= 1
    if left == 0 { end?.resume() }
  }
}

private final class Tasks: Sendable {
  /// `nil` for a task that has ended.
  private let tasks = Lock<[Int: Task<Void, Never>?]>([:])

  func start(_ keys: [Int], _ ends: Ends) {
    for key in keys {
      // The lock is held while the task starts, so that its end comes after its beginning.
      tasks.withLock { tasks in
        tasks[key] = Task.detached {
          await ends.count()
          self.tasks.withLock { $0[key] = .some(nil) }
        }
      }
    }
  }

  func removeAll() { tasks.withLock { $0 = [:] } }
}

/// What an event costs with a subscriber to the latest state that does not ask for it, relative to one without.
///
/// A subscriber that takes each state is not measured: while it holds one, the next event copies the rows, as it does for
/// anyone who holds a state. The loop itself then adds the wake of a task for each state that is taken.
private func idleSubscriberRatio() -> Double {
  struct Table: Sendable { var rows = Array(repeating: 1, count: 1_000_000) }
  let events = 5_000
  func system() -> FeedbackSystem<Table, Int> {
    let system = FeedbackSystem<Table, Int>(initialState: Table(), reduce: { $0.rows[0] += $1 })
    system.start()
    return system
  }
  let (alone, observed) = (system(), system())
  let states = observed.states()
  let clock = ContinuousClock()
  let ratios = (0..<41).map { _ in
    clock.measure { for _ in 0..<events { observed.send(1) } }
      / clock.measure { for _ in 0..<events { alone.send(1) } }
  }
  withExtendedLifetime(states) {}
  return ratios.sorted()[20]
}

/// What a started system of five feedbacks without a running effect adds to the memory in use.
private func systemBytes() -> Int {
  func make() -> FeedbackSystem<Int, Int> {
    let system = FeedbackSystem<Int, Int>(
      initialState: 0, reduce: { $0 += $1 },
      feedbacks: (0..<5).map { _ in .react(to: { $0 < 0 ? 1 : nil }, effect: { _ in nil }) })
    system.start()
    system.send(1)
    return system
  }
  let count = 5_000
  var systems: [FeedbackSystem<Int, Int>] = []
  systems.reserveCapacity(2 * count)
  // The first ones fill the room that earlier benchmarks have left.
  for _ in 0..<count { systems.append(make()) }
  let before = residentBytes()
  for _ in 0..<count { systems.append(make()) }
  let after = residentBytes()
  return withExtendedLifetime(systems) { (after - before) / count }
}

/// The memory of the process, from the kernel.
private func residentBytes() -> Int {
  guard let file = fopen("/proc/self/statm", "r") else { return 0 }
  defer { fclose(file) }
  var line = [CChar](repeating: 0, count: 128)
  guard fgets(&line, 128, file) != nil else { return 0 }
  let fields = String(decoding: line.map(UInt8.init(bitPattern:)), as: UTF8.self).split(separator: " ")
  return fields.count > 1 ? (Int(fields[1]) ?? 0) * Int(sysconf(CInt(_SC_PAGESIZE))) : 0
}

/// The median of the ratios of two durations measured one after the other.
private func medianRatio(
  runs: Int = 7, _ first: () async -> Void, to second: () async -> Void
) async -> Double {
  let clock = ContinuousClock()
  await first()
  await second()
  var ratios: [Double] = []
  for _ in 0..<runs { ratios.append(await clock.measure(first) / (await clock.measure(second))) }
  return ratios.sorted()[runs / 2]
}

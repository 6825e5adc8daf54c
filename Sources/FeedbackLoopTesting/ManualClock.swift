internal import FeedbackLoop
internal import Locking

/// A clock that moves only when it is advanced.
///
/// Sleeping tasks wake in the order of their deadlines, and in the order of their calls if deadlines are equal.
/// Canceling a sleeping task wakes it with a `CancellationError`, as with every clock.
public final class ManualClock: Clock, Sendable {
  /// A point in time, relative to the creation of the clock.
  public struct Instant: InstantProtocol {
    /// The time since the clock was created.
    public let offset: Duration

    /// The instant `duration` later.
    public func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }

    /// The time from this instant to `other`.
    public func duration(to other: Instant) -> Duration { other.offset - offset }

    /// Whether the first instant is earlier.
    public static func < (first: Instant, second: Instant) -> Bool { first.offset < second.offset }
  }

  private let schedule = Lock(SleepSchedule())

  /// Creates a clock at its origin.
  public init() {}

  /// The instant to which the clock has been advanced.
  public var now: Instant { schedule.withLock { $0.now } }

  /// Zero: the clock is exact.
  public var minimumResolution: Duration { .zero }

  /// The number of tasks that sleep on this clock.
  public var sleepers: Int { schedule.withLock { $0.sleepers } }

  /// Waits until the clock has been advanced to `deadline`. O(log sleepers).
  ///
  /// - Throws: `CancellationError` if the task is canceled before.
  public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
    let ticket = schedule.withLock { $0.newTicket() }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let end = schedule.withLock { $0.add(continuation, ticket, deadline) }
        if let end { continuation.resume(with: end) }
      }
    } onCancel: {
      let continuation = schedule.withLock { $0.cancel(ticket) }
      continuation?.resume(throwing: CancellationError())
    }
  }

  /// Advances the clock and wakes every task whose deadline is reached; runs `executor` until idle before, between and
  /// after.
  ///
  /// A task that sleeps again before the new time wakes again, so a timer ticks as often as it would in real time.
  /// - Parameters:
  ///   - duration: How far to advance.
  ///   - executor: Runs the tasks that wake.
  ///   - limit: How many jobs to run in all; once they are used up, the clock stays at the time reached by then.
  /// - Returns: How many jobs ran.
  @discardableResult
  public func advance(by duration: Duration, running executor: ManualExecutor, limit: Int = .max) -> Int {
    var jobs = executor.runUntilIdle(limit: limit)
    let target = now.advanced(by: duration)
    while jobs < limit, wakeNext(before: target) {
      jobs += executor.runUntilIdle(limit: limit - jobs)
    }
    return jobs
  }

  /// Moves to the next deadline and wakes the task that sleeps until then, or moves to `target` and returns false if
  /// there is no deadline before it.
  func wakeNext(before target: Instant) -> Bool {
    guard let continuation = schedule.withLock({ $0.wakeNext(before: target) }) else { return false }
    continuation.resume()
    return true
  }
}

/// The sleeping tasks with their deadlines. It only decides which to wake; the caller resumes them outside the lock.
private struct SleepSchedule: Sendable {
  typealias Continuation = CheckedContinuation<Void, any Error>

  private(set) var now = ManualClock.Instant(offset: .zero)
  private var lastTicket: UInt64 = 0
  /// Tickets that have been neither used nor canceled yet.
  private var unused: Set<UInt64> = []
  private var sleeping: [UInt64: Continuation] = [:]
  /// The deadlines of all sleepers, and of some whose sleep was canceled.
  private var alarms = Heap<Alarm>()

  var sleepers: Int { sleeping.count }

  mutating func newTicket() -> UInt64 {
    lastTicket += 1
    unused.insert(lastTicket)
    return lastTicket
  }

  /// Returns how the sleep ends if it ends at once.
  mutating func add(_ continuation: Continuation, _ ticket: UInt64, _ deadline: ManualClock.Instant)
    -> Result<Void, any Error>?
  {
    guard unused.remove(ticket) != nil else { return .failure(CancellationError()) }
    guard deadline > now else { return .success(()) }
    sleeping[ticket] = continuation
    alarms.insert(Alarm(deadline: deadline, ticket: ticket))
    return nil
  }

  /// Finding the alarm of a canceled sleep would cost O(sleepers), so the alarm stays until it is due or until most
  /// alarms belong to canceled sleeps. A debounce cancels a sleep with each key.
  mutating func cancel(_ ticket: UInt64) -> Continuation? {
    guard unused.remove(ticket) == nil else { return nil }
    let continuation = sleeping.removeValue(forKey: ticket)
    if alarms.count > 2 * sleeping.count + 16 { alarms.keepAll { sleeping[$0.ticket] != nil } }
    return continuation
  }

  /// Moves to the next deadline and returns the task to wake there, or moves to `target` if there is none before it.
  mutating func wakeNext(before target: ManualClock.Instant) -> Continuation? {
    while let first = alarms.first, first.deadline <= target {
      alarms.removeFirst()
      guard let continuation = sleeping.removeValue(forKey: first.ticket) else { continue }
      now = first.deadline
      return continuation
    }
    now = max(now, target)
    return nil
  }
}

/// The time at which a sleeper wakes. Of equal times, the earlier call comes first.
private struct Alarm: Comparable, Sendable {
  let deadline: ManualClock.Instant
  let ticket: UInt64

  static func < (first: Alarm, second: Alarm) -> Bool {
    (first.deadline, first.ticket) < (second.deadline, second.ticket)
  }
}

/// A collection whose smallest element is found in O(1), and removed or inserted in O(log count).
struct Heap<Element: Comparable & Sendable>: Sendable {
  /// The children of the element at `i` are at `2i + 1` and `2i + 2`, and none is smaller than it.
  private var elements: [Element] = []

  var count: Int { elements.count }
  var first: Element? { elements.first }

  mutating func insert(_ element: Element) {
    elements.append(element)
    var child = elements.count - 1
    while child > 0, elements[child] < elements[(child - 1) / 2] {
      elements.swapAt(child, (child - 1) / 2)
      child = (child - 1) / 2
    }
  }

  mutating func removeFirst() {
    guard let last = elements.popLast(), !elements.isEmpty else { return }
    elements[0] = last
    sink(from: 0)
  }

  /// Removes all elements that do not satisfy the condition. O(count).
  mutating func keepAll(where isIncluded: (Element) -> Bool) {
    elements.removeAll { !isIncluded($0) }
    for parent in stride(from: elements.count / 2 - 1, through: 0, by: -1) { sink(from: parent) }
  }

  private mutating func sink(from start: Int) {
    var parent = start
    while true {
      var smallest = parent
      for child in (2 * parent + 1)...(2 * parent + 2) where child < elements.count {
        if elements[child] < elements[smallest] { smallest = child }
      }
      if smallest == parent { return }
      elements.swapAt(parent, smallest)
      parent = smallest
    }
  }
}

/// An executor that runs tasks only on request, one after another, in the order in which they became ready.
///
/// Used for a `FeedbackSystem` or a `Task`, it makes concurrent code deterministic: everything the task does runs on
/// the thread that calls ``runUntilIdle(limit:)``, including its child tasks and its calls of nonisolated functions.
/// Work with its own executor, such as the main actor's, is not covered.
public final class ManualExecutor: TaskExecutor {
  private let jobs = Lock(FIFO<UnownedJob>())
  /// Called when a job became ready, on the thread that made it so.
  private let onEnqueue: @Sendable () -> Void

  /// Creates an executor with no jobs.
  public convenience init() { self.init(onEnqueue: {}) }

  init(onEnqueue: @escaping @Sendable () -> Void) { self.onEnqueue = onEnqueue }

  /// Queues a job; called by the concurrency runtime.
  public func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    jobs.withLock { $0.append(job) }
    onEnqueue()
  }

  /// Whether no job is ready to run.
  public var isIdle: Bool { jobs.withLock { $0.isEmpty } }

  /// Runs jobs, including those they make ready, until none is ready or `limit` jobs have run.
  ///
  /// - Returns: How many jobs ran.
  @discardableResult
  public func runUntilIdle(limit: Int = .max) -> Int {
    var count = 0
    while count < limit, let job = jobs.withLock({ $0.popFirst() }) {
      job.runSynchronously(on: asUnownedTaskExecutor())
      count += 1
    }
    return count
  }
}

/// A first-in, first-out queue. Appending and removing are amortized O(1).
struct FIFO<Element: Sendable>: Sendable {
  /// The elements before `head` have been removed.
  private var elements: [Element] = []
  private var head = 0

  var isEmpty: Bool { head == elements.count }
  /// The elements that are left, first to last.
  var all: ArraySlice<Element> { elements[head...] }

  mutating func append(_ element: Element) { elements.append(element) }

  mutating func popFirst() -> Element? {
    guard let element = all.first else { return nil }
    remove(through: head)
    return element
  }

  /// Removes and returns all elements up to the first that satisfies the condition, and that one; `nil` if there is
  /// none.
  mutating func popAll(through isLast: (Element) -> Bool) -> ArraySlice<Element>? {
    guard let index = all.firstIndex(where: isLast) else { return nil }
    let removed = elements[head...index]
    remove(through: index)
    return removed
  }

  mutating func popAll() -> ArraySlice<Element> {
    let removed = all
    remove(through: elements.count - 1)
    return removed
  }

  /// The storage of removed elements is freed when it is more than half of the whole.
  private mutating func remove(through index: Int) {
    head = index + 1
    guard head > elements.count / 2 else { return }
    elements.removeFirst(head)
    head = 0
  }
}

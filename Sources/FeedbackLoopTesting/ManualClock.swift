internal import FeedbackLoop

/// A clock that only moves when advanced.
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

  private let agenda = Lock(Agenda())

  /// Creates a clock at its origin.
  public init() {}

  /// The instant to which the clock has been advanced.
  public var now: Instant { agenda.withLock { $0.now } }

  /// Zero: the clock is exact.
  public var minimumResolution: Duration { .zero }

  /// The number of tasks that sleep on this clock.
  public var sleepers: Int { agenda.withLock { $0.sleepers.count } }

  /// Waits until the clock has been advanced to `deadline`.
  ///
  /// - Throws: `CancellationError` if the task is canceled before.
  public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
    let ticket = agenda.withLock { $0.newTicket() }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let sleeper = Sleeper(ticket: ticket, deadline: deadline, continuation: continuation)
        if let end = agenda.withLock({ $0.add(sleeper) }) { continuation.resume(with: end) }
      }
    } onCancel: {
      let continuation = agenda.withLock { $0.cancel(ticket) }
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
  public func advance(by duration: Duration, running executor: ManualExecutor, limit: Int = .max) {
    var jobs = executor.runUntilIdle(limit: limit)
    let target = now.advanced(by: duration)
    while jobs < limit, let continuation = agenda.withLock({ $0.wakeNext(before: target) }) {
      continuation.resume()
      jobs += executor.runUntilIdle(limit: limit - jobs)
    }
  }
}

private struct Sleeper {
  let ticket: UInt64
  let deadline: ManualClock.Instant
  let continuation: CheckedContinuation<Void, any Error>
}

/// The sleeping tasks with their deadlines. It only decides which to wake; the caller resumes them outside the lock.
private struct Agenda {
  var now = ManualClock.Instant(offset: .zero)
  private(set) var sleepers: [Sleeper] = []
  private var lastTicket: UInt64 = 0
  /// Tickets that have been neither used nor canceled yet.
  private var unused: Set<UInt64> = []

  mutating func newTicket() -> UInt64 {
    lastTicket += 1
    unused.insert(lastTicket)
    return lastTicket
  }

  /// Returns how the sleep ends if it ends at once.
  mutating func add(_ sleeper: Sleeper) -> Result<Void, any Error>? {
    guard unused.remove(sleeper.ticket) != nil else { return .failure(CancellationError()) }
    guard sleeper.deadline > now else { return .success(()) }
    let index = sleepers.firstIndex { $0.deadline > sleeper.deadline } ?? sleepers.endIndex
    sleepers.insert(sleeper, at: index)
    return nil
  }

  mutating func cancel(_ ticket: UInt64) -> CheckedContinuation<Void, any Error>? {
    guard unused.remove(ticket) == nil else { return nil }
    guard let index = sleepers.firstIndex(where: { $0.ticket == ticket }) else { return nil }
    return sleepers.remove(at: index).continuation
  }

  /// Moves to the next deadline and returns the task to wake there, or moves to `target` if there is none before it.
  mutating func wakeNext(before target: ManualClock.Instant) -> CheckedContinuation<Void, any Error>? {
    guard let first = sleepers.first, first.deadline <= target else {
      now = target
      return nil
    }
    now = first.deadline
    return sleepers.removeFirst().continuation
  }
}

/// An executor that runs tasks only on request, one after another, in the order in which they became ready.
///
/// Used for a `FeedbackSystem` or a `Task`, it makes concurrent code deterministic: everything the task does runs on
/// the thread that calls ``runUntilIdle(limit:)``, including its child tasks and its calls of nonisolated functions.
/// Work with its own executor, such as the main actor's, is not covered.
public final class ManualExecutor: TaskExecutor {
  private let jobs = Lock<[UnownedJob]>([])

  /// Creates an executor with no jobs.
  public init() {}

  /// Queues a job; called by the concurrency runtime.
  public func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    jobs.withLock { $0.append(job) }
  }

  /// Whether no job is ready to run.
  public var isIdle: Bool { jobs.withLock { $0.isEmpty } }

  /// Runs jobs, including those they make ready, until none is ready or `limit` jobs have run.
  ///
  /// - Returns: How many jobs ran.
  @discardableResult
  public func runUntilIdle(limit: Int = .max) -> Int {
    var count = 0
    while count < limit, let job = jobs.takeFirst() {
      job.runSynchronously(on: asUnownedTaskExecutor())
      count += 1
    }
    return count
  }
}

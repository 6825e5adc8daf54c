// A dispatch source may be canceled from any thread, but is not declared Sendable.
@preconcurrency import Dispatch
import Glibc
import Synchronization

/// The program's own thread pool for its tasks, one thread per processor.
///
/// The runtime's pool would also do, but its monitoring timer wakes an idle program once per second.
final class Workers: TaskExecutor {
  static let shared = Workers()

  private struct Jobs {
    var waiting: [UnownedJob] = []
    var isWorked = false
  }

  private let jobs = Mutex(Jobs())
  private let available = DispatchSemaphore(value: 0)

  private init() {}

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let isFirst = jobs.withLock { jobs in
      jobs.waiting.append(job)
      defer { jobs.isWorked = true }
      return !jobs.isWorked
    }
    if isFirst { startThreads() }
    available.signal()
  }

  /// Starts the threads, which live as long as the program. The runtime does not monitor the thread of a
  /// serial queue.
  private func startThreads() {
    for number in 1...max(2, sysconf(Int32(_SC_NPROCESSORS_ONLN))) {
      DispatchQueue(label: "riffle.worker.\(number)").async { [self] in
        while true { work() }
      }
    }
  }

  private func work() {
    available.wait()
    let job = jobs.withLock { $0.waiting.isEmpty ? nil : $0.waiting.removeFirst() }
    job?.runSynchronously(on: asUnownedTaskExecutor())
  }
}

/// Runs async work from a synchronous command and returns its result. The calling thread blocks; the work
/// runs on the program's workers, to which the calling thread does not belong.
package func blocking<Value: Sendable>(_ work: @escaping @Sendable () async -> Value) -> Value {
  let result = Mutex<Value?>(nil)
  let done = DispatchSemaphore(value: 0)
  Task.detached(executorPreference: Workers.shared) {
    let value = await work()
    result.withLock { $0 = value }
    done.signal()
  }
  while true {
    done.wait()
    if let value = result.withLock({ $0 }) { return value }
  }
}

/// A thread for blocking writes: a slow or stalled reader blocks this thread and none of the workers.
struct WritingThread: Sendable {
  /// The thread for progress and log messages on stderr.
  static let messages = WritingThread("riffle.messages")

  private let queue: DispatchQueue

  init(_ label: String) { queue = DispatchQueue(label: label) }

  /// Runs the work after all earlier work, and returns its result.
  func outcome<Value: Sendable>(of work: @escaping @Sendable () -> Value) async -> Value {
    await withCheckedContinuation { continuation in
      queue.async { continuation.resume(returning: work()) }
    }
  }
}

/// The continuous clock, which includes time the machine sleeps, without the runtime's thread pool (see
/// `Workers`).
///
/// Dispatch has no timer for that clock, so two are set. The uptime timer stops while the machine sleeps; the
/// wall clock timer is late when the clock is set back and early when it is set forward. Whichever fires
/// first wakes the sleeper, which checks the continuous clock and sleeps again if it is early.
struct AlarmClock: Clock {
  private static let queue = DispatchQueue(label: "riffle.alarm")

  private let timeOfDay: @Sendable () -> DispatchWallTime

  /// - Parameter timeOfDay: The base of the wall clock timer.
  init(timeOfDay: @escaping @Sendable () -> DispatchWallTime = { .now() }) { self.timeOfDay = timeOfDay }

  var now: ContinuousClock.Instant { .now }
  var minimumResolution: Duration { .nanoseconds(1) }

  func sleep(until deadline: ContinuousClock.Instant, tolerance: Duration?) async throws {
    while case let left = now.duration(to: deadline), left > .zero {
      try Task.checkCancellation()
      await rest(for: left)
    }
    try Task.checkCancellation()
  }

  /// Returns when either timer fires, or the task is canceled.
  private func rest(for time: Duration) async {
    let uptime = DispatchSource.makeTimerSource(queue: Self.queue)
    let wall = DispatchSource.makeTimerSource(queue: Self.queue)
    @Sendable func wake() {
      uptime.cancel()
      wall.cancel()
    }
    uptime.setEventHandler(handler: wake)
    wall.setEventHandler(handler: wake)
    uptime.schedule(deadline: .now() + time / .seconds(1))
    wall.schedule(wallDeadline: timeOfDay() + time / .seconds(1))
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        // Called exactly once, by whichever timer fires or by cancellation.
        uptime.setCancelHandler { continuation.resume() }
        uptime.activate()
        wall.activate()
      }
    } onCancel: {
      wake()
    }
  }
}

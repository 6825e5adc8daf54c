internal import FeedbackLoop

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
  public var isIdle: Bool {
    jobs.withLock { $0.isEmpty }
  }

  /// Runs jobs, including those they make ready, until none is ready or `limit` jobs have run.
  ///
  /// - Returns: How many jobs ran.
  @discardableResult
  public func runUntilIdle(limit: Int = .max) -> Int {
    var count = 0
    while count < limit, let job = nextJob() {
      job.runSynchronously(on: asUnownedTaskExecutor())
      count += 1
    }
    return count
  }

  private func nextJob() -> UnownedJob? {
    jobs.withLock { $0.isEmpty ? nil : $0.removeFirst() }
  }
}

internal import FeedbackLoop

/// An executor that runs tasks only when told to, one after another, in the order in which they became ready.
///
/// Given to a `FeedbackSystem` or a `Task` it makes concurrent code deterministic: everything that the task does runs on
/// the thread that calls ``runUntilIdle(limit:)``, its child tasks and its calls of nonisolated functions included. Work
/// that has an executor of its own, as the main actor has, is not covered.
public final class ManualExecutor: TaskExecutor {
  private let jobs = Lock<[UnownedJob]>([])

  /// Creates an executor with nothing to run.
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

  /// Runs jobs, those they make ready included, until none is ready or `limit` jobs have run.
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

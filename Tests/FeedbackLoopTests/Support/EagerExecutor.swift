/// Runs every job immediately on the thread that enqueues it.
final class EagerExecutor: TaskExecutor {
  func enqueue(_ job: consuming ExecutorJob) {
    UnownedJob(job).runSynchronously(on: asUnownedTaskExecutor())
  }
}

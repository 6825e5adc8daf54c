import Dispatch
import Glibc
import Locking

/// The program's own thread pool for its tasks, one thread per processor.
///
/// The runtime's pool would also do, but once used, its monitoring timer wakes an idle program: 11 times in 10 s,
/// where these threads wake it 0 times.
final class Workers: TaskExecutor {
  static let shared = Workers()

  private let jobs = Lock([UnownedJob]())
  private let available = DispatchSemaphore(value: 0)

  /// Starts the threads, which live as long as the program. The runtime does not monitor the thread of a
  /// serial queue.
  private init() {
    for number in 1...max(2, sysconf(Int32(_SC_NPROCESSORS_ONLN))) {
      DispatchQueue(label: "riffle.worker.\(number)").async { [self] in
        while true {
          available.wait()
          let job = jobs.withLock { $0.isEmpty ? nil : $0.removeFirst() }
          job?.runSynchronously(on: asUnownedTaskExecutor())
        }
      }
    }
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    jobs.withLock { $0.append(job) }
    available.signal()
  }
}

/// Runs async work from a synchronous command and returns its result. The calling thread blocks; the work
/// runs on the program's workers, to which the calling thread does not belong.
package func blocking<Value: Sendable>(_ work: @escaping @Sendable () async -> Value) -> Value {
  let result = Lock<Value?>(nil)
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
  private let queue: DispatchQueue

  init(_ label: String) { queue = DispatchQueue(label: label) }

  /// Runs the work after all earlier work, and returns its result.
  func outcome<Value: Sendable>(of work: @escaping @Sendable () -> Value) async -> Value {
    await withCheckedContinuation { continuation in
      queue.async { continuation.resume(returning: work()) }
    }
  }
}

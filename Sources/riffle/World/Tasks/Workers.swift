import Dispatch
import Glibc
import Synchronization

/// The program's own threads for its tasks, as many as there are processors.
///
/// The runtime's pool would do, but the timer by which that watches its threads wakes a program that only waits for a
/// key once a second.
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

  /// Each lives as long as the program. A serial queue of its own is a thread that nobody watches.
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

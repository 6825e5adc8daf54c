import Dispatch
import Synchronization

/// Runs async work from a synchronous command and returns its result. The calling thread blocks; the work
/// runs on the program's workers, to which the calling thread does not belong.
func blocking<Value: Sendable>(_ work: @escaping @Sendable () async -> Value) -> Value {
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

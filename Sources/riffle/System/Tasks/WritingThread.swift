import Dispatch

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

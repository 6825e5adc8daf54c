import Dispatch

/// A thread that waits for whoever reads what is written: a reader that is slow, or stalls, holds up that thread and
/// none of the workers.
struct WritingThread: Sendable {
  /// Of what is told on stderr while a run goes on.
  static let messages = WritingThread("riffle.messages")

  private let queue: DispatchQueue

  init(_ label: String) { queue = DispatchQueue(label: label) }

  /// Does the work after all that came before it, and returns when it is done.
  func outcome<Value: Sendable>(of work: @escaping @Sendable () -> Value) async -> Value {
    await withCheckedContinuation { continuation in
      queue.async { continuation.resume(returning: work()) }
    }
  }
}

internal import Glibc
internal import Synchronization

/// Wakes the UI thread from any other thread, to draw changes. Cheap to call often: at most one byte is
/// pending.
package final class Wake: Sendable {
  private let pipe: SelfPipe
  private let isPending = Atomic(false)

  package init() throws(SystemError) {
    pipe = try SelfPipe()
  }

  package func callAsFunction() {
    guard !isPending.exchange(true, ordering: .acquiringAndReleasing) else { return }
    var byte: UInt8 = 1
    _ = write(pipe.writeEnd, &byte, 1)
  }

  var descriptor: Int32 { pipe.readEnd }

  /// Must be called before reading what changed, so that a later wake-up is not lost.
  func clear() {
    _ = pipe.drain()
    isPending.store(false, ordering: .sequentiallyConsistent)
  }
}

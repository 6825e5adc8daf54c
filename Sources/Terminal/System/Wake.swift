internal import Glibc
internal import Synchronization

/// Wakes the UI thread from any other, to draw what changed. Cheap to call often: one byte waits at most.
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

  /// To be called before looking at what changed: a wake from then on counts again.
  func clear() {
    _ = pipe.drain()
    isPending.store(false, ordering: .sequentiallyConsistent)
  }
}

import Dispatch
import Glibc

/// Detects that the reader of a pipe has closed it, even while nothing is being written, so that no further
/// page is requested.
enum PipeMonitor {
  /// Yields once when the reader is gone; finishes immediately if the descriptor is not a pipe or socket.
  static func closing(of descriptor: Int32) -> AsyncStream<Void> {
    AsyncStream { continuation in
      guard isPipe(descriptor) else { return continuation.finish() }
      // The thread waits until the reader closes or the program exits, whichever is first.
      DispatchQueue(label: "riffle.output.watch").async {
        var descriptors = pollfd(fd: descriptor, events: 0, revents: 0)
        while poll(&descriptors, 1, -1) < 0 && errno == EINTR {}
        if descriptors.revents & Int16(POLLERR | POLLHUP) != 0 { continuation.yield() }
        continuation.finish()
      }
    }
  }

  private static func isPipe(_ descriptor: Int32) -> Bool {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { return false }
    return [S_IFIFO, S_IFSOCK].contains(status.st_mode & S_IFMT)
  }
}

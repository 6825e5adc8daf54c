import Dispatch
import Glibc

/// Tells when the reader of a pipe has gone, also while nothing is being written: then no further page
/// is asked for.
enum OutputWatch {
  /// Yields once, when the reader is gone; ends at once for what is no pipe or socket.
  static func closing(of descriptor: Int32) -> AsyncStream<Void> {
    AsyncStream { continuation in
      guard isPipe(descriptor) else { return continuation.finish() }
      // The thread waits until the reader goes or the program ends, whichever is first.
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

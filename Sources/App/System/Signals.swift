import Dispatch
import Glibc

/// Delivers signals to a run without a terminal. Signals that were ignored at the start (nohup) stay ignored.
package enum Signals {
  /// The signals that ask a program to end.
  static let ending = [SIGINT, SIGTERM, SIGHUP]

  /// Calls `body` with each of these signals until the task is canceled or `body` returns false.
  package static func each(of numbers: [Int32], _ body: (Int32) -> Bool) async {
    let (signals, continuation) = AsyncStream<Int32>.makeStream()
    let sources = numbers.filter { !isIgnored($0) }.map { number in
      // Dispatch installs a handler of its own. Until then the default action applies; a signal ignored
      // before that would be lost.
      let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
      source.setEventHandler { continuation.yield(number) }
      source.resume()
      return source
    }
    defer { for source in sources { source.cancel() } }
    for await number in signals where !body(number) { return }
  }

  /// Restores the default action of signals that `each` handled, because a canceled source leaves its handler
  /// installed.
  static func release(_ numbers: [Int32]) {
    var mask = sigset_t()
    sigemptyset(&mask)
    for number in numbers where !isIgnored(number) {
      signal(number, SIG_DFL)
      sigaddset(&mask, number)
    }
    // A signal source blocks its signal, and a blocked signal would stay pending.
    pthread_sigmask(SIG_UNBLOCK, &mask, nil)
  }

  /// Ends the process by this signal, so that its parent sees it.
  package static func raise(_ number: Int32) -> Never {
    signal(number, SIG_DFL)
    release([number])
    Glibc.raise(number)
    exit(128 + number)
  }

  /// Does the same after a delay, if the process is still running.
  static func raise(_ number: Int32, after time: Duration, by clock: any Clock<Duration>) {
    Task.detached(executorPreference: Workers.shared) {
      try? await clock.sleep(for: time)
      raise(number)
    }
  }

  private static func isIgnored(_ number: Int32) -> Bool {
    var action = sigaction()
    sigaction(number, nil, &action)
    return unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
      == unsafeBitCast(SIG_IGN, to: Int.self)
  }
}

/// Detects that the reader of a pipe has closed it, even while nothing is being written, so that no further
/// page is requested.
enum PipeMonitor {
  /// Yields once when the reader is gone; finishes immediately if the descriptor is not a pipe or socket.
  static func closing(of descriptor: Int32) -> AsyncStream<Void> {
    AsyncStream { continuation in
      let kind = Descriptor(descriptor).facts.map { $0.st_mode & S_IFMT }
      guard kind == S_IFIFO || kind == S_IFSOCK else { return continuation.finish() }
      // The thread waits until the reader closes or the program exits, whichever is first.
      DispatchQueue(label: "riffle.output.watch").async {
        var descriptors = pollfd(fd: descriptor, events: 0, revents: 0)
        while poll(&descriptors, 1, -1) < 0 && errno == EINTR {}
        if descriptors.revents & Int16(POLLERR | POLLHUP) != 0 { continuation.yield() }
        continuation.finish()
      }
    }
  }
}

internal import CRestore
internal import Glibc

/// Handles the signals of the UI loop for as long as this value exists, by recording them in a pipe. Signals
/// that were ignored stay ignored (nohup), and the previous handlers are restored at the end. The signals are
/// unblocked in the calling thread, because a thread pool that starts programs may pass on its own mask. Only
/// one instance at a time.
struct SignalPipe: ~Copyable {
  private static let caught = [SIGINT, SIGTERM, SIGHUP, SIGWINCH, SIGCONT, SIGTSTP]

  private let pipe: SelfPipe
  /// The previous handlers; empty if the pipe is not used.
  private let previous: [(signal: Int32, action: sigaction)]

  /// - Parameter isUsed: Pass false to receive no signals and leave the process unchanged.
  init(isUsed: Bool = true) throws(SystemError) {
    pipe = try SelfPipe()
    guard isUsed else {
      previous = []
      return
    }
    crestore_note_signals_to(pipe.writeEnd)
    previous = SignalPipe.caught.map { ($0, SignalPipe.catchUnlessIgnored($0)) }
    var mask = sigset_t(SignalPipe.caught)
    pthread_sigmask(SIG_UNBLOCK, &mask, nil)
  }

  deinit {
    for (signal, action) in previous {
      var action = action
      sigaction(signal, &action, nil)
    }
    if !previous.isEmpty { crestore_note_signals_to(-1) }
  }

  var descriptor: Int32 { pipe.readEnd }

  /// The signals since the last call, in order of arrival.
  func drain() -> [Int32] { pipe.drain().map(Int32.init) }

  /// Stops the whole process group, as the terminal would, by the original action for `signal` (a shell
  /// without job control ignores it). Returns when the group is continued, or immediately if it was not
  /// stopped.
  ///
  /// SIGSTOP is not used, because it stops even a group that no shell can continue.
  func stop(by signal: Int32) {
    var found = previous.first { $0.signal == signal }?.action ?? sigaction()
    var current = sigaction()
    sigaction(signal, &found, &current)
    kill(0, signal)
    // The stop takes effect when some thread handles the signal; afterwards SIGCONT is recorded.
    var poll = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    _ = Glibc.poll(&poll, 1, 100)
    sigaction(signal, &current, nil)
  }

  private static func catchUnlessIgnored(_ signal: Int32) -> sigaction {
    var action = sigaction()
    var previous = sigaction()
    action.__sigaction_handler.sa_handler = crestore_note_signal
    action.sa_flags = SA_RESTART
    sigemptyset(&action.sa_mask)
    sigaction(signal, &action, &previous)
    // SIG_IGN is a macro that Swift does not import: the handler at address 1.
    let wasIgnored = unsafeBitCast(previous.__sigaction_handler.sa_handler, to: Int.self) == 1
    if wasIgnored { sigaction(signal, &previous, nil) }
    return previous
  }
}

extension sigset_t {
  init(_ signals: [Int32]) {
    self.init()
    sigemptyset(&self)
    for signal in signals { sigaddset(&self, signal) }
  }
}

/// A pipe with which a signal handler or another thread interrupts `poll`. Both ends are non-blocking and
/// close-on-exec.
struct SelfPipe: ~Copyable, Sendable {
  let readEnd: Int32
  let writeEnd: Int32

  init() throws(SystemError) {
    var ends: [Int32] = [-1, -1]
    try SystemCall.check("create a pipe") { pipe(&ends) }
    for end in ends {
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
      _ = fcntl(end, F_SETFL, O_NONBLOCK)
    }
    (readEnd, writeEnd) = (ends[0], ends[1])
  }

  deinit {
    close(readEnd)
    close(writeEnd)
  }

  /// Reads everything in the pipe, at most 256 bytes.
  func drain() -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: 256)
    let count = read(readEnd, &bytes, bytes.count)
    return Array(bytes.prefix(max(0, count)))
  }
}

internal import CRestore
internal import Glibc

/// The signals the UI loop answers, noted in a pipe while this lives. What was ignored stays ignored (nohup), and
/// former handlers come back at the end. The calling thread takes them, whoever blocked them: a thread pool that
/// starts programs passes its own mask on. One at a time.
struct Signals: ~Copyable {
  private static let caught = [SIGINT, SIGTERM, SIGHUP, SIGWINCH, SIGCONT, SIGTSTP]

  private let pipe: SelfPipe
  private let previous: [(signal: Int32, action: sigaction)]

  init() throws(SystemError) {
    pipe = try SelfPipe()
    crestore_note_signals_to(pipe.writeEnd)
    previous = Signals.caught.map { ($0, Signals.catchUnlessIgnored($0)) }
    var mask = sigset_t()
    sigemptyset(&mask)
    for signal in Signals.caught { sigaddset(&mask, signal) }
    pthread_sigmask(SIG_UNBLOCK, &mask, nil)
  }

  deinit {
    for (signal, action) in previous {
      var action = action
      sigaction(signal, &action, nil)
    }
    crestore_note_signals_to(-1)
  }

  var descriptor: Int32 { pipe.readEnd }

  /// The signals since the last call, in order of arrival.
  func drain() -> [Int32] { pipe.drain().map(Int32.init) }

  /// Stops the whole process group, as the terminal would, by the action that was found for `signal` (a shell
  /// without job control has it ignored). Returns when the group is continued, or at once when it did not stop.
  ///
  /// Never SIGSTOP, which also stops a group that nobody can continue.
  func stop(by signal: Int32) {
    var found = previous.first { $0.signal == signal }?.action ?? sigaction()
    var current = sigaction()
    sigaction(signal, &found, &current)
    kill(0, signal)
    // The stop comes when some thread takes the signal; on the way back SIGCONT is noted.
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
    if previous.isIgnore { sigaction(signal, &previous, nil) }
    return previous
  }
}

extension sigaction {
  fileprivate var isIgnore: Bool {
    // SIG_IGN is a macro that Swift does not import: the handler at address 1.
    unsafeBitCast(__sigaction_handler.sa_handler, to: Int.self) == 1
  }
}

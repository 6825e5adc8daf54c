import Glibc

extension ChildProgram {
  /// A program's standard streams; nil is /dev/null.
  struct Streams {
    var input: Int32?
    var output: Int32?
    var messages: Int32?

    static let nothing = Streams()
    static let ours = Streams(input: STDIN_FILENO, output: STDOUT_FILENO, messages: STDERR_FILENO)
  }

  /// - Parameter isApart: Whether to start a new session, out of reach of the terminal's signals.
  static func spawn(
    _ words: [String], _ streams: Streams, isApart: Bool = false
  ) throws(Failure) -> pid_t {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    let ends = [
      (STDIN_FILENO, streams.input), (STDOUT_FILENO, streams.output), (STDERR_FILENO, streams.messages),
    ]
    for (number, end) in ends {
      if let end {
        posix_spawn_file_actions_adddup2(&actions, end, number)
      } else {
        posix_spawn_file_actions_addopen(&actions, number, "/dev/null", O_RDWR, 0)
      }
    }
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    // The program must not inherit our ignored and blocked signals.
    var signals = sigset_t()
    sigfillset(&signals)
    posix_spawnattr_setsigdefault(&attributes, &signals)
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(&attributes, &signals)
    // POSIX_SPAWN_SETSID of <spawn.h>, which only _GNU_SOURCE defines.
    let apart: Int32 = isApart ? 0x80 : 0
    posix_spawnattr_setflags(
      &attributes, Int16(truncatingIfNeeded: POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK | apart))
    // Nor our descriptors, such as connections and listening sockets.
    for descriptor in Int32(3)..<1024 { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
    var arguments = words.map { strdup($0) } + [nil]
    defer { for argument in arguments { free(argument) } }
    var child: pid_t = 0
    let code = posix_spawnp(&child, words.first ?? "", &actions, &attributes, &arguments, environ)
    guard code == 0 else { throw code == ENOENT ? .notInstalled : .notStarted(reason(code)) }
    return child
  }
}

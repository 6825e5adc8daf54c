import Dispatch
import Glibc

/// Runs a credential helper (`gh auth token`): no shell, nothing on stdin, no terminal, its messages
/// dropped.
enum CredentialCommand {
  enum Failure: Error, Sendable, Hashable, CustomStringConvertible {
    case notStarted(String)
    case timedOut(seconds: Int)
    case ended(status: Int32)

    var description: String {
      switch self {
      case .notStarted(let reason): "does not start: \(reason)"
      case .timedOut(let seconds): "took more than \(seconds) s"
      case .ended(let status): "ended with status \(status)"
      }
    }
  }

  /// What the program prints, at most 64 KiB.
  static func output(of words: [String], seconds: Int = 10) async throws -> String {
    try await withCheckedThrowingContinuation { continuation in
      DispatchQueue.global().async {
        continuation.resume(with: Result { try outputWaiting(words, seconds) })
      }
    }
  }

  private static func outputWaiting(_ words: [String], _ seconds: Int) throws(Failure) -> String {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { throw .notStarted(reason(errno)) }
    defer { close(ends[0]) }
    let child = try spawn(words, output: ends[1])
    let (text, isInTime) = read(ends[0], until: deadline(seconds))
    if !isInTime { kill(child, SIGKILL) }
    var status: Int32 = 0
    while waitpid(child, &status, 0) < 0 && errno == EINTR {}
    guard isInTime else { throw .timedOut(seconds: seconds) }
    guard status == 0 else { throw .ended(status: status >> 8 & 0xff) }
    return text
  }

  private static func spawn(_ words: [String], output: Int32) throws(Failure) -> pid_t {
    defer { close(output) }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO)
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0)
    // Nothing else of ours is the program's business: no connection, no listening socket.
    for descriptor in Int32(3)..<256 { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
    var arguments = words.map { strdup($0) } + [nil]
    defer { for argument in arguments { free(argument) } }
    var child: pid_t = 0
    let code = posix_spawnp(&child, words.first ?? "", &actions, nil, &arguments, environ)
    guard code == 0 else { throw .notStarted(reason(code)) }
    return child
  }

  /// What can be read until the writer closes, and whether that was in time.
  private static func read(_ descriptor: Int32, until deadline: Int64) -> (String, Bool) {
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 4096)
    while bytes.count < 65_536 {
      let left = deadline - milliseconds()
      guard left > 0 else { return ("", false) }
      var descriptors = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      guard poll(&descriptors, 1, Int32(clamping: left)) > 0 else { continue }
      let count = Glibc.read(descriptor, &chunk, chunk.count)
      if count == 0 { break }
      if count > 0 { bytes += chunk[..<count] } else if errno != EINTR { break }
    }
    return (String(decoding: bytes, as: UTF8.self), true)
  }

  private static func deadline(_ seconds: Int) -> Int64 { milliseconds() + Int64(seconds) * 1000 }

  private static func milliseconds() -> Int64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
  }

  private static func reason(_ code: Int32) -> String { String(cString: strerror(code)) }
}

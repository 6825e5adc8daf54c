import Dispatch
import Glibc

/// Runs a program of the user's: no shell, no terminal, its messages dropped, nothing of ours open in it.
enum ChildProgram {
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
    try await waiting { try outputWaiting(words, seconds) }
  }

  /// Gives a program bytes to read, and waits until it has ended well.
  static func feed(_ bytes: [UInt8], to words: [String], seconds: Int = 5) async throws {
    try await waiting {
      let ends = try pipeEnds()
      let child: pid_t
      do {
        defer { close(ends[0]) }
        child = try spawn(words, Streams(input: ends[0]))
      } catch {
        close(ends[1])
        throw error
      }
      let isTaken = Descriptor(ends[1]).write(bytes, until: Deadline(seconds: seconds))
      close(ends[1])
      try end(of: child, until: isTaken ? Deadline(seconds: seconds) : .passed, seconds)
    }
  }

  /// Starts a program that may go on for as long as it likes, in a session of its own, and watches its beginning.
  ///
  /// - Throws: when it does not start, or ends badly within the time.
  static func start(_ words: [String], watching seconds: Int = 2) async throws {
    try await waiting {
      let child = try spawn(words, .nothing, isApart: true)
      do { try end(of: child, until: Deadline(seconds: seconds), seconds, killsLate: false) } catch Failure
        .timedOut
      {
        // It shows what it was asked for. Somebody has to take its end in.
        DispatchQueue(label: "riffle.child").async { _ = waitpid(child, nil, 0) }
      }
    }
  }

  /// Runs a program on our own terminal and waits for its end, however long that takes.
  static func runOnTerminal(_ words: [String]) throws(Failure) {
    let child = try spawn(words, .ours)
    try end(of: child, until: nil, 0)
  }

  private static func waiting<Value: Sendable>(
    _ work: @escaping @Sendable () throws -> Value
  ) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
      DispatchQueue(label: "riffle.child").async { continuation.resume(with: Result { try work() }) }
    }
  }

  /// Where a pipe is read and where it is written, neither of which a program inherits by chance.
  private static func pipeEnds() throws(Failure) -> [Int32] {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { throw .notStarted(reason(errno)) }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    return ends
  }

  private static func outputWaiting(_ words: [String], _ seconds: Int) throws -> String {
    let ends = try pipeEnds()
    defer { close(ends[0]) }
    let child: pid_t
    do {
      defer { close(ends[1]) }
      child = try spawn(words, Streams(output: ends[1]))
    }
    let (text, isInTime) = Descriptor(ends[0]).text(until: Deadline(seconds: seconds))
    try end(of: child, until: isInTime ? nil : .passed, seconds)
    return text
  }

  /// Waits for the end of a program; one that is late is killed where that is meant.
  private static func end(
    of child: pid_t, until deadline: Deadline?, _ seconds: Int, killsLate: Bool = true
  ) throws(Failure) {
    var status: Int32 = 0
    while true {
      let ended = waitpid(child, &status, deadline == nil ? 0 : WNOHANG)
      if ended == child { break }
      if ended < 0, errno != EINTR { throw .notStarted(reason(errno)) }
      if ended < 0 { continue }
      if let deadline, deadline.milliseconds == 0 {
        if killsLate {
          kill(child, SIGKILL)
          waitpid(child, &status, 0)
        }
        throw .timedOut(seconds: seconds)
      }
      usleep(5_000)
    }
    guard status == 0 else {
      throw .ended(status: status & 0x7f == 0 ? status >> 8 & 0xff : 128 + status & 0x7f)
    }
  }

  static func reason(_ code: Int32) -> String { String(cString: strerror(code)) }
}

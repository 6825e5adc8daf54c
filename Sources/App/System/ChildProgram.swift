import Dispatch
import FoundationEssentials
import Glibc
import Locking
import Text

/// Runs programs configured by the user: without a shell or terminal, with stderr discarded, and without
/// inherited descriptors.
enum ChildProgram {
  enum RunError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The program is not found in PATH.
    case notInstalled
    case notStarted(String)
    case timedOut(Duration)
    case ended(status: Int32)
    /// The program printed this many bytes without a line end.
    case endless(bytes: Int)

    var description: String {
      switch self {
      case .notInstalled: "is not installed"
      case .notStarted(let reason): "cannot be started: \(reason)"
      case .timedOut(let limit): "took more than \(DurationText.text(limit))"
      case .ended(let status): "exited with status \(status)"
      case .endless(let bytes): "printed \(bytes) bytes without a newline"
      }
    }

    /// The failure of a command: `gh is not installed`, `"gh auth token" exited with status 1`.
    func sentence(about words: [String]) -> String {
      self == .notInstalled ? "\(words[0]) \(self)" : "\"\(words.joined(separator: " "))\" \(self)"
    }
  }

  /// The maximum length of the first line, in bytes.
  private static let maxLineLength = 65_536

  /// Returns the first line that a program prints, or all of its output if it has no line end.
  ///
  /// The line is taken as soon as it is complete. If the program then fails within `grace`, this throws; if
  /// it is still running after that, it is killed with its process group.
  ///
  /// - Parameters:
  ///   - limit: The time limit for everything, whatever the program and its children do with the pipe and
  ///     signals.
  ///   - grace: How long to wait for the program to exit once its line is complete.
  static func firstLine(
    of words: [String], in environment: [String: String] = ProcessInfo.processInfo.environment,
    within limit: Duration = .seconds(10), grace: Duration = .milliseconds(500)
  ) async throws -> String {
    let group = ProcessGroup()
    return try await withTaskCancellationHandler {
      try await waiting { try firstLineWaiting(words, environment, group, limit, grace) }
    } onCancel: {
      group.kill()
    }
  }

  /// What a program printed to stdout and stderr, up to a limit, and how it ended.
  struct Output: Sendable, Hashable {
    var bytes: [UInt8] = []
    /// How many more bytes it printed.
    var leftOut = 0
    /// 128 plus the number of the signal if one ended it.
    var status: Int32 = 0
  }

  /// Runs a program in its own session, without a terminal, and waits for it to exit, without a time limit. Children
  /// that it leaves behind keep running, and what they print is dropped.
  ///
  /// It reads the input, or as much of it as it wants. If the input cannot be produced, it is ended.
  ///
  /// If the task is canceled, the program and its children get SIGTERM and, after `grace`, SIGKILL.
  ///
  /// - Parameters:
  ///   - input: Produces what it reads, as it reads it: passes parts to a closure that throws when no more are read.
  ///   - running: Ends the program with others.
  ///   - progress: Passed what it has printed so far, a few times a second, while there is more.
  static func output(
    of words: [String], reading input: Input? = nil, upTo limit: Int, grace: Duration = .seconds(2),
    among running: RunningPrograms = RunningPrograms(),
    progress: @escaping @Sendable (Output) -> Void = { _ in }
  ) async throws -> Output {
    let group = ProcessGroup()
    return try await withTaskCancellationHandler {
      try await waiting {
        try running.with(group) { () throws(RunError) in
          try outputWaiting(words, input, group, limit, grace, progress)
        }
      }
    } onCancel: {
      group.terminate()
    }
  }

  typealias Input = @Sendable (_ put: ([UInt8]) throws(Errno) -> Void) throws -> Void

  /// How often the progress of a program is reported.
  static let progressInterval = Duration.milliseconds(250)

  private static func outputWaiting(
    _ words: [String], _ input: Input?, _ group: ProcessGroup, _ limit: Int, _ grace: Duration,
    _ progress: (Output) -> Void
  ) throws(RunError) -> Output {
    let ends = try pipeEnds()
    do {
      defer { close(ends[1]) }
      try reading(input, in: group) { source throws(RunError) in
        try group.start { () throws(RunError) in
          try spawn(words, Streams(input: source, output: ends[1], messages: ends[1]), isApart: true)
        }
      }
    } catch {
      close(ends[0])
      throw error
    }
    let pipe = Descriptor(ends[0])
    _ = fcntl(ends[0], F_SETFL, O_NONBLOCK)
    var output = Output()
    var deadline: Deadline?
    var isOpen = true
    var reported = (count: 0, next: Deadline(after: .zero))
    while true {
      // Before reading: what the program printed until its end is in the pipe.
      let hasEnded = group.leaderHasEnded
      if group.isTerminating, deadline == nil { deadline = Deadline(after: grace) }
      if let deadline, deadline.milliseconds == 0 { group.kill() }
      var bytes: [UInt8] = []
      if isOpen { (bytes, isOpen) = pipe.available(upTo: 65_536) }
      let taken = bytes.prefix(limit - output.bytes.count)
      output.bytes += taken
      output.leftOut += bytes.count - taken.count
      if output.bytes.count > reported.count, reported.next.milliseconds == 0 {
        progress(output)
        reported = (output.bytes.count, Deadline(after: progressInterval))
      }
      if !bytes.isEmpty { continue }
      // Its children that still print have as much time to end as it has.
      if hasEnded, deadline == nil || deadline?.milliseconds == 0 || !isOpen { break }
      if isOpen { pipe.wait(for: POLLIN, milliseconds: 100) } else { usleep(20_000) }
    }
    if deadline != nil { group.kill() }
    output.status = group.reap()
    if isOpen {
      // Children that still print would be ended by a closed pipe.
      DispatchQueue(label: "riffle.child.rest").async {
        _ = fcntl(ends[0], F_SETFL, 0)
        while case let (bytes, isOpen) = pipe.available(upTo: 65_536), isOpen || !bytes.isEmpty {}
        close(ends[0])
      }
    } else {
      close(ends[0])
    }
    return output
  }

  /// Starts a group with a stream of this input, nil without any, which is written as the program reads it. Nothing is
  /// written before the group can be ended.
  private static func reading(
    _ input: Input?, in group: ProcessGroup, _ start: (Int32?) throws(RunError) -> Void
  ) throws(RunError) {
    guard let input else { return try start(nil) }
    let ends = try pipeEnds()
    defer { close(ends[0]) }
    do {
      try start(ends[0])
      DispatchQueue(label: "riffle.child.input").async {
        do {
          try input { bytes throws(Errno) in try Descriptor(ends[1]).write(bytes) }
        } catch is Errno {
          // A program need not read everything.
        } catch {
          // What it has read must not look complete.
          group.terminate()
        }
        close(ends[1])
      }
    } catch {
      close(ends[1])
      throw error
    }
  }

  /// Writes bytes to a program's stdin, and waits for it to exit successfully.
  static func feed(_ bytes: [UInt8], to words: [String], within limit: Duration = .seconds(5)) async throws {
    try await waiting {
      let deadline = Deadline(after: limit)
      let ends = try pipeEnds()
      let child: pid_t
      do {
        defer { close(ends[0]) }
        child = try spawn(words, Streams(input: ends[0]))
      } catch {
        close(ends[1])
        throw error
      }
      _ = fcntl(ends[1], F_SETFL, O_NONBLOCK)
      let isTaken = (try? Descriptor(ends[1]).write(bytes, until: deadline)) != nil
      close(ends[1])
      try end(of: child, until: isTaken ? deadline : Deadline(after: .zero), limit)
    }
  }

  /// Starts a program in its own session, where it may run for any time, and watches it briefly.
  ///
  /// - Throws: If it does not start, or fails within `limit`.
  static func start(_ words: [String], watching limit: Duration = .seconds(2)) async throws {
    try await waiting {
      let child = try spawn(words, Streams(), isApart: true)
      do {
        try end(of: child, until: Deadline(after: limit), limit, killsLate: false)
      } catch RunError.timedOut {
        // The program keeps running; its exit status still has to be collected.
        DispatchQueue(label: "riffle.child").async { _ = waitpid(child, nil, 0) }
      }
    }
  }

  /// Runs a program with the environment and the streams of this run and waits for it to exit, without a time limit.
  static func run(_ words: [String], with dependencies: Dependencies) throws(RunError) {
    let streams = Streams(
      input: dependencies.input.number, output: dependencies.output.number,
      messages: dependencies.errors.number)
    let child = try spawn(words, streams, in: dependencies.environment)
    try end(of: child, until: nil, .zero)
  }

  private static func waiting<Value: Sendable>(
    _ work: @escaping @Sendable () throws -> Value
  ) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
      DispatchQueue(label: "riffle.child").async { continuation.resume(with: Result { try work() }) }
    }
  }

  /// The read and write ends of a new pipe, neither of which is inherited by programs.
  private static func pipeEnds() throws(RunError) -> [Int32] {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { throw .notStarted("\(Errno(errno))") }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    return ends
  }

  private static func firstLineWaiting(
    _ words: [String], _ environment: [String: String], _ group: ProcessGroup, _ limit: Duration,
    _ grace: Duration
  ) throws(RunError) -> String {
    let deadline = Deadline(after: limit)
    let ends = try pipeEnds()
    defer { close(ends[0]) }
    do {
      defer { close(ends[1]) }
      try group.start { () throws(RunError) in
        try spawn(words, Streams(output: ends[1]), in: environment, isApart: true)
      }
    }
    defer { group.end() }
    // The program's output is in the pipe, even if other processes still hold it open.
    _ = fcntl(ends[0], F_SETFL, O_NONBLOCK)
    var printed: [UInt8] = []
    while !printed.contains(UInt8(ascii: "\n")) {
      guard deadline.milliseconds > 0 else { throw .timedOut(limit) }
      let hasEnded = group.leaderHasEnded
      let (bytes, isOpen) = Descriptor(ends[0]).available(upTo: maxLineLength + 1 - printed.count)
      printed += bytes
      if printed.count > maxLineLength { throw .endless(bytes: maxLineLength) }
      if !isOpen || bytes.isEmpty && hasEnded { break }
      if bytes.isEmpty { Descriptor(ends[0]).wait(for: POLLIN, milliseconds: min(deadline.milliseconds, 10)) }
    }
    // The program may have more to print, and would fail if its pipe were closed.
    let graceEnd = Deadline(after: grace)
    var rest = 16 * maxLineLength
    while !group.leaderHasEnded, min(deadline.milliseconds, graceEnd.milliseconds) > 0, rest > 0 {
      let (bytes, isOpen) = Descriptor(ends[0]).available(upTo: rest)
      rest -= bytes.count
      if !isOpen {
        usleep(2_000)
      } else if bytes.isEmpty {
        Descriptor(ends[0]).wait(for: POLLIN, milliseconds: 2)
      }
    }
    if let status = group.end(), status != 0 { throw .ended(status: status) }
    return String(decoding: printed.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
  }

  /// Waits for a program to exit; after the deadline, kills it if requested.
  private static func end(
    of child: pid_t, until deadline: Deadline?, _ limit: Duration, killsLate: Bool = true
  ) throws(RunError) {
    var status: Int32 = 0
    while true {
      let ended = waitpid(child, &status, deadline == nil ? 0 : WNOHANG)
      if ended == child { break }
      if ended < 0, errno != EINTR { throw .notStarted("\(Errno(errno))") }
      if ended < 0 { continue }
      if let deadline, deadline.milliseconds == 0 {
        if killsLate {
          kill(child, SIGKILL)
          waitpid(child, &status, 0)
        }
        throw .timedOut(limit)
      }
      usleep(5_000)
    }
    guard status == 0 else { throw .ended(status: exitStatus(status)) }
  }

  /// The exit status as a shell reports it: 128 plus the signal number if a signal ended the program.
  static func exitStatus(_ status: Int32) -> Int32 {
    status & 0x7f == 0 ? status >> 8 & 0xff : 128 + status & 0x7f
  }
}

/// The programs that run in the background, which must not outlive riffle.
final class RunningPrograms: Sendable {
  private let groups = Lock<[ObjectIdentifier: ProcessGroup]>([:])

  fileprivate func with<Result>(
    _ group: ProcessGroup, _ run: () throws(ChildProgram.RunError) -> Result
  ) throws(ChildProgram.RunError) -> Result {
    groups.withLock { $0[ObjectIdentifier(group)] = group }
    defer { groups.withLock { $0[ObjectIdentifier(group)] = nil } }
    return try run()
  }

  /// Asks all programs to end, and kills those that have not ended after `grace`.
  func end(within grace: Duration) {
    for group in groups.withLock({ Array($0.values) }) { group.terminate() }
    let deadline = Deadline(after: grace)
    while deadline.milliseconds > 0, groups.withLock({ !$0.isEmpty }) { usleep(5_000) }
    for group in groups.withLock({ Array($0.values) }) { group.kill() }
  }
}

/// A program in its own session and process group, together with its children.
private final class ProcessGroup: Sendable {
  private enum State: Equatable {
    case new, cancelled
    case running(pid_t)
    case ended
  }

  private let state = Lock(State.new)
  private let terminating = Lock(false)

  /// Whether `terminate` was called.
  var isTerminating: Bool { terminating.withLock(\.self) }

  /// Asks the group to end; callable at any time and from any thread. If the program has not started, it never will.
  func terminate() {
    terminating.withLock { $0 = true }
    send(SIGTERM)
  }

  func start(_ spawn: () throws(ChildProgram.RunError) -> pid_t) throws(ChildProgram.RunError) {
    guard state.withLock({ $0 != .cancelled }) else { throw .notStarted("canceled") }
    let leader = try spawn()
    let isCancelled = state.withLock { state in
      defer { state = .running(leader) }
      return state == .cancelled
    }
    if isCancelled { kill() }
  }

  /// Collects the exit status of a program that has exited, and leaves its children alone.
  func reap() -> Int32 {
    state.withLock { state in
      guard case .running(let leader) = state else { return 0 }
      var status: Int32 = 0
      while waitpid(leader, &status, 0) < 0, errno == EINTR {}
      state = .ended
      return ChildProgram.exitStatus(status)
    }
  }

  /// Whether the program itself has exited. Its process id stays reserved until `end`.
  var leaderHasEnded: Bool {
    state.withLock { state in
      guard case .running(let leader) = state else { return true }
      var facts = siginfo_t()
      let result = waitid(P_PID, id_t(leader), &facts, WEXITED | WNOHANG | WNOWAIT)
      return result == 0 ? facts.si_signo == SIGCHLD : errno != EINTR
    }
  }

  /// Kills the group; callable at any time and from any thread. If the program has not started, it never
  /// will.
  func kill() { send(SIGKILL) }

  private func send(_ signal: Int32) {
    state.withLock { state in
      switch state {
      case .new: state = .cancelled
      case .running(let leader): _ = Glibc.kill(-leader, signal)
      case .cancelled, .ended: break
      }
    }
  }

  /// Kills what is left of the group.
  ///
  /// - Returns: The exit status if the program had exited by itself; nil if it was killed, now or earlier.
  @discardableResult
  func end() -> Int32? {
    let wasOver = leaderHasEnded
    return state.withLock { state in
      guard case .running(let leader) = state else { return nil }
      // Before the process group id can be reused.
      _ = Glibc.kill(-leader, SIGKILL)
      var status: Int32 = 0
      while waitpid(leader, &status, 0) < 0, errno == EINTR {}
      state = .ended
      return wasOver ? ChildProgram.exitStatus(status) : nil
    }
  }
}

extension ChildProgram {
  /// A program's standard streams; nil is /dev/null.
  struct Streams {
    var input: Int32?
    var output: Int32?
    var messages: Int32?
  }

  /// - Parameters:
  ///   - environment: The program's; its PATH is searched too.
  ///   - isApart: Whether to start a new session, out of reach of the terminal's signals.
  ///   - leadsGroup: Whether to start a new process group in the same session.
  static func spawn(
    _ words: [String], _ streams: Streams,
    in environment: [String: String] = ProcessInfo.processInfo.environment, isApart: Bool = false,
    leadsGroup: Bool = false
  ) throws(RunError) -> pid_t {
    let name = words.first ?? ""
    let found = name.contains("/") ? name : ExecutableSearch(environment: environment).path(of: name)
    guard let path = found else { throw .notInstalled }
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
    let group = leadsGroup ? Int32(POSIX_SPAWN_SETPGROUP) : 0
    posix_spawnattr_setflags(
      &attributes, Int16(truncatingIfNeeded: POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK | apart | group))
    // Nor our descriptors, such as connections and listening sockets.
    for descriptor in Int32(3)..<1024 { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
    var arguments = words.map { strdup($0) } + [nil]
    var variables = environment.map { strdup("\($0)=\($1)") } + [nil]
    defer { for text in arguments + variables { free(text) } }
    var child: pid_t = 0
    let code = posix_spawn(&child, path, &actions, &attributes, &arguments, &variables)
    guard code == 0 else { throw code == ENOENT ? .notInstalled : .notStarted("\(Errno(code))") }
    return child
  }
}

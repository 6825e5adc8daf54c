import Foundation
import Glibc
import Locking

@_silgen_name("openpty")
private func openpty(
  _ master: UnsafeMutablePointer<Int32>, _ slave: UnsafeMutablePointer<Int32>,
  _ name: UnsafeMutablePointer<CChar>?,
  _ settings: UnsafePointer<termios>?, _ size: UnsafePointer<winsize>?
) -> Int32

@_silgen_name("posix_spawn_file_actions_addclosefrom_np")
private func addCloseFrom(_ actions: UnsafeMutablePointer<posix_spawn_file_actions_t>, _ first: Int32)
  -> Int32

@_silgen_name("memmem")
private func memmem(
  _ bytes: UnsafeRawPointer?, _ count: Int, _ part: UnsafeRawPointer?, _ partCount: Int
) -> UnsafeRawPointer?

/// A program whose controlling terminal is its own pseudo-terminal, or a part of this process that uses one.
package final class PseudoTerminal {
  package struct Failure: Error { let code: Int32 }

  package enum Ending: Equatable, Sendable { case exit(Int32), signal(Int32) }

  private var master: Int32 = -1
  /// Kept open so that the settings outlive the program.
  private var slave: Int32 = -1
  /// 0 for a part of this process.
  package private(set) var processID: Int32 = 0
  private let thread = PartOfProcess()
  private var found = termios()
  /// Everything the program has written so far.
  package private(set) var bytes: [UInt8] = []
  /// The same as text, with Esc as `␛`.
  package var output: String { String(decoding: bytes, as: UTF8.self).replacing("\u{1B}", with: "␛") }

  /// Starts a program of this package, found next to the test bundle, or one with an absolute path.
  ///
  /// - Parameters:
  ///   - typedAhead: Input typed before the program starts. `␛` is Esc.
  ///   - outputFile: The file for its stdout; nil for the terminal.
  package init(
    _ program: String, arguments: [String] = [], columns: UInt16 = 80, rows: UInt16 = 12,
    term: String = "xterm-256color", environment: [String] = [], typedAhead: String = "",
    outputFile: String? = nil
  ) throws {
    let name = try open(columns, rows, typedAhead)
    try spawn(
      [program.hasPrefix("/") ? program : PseudoTerminal.folder + program] + arguments, on: name,
      ["TERM=\(term)", "SWIFT_BACKTRACE=enable=no"] + environment, outputFile)
  }

  /// Runs `body` on a thread of its own.
  ///
  /// - Parameters:
  ///   - typedAhead: Input typed before it starts. `␛` is Esc.
  ///   - body: Uses the terminal with this path, and returns how a program would have ended. It must end when the terminal
  ///     is gone.
  package init(
    columns: UInt16 = 80, rows: UInt16 = 12, typedAhead: String = "",
    running body: @escaping @Sendable (_ path: String) throws -> Ending
  ) throws {
    let name = try open(columns, rows, typedAhead)
    let path = String(decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    thread.run { try body(path) }
  }

  deinit {
    if processID > 0 {
      kill(processID, SIGKILL)
      waitpid(processID, nil, 0)
    }
    close(slave)
    close(master)
  }

  /// Opens the terminal, and returns its path.
  private func open(_ columns: UInt16, _ rows: UInt16, _ typedAhead: String) throws -> [CChar] {
    var size = winsize(ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
    var name = [CChar](repeating: 0, count: 128)
    guard openpty(&master, &slave, &name, nil, &size) == 0 else { throw Failure(code: errno) }
    for end in [master, slave] { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    tcgetattr(slave, &found)
    if !typedAhead.isEmpty { type(typedAhead) }
    return name
  }

  /// The program inherits the signal mask of a pool thread, which blocks nearly all signals, as in other
  /// test runners. The terminal becomes the controlling one because a session leader without one opens it
  /// as descriptor 0.
  private func spawn(
    _ words: [String], on terminal: [CChar], _ environment: [String], _ outputFile: String?
  ) throws {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    posix_spawn_file_actions_addopen(&actions, 0, terminal, O_RDWR, 0)
    if let outputFile {
      posix_spawn_file_actions_addopen(&actions, 1, outputFile, O_WRONLY | O_CREAT, 0o600)
    } else {
      posix_spawn_file_actions_adddup2(&actions, 0, 1)
    }
    posix_spawn_file_actions_adddup2(&actions, 0, 2)
    // Sockets of servers in this process would stay open in the program. They are not marked close-on-exec
    // here: Foundation watches its children by a socket that they inherit, and a child without it blocks
    // the end of all others.
    _ = addCloseFrom(&actions, 3)
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    posix_spawnattr_setflags(&attributes, 0x80)  // POSIX_SPAWN_SETSID
    var arguments = words.map { strdup($0) } + [nil]
    var variables = environment.map { strdup($0) } + [nil]
    defer { (arguments + variables).forEach { free($0) } }
    let code = posix_spawn(&processID, words[0], &actions, &attributes, &arguments, &variables)
    guard code == 0 else { throw Failure(code: code) }
  }

  /// The build folder that contains the test bundle.
  package static var folder: String {
    var buffer = [CChar](repeating: 0, count: 4096)
    let count = readlink("/proc/self/exe", &buffer, buffer.count)
    let path = String(decoding: buffer.prefix(max(0, count)).map(UInt8.init(bitPattern:)), as: UTF8.self)
    return path.split(separator: "/").dropLast().reduce("") { "\($0)/\($1)" } + "/"
  }

  /// Sends bytes as the terminal does for keys and responses. `␛` is Esc.
  package func type(_ text: String) {
    let bytes = Self.bytes(text)
    _ = write(master, bytes, bytes.count)
  }

  private static func bytes(_ text: String) -> [UInt8] { Array(text.replacing("␛", with: "\u{1B}").utf8) }

  package func signal(_ signal: Int32) { kill(processID, signal) }

  /// Drops the output read so far, which can grow large in a long run.
  package func forget() {
    bytes = []
  }

  package func resize(columns: UInt16, rows: UInt16) {
    var size = winsize(ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
    _ = ioctl(master, UInt(TIOCSWINSZ), &size)
  }

  package func hangUp() {
    close(slave)
    close(master)
    (slave, master) = (-1, -1)
  }

  /// Reads until `text` appears in new output; false if it does not appear in time.
  package func waits(for text: String, within time: Duration = .seconds(90)) -> Bool {
    waits(for: text, until: .now + time)
  }

  /// Whether the screen shows `text` in time. The screen is redrawn whole as often as needed: a change is
  /// written as a difference, which may not contain the whole text.
  package func shows(
    _ text: String, redrawnBy key: String = "\u{0C}", within time: Duration = .seconds(120)
  ) -> Bool {
    let deadline = ContinuousClock.now + time
    while .now < deadline {
      type(key)
      if waits(for: text, until: min(deadline, .now + .milliseconds(200))) { return true }
    }
    return false
  }

  private func waits(for text: String, until deadline: ContinuousClock.Instant) -> Bool {
    let (start, text) = (bytes.count, Self.bytes(text))
    while !hasOutput(text, since: start) {
      let left = ContinuousClock.now.duration(to: deadline) / .milliseconds(1)
      guard left > 0, read(within: Int32(left) + 1) else { return false }
    }
    return true
  }

  private func hasOutput(_ text: [UInt8], since start: Int) -> Bool {
    bytes.withUnsafeBytes { bytes in
      let new = UnsafeRawBufferPointer(rebasing: bytes[start...])
      return memmem(new.baseAddress, new.count, text, text.count) != nil
    }
  }

  /// Reads until the output so far meets `condition`; false if it does not in time.
  package func waits(atMost limit: Duration, until condition: (PseudoTerminal) -> Bool) -> Bool {
    let deadline = ContinuousClock.now + limit
    while !condition(self) {
      let left = ContinuousClock.now.duration(to: deadline) / .milliseconds(1)
      guard left > 0 else { return false }
      _ = read(within: Int32(min(left, 100)) + 1)
    }
    return true
  }

  /// Reads until the program ends; nil if it does not end within about ninety seconds.
  package func ending() -> Ending? {
    var timeout = 18_000
    var ending: Ending?
    while ending == nil {
      guard timeout > 0 else { return nil }
      timeout -= 1
      ending = processID > 0 ? programEnding : thread.ending
      if ending == nil, !read(within: 5) { poll(nil, 0, 5) }
    }
    while read(within: 0) {}
    return ending
  }

  private var programEnding: Ending? {
    var status: Int32 = 0
    guard waitpid(processID, &status, WNOHANG) != 0 else { return nil }
    return status & 0x7F == 0 ? .exit(status >> 8 & 0xFF) : .signal(status & 0x7F)
  }

  /// Whether the terminal's settings are the same as before the program.
  package var isAsFound: Bool {
    var now = termios()
    tcgetattr(slave, &now)
    return now.c_lflag == found.c_lflag && now.c_iflag == found.c_iflag && now.c_oflag == found.c_oflag
      && now.c_cflag == found.c_cflag
  }

  private func read(within milliseconds: Int32) -> Bool {
    var polled = pollfd(fd: master, events: Int16(POLLIN), revents: 0)
    guard master >= 0, poll(&polled, 1, milliseconds) > 0 else { return false }
    var buffer = [UInt8](repeating: 0, count: 4_096)
    let count = Glibc.read(master, &buffer, buffer.count)
    bytes += buffer.prefix(max(0, count))
    return count > 0
  }
}

/// A part of this process on a thread of its own.
private final class PartOfProcess: Sendable {
  private let end = Lock<PseudoTerminal.Ending?>(nil)

  var ending: PseudoTerminal.Ending? { end.withLock(\.self) }

  func run(_ body: @escaping @Sendable () throws -> PseudoTerminal.Ending) {
    Thread.detachNewThread { [self] in
      let ending = (try? body()) ?? .exit(-1)
      end.withLock { $0 = ending }
    }
  }
}

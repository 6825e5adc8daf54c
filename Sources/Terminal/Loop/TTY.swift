internal import CRestore
internal import Glibc

/// The controlling terminal, through its own non-blocking file description, so that descriptors 0 to 2 are
/// unaffected.
package struct TTY: ~Copyable {
  let descriptor: Int32
  private let path: String
  /// Whether the terminal controlled our jobs when it was opened.
  private let controlsJobs: Bool

  /// - Throws: If the path cannot be opened or is not a terminal.
  package init(path: String = "/dev/tty") throws(SystemError) {
    descriptor = try TTY.open(path)
    self.path = path
    controlsJobs = tcgetpgrp(descriptor) != -1
  }

  private static func open(_ path: String) throws(SystemError) -> Int32 {
    let descriptor = try SystemCall.check("open \(path)") {
      Glibc.open(path, O_RDWR | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
    }
    if isatty(descriptor) != 0 { return descriptor }
    let code = errno
    close(descriptor)
    throw SystemError(operation: "use \(path) as a terminal", code: code)
  }

  deinit { close(descriptor) }

  /// The size in columns and rows, limited to what fits on any screen; 80 × 24 if the terminal does not report it.
  package var size: Size {
    var size = winsize()
    guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else {
      return Size(columns: 80, rows: 24)
    }
    return Size(columns: min(Int(size.ws_col), 2_000), rows: min(Int(size.ws_row), 1_000))
  }

  /// The number of unread bytes of input; 0 if unknown.
  var waitingByteCount: Int {
    var count: Int32 = 0
    return ioctl(descriptor, UInt(FIONREAD), &count) == 0 ? Int(count) : 0
  }

  /// Whether this process may draw: it is in the terminal's foreground group, or the terminal never controlled its
  /// jobs. A terminal that controlled them before has lost the shell that owned the session.
  var isInForeground: Bool {
    let foreground = tcgetpgrp(descriptor)
    return foreground == getpgrp() || foreground == -1 && !controlsJobs
  }

  var settings: termios {
    get throws(SystemError) {
      var settings = termios()
      try SystemCall.check("read the settings of \(path)") { tcgetattr(descriptor, &settings) }
      return settings
    }
  }

  /// - Parameter action: One of `tcsetattr`.
  func set(_ settings: termios, _ action: Int32) throws(SystemError) {
    var settings = settings
    try SystemCall.check("change the settings of \(path)") { tcsetattr(descriptor, action, &settings) }
  }
}

extension termios {
  /// Whether Enter arrives as a newline.
  var turnsReturnIntoNewline: Bool { c_iflag & tcflag_t(ICRNL) != 0 }

  /// Raw mode: every key is delivered immediately, output is not processed, and no key generates a signal.
  var raw: termios {
    var raw = self
    cfmakeraw(&raw)
    withUnsafeMutableBytes(of: &raw.c_cc) { ($0[Int(VMIN)], $0[Int(VTIME)]) = (1, 0) }
    return raw
  }
}

/// Non-blocking reads and writes.
extension TTY {
  enum Transfer: Equatable {
    case count(Int)
    /// No bytes can be transferred now.
    case blocked
    /// The terminal is gone: end of file or an I/O error.
    case hangup
  }

  func read(into buffer: inout [UInt8]) -> Transfer {
    transfer(endsAtZero: true) { Glibc.read(descriptor, &buffer, buffer.count) }
  }

  /// Writes a prefix of `bytes`.
  func write(_ bytes: ArraySlice<UInt8>) -> Transfer {
    transfer(endsAtZero: false) {
      bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
    }
  }

  private func transfer(endsAtZero: Bool, _ call: () -> Int) -> Transfer {
    do throws(SystemError) {
      let count = try SystemCall.check("exchange data with the terminal", call)
      return count == 0 && endsAtZero ? .hangup : .count(count)
    } catch {
      return error.code == EAGAIN ? .blocked : .hangup
    }
  }
}

/// A system call that failed.
package struct SystemError: Error, Equatable, CustomStringConvertible {
  package let operation: String
  package let code: Int32

  package var description: String { "cannot \(operation): \(String(cString: strerror(code)))" }
}

enum SystemCall {
  /// Repeats a call that was interrupted by a signal, and throws if the result is −1.
  @discardableResult
  static func check<Value: SignedInteger>(
    _ operation: @autoclosure () -> String, _ call: () -> Value
  ) throws(SystemError) -> Value {
    while true {
      let value = call()
      if value != -1 { return value }
      let code = errno
      if code != EINTR { throw SystemError(operation: operation(), code: code) }
    }
  }
}

/// Restores the terminal after a crash: a segmentation fault, a trap, an abort or SIGQUIT. The signal is then
/// handled as before, so that exit status and backtrace are those of the crash.
package enum Restore {
  /// Enables crash handling on the calling thread, even for a stack overflow. The UI loop calls this on its own thread;
  /// call it on the main thread as well if that is a different one.
  package static func prepareThread() { crestore_prepare_thread() }

  /// Must be called before the terminal is changed.
  static func arm(_ tty: borrowing TTY, leaving: String) {
    let bytes = Array(leaving.utf8)
    let isArmed = crestore_arm(tty.descriptor, bytes, bytes.count)
    assert(isArmed, "the leaving sequence exceeds CRESTORE_CAPACITY")
  }

  /// Must be called before another mode is set.
  static func replace(leaving: String) {
    let bytes = Array(leaving.utf8)
    let isReplaced = crestore_replace(bytes, bytes.count)
    assert(isReplaced, "the leaving sequence exceeds CRESTORE_CAPACITY")
  }

  /// False before `arm`, and once the terminal is being restored.
  static var isArmed: Bool { crestore_is_armed() }

  /// Returns true to exactly one caller, which has to restore the terminal now.
  static func take() -> Bool { crestore_take() }
}

/// A terminal that the program has taken over. It is in raw mode with the program's modes set. If the program owns its
/// process, a crash restores the terminal.
struct TakenTerminal: ~Copyable {
  private static let exitTimeout = Duration.milliseconds(100)

  let tty: TTY
  private let ownsProcess: Bool
  /// Whether the terminal is taken over, in a run that does not own its process.
  private var isTaken = false
  var modes: TerminalModes
  var parser = InputParser()
  var output = OutputQueue()
  /// The settings to restore.
  private var found = termios()
  /// The number of unread bytes that were typed before raw mode was set.
  private var typedAhead = 0
  /// The time until which to wait for answers to the initial queries.
  private var answersExpected = ContinuousClock.now
  private var buffer = [UInt8](repeating: 0, count: 4_096)
  /// What was typed while the position of the cursor was awaited.
  private var unread: [UInt8] = []

  /// Creates a terminal that is not taken over yet. After `take`, `giveBack` must be called to restore it.
  init(_ tty: consuming TTY, _ modes: TerminalModes, ownsProcess: Bool = true) {
    self.tty = tty
    self.modes = modes
    self.ownsProcess = ownsProcess
  }

  /// Whether a crash on another thread has restored the terminal.
  var isRestoredByCrash: Bool { ownsProcess && !Restore.isArmed }

  /// Returns true to exactly one caller, which has to restore the terminal now.
  private mutating func isToBeRestored() -> Bool {
    guard ownsProcess else {
      defer { isTaken = false }
      return isTaken
    }
    return Restore.take()
  }

  /// - Throws: If the terminal rejects its settings, in which case it is unchanged.
  mutating func take(sending queries: String = "") throws(SystemError) {
    found = try tty.settings
    modes.place = modes.height == nil ? .screen : .asked
    if ownsProcess { Restore.arm(tty, leaving: modes.leaving) }
    isTaken = true
    do throws(SystemError) { try tty.set(found.raw, TCSADRAIN) } catch {
      _ = isToBeRestored()
      throw error
    }
    typedAhead = found.turnsReturnIntoNewline ? tty.waitingByteCount : 0
    if let height = modes.height { findPlace(height) }
    if !queries.isEmpty { answersExpected = .now + .milliseconds(500) }
    output.append(modes.entering(rows: tty.size.rows, sending: queries).utf8)
  }

  /// Restores the terminal, unless a crash did. Waits up to 100 ms for the terminal to accept the bytes, and
  /// up to 100 ms for answers to queries, so that none reach the shell.
  ///
  /// - Parameters:
  ///   - isGone: Whether the terminal is gone, so that nothing is awaited or drawn.
  ///   - dropsInput: Whether to discard unread input even if all answers have arrived.
  mutating func giveBack(isGone: Bool = false, dropsInput: Bool = false) {
    guard isToBeRestored() else { return }
    if !isGone { _ = output.flush(to: tty) }
    output.removeAll()
    output.append(modes.leaving.utf8)
    let isWritten = flush(by: isGone ? .now : .now + Self.exitTimeout)
    let deadline = ContinuousClock.now + Self.exitTimeout
    while !isGone, !modes.isFenceSeen, .now < answersExpected, let answers = answers(by: deadline) {
      for answer in answers { _ = modes.adopt(answer) }
    }
    let isQuiet = modes.isFenceSeen && !dropsInput
    try? tty.set(found, isGone || !isWritten ? TCSANOW : isQuiet ? TCSADRAIN : TCSAFLUSH)
  }

  /// Applies an answer. The resulting sequences are written with the next output.
  mutating func adopt(_ answer: Answer) {
    let bytes = modes.adopt(answer)
    if ownsProcess { Restore.replace(leaving: modes.leaving) }
    output.append(bytes.utf8)
  }

  var hasUnreadBytes: Bool { !unread.isEmpty }

  /// The bytes that have arrived, at most 4,096; empty if there are none, nil if the terminal is gone.
  mutating func read() -> ArraySlice<UInt8>? {
    guard unread.isEmpty else {
      defer { unread = [] }
      return unread[...]
    }
    return readNew()
  }

  private mutating func readNew() -> ArraySlice<UInt8>? {
    switch tty.read(into: &buffer) {
    case .blocked: return []
    case .hangup: return nil
    case .count(let count):
      restoreReturns(in: count)
      return buffer[..<count]
    }
  }

  /// If Enter was typed before raw mode was set, the terminal turned it into a newline (ICRNL), which would
  /// be read as Ctrl-J.
  private mutating func restoreReturns(in count: Int) {
    guard typedAhead > 0 else { return }
    for index in 0..<min(typedAhead, count) where buffer[index] == UInt8(ascii: "\n") {
      buffer[index] = UInt8(ascii: "\r")
    }
    typedAhead = max(0, typedAhead - count)
  }

  /// Reads the answers in the next input and drops other input. Nil if nothing arrives in time.
  mutating func answers(by deadline: ContinuousClock.Instant) -> [Answer]? {
    guard wait(for: POLLIN, until: deadline), let bytes = read() else { return nil }
    return parser.inputs(from: bytes).compactMap { if case .answer(let answer) = $0 { answer } else { nil } }
  }

  /// Returns whether everything was written in time.
  mutating func flush(by deadline: ContinuousClock.Instant) -> Bool {
    while output.flush(to: tty) {
      if output.isEmpty { return true }
      guard wait(for: POLLOUT, until: deadline) else { return false }
    }
    return false
  }

  private func wait(for event: Int32, until deadline: ContinuousClock.Instant) -> Bool {
    let left = deadline - .now
    guard left > .zero else { return false }
    var polled = pollfd(fd: tty.descriptor, events: Int16(event), revents: 0)
    return poll(&polled, 1, left.pollTimeout) > 0
  }
}

/// The lines below the prompt, on a terminal that reports the position of its cursor.
extension TakenTerminal {
  private static let cursorTimeout = Duration.milliseconds(500)

  /// The size of what the program draws on.
  var size: Size {
    let size = tty.size
    return modes.region.map { Size(columns: size.columns, rows: $0.rows) } ?? size
  }

  private mutating func findPlace(_ height: InlineHeight) {
    guard let cursor = cursorPosition() else { return use(.screen) }
    use(.lines(InlineRegion(height, below: cursor, screenRows: tty.size.rows)))
  }

  /// Finds the lines again after a resize.
  ///
  /// - Parameter row: The row of the region that the cursor was left on.
  mutating func followResize(cursorRow row: Int) {
    guard let region = modes.region, let height = modes.height else { return }
    let cursor = cursorPosition()
    use(.lines(region.moved(height, cursor: cursor, onRow: row, screenRows: tty.size.rows)))
  }

  private mutating func use(_ place: TerminalModes.Place) {
    modes.place = place
    if ownsProcess { Restore.replace(leaving: modes.leaving) }
    if let region = modes.region { output.append(region.reserving.utf8) }
  }

  /// Asks the terminal for the position of its cursor. What is typed meanwhile is read afterwards.
  ///
  /// - Returns: Nil if it does not answer in time.
  private mutating func cursorPosition() -> Frame.Position? {
    let deadline = ContinuousClock.now + Self.cursorTimeout
    output.append(ControlSequence.queryCursor.utf8)
    guard flush(by: deadline) else { return nil }
    while wait(for: POLLIN, until: deadline), let bytes = readNew() {
      unread += bytes
      if let position = Self.takePosition(from: &unread) { return position }
    }
    return nil
  }

  /// Removes a report of the cursor's position (CPR, `ESC [ row ; column R`).
  static func takePosition(from bytes: inout [UInt8]) -> Frame.Position? {
    var start = bytes.startIndex
    while let escape = bytes[start...].firstIndex(of: ASCII.escape) {
      start = escape + 1
      guard let end = bytes[start...].firstIndex(of: UInt8(ascii: "R")), bytes[start] == UInt8(ascii: "[")
      else { continue }
      let numbers = bytes[start + 1..<end].split(separator: UInt8(ascii: ";")).map {
        Int(String(decoding: $0, as: UTF8.self))
      }
      guard numbers.count == 2, let row = numbers[0], let column = numbers[1], row > 0, column > 0 else {
        continue
      }
      bytes.removeSubrange(escape...end)
      return Frame.Position(column: column - 1, row: row - 1)
    }
    return nil
  }
}

extension Duration {
  /// Milliseconds for `poll`, rounded up so that the deadline has passed when it returns.
  var pollTimeout: Int32 {
    let (seconds, attoseconds) = components
    let milliseconds = seconds * 1_000 + (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000
    return Int32(clamping: milliseconds)
  }
}

/// Buffers output for the terminal, so that keys can be read while a slow terminal accepts it in parts.
struct OutputQueue {
  private var bytes: [UInt8] = []
  private var sent = 0

  var isEmpty: Bool { sent == bytes.count }

  mutating func append(_ text: some Sequence<UInt8>) { bytes.append(contentsOf: text) }

  mutating func removeAll() {
    bytes.removeAll(keepingCapacity: true)
    sent = 0
  }

  /// Writes as much as the terminal accepts now. Returns false if the terminal is gone.
  mutating func flush(to tty: borrowing TTY) -> Bool {
    while !isEmpty {
      switch tty.write(bytes[sent..<portionEnd]) {
      case .count(let count): sent += count
      case .blocked: return true
      case .hangup: return false
      }
    }
    removeAll()
    return true
  }

  /// Linux passes a write of up to this many bytes to a terminal in one piece (the page size of its terminal
  /// buffers).
  private static let portion = 1_792

  /// The end of the next write: before a sequence, so that a terminal that draws after each read does not
  /// draw part of a cluster.
  var portionEnd: Int {
    let limit = sent + OutputQueue.portion
    guard limit < bytes.count else { return bytes.count }
    return bytes[sent + 1..<limit].lastIndex(of: ASCII.escape) ?? limit
  }
}

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

  /// Columns and rows; 80 × 24 if the terminal does not report them.
  package var size: Size {
    var size = winsize()
    guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else {
      return Size(columns: 80, rows: 24)
    }
    return Size(columns: Int(size.ws_col), rows: Int(size.ws_row))
  }

  /// The number of unread bytes of input; 0 if unknown.
  var waitingByteCount: Int {
    var count: Int32 = 0
    return ioctl(descriptor, UInt(FIONREAD), &count) == 0 ? Int(count) : 0
  }

  /// Whether this process may draw: it is in the terminal's foreground group, or the terminal never
  /// controlled its jobs. A terminal that no longer does has lost the shell that owned the session.
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

  enum Moment {
    /// After pending output is written.
    case drained
    /// After pending output is written, discarding unread input.
    case flushed
    case now
  }

  func set(_ settings: termios, _ moment: Moment) throws(SystemError) {
    var settings = settings
    let action =
      switch moment {
      case .drained: TCSADRAIN
      case .flushed: TCSAFLUSH
      case .now: TCSANOW
      }
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
    withUnsafeMutableBytes(of: &raw.c_cc) { codes in
      codes[Int(VMIN)] = 1
      codes[Int(VTIME)] = 0
    }
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

  /// Reads into the start of `buffer`.
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

/// A failed system call.
package struct SystemError: Error, Equatable, CustomStringConvertible {
  /// The failed operation: the call and its object.
  package let operation: String
  package let code: Int32

  package var description: String { "cannot \(operation): \(String(cString: strerror(code)))" }
}

/// System calls that are repeated when a signal interrupts them.
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
  /// Enables crash handling on the calling thread, even for a stack overflow. The UI loop does so for its own
  /// thread; the main thread should, if it is another one.
  package static func prepareThread() {
    crestore_prepare_thread()
  }

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

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

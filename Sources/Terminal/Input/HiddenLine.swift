internal import Glibc

/// Reads a line from the controlling terminal without showing it, like `getpass(3)`.
package enum HiddenLine: Equatable {
  /// The bytes typed until Enter or Ctrl-D.
  case typed([UInt8])
  /// The user pressed Ctrl-C or Ctrl-\.
  case canceled
  /// The process received this signal, or lost its terminal (SIGHUP).
  case interrupted(by: Int32)

  /// Echo is off before the question appears, and the terminal is restored before this returns, even after an error.
  /// Keys typed before the question or after the line are dropped; otherwise the shell would run them.
  ///
  /// - Parameter limit: The number of bytes after which reading ends.
  /// - Throws: If the process has no terminal, or its settings cannot be changed.
  package static func read(asking question: String, atMost limit: Int) throws(SystemError) -> HiddenLine {
    let tty = try TTY()
    let signals = try SignalPipe()
    let found = try tty.settings
    Restore.arm(tty, leaving: "")
    defer { if Restore.take() { try? tty.set(found, TCSAFLUSH) } }
    try tty.set(found.hidden, TCSAFLUSH)
    show(question, on: tty)
    let line = try line(from: tty, signals, atMost: limit)
    show("\n", on: tty)
    return line
  }

  private static func line(
    from tty: borrowing TTY, _ signals: borrowing SignalPipe, atMost limit: Int
  ) throws(SystemError) -> HiddenLine {
    var line: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1_024)
    while line.count < limit {
      var polled = [tty.descriptor, signals.descriptor].map {
        pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
      }
      poll(&polled, 2, -1)
      for signal in signals.drain() {
        switch signal {
        case SIGINT, SIGTERM, SIGHUP: return .interrupted(by: signal)
        // A shell may have changed the settings while the process was stopped.
        case SIGCONT: try tty.set(tty.settings.hidden, TCSANOW)
        default: break
        }
      }
      switch tty.read(into: &buffer) {
      case .blocked: continue
      case .hangup: return .interrupted(by: SIGHUP)
      case .count(let count):
        for byte in buffer[..<count] {
          switch byte {
          case UInt8(ascii: "\n"), UInt8(ascii: "\r"), 0x04: return .typed(line)
          // Ctrl-C and Ctrl-\.
          case 0x03, 0x1C: return .canceled
          case 0x08, 0x7F: _ = line.popLast()
          // Ctrl-U.
          case 0x15: line = []
          default: line.append(byte)
          }
        }
      }
    }
    return .typed(line)
  }

  private static func show(_ text: String, on tty: borrowing TTY) {
    var output = OutputQueue()
    output.append(text.utf8)
    while output.flush(to: tty), !output.isEmpty {
      var polled = pollfd(fd: tty.descriptor, events: Int16(POLLOUT), revents: 0)
      poll(&polled, 1, -1)
    }
  }
}

extension termios {
  /// Keys are delivered one by one, none is shown, and none generates a signal.
  fileprivate var hidden: termios {
    var hidden = self
    hidden.c_lflag &= ~tcflag_t(ECHO | ECHONL | ICANON | ISIG)
    withUnsafeMutableBytes(of: &hidden.c_cc) { ($0[Int(VMIN)], $0[Int(VTIME)]) = (1, 0) }
    return hidden
  }
}

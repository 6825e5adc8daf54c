import Glibc

/// The controlling terminal as lent to programs, each of which is in the foreground until it exits, as a job of a shell.
struct ForegroundTerminal {
  private let terminal: Int32
  private let settings: termios

  /// Nil if there is no controlling terminal.
  init?() {
    terminal = open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY)
    var settings = termios()
    guard terminal >= 0, tcgetattr(terminal, &settings) == 0 else {
      if terminal >= 0 { Glibc.close(terminal) }
      return nil
    }
    self.settings = settings
  }

  func close() { Glibc.close(terminal) }

  func print(_ text: String) { try? Descriptor(terminal).write(Array(text.utf8)) }

  /// Runs a program on the terminal, and restores the settings that it leaves behind.
  ///
  /// - Parameter stop: Stops this process group; called when the program is stopped (Ctrl-Z), which continues when this
  ///   group does.
  /// - Returns: The exit status; 128 plus the number of the signal if one ended it.
  func run(_ words: [String], _ stop: () -> Void) throws(ChildProgram.RunError) -> Int32 {
    // swift-subprocess does not report that a program was stopped.
    let streams = ChildProgram.Streams(input: terminal, output: terminal, messages: terminal)
    let program = try ChildProgram.spawn(words, streams, leadsGroup: true)
    lend(to: program)
    defer {
      lend(to: getpgrp())
      restore(settings)
    }
    var status: Int32 = 0
    while true {
      let found = waitpid(program, &status, WUNTRACED)
      if found < 0, errno == EINTR { continue }
      // The low byte of a program that was stopped; the next one is the signal.
      guard found == program, status & 0xFF == 0x7F else { break }
      let signal = status >> 8 & 0xFF
      // It used the terminal before it was in the foreground.
      if signal != SIGTTIN, signal != SIGTTOU {
        var left = termios()
        tcgetattr(terminal, &left)
        lend(to: getpgrp())
        restore(settings)
        stop()
        restore(left)
      }
      lend(to: program)
      kill(-program, SIGCONT)
    }
    return ChildProgram.exitStatus(status)
  }

  /// Waits for Enter, the end of the terminal, or a signal; a new size of the window is noted afterwards.
  func waitForEnter() {
    var polled = pollfd(fd: terminal, events: Int16(POLLIN), revents: 0)
    var isReady = false
    blocking([SIGWINCH, SIGCONT]) { isReady = poll(&polled, 1, -1) > 0 }
    guard isReady else { return }
    var line = [UInt8](repeating: 0, count: 4_096)
    _ = read(terminal, &line, line.count)
  }

  /// Puts a process group into the foreground.
  private func lend(to group: pid_t) { blocking([SIGTTOU]) { _ = tcsetpgrp(terminal, group) } }

  private func restore(_ settings: termios) {
    var settings = settings
    blocking([SIGTTOU]) { _ = tcsetattr(terminal, TCSADRAIN, &settings) }
  }

  /// Blocks signals meanwhile: by SIGTTOU, a group in the background that changes the terminal is stopped.
  private func blocking(_ signals: [Int32], _ body: () -> Void) {
    var (mask, before) = (sigset_t(), sigset_t())
    sigemptyset(&mask)
    for signal in signals { sigaddset(&mask, signal) }
    pthread_sigmask(SIG_BLOCK, &mask, &before)
    body()
    pthread_sigmask(SIG_SETMASK, &before, nil)
  }
}

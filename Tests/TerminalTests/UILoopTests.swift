import Glibc
import TestSupport
import Testing

@testable import Terminal

/// Tests the whole loop in a real terminal, controlled by the tests.
@Suite(.takesTurns, .serialized, .timeLimit(.minutes(1))) struct UILoopTests {
  private static let leaving = TerminalModes.leavingPicture

  @Test func `The first frame is drawn before the terminal answers.`() throws {
    let terminal = try PseudoTerminal("TerminalTestProgram")
    #expect(terminal.waits(for: "0 of 100000"))
    #expect(terminal.output.hasPrefix("␛[?1049h␛[22;0t␛[?2026$p"))
    #expect(terminal.output.contains("␛[c␛[?7l␛[?2004h␛[?1004h␛[?25l␛[m␛[r␛[?7l␛[2J"))
    #expect(!terminal.isAsFound)
  }

  @Test func `The program learns that its first frame is shown, before any key.`() throws {
    let terminal = try PseudoTerminal("TerminalTestProgram", typedAhead: "x")
    #expect(terminal.waits(for: "0 of 100000"))
    terminal.type("B")
    #expect(terminal.waits(for: "resized learned drawn shown"))
  }

  @Test func `A key redraws only what it changes.`() throws {
    let terminal = try PseudoTerminal("TerminalTestProgram")
    #expect(terminal.waits(for: "0 of 100000"))
    terminal.type("␛[B")
    #expect(terminal.waits(for: "down"))
    #expect(!terminal.output.components(after: "0 of 100000").contains("row2"))
  }

  @Test func `A lone Esc is a key when nothing follows.`() throws {
    let terminal = try PseudoTerminal("TerminalTestProgram")
    #expect(terminal.waits(for: "0 of 100000"))
    terminal.type("␛")
    #expect(terminal.waits(for: "esc"))
  }

  @Test
  func `[D61] Keys typed before the program has the terminal are handled in order, with Enter as Enter.`()
    throws
  {
    let terminal = try PseudoTerminal("TerminalTestProgram", typedAhead: "x\r")
    #expect(terminal.waits(for: "enter"))
    #expect(!terminal.output.contains("ctrl-j"))
    terminal.type("\n")
    #expect(terminal.waits(for: "ctrl-j"))
  }

  @Test func `A wake from another thread draws the changes.`() throws {
    let terminal = try PseudoTerminal("TerminalTestProgram")
    #expect(terminal.waits(for: "0 of 100000"))
    terminal.type("A")
    #expect(terminal.waits(for: "answer 1"))
  }

  @Test func `A frame is drawn in a new size.`() throws {
    let terminal = try PseudoTerminal("TerminalTestProgram")
    #expect(terminal.waits(for: "0 of 100000"))
    terminal.resize(columns: 60, rows: 20)
    #expect(terminal.waits(for: "␛[20;2H␛[2m0 of 100000␛[m"))
    terminal.type("j")
    #expect(terminal.waits(for: "␛[41G"))
  }

  @Test func `Abilities that the terminal reports are used, and reset on leaving.`() throws {
    let terminal = try PseudoTerminal("TerminalTestProgram")
    #expect(terminal.waits(for: "0 of 100000"))
    terminal.type("␛[?2026;2$y␛[?2027;2$y␛[?2004;1$y␛[?1u␛[?62c")
    #expect(terminal.waits(for: "␛[>5u"))
    terminal.type("j")
    #expect(terminal.waits(for: "␛[?2026l"))
    #expect(terminal.output.contains("␛[?2027h"))
    terminal.type("q")
    #expect(terminal.ending() == .exit(0))
    #expect(terminal.output.contains("␛[<1u"))
    #expect(terminal.output.contains("␛[?2027l"))
    #expect(!terminal.output.contains("␛[?2004l"))
  }

  @Test func `The mouse is captured while the program requests it, even after a resize.`() throws {
    let terminal = try PseudoTerminal("TerminalTestProgram")
    #expect(terminal.waits(for: "0 of 100000"))
    #expect(!terminal.output.contains("␛[?1000"))
    terminal.type("%")
    #expect(terminal.waits(for: "␛[?1000h␛[?1006h"))
    terminal.resize(columns: 60, rows: 20)
    #expect(terminal.waits(for: "0 of 100000"))
    terminal.type("%")
    #expect(terminal.waits(for: "␛[?1000l␛[?1006l"))
  }

  @Test func `A copy is sent once, whatever is drawn afterwards.`() throws {
    let terminal = try PseudoTerminal("TerminalTestProgram")
    #expect(terminal.waits(for: "0 of 100000"))
    terminal.type("C")
    let isCopied: (PseudoTerminal) -> Bool = {
      $0.output.contains("␛]52;c;Y29weSAx␛\\") && $0.output.contains("copied")
    }
    #expect(terminal.waits(atMost: .seconds(90), until: isCopied))
    terminal.resize(columns: 60, rows: 20)
    #expect(terminal.waits(for: "0 of 100000"))
    terminal.type("C")
    #expect(terminal.waits(for: "␛]52;c;Y29weSAy␛\\"))
    terminal.type("q")
    #expect(terminal.ending() == .exit(0))
    #expect(terminal.output.ranges(of: "]52;").count == 2)
  }

  @Test func `The program receives the terminal's background and its changes.`() throws {
    let terminal = try PseudoTerminal("TerminalTestProgram")
    #expect(terminal.waits(for: "0 of 100000"))
    terminal.type("␛[?2031;2$y␛]11;rgb:ffff/ffff/dddd␛\\␛[?62c")
    #expect(terminal.waits(for: "light ground"))
    #expect(terminal.output.contains("␛[?2031h"))
    terminal.type("␛[?997;1n")
    #expect(terminal.waits(for: "dark"))
    terminal.type("q")
    #expect(terminal.ending() == .exit(0))
    #expect(terminal.output.contains("␛[?2031l"))
  }

  @Test(arguments: [("q", PseudoTerminal.Ending.exit(0)), ("\u{1C}", .signal(SIGQUIT))])
  func `Leaving with a key restores the terminal.`(key: String, ending: PseudoTerminal.Ending) throws {
    let terminal = try PseudoTerminal("TerminalTestProgram")
    #expect(terminal.waits(for: "0 of 100000"))
    terminal.type(key)
    #expect(terminal.ending() == ending)
    #expect(terminal.output.hasSuffix(Self.leaving))
    #expect(terminal.isAsFound)
  }

  @Test(arguments: [["\u{1C}"], ["\u{3}", "\u{3}", "\u{3}"], ["␛[99;5u␛[99;5u␛[99;5u"]])
  func `A paste that does not end does not prevent leaving.`(keys: [String]) throws {
    let terminal = try PseudoTerminal("TerminalTestProgram")
    #expect(terminal.waits(for: "0 of 100000"))
    terminal.type("␛[B␛[200~abc")
    #expect(terminal.waits(for: "down"))
    for key in keys { terminal.type(key) }
    #expect(terminal.ending() == .signal(keys == ["\u{1C}"] ? SIGQUIT : SIGINT))
    #expect(terminal.isAsFound)
  }

  @Test(arguments: [SIGTERM, SIGINT, SIGHUP, SIGQUIT, SIGSEGV, SIGABRT, SIGBUS, SIGILL, SIGTRAP, SIGFPE])
  func `A signal or a crash restores the terminal and ends the program with that signal.`(signal: Int32)
    throws
  {
    let terminal = try PseudoTerminal("TerminalTestProgram")
    #expect(terminal.waits(for: "0 of 100000"))
    terminal.signal(signal)
    #expect(terminal.ending() == .signal(signal))
    #expect(terminal.output.hasSuffix(Self.leaving))
    #expect(terminal.isAsFound)
  }

  @Test(arguments: [("S", SIGSEGV), ("T", SIGILL), ("O", SIGSEGV)])
  func `A fault in the program itself restores the terminal.`(key: String, signal: Int32) throws {
    let terminal = try PseudoTerminal("TerminalTestProgram")
    #expect(terminal.waits(for: "0 of 100000"))
    terminal.type(key)
    #expect(terminal.ending() == .signal(signal))
    #expect(terminal.output.hasSuffix(Self.leaving))
    #expect(terminal.isAsFound)
  }

  @Test func `Suspending without a shell to continue the program takes the terminal back.`() throws {
    let terminal = try PseudoTerminal("TerminalTestProgram")
    #expect(terminal.waits(for: "0 of 100000"))
    terminal.type("\u{1A}")
    let isBack: (PseudoTerminal) -> Bool = { terminal in
      guard let left = terminal.output.ranges(of: "␛[?1049l").last else { return false }
      return terminal.output[left.upperBound...].contains("0 of 100000")
    }
    #expect(terminal.waits(atMost: .seconds(90), until: isBack))
    terminal.type("q")
    #expect(terminal.ending() == .exit(0))
    #expect(terminal.isAsFound)
  }

  @Test func `When the terminal goes away, the program ends at once, as with SIGHUP.`() throws {
    let terminal = try PseudoTerminal("TerminalTestProgram")
    #expect(terminal.waits(for: "0 of 100000"))
    terminal.hangUp()
    #expect(terminal.ending() == .signal(SIGHUP))
  }

  @Test func `[D59] A program whose shell was killed draws nothing over the next prompt and ends.`() throws {
    let shell = "/bin/bash --norc --noprofile -i"
    let terminal = try PseudoTerminal("/bin/bash", arguments: ["--norc", "--noprofile", "-i"], rows: 24)
    terminal.type("PS1='outer> '; \(shell)\r")
    terminal.type(
      "PS1='inner> '; echo SHELL:$$.; sh -c 'echo PROGRAM:$$.; exec \(PseudoTerminal.folder)TerminalTestProgram'\r"
    )
    #expect(terminal.waits(for: "0 of 100000"))
    let shellID = try #require(terminal.number(after: "SHELL:"))
    let programID = try #require(terminal.number(after: "PROGRAM:"))
    terminal.type("F")
    #expect(terminal.waits(for: "answer"))
    kill(shellID, SIGKILL)
    #expect(terminal.waits(for: "outer> "))
    let prompt = terminal.output.endIndex
    #expect(terminal.waits(atMost: .seconds(90)) { _ in !PseudoTerminal.isRunning(programID) })
    terminal.type("echo $((40 + 2)) again\r")
    #expect(terminal.waits(for: "42 again"))
    #expect(!terminal.output[prompt...].contains("answer"))
  }

  @Test func `A terminal without queries gets none, and its screen is cleared at the end.`() throws {
    let terminal = try PseudoTerminal("TerminalTestProgram", term: "linux")
    #expect(terminal.waits(for: "0 of 100000"))
    #expect(terminal.output.hasPrefix("␛[?7l␛[?25l␛[m␛[r"))
    terminal.type("q")
    #expect(terminal.ending() == .exit(0))
    #expect(terminal.output.hasSuffix("␛[m␛[r␛[2J␛[?7h␛[?25h"))
    #expect(terminal.isAsFound)
  }

  @Test func `A missing or unusable terminal is an error that names it.`() {
    let missing = #expect(throws: SystemError.self) { _ = try TTY(path: "/nowhere/tty") }
    #expect(missing?.description == "cannot open /nowhere/tty: No such file or directory")
    let file = #expect(throws: SystemError.self) { _ = try TTY(path: "/dev/null") }
    #expect(file?.description == "cannot use /dev/null as a terminal: Inappropriate ioctl for device")
  }
}

extension TerminalModes {
  /// The final output to a terminal that answers nothing.
  fileprivate static var leavingPicture: String {
    let options = TerminalOptions(environment: ["TERM": "xterm"])
    return options.map { TerminalModes($0).leaving.replacing("\u{1B}", with: "␛") } ?? ""
  }
}

extension PseudoTerminal {
  /// The number after a text, up to a period.
  fileprivate func number(after text: String) -> Int32? {
    output.ranges(of: text).lazy.compactMap { Int32(self.output[$0.upperBound...].prefix { $0 != "." }) }
      .first
  }

  /// Whether a process is running; false even for a process that has ended but was not waited for.
  fileprivate static func isRunning(_ processID: Int32) -> Bool {
    guard let file = fopen("/proc/\(processID)/stat", "r") else { return false }
    defer { fclose(file) }
    var buffer = [CChar](repeating: 0, count: 512)
    let count = fread(&buffer, 1, buffer.count, file)
    let state = String(decoding: buffer.prefix(count).map(UInt8.init(bitPattern:)), as: UTF8.self)
    return state.split(separator: ")").last?.hasPrefix(" Z") == false
  }
}

extension String {
  fileprivate func components(after text: String) -> Substring {
    firstRange(of: text).map { self[$0.upperBound...] } ?? ""
  }
}

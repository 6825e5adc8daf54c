import Demo
import Foundation
import Glibc
import TestSupport
import Testing

/// Tests actions that run programs in a real pseudo-terminal.
@Suite(.takesTurns, .serialized, .timeLimit(.minutes(3))) struct ProgramSessionTests {
  private func session(_ settings: String, _ body: (PseudoTerminal) throws -> Void) async throws {
    let server = try await DemoServer.start()
    try await withFile("config.toml", settings) { config in
      let terminal = try PseudoTerminal(
        "riffle", arguments: ["unicode", "arrow", "--config", config, "--set", "server=\(server.baseURL)"],
        columns: 100, rows: 14, environment: ["HOME=/dev/null", "PATH=/usr/bin:/bin"])
      #expect(terminal.shows("q: quit"))
      try body(terminal)
      terminal.type("q")
      #expect(terminal.ending() == .exit(0))
      #expect(terminal.isAsFound)
    }
    try await server.stop()
  }

  @Test func `A program runs behind the screen for the row and for marked rows, and its output is a popup.`()
    async throws
  {
    let settings = """
      [actions.say]
      key = "e"
      run = ["echo", "<{code_point}>"]
      [actions.list]
      key = "s"
      run = ["ls", "--", "{name}"]
      """
    try await session(settings) { terminal in
      terminal.type(",e")
      #expect(terminal.waits(for: "say: done (\": output)"), "\(terminal.output.suffix(2_000))")
      terminal.type("\"")
      #expect(terminal.shows("echo '<U+02C2>'"))
      terminal.type("\"xx,e")
      #expect(terminal.waits(for: "say: done, 2 times"), "\(terminal.output.suffix(2_000))")
      terminal.type("\u{1B}a,s")
      #expect(terminal.waits(for: "list failed with status 2"), "\(terminal.output.suffix(2_000))")
      #expect(terminal.shows("output of list"))
      terminal.type("\"")
      #expect(terminal.shows("q: quit"))
    }
  }

  @Test func `A program gets the terminal with its keys and signals, and Enter returns to the rows.`()
    async throws
  {
    let settings = """
      [actions.edit]
      key = "e"
      run = ["sh", "-c", "stty -echo; read line; echo got-$line-$1; tty; exit 3", "sh", "{code_point}"]
      foreground = true
      """
    try await session(settings) { terminal in
      terminal.type(",e")
      #expect(terminal.waits(for: "␛[?1049l"))
      // Ctrl-Z stops it, and since no shell can continue riffle, it is continued at once.
      terminal.type("\u{1A}abc\r")
      #expect(terminal.waits(for: "got-abc-U+02C2"), "\(terminal.output.suffix(2_000))")
      #expect(terminal.waits(for: "riffle: status 3"))
      #expect(terminal.waits(for: "press Enter to return"))
      #expect(terminal.isAsFound)
      terminal.type("\r")
      #expect(terminal.waits(for: "edit failed with status 3"), "\(terminal.output.suffix(2_000))")
      terminal.forget()
      terminal.type("xx,e")
      #expect(terminal.waits(for: " sh U+02C2"), "\(terminal.output.suffix(2_000))")
      terminal.type("\u{3}")
      // The second row is left out.
      #expect(terminal.waits(for: "riffle: status 130"), "\(terminal.output.suffix(2_000))")
      #expect(terminal.waits(for: "press Enter to return"))
      terminal.type("\r")
      #expect(terminal.waits(for: "edit: 2 of 2 failed: status 130"), "\(terminal.output.suffix(2_000))")
      #expect(terminal.shows("q: quit"))
    }
  }
}

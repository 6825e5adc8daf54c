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
      try #require(terminal.shows("of 30 loaded"), "\(terminal.output.suffix(2_000))")
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
      try #require(terminal.shows("done (\": output)"), "\(terminal.output.suffix(2_000))")
      terminal.type("\"")
      #expect(terminal.shows("echo '<U+02C2>'"))
      terminal.type("\"xx,e")
      try #require(terminal.shows("done, 2 times"), "\(terminal.output.suffix(2_000))")
      terminal.type("\u{1B}a,s")
      try #require(terminal.shows("failed with status 2"), "\(terminal.output.suffix(2_000))")
      #expect(terminal.shows("output of list"))
      terminal.type("\"")
      #expect(terminal.shows("q: quit"))
    }
  }

  @Test
  func `[P7] Marked rows go into a command typed for them, whatever it does, and the screen stays whole.`()
    async throws
  {
    try await session("") { terminal in
      func step(_ keys: String, _ shown: String) throws {
        terminal.type(keys)
        try #require(terminal.shows(shown), "\(keys): \(terminal.output.suffix(2_000))")
      }
      try step("xxx", "3 marked")
      try step("|sed -n 's/.*\"name\": *\"\\([A-Z]*\\).*/<\\1>/p' | uniq -c | tr -s ' '\r", " 3 <MODIFIER>")
      try step("\"", "q: quit")
      try step("|no-such-program\r", "failed with status 127")
      #expect(terminal.shows("no-such-program: not found"))
      try step("\"", "q: quit")
      try step("|yes\r", "yes: running (Esc: stop)")
      try step("\u{3}", "yes: stopped")
      try step("|sleep 100\r", "sleep 100: running")
      try step("j", "3 marked")
      // Not by `shows`, whose key would be part of the sequence.
      terminal.type("y")
      #expect(terminal.waits(for: "u: link"))
      try step("t", "1–")
      try step("\u{3}", "sleep 100: stopped")
    }
  }

  @Test
  func `A source file elsewhere cannot run a program; adding the file shows the program, and allows it.`()
    async throws
  {
    let server = try ScriptedServer { _ in .json(#"[{"name": "one"}]"#) }
    defer { server.stop() }
    let document = """
      schema = 1
      id = "mine"
      request.url = "\(server.baseURL)"
      [actions.say]
      key = "e"
      run = ["echo", "{name}"]
      """
    try await withFile("mine.toml", document) { file in
      let home = URL(filePath: file).deletingLastPathComponent().path
      func check(_ source: String, _ message: String) {
        let terminal = try? Program.onTerminal(
          [source], columns: 120, rows: 12,
          environment: ["HOME=\(home)", "PATH=/usr/bin:/bin"])
        #expect(terminal?.shows("1 of 1") ?? false)
        terminal?.type(",e")
        #expect(terminal?.shows(message) ?? false, "\(terminal?.output.suffix(2_000) ?? "")")
        terminal?.type("q")
        #expect(terminal?.ending() == .exit(0))
      }
      check(file, "cannot run a program for source mine: it is not in your sources directory")
      let added = try await Program.run(["sources", "add", file, "--yes"], environment: ["HOME": home])
      #expect(added.errors.contains("source mine would run echo {name} (action say)"), "\(added)")
      check("mine", "say: done")
    }
  }

  @Test func `A program gets the terminal with its keys and signals, and Enter returns to the rows.`()
    async throws
  {
    let settings = """
      [actions.edit]
      key = "e"
      run = ["sh", "-c", "stty -echo; echo re''ady; read line; echo got-$line-$1; exit 3", "sh", "{code_point}"]
      foreground = true
      """
    try await session(settings) { terminal in
      func types(_ keys: String, _ parts: String...) throws {
        terminal.forget()
        terminal.type(keys)
        let isShown = terminal.waits(atMost: .seconds(30)) { terminal in
          parts.allSatisfy { terminal.output.contains($0) }
        }
        try #require(isShown, "\(parts): \(terminal.output.suffix(2_000))")
      }
      try types(",e", "␛[?1049l", "ready")
      // Ctrl-Z stops it, and since no shell can continue riffle, it is continued at once.
      try types("\u{1A}abc\r", "got-abc-U+02C2", "riffle: status 3", "press Enter to return")
      #expect(terminal.isAsFound)
      try types("\r", "edit failed with status 3")
      try types("xx,e", "␛[?1049l", "ready")
      // The second row is left out.
      try types("\u{3}", "riffle: status 130", "press Enter to return")
      try types("\r", "edit: 2 of 2 failed: status 130")
      #expect(terminal.shows("q: quit"))
    }
  }
}

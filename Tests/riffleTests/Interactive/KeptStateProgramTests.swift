import Demo
import Foundation
import TestSupport
import Testing

/// Tests what riffle keeps of a session: its columns for the source, and its tabs.
@Suite(.takesTurns, .serialized, .timeLimit(.minutes(3))) struct KeptStateProgramTests {
  private func session(
    _ arguments: [String], home: String, _ body: (PseudoTerminal) throws -> Void
  ) throws -> String {
    let terminal = try Program.onTerminal(
      arguments, columns: 100, rows: 14, environment: ["HOME=\(home)", "PATH=/usr/bin:/bin"])
    try body(terminal)
    terminal.type("Q")
    #expect(terminal.ending() == .exit(0))
    return terminal.output
  }

  private func withSource(_ body: (_ home: String, _ source: String) async throws -> Void) async throws {
    let server = try ScriptedServer { _ in
      .json(#"[{"name": "one", "stars": 3, "owner": {"login": "ann"}}, {"name": "two", "stars": 4}]"#)
    }
    defer { server.stop() }
    let document = """
      schema = 1
      id = "shop"
      request.url = "\(server.baseURL)"
      [[columns]]
      path = "name"
      title = "Thing"
      [[columns]]
      path = "stars"
      format = "number"
      """
    try await withFile("shop.toml", document) { file in
      try await body(URL(filePath: file).deletingLastPathComponent().path, file)
    }
  }

  @Test func `K keeps the shown columns for a source, in a file that it may replace.`() async throws {
    try await withFile("x", "") { file in
      let home = URL(filePath: file).deletingLastPathComponent().path
      let kept = "\(home)/.config/riffle/sources/unicode.toml"
      let server = try await DemoServer.start()
      func browse(_ body: (PseudoTerminal) throws -> Void) throws {
        _ = try session(["unicode", "arrow", "--set", "server=\(server.baseURL)"], home: home) { terminal in
          try #require(terminal.shows("of 30 loaded"), "\(terminal.output.suffix(2_000))")
          try body(terminal)
        }
      }
      try browse { terminal in
        terminal.type("l-K")
        try #require(
          terminal.waits(for: "for source Unicode characters? (y/N)"), "\(terminal.output.suffix(2_000))")
        terminal.type("y")
        try #require(terminal.shows("saved for source unicode"), "\(terminal.output.suffix(2_000))")
      }
      let text = try String(contentsOfFile: kept, encoding: .utf8)
      let checked = try await Program.run(["sources", "check", kept], environment: ["HOME": home])
      #expect(checked.status == 0, "\(checked) \(text)")
      try browse { terminal in
        terminal.type("l-Ky")
        try #require(terminal.shows("saved for source unicode"), "\(terminal.output.suffix(2_000))")
      }
      let less = try String(contentsOfFile: kept, encoding: .utf8)
      #expect(
        less.components(separatedBy: "[[columns]]").count == text.components(separatedBy: "[[columns]]").count
          - 1)
      // A file that the user has made their own is not touched.
      try less.split(separator: "\n").dropFirst().joined(separator: "\n")
        .write(toFile: kept, atomically: true, encoding: .utf8)
      try browse { terminal in
        terminal.type("Ky")
        try #require(terminal.shows("Paste them into"), "\(terminal.output.suffix(2_000))")
      }
      #expect(try !String(contentsOfFile: kept, encoding: .utf8).hasPrefix("#"))
      try await server.stop()
    }
  }

  @Test func `[U21] --restore without an earlier session says so, and lists the sources.`() async throws {
    try await withSource { home, _ in
      let terminal = try Program.onTerminal(
        ["--restore"], columns: 100, rows: 14, environment: ["HOME=\(home)", "PATH=/usr/bin:/bin"])
      try #require(terminal.shows(" sources"), "\(terminal.output.suffix(2_000))")
      terminal.type("q")
      #expect(terminal.ending() == .exit(0))
      #expect(terminal.output.contains("no earlier session to restore"))
    }
  }

  @Test func `--restore shows the tabs of the last session with their columns, filter and sort.`()
    async throws
  {
    try await withSource { home, source in
      _ = try session(
        [source, "-c", "owner.login,name", "--sort", "name:desc", "--filter", "name>a"], home: home
      ) {
        terminal in
        try #require(terminal.shows("2 of 2 rows match"), "\(terminal.output.suffix(2_000))")
      }
      let saved = try String(contentsOfFile: "\(home)/.local/state/riffle/tabs.json", encoding: .utf8)
      #expect(!saved.contains("ann"))
      let again = try session(["--restore"], home: home) { terminal in
        try #require(terminal.shows("2 of 2 rows match"), "\(terminal.output.suffix(2_000))")
      }
      #expect(again.contains("OWNER.LOGIN") && again.contains("sorted by Thing"))
    }
  }
}

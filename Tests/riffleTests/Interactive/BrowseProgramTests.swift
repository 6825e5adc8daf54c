import DemoTesting
import Glibc
import TestSupport
import Testing

/// Tests the pager in a real pseudo-terminal, against a real server.
@Suite(.takesTurns, .serialized, .timeLimit(.minutes(2))) struct BrowseProgramTests {
  private func pager(
    _ query: String, _ server: TestServer, rows: UInt16 = 24
  ) throws -> PseudoTerminal {
    try PseudoTerminal(
      "riffle", arguments: ["unicode", query, "--set", "server=\(server.baseURL)"], columns: 100, rows: rows,
      environment: ["HOME=/dev/null"])
  }

  @Test func `Rows appear, and q restores the terminal.`() async throws {
    let server = try await TestServer.start()
    let terminal = try pager("arrow", server)
    #expect(terminal.shows("MODIFIER LETTER LEFT ARROWHEAD"))
    terminal.type("q")
    #expect(terminal.ending() == .exit(0))
    #expect(terminal.output.contains("␛[?1049l"))
    #expect(terminal.isAsFound)
    try await server.stop()
  }

  @Test func `Moving past the end of page 1 loads page 2.`() async throws {
    let server = try await TestServer.start()
    // Short enough that the first page fills it twice, so page 2 is requested only near the end.
    let terminal = try pager("arrow", server, rows: 14)
    #expect(terminal.shows("of 30 loaded"))
    terminal.type(String(repeating: "␛[B", count: 29))
    #expect(terminal.shows("of 60 loaded"))
    #expect(server.requestLog.count == 2)
    terminal.type("q")
    #expect(terminal.ending() == .exit(0))
    try await server.stop()
  }

  @Test func `Typing a new query replaces the rows.`() async throws {
    let server = try await TestServer.start()
    let terminal = try pager("arrow", server)
    #expect(terminal.shows("ARROWHEAD"))
    terminal.type("s\u{15}snowman")
    #expect(terminal.shows("SNOWMAN"))
    terminal.type("\u{3}")
    #expect(terminal.ending() == .exit(0))
    try await server.stop()
  }

  @Test func `A server that is gone is reported in a line, its rows remain, and r retries.`() async throws {
    let server = try await TestServer.start()
    let port = server.port
    let terminal = try pager("arrow", server, rows: 14)
    #expect(terminal.shows("of 30 loaded"))
    try await server.stop()
    terminal.type("G")
    #expect(terminal.shows("connection refused by"))
    let again = try await TestServer.start(port: port)
    terminal.type("r")
    #expect(terminal.shows("of 60 loaded"))
    terminal.type("q")
    #expect(terminal.ending() == .exit(0))
    try await again.stop()
  }

  @Test func `[D9] A source without a query shows its rows at once.`() async throws {
    let server = try await TestServer.start()
    let source = """
      schema = 1
      id = "all"
      [request]
      url = "\(server.baseURL)/characters?q=snowman"
      [rows]
      path = "items"
      """
    try await withFile("all.toml", source) { file in
      let terminal = try PseudoTerminal(
        "riffle", arguments: [file], columns: 100, rows: 14, environment: ["HOME=/dev/null"])
      #expect(terminal.shows("SNOWMAN"))
      terminal.type("\r")
      #expect(terminal.shows("row 1 of "))
      terminal.type("qq")
      #expect(terminal.ending() == .exit(0))
    }
    try await server.stop()
  }

  @Test func `[D61] A query typed before startup is searched for, and the keys after it reach the table.`()
    async throws
  {
    let server = try await TestServer.start()
    let terminal = try PseudoTerminal(
      "riffle", arguments: ["unicode", "--set", "server=\(server.baseURL)"], columns: 100, rows: 14,
      environment: ["HOME=/dev/null"], typedAhead: "snowman\rL")
    #expect(terminal.shows("page 1"))
    terminal.type("L")
    #expect(terminal.shows("SNOWMAN"))
    terminal.type("q")
    #expect(terminal.ending() == .exit(0))
    try await server.stop()
  }

  @Test func `Esc stops a slow load.`() async throws {
    let server = try await TestServer.start()
    try await withFile("slow.toml", hangingSource(server.baseURL)) { file in
      let terminal = try PseudoTerminal(
        "riffle", arguments: [file, "arrow"], columns: 100, rows: 24, environment: ["HOME=/dev/null"])
      #expect(terminal.waits(for: "Loading…"))
      terminal.type("␛")
      #expect(terminal.waits(for: "topped"))
      terminal.type("q")
      #expect(terminal.ending() == .exit(0))
    }
    try await server.stop()
  }

  @Test(arguments: [SIGINT, SIGTERM, SIGHUP])
  func `A signal ends the program with that signal, and the terminal is restored.`(
    signal: Int32
  ) async throws {
    let server = try await TestServer.start()
    // Short enough that the first page fills it twice, so page 2 is requested only near the end.
    let terminal = try pager("arrow", server, rows: 14)
    #expect(terminal.shows("of 30 loaded"))
    terminal.signal(signal)
    #expect(terminal.ending() == .signal(signal))
    #expect(terminal.output.contains("␛[?1049l"))
    #expect(terminal.isAsFound)
    try await server.stop()
  }

  @Test func `An unknown source is reported before the alternate screen is entered.`() throws {
    let terminal = try PseudoTerminal("riffle", arguments: ["nope"], environment: ["HOME=/dev/null"])
    #expect(terminal.ending() == .exit(64))
    #expect(terminal.output.contains("unknown source \"nope\""))
    #expect(!terminal.output.contains("␛[?1049h"))
  }
}

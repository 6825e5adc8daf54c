import Foundation
import TestSupport
import Testing

/// Tests tabs and saved searches in a real pseudo-terminal and in a pipe, against a real server.
@Suite(.takesTurns, .serialized, .timeLimit(.minutes(3))) struct TabsProgramTests {
  /// Birds, a service that fails, one that limits its requests, and one whose response is no list.
  private static let server: @Sendable (ScriptedServer.Request) -> ScriptedServer.Answer = { request in
    switch request.target.prefix(6) {
    case "/birds":
      .json(
        #"[{"name": "lark", "grams": 40}, {"name": "wren", "grams": 9}, {"name": "\#(request.target.suffix(4))", "grams": 10}]"#
      )
    case "/limit": .status(429, "{}", ("Retry-After", "100"))
    case "/broke": .status(500)
    default: .json("3")
    }
  }

  private static let settings = """
    [searches.heavy]
    source = "birds"
    query = "kind"
    filter = "grams>9"
    sort = "grams:desc"
    columns = ["name", "grams"]

    [searches.late]
    source = "limited"

    [searches.lost]
    source = "birds"
    set = { size = "big" }
    """

  private func withHome(
    _ body: (_ home: String, _ config: String, ScriptedServer) async throws -> Void
  ) async throws {
    let server = try ScriptedServer(Self.server)
    defer { server.stop() }
    try await withFile("config.toml", Self.settings) { config in
      let home = URL(filePath: config).deletingLastPathComponent()
      let folder = home.appending(path: ".config/riffle/sources")
      try FileManager.default.createDirectory(
        at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
      for (id, path) in [("birds", "birds?q={query}"), ("limited", "limited"), ("broken", "broken")] {
        let columns =
          id == "birds"
          ? "[[columns]]\npath = \"name\"\n[[columns]]\npath = \"grams\"\nformat = \"number\"\n" : ""
        let text = "schema = 1\nid = \"\(id)\"\n[request]\nurl = \"\(server.baseURL)/\(path)\"\n\(columns)"
        try text.write(to: folder.appending(path: "\(id).toml"), atomically: true, encoding: .utf8)
      }
      try "schema = 1\nid = \"torn\"\nrequest = 3\n".write(
        to: folder.appending(path: "torn.toml"), atomically: true, encoding: .utf8)
      try await body(home.path, config, server)
    }
  }

  private func terminal(_ home: String, _ config: String, _ words: [String]) throws -> PseudoTerminal {
    try Program.onTerminal(
      words + ["--config", config], columns: 120, rows: 14,
      environment: ["HOME=\(home)", "PATH=/usr/bin:/bin"])
  }

  @Test func `Saved searches open as tabs with their counts, and each tab keeps its state.`() async throws {
    try await withHome { home, config, _ in
      let terminal = try terminal(home, config, ["@heavy", "@late"])
      func step(_ name: String, _ keys: String, _ shown: String) throws {
        terminal.type(keys)
        try #require(terminal.shows(shown, within: .seconds(30)), "\(name): \(terminal.output.suffix(2_000))")
      }
      try step("shows the first, filtered and sorted", "", "[1 @heavy 2]")
      try step("and the second, which waits", "", "2 @late rate limited")
      try step("selects the second row", "jv", "row 2 of 2")
      try step("goes to the other tab", "v␛2", "Rate limited: retrying in")
      try step("and back to the same row", "␛1v", "row 2 of 2")
      try step("closes its detail", "v", "q: close")
      try step("lists the sources", ":", "Esc: cancel")
      terminal.type("\u{3}")
      try step("opens a source in a tab", ":birds\r", "[3 birds")
      try step("searches there", "s", "search")
      try step("with other words", "\u{15}gull\r", "[3 birds gull 3]")
      try step("goes to the tab of a source that is open", ":@heavy\r", "[1 @heavy 2]")
      try step("opens it once more in a new tab", "t@heavy\r", "[4 @heavy 2]")
      try step("opens a service that fails beside it", ":broken\r", "[5 broken failed]")
      try step("and goes on elsewhere", "3t", "[3 birds gull 3]")
      try step("says what is wrong with a source", ":torn\r", "torn.toml:3:11")
      try step("closes the tab and shows the one before", "q", "[4 broken failed]")
      terminal.type("Q")
      #expect(terminal.ending() == .exit(0))
    }
  }

  @Test func `A saved search is written by riffle search, and options and words are added to it.`()
    async throws
  {
    try await withHome { home, config, server in
      let shell = "HOME=\(home) riffle search --config \(config) -f csv"
      var run = try await Program.shell("\(shell) @heavy")
      #expect(run.output == "name,grams\nlark,40\nkind,10\n", "\(run)")
      run = try await Program.shell("\(shell) @heavy some -c name --sort name --filter 'grams<40'")
      #expect(run.output == "name\nsome\nwren\n", "\(run)")
      #expect(server.requests.last?.contains("GET /birds?q=kind%20some") == true)
    }
  }

  @Test(
    arguments: [
      ("@heave", 64, "no saved search @heave. Did you mean @heavy?"),
      ("@x", 64, "no saved search @x. Saved searches: @heavy, @late, @lost"),
      ("@heavy @late", 64, "riffle search takes one saved search, found @heavy and @late"),
      ("@heavy @lat", 64, "no saved search @lat. Did you mean @late?"),
      (
        "@lost", 78,
        "config.toml:13:7: [searches.lost] set: source birds has no option \"size\". It has none"
      ),
    ]) func `A saved search that cannot be used is reported.`(words: String, status: Int32, message: String)
    async throws
  {
    try await withHome { home, config, server in
      let run = try await Program.shell("HOME=\(home) riffle search --config \(config) \(words)")
      #expect(run.status == status && run.errors.contains(message), "\(run)")
      #expect(server.requests.isEmpty)
    }
  }
}

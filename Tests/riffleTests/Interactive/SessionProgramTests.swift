import Demo
import Foundation
import Glibc
import TestSupport
import Testing

/// Tests whole sessions in a real pseudo-terminal, against a real server.
@Suite(.takesTurns, .serialized, .timeLimit(.minutes(3))) struct SessionProgramTests {
  @Test(arguments: [("1", true), ("0", false), ("", false)])
  func `ACCESSIBLE turns on the mode for screen readers.`(value: String, isOn: Bool) throws {
    let terminal = try Program.onTerminal(["unicode", "arrow"], environment: ["ACCESSIBLE=\(value)"])
    #expect(terminal.shows("MODIFIER LETTER LEFT ARROWHEAD"))
    // The selected row has a word in place of a sign.
    #expect(terminal.output.contains("▌") != isOn)
    terminal.type("q")
    #expect(terminal.ending() == .exit(0))
  }

  @Test func `[D19] The text typed in the query line filters the rows of a source that takes no query.`()
    async throws
  {
    let server = try ScriptedServer { _ in .json(#"[{"name": "one"}, {"name": "two"}, {"name": "twin"}]"#) }
    let document = """
      schema = 1
      id = "mine"
      request.url = "\(server.baseURL)"
      [[columns]]
      path = "name"
      """
    try await withFile("mine.toml", document) { file in
      let home = URL(filePath: file).deletingLastPathComponent().path
      let terminal = try Program.onTerminal(
        ["browse", file], columns: 80, rows: 10,
        environment: ["HOME=\(home)", "PATH=/usr/bin:/bin"])
      #expect(terminal.shows("3 of 3"), "\(terminal.output.suffix(2_000))")
      terminal.type("stw")
      #expect(terminal.shows("2 of 2"), "\(terminal.output.suffix(2_000))")
      terminal.type("\u{3}")
      #expect(terminal.ending() == .exit(0))
    }
    server.stop()
  }

  @Test func `Each step of a long session does what its keys say.`() async throws {
    let server = try await DemoServer.start()
    let port = server.port
    try await withFile("config.toml", "[opener]\ncommand = [\"/bin/true\", \"{url}\"]\n") { config in
      let home = URL(filePath: config).deletingLastPathComponent().path
      let terminal = try PseudoTerminal(
        "riffle", arguments: ["unicode", "--config", config, "--set", "server=\(server.baseURL)"],
        columns: 110,
        rows: 16, environment: ["HOME=\(home)", "PATH=/usr/bin:/bin"])
      // No step ends in Esc: together with the key that redraws the screen it would be another key.
      func step(_ name: String, _ keys: String, _ shown: String) throws {
        terminal.type(keys)
        try #require(terminal.shows(shown), "\(name): \(terminal.output.suffix(2_000))")
      }
      try step("begins in the query line", "", "Type to search Unicode characters")
      try step("searches while typing", "arrow", "644 found")
      try step("goes to the table", "\r", "q: quit")
      try step("moves down and shows that row", "jjjv", "row 4 of 30")
      try step("closes it", "v", "q: quit")
      try step("loads the next page near the end", "G", "of 60 loaded")
      try step("loads two more by count", "2M", "of 120 loaded")
      try step("filters loaded rows", "&double\r", "of 120 rows match")
      try step("drops the filter", "&\u{15}\r", "of 120 loaded")
      try step("sorts by the name", "gll]", "sorted by Name ▴")
      try step("drops the sort", "=gv", "row 1 of 120")
      try step("shows its JSON", "J", "category_code")
      try step("closes it", "v", "q: quit")
      try step("marks two rows", "xx", "2 marked")
      try step("writes them", "w\(home)/picked.csv\r", "wrote 2 rows to")
      try step("does not write over them", "w\(home)/picked.csv\r", "already exists. Choose another name")
      // Ctrl-C closes the prompt for another name.
      try step("opens a link", "\u{3}o", "opened https://util.unicode.org/")
      try step("copies the links of both", "yu", "sent 2 links to the terminal's clipboard (OSC 52")
      try step("refreshes", "r", "30 loaded")
      try await server.stop()
      try step("fails without losing rows", "r", "connection refused by")
      let again = try await DemoServer.start(port: port)
      // Counted by the new server: the rows before it are still on the screen.
      try step("retries", "r", "9999/10000 requests left")
      try step("searches its history", "s\u{12}arr\r", "644 found")
      try step("lists its requests", "L", "page 1")
      try step("shows the response to one", "\r", "application/json; charset=utf-8")
      try step("finds a field in its body", "/category_code\r", "line 1 of ")
      try step("closes both", "qq", "q: quit")
      terminal.type("q")
      #expect(terminal.ending() == .exit(0))
      #expect(terminal.isAsFound)
      try await again.stop()
      let picked = try String(contentsOfFile: "\(home)/picked.csv", encoding: .utf8)
      #expect(picked.split(separator: "\n").count == 3)
      let history = try String(contentsOfFile: "\(home)/.local/state/riffle/history.jsonl", encoding: .utf8)
      #expect(history == #"{"source": "unicode", "query": "arrow"}"# + "\n")
    }
  }

  @Test func `[D17] Without a source, one is chosen from a list; q returns to the list, and q there exits.`()
    async throws
  {
    let terminal = try PseudoTerminal(
      "riffle", columns: 100, rows: 14, environment: ["HOME=/dev/null"])
    #expect(terminal.shows("choose a source"))
    terminal.type("unicode\r")
    #expect(terminal.shows("Type to search Unicode characters"))
    terminal.type("arrow\r")
    #expect(terminal.shows("644 found"))
    terminal.type("q")
    // Nothing is typed in the list, so q exits there too.
    #expect(terminal.shows("317 sources"))
    terminal.type("q")
    #expect(terminal.ending() == .exit(0))
    #expect(terminal.isAsFound)
  }

  @Test func `A source chosen from the list uses the terminal's background.`() throws {
    let terminal = try Program.onTerminal(
      ["--color", "always"], columns: 100, rows: 14,
      environment: ["HOME=/dev/null", "COLORTERM=truecolor"])
    #expect(terminal.shows("choose a source"))
    terminal.type("␛]11;rgb:ffff/ffff/ffff␛\\")
    let accent = "38;2;0;100;115"
    #expect(terminal.waits(for: accent))
    terminal.type("unicode\r")
    #expect(terminal.shows("Type to search Unicode characters"))
    terminal.forget()
    terminal.type("\u{0C}")
    #expect(terminal.waits(for: "Type to search Unicode characters"))
    #expect(terminal.output.contains(accent))
    terminal.type("\u{3}")
    #expect(terminal.shows("317 sources"))
    terminal.type("q")
    #expect(terminal.ending() == .exit(0))
  }

  @Test func `[D61] --color always uses the terminal's full colors even with NO_COLOR.`() throws {
    let terminal = try Program.onTerminal(
      ["unicode", "--color", "always"], columns: 100, rows: 14,
      environment: ["HOME=/dev/null", "COLORTERM=truecolor", "NO_COLOR=1"])
    // The prompt has the accent color of the plain theme or of the theme for the background: in full color only on
    // this terminal.
    terminal.type("␛]11;rgb:0000/0000/0000␛\\")
    #expect(terminal.waits(for: "38;2;"))
    terminal.type("\u{3}")
    #expect(terminal.ending() == .exit(0))
  }

  @Test func `A source that cannot be used is reported in the list, which remains usable.`() async throws {
    try await withFile("config.toml", "") { config in
      let home = URL(filePath: config).deletingLastPathComponent().path
      let terminal = try Program.onTerminal(
        ["--config", config, "--set", "nonsense=1"], columns: 100, rows: 14,
        environment: ["HOME=\(home)"])
      #expect(terminal.shows("choose a source"))
      terminal.type("unicode\r")
      #expect(terminal.shows("source unicode has no option \"nonsense\""))
      terminal.type("␛")
      #expect(terminal.ending() == .exit(0))
    }
  }

  @Test func `The user's keys and theme apply.`() async throws {
    let server = try await DemoServer.start()
    let settings = """
      [keys.table]
      quit = ["Q"]
      [theme]
      name = "plain"
      header = "underline"
      """
    try await withFile("config.toml", settings) { config in
      let terminal = try Program.onTerminal(
        ["unicode", "arrow", "--config", config, "--set", "server=\(server.baseURL)"],
        columns: 100, rows: 14, environment: ["HOME=/dev/null"])
      #expect(terminal.shows("Q: quit"))
      #expect(terminal.output.contains("␛[4m"))
      terminal.type("qQ")
      #expect(terminal.ending() == .exit(0))
    }
    try await server.stop()
  }
}

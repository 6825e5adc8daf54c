import Foundation
import TestSupport
import Testing

/// Tests the rows under a row in a real pseudo-terminal, against a real server.
@Suite(.takesTurns, .serialized, .timeLimit(.minutes(3))) struct ChildrenProgramTests {
  private static let server: @Sendable (ScriptedServer.Request) -> ScriptedServer.Answer = { request in
    switch request.target {
    case "/projects": .json(#"[{"id": 1, "name": "lark"}, {"id": 2, "name": "wren"}]"#)
    case "/projects/2/issues": .json(#"[{"id": 20, "title": "sings"}, {"id": 21, "title": "flies"}]"#)
    case "/projects/2/issues/21/notes": .json(#"[{"id": 210, "text": "high"}]"#)
    default: .json("[]")
    }
  }

  private static func sources(_ base: String) -> [String: String] {
    [
      "projects": "[request]\nurl = \"\(base)/projects\"",
      "issues": """
      [parent]
      source = "projects"
      name = "project"
      value = "id"
      columns = ["name"]
      [request]
      url = "\(base)/projects/{project}/issues"
      """,
      "notes": """
      [parent]
      source = "issues"
      name = "issue"
      value = "id"
      [options.project]
      [request]
      url = "\(base)/projects/{project}/issues/{issue}/notes"
      """,
    ]
  }

  /// A terminal with a user who has these sources.
  private func withTerminal(
    _ source: String,
    _ body: (_ step: (_ name: String, _ keys: String, _ shown: String) throws -> Void) throws -> Void
  ) async throws {
    let server = try ScriptedServer(Self.server)
    try await withFile("config.toml", "") { config in
      let home = URL(filePath: config).deletingLastPathComponent()
      let folder = home.appending(path: ".config/riffle/sources")
      try FileManager.default.createDirectory(
        at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
      for (id, text) in Self.sources(server.baseURL) {
        let text = "schema = 1\nid = \"\(id)\"\n\(text)\n"
        try text.write(to: folder.appending(path: "\(id).toml"), atomically: true, encoding: .utf8)
      }
      let terminal = try Program.onTerminal(
        [source], columns: 100, rows: 12,
        environment: ["HOME=\(home.path)", "PATH=/usr/bin:/bin"])
      try body { name, keys, shown in
        terminal.type(keys)
        try #require(terminal.shows(shown, within: .seconds(30)), "\(name): \(terminal.output.suffix(2_000))")
      }
      terminal.type("qqq")
      #expect(terminal.ending() == .exit(0))
    }
    server.stop()
  }

  @Test func `Enter opens the nested list of a row, and Backspace returns to it, level by level.`()
    async throws
  {
    try await withTerminal("projects") { step in
      try step("lists the parents", "", "2 of 2")
      try step("finds what is under them", "j", "Enter: open")
      try step("opens the issues of the second", "\r", "issues / wren")
      try step("lists them", "", "flies")
      try step("finds what is under them", "", "Enter: open")
      try step("opens the notes of its second issue", "j\r", "high")
      try step("goes back to the issues", "\u{7F}", "issues / wren")
      try step("with the same row selected", "v", "row 2 of 2")
      try step("closes the detail and goes back", "v\u{7F}", "lark")
      try step("with the same row selected", "v", "row 2 of 2")
      try step("closes the detail", "v", "Enter: open")
    }
  }

  @Test func `A child source begins with the list of parents, and opens only its own rows.`() async throws {
    try await withTerminal("notes") { step in
      try step("lists the projects", "", "lark")
      try step("says what for", "", "choose a project for notes")
      try step("knows what is under them", "", "Enter: open")
      try step("opens issues", "j\r", "issues / wren")
      try step("knows what is under them", "", "Enter: open")
      try step("opens notes", "j\r", "notes / flies")
      try step("lists them", "", "high")
    }
  }
}

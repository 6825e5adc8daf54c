import Demo
import Foundation
import TestSupport
import Testing

/// Tests the first steps of a new user with an empty home folder: each step works as documented.
@Suite(.takesTurns, .serialized, .timeLimit(.minutes(2))) struct ExternalSourceTests {
  @Test func `The user's settings, theme, key and source apply, on the screen and in a pipe.`() async throws {
    let server = try await DemoServer.start()
    try await withFile("x", "") { path in
      let home = URL(filePath: path).deletingLastPathComponent().path
      let environment = ["HOME": home]
      let file = "\(home)/.config/riffle/config.toml"
      #expect(try await Program.run(["config", "init"], environment: environment).output == "\(file)\n")
      try edit(file, ["# name = \"auto\"": "name = \"light\"", "# quit = [\"q\"]": "quit = [\"Q\"]"])
      let checked = try await Program.run(["config", "check"], environment: environment)
      #expect(checked.output == "\(file): no errors\n", "\(checked.errors)")

      let url = "\(server.baseURL)/characters?q=arrow&per_page=20"
      let added = try await Program.run(["add", "--name", "letters", url], environment: environment)
      #expect(added.status == 0 && added.errors.contains("Try: riffle letters arrow"), "\(added.errors)")
      let rows = try await Program.run(
        ["search", "letters", "snowman", "-f", "csv", "-c", "name"], environment: environment)
      #expect(rows.output == "name\nSNOWMAN\nSNOWMAN WITHOUT SNOW\nBLACK SNOWMAN\n", "\(rows.errors)")

      let terminal = try Program.onTerminal(
        ["letters", "arrow"], columns: 100, rows: 16, environment: ["HOME=\(home)"])
      // The second page is loaded because the last row is less than a screen away.
      #expect(terminal.shows("of 40 loaded"))
      #expect(terminal.output.contains("␛[38;5;24m"), "the light theme's accent")
      terminal.type("q")
      #expect(terminal.shows("Q: quit"))
      terminal.type("Q")
      #expect(terminal.ending() == .exit(0))

      let examined = try await Program.run(["doctor"], environment: environment)
      #expect(examined.status == 0, "\(examined.output)")
      #expect(examined.output.contains(" sources, 1 of them your own"))
    }
    try await server.stop()
  }

  private func edit(_ path: String, _ changes: [String: String]) throws {
    let url = URL(filePath: path)
    var text = try String(contentsOf: url, encoding: .utf8)
    for (old, new) in changes {
      try #require(text.contains(old), "\(old)")
      text = text.replacing(old, with: new, maxReplacements: 1)
    }
    // Written in place, so that the file remains owner-only.
    let handle = try FileHandle(forWritingTo: url)
    try handle.truncate(atOffset: 0)
    try handle.write(contentsOf: Data(text.utf8))
    try handle.close()
  }
}

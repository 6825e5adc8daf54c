import Config
import Foundation
import TestSupport
import Testing

@testable import App
@testable import riffle

@Suite(.takesTurns) struct ConfigProgramTests {
  @Test func `The example in the repository is what riffle config init writes.`() throws {
    let file = URL(filePath: #filePath).appending(path: "../../../../config.example.toml").standardizedFileURL
    let text = try String(contentsOf: file, encoding: .utf8)
    #expect(
      text == ExampleFile(.program).text, "riffle config init --config config.example.toml, after removing it"
    )
  }

  @Test func `A settings file is written once, is valid, and is never overwritten.`() async throws {
    try await withFile("x", "") { path in
      let file = URL(filePath: path).deletingLastPathComponent().path + "/new/config.toml"
      let written = try await Program.run(["config", "init", "--config", file])
      #expect(written.output == "\(file)\n" && written.status == 0)
      let again = try await Program.run(["config", "init", "--config", file])
      #expect(again.status == 78)
      #expect(again.errors.contains("\(file): already exists"), "\(again.errors)")
      let checked = try await Program.run(["config", "check", file])
      #expect(checked.output == "\(file): no errors\n")
    }
  }

  @Test func `Every value is shown with its origin.`() async throws {
    try await withFile("config.toml", "[search]\nlive = false\n[keys.table]\nquit = [\"Q\"]\n") { path in
      let shown = try await Program.run(
        ["config", "show", "--origin", "--config", path], environment: ["RIFFLE_SEARCH_PAGE_SIZE": "50"])
      let lines = Set(shown.lines.map { $0.split(whereSeparator: \.isWhitespace).joined(separator: " ") })
      for line in [
        "search.live = false # \(path):2", "search.page_size = 50 # RIFFLE_SEARCH_PAGE_SIZE",
        "keys.table.quit = [\"Q\"] # \(path):4", "output.color = \"auto\" # default",
        "# search.source # default",
      ] {
        #expect(lines.contains(line), "\(shown.output)")
      }
    }
  }

  @Test func `Every command reports mistakes in the settings with line and column, before anything else.`()
    async throws
  {
    try await withFile("config.toml", "[search]\nlive = 1\n[keys.table]\nquit = \"hyper-j\"\n") { path in
      for command in [
        ["config", "check"], ["config", "show"], ["search", "unicode", "a"], ["unicode", "a"],
      ] {
        let result = try await Program.run(command + ["--config", path])
        #expect(result.status == 78)
        #expect(result.output.isEmpty)
        #expect(
          result.errors.contains("\(path):2:8: [search] live: expected true or false, found an integer"),
          "\(result.errors)")
        #expect(result.errors.contains("\(path):4:"), "\(result.errors)")
      }
    }
  }

  @Test func `[D51] Every command refuses settings that name a program and that others may write.`()
    async throws
  {
    try await withFile("config.toml", "[opener]\ncommand = [\"touch\", \"{url}\"]\n") { path in
      for (mode, status) in [(0o664, Int32(78)), (0o644, 0)] {
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
        for command in [["config", "check"], ["search", "unicode", "snowman"], ["sources", "list"]] {
          let result = try await Program.run(command, environment: ["RIFFLE_CONFIG": path])
          #expect(result.status == status, "\(result)")
          let problem =
            "[opener] command: cannot be set, because this file is writable by others (mode 664). Run: chmod go-w \(path)"
          #expect(result.errors == (status == 0 ? "" : "riffle: \(path):2:11: \(problem)\n"))
        }
      }
    }
  }

  @Test func `The path printed is where the settings are read from.`() async throws {
    for (environment, path) in [
      (["HOME": "/h"], "/h/.config/riffle/config.toml"),
      (["HOME": "/h", "XDG_CONFIG_HOME": "/x"], "/x/riffle/config.toml"),
      (["RIFFLE_CONFIG": "/y.toml"], "/y.toml"),
    ] {
      #expect(try await Program.run(["config", "path"], environment: environment).output == "\(path)\n")
    }
  }

  @Test func `The editor opens the settings file, which is created first and checked afterwards.`()
    async throws
  {
    try await withFile("editor", "#!/bin/sh\nprintf '[search]\\nlive = 7\\n' > \"$2\"\n") { editor in
      try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: editor)
      let file = URL(filePath: editor).deletingLastPathComponent().path + "/config.toml"
      let result = try await Program.run(
        ["config", "edit", "--config", file], environment: ["EDITOR": "\(editor) -n"])
      #expect(result.status == 78)
      #expect(
        result.errors.contains("\(file):2:8: [search] live: expected true or false, found an integer"),
        "\(result.errors)")
    }
  }
}

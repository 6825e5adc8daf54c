import ConfigTesting
import Search
import Testing

@testable import Config

/// `[actions.NAME]` of a settings file.
@Suite struct ActionSettingsTests {
  private func layers(_ text: String) throws -> SettingsLayers {
    try SettingsLayers(
      schema: TestSchema.schema, file: try TOMLDocument(Array(text.utf8), file: "config.toml"))
  }

  @Test func `An action has a program, and as many more settings as needed.`() throws {
    let layers = try layers(
      """
      [actions.clone]
      key = "g"
      run = ["gh", "repo", "clone", "{full_name}"]
      [actions.view]
      key = "g"
      run = ["less", "--", "{path}"]
      rows = "together"
      foreground = true
      summary = "read the files"
      sources = ["notes"]
      """.replacing("[actions.clone]", with: "[actions.clone]\nsources = [\"forge\"]"))
    let clone = RowCommand(try ["gh", "repo", "clone", "{full_name}"].map { try ValueTemplate($0) })
    let view = RowCommand(
      try ["less", "--", "{path}"].map { try ValueTemplate($0) }, rows: .together, usesTerminal: true)
    #expect(
      layers.settings.actions == [
        UserAction(action: RowAction(name: "clone", key: "g", effect: .run(clone)), sources: ["forge"]),
        UserAction(
          action: RowAction(name: "view", key: "g", effect: .run(view), summary: "read the files"),
          sources: ["notes"]),
      ])
    let report = layers.report.filter { $0.key.hasPrefix("actions.clone") }
    #expect(
      report.map { "\($0.key) = \($0.value ?? "") (\($0.origin))" } == [
        #"actions.clone.sources = ["forge"] (config.toml:2)"#, #"actions.clone.key = "g" (config.toml:3)"#,
        #"actions.clone.run = ["gh", "repo", "clone", "{full_name}"] (config.toml:4)"#,
      ])
  }

  private static let run = #"run = ["gh", "{id}"]"#

  @Test(arguments: [
    (run, "config.toml:1:1: [actions.a] key: missing (the character to press after \",\")"),
    (
      "key = \"c\"",
      #"config.toml:1:1: [actions.a] run: missing (the program and its arguments, like ["gh", "repo", "clone", "{full_name}"])"#
    ),
    (
      "key = \"c\"\n\(run)\nrnu = 1",
      #"config.toml:4:1: [actions.a] rnu: unknown setting. Did you mean "run"?"#
    ),
    (
      "key = \"c\"\nrun = \"gh {id}\"",
      #"config.toml:3:7: [actions.a] run: expected a list of strings like ["gh", "repo", "clone", "{full_name}"], found a string"#
    ),
    (
      "key = \"c\"\nrun = []",
      #"config.toml:3:7: [actions.a] run: expected a program and its arguments, like ["gh", "repo", "clone", "{full_name}"], found none"#
    ),
    (
      "key = \"c\"\nrun = [\"a\", 1]",
      "config.toml:3:13: [actions.a] run: expected a string, found an integer"
    ),
    (
      "key = \"c\"\nrun = [\"{id}\"]",
      "config.toml:3:8: [actions.a] run: the program cannot have a placeholder"
    ),
    (
      "key = \"c\"\nrun = [\"a\", \"{id\"]",
      "config.toml:3:13: [actions.a] run: unmatched {. Write {{ for a literal brace"
    ),
    (
      "key = \"c\"\n\(run)\nrows = \"all\"",
      #"config.toml:4:8: [actions.a] rows: expected one of "each", "together", found "all""#
    ),
    (
      "key = \"c\"\nrun = [\"a\", \"b\"]\nrows = \"together\"",
      #"config.toml:3:7: [actions.a] run: expected an argument like "{id}" to repeat for each row, found none"#
    ),
    (
      "key = \"c\"\nrun = [\"a\", \"{b}\", \"c={d}\"]\nrows = \"together\"",
      #"config.toml:3:20: [actions.a] run: with rows = "together" a placeholder is a whole argument, like "{id}""#
    ),
    (
      "key = \"c\"\n\(run)\nsources = [\"forge\", \"froge\"]",
      #"config.toml:4:21: [actions.a] sources: unknown source "froge". Did you mean "forge"?"#
    ),
    (
      "key = \"c\"\n\(run)\nsources = [\"f\"]\n[actions.b]\nkey = \"c\"\n\(run)",
      #"config.toml:6:7: [actions.b] key: is already the key of action "a""#
    ),
    (
      "key = \"c\"\n\(run)\n[actions.\"a b\"]\nkey = \"d\"\n\(run)",
      #"config.toml:4:10: [actions."a b"]: expected a name of letters, digits, - and _"#
    ),
  ])
  func `A mistake in an action is reported with its place.`(text: String, problem: String) {
    #expect(problems("[actions.a]\n\(text)").replacing("/home/ann/", with: "") == problem)
  }

  @Test func `A settings file that others may write cannot name a program to run for rows.`() {
    #expect(
      problems("[actions.a]\nkey = \"c\"\n\(Self.run)", permissions: 0o666)
        == "\(Self.path):3:7: [actions.a] run: cannot be set, because this file is writable by others (mode 666). Run: chmod go-w \(Self.path)"
    )
  }

  private static let path = "/home/ann/config.toml"

  private func problems(_ text: String, permissions: UInt16 = 0o644) -> String {
    var files = MemoryFiles()
    files.folders["/s"] = FileStatus(owner: 1000, permissions: 0o755)
    files.files[Self.path] = MemoryFiles.File(text: text, permissions: permissions)
    return BrokenFiles.problems(path: Self.path, files: files.access)
  }
}

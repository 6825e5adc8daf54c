import Foundation
import TestSupport
import Testing

/// How a command line names columns and options, against a list whose second page has a field more than its first.
@Suite(.takesTurns) struct ColumnNameTests {
  private static func answer(_ request: ScriptedServer.Request) -> ScriptedServer.Answer {
    let page = request.target.contains("page=2") ? 2 : 1
    let user = request.target.contains("userId=7") ? "ann" : "bob"
    let rows = (1...2).map { row in
      let more = page == 2 ? #", "topics": ["a"]"# : ""
      return #"{"id": \#(page * 10 + row), "full_name": "n\#(row)", "user": {"login": "\#(user)"}\#(more)}"#
    }
    return .json(#"{"items": [\#(rows.joined(separator: ","))], "total": 4}"#)
  }

  /// The output, errors and status of `riffle search FILE` with these words.
  private func search(_ words: [String], url: String? = nil) async throws -> Program.Result {
    let server = try ScriptedServer { Self.answer($0) }
    let source = """
      schema = 1
      id = "mine"
      request.url = "\(url ?? server.baseURL)/list"
      request.params = { userId = "{userid}" }
      options.userid = { default = "1" }
      [pagination]
      type = "page"
      param = "page"
      [rows]
      path = "items"
      total = "total"
      link = "=https://example.org/{id}"
      [[columns]]
      path = "id"
      [[columns]]
      path = "full_name"
      title = "Name"
      """
    defer { server.stop() }
    return try await withFile("mine.toml", source) { file in
      try await Program.run(["search", file, "--trust", "--retries", "0", "-f", "csv"] + words)
    }
  }

  @Test(arguments: [
    ("full_name", "full_name\nn1\n"), ("name", "full_name\nn1\n"), ("ful", "full_name\nn1\n"),
    ("user", "user\n\"{\"\"login\"\": \"\"bob\"\"}\"\n"), ("user.login", "user.login\nbob\n"),
  ])
  func `A column is named by its name, its title, the beginning of either, or as a field of the rows.`(
    name: String, output: String
  ) async throws {
    let result = try await search(["-n", "1", "-c", name])
    #expect(result.output == output)
    #expect(result.errors == "")
  }

  @Test(arguments: [
    (["--csv-bom", "-c", "id"], "", "\u{FEFF}id\n11\n"), (["-c", "id"], "", "id\n11\n"),
    (["-c", "id"], "csv_bom = true\nlink = true", "id\n11\n"),
    (
      ["-c", "id", "-o", "FILE"], "csv_bom = true\nlink = true",
      "\u{FEFF}id,link\n11,https://example.org/11\n"
    ),
    (["-c", "id", "--link"], "", "id,link\n11,https://example.org/11\n"),
    (["-c", "id", "--link", "-o", "FILE", "--no-header"], "", "11,https://example.org/11\n"),
    (["-o", "FILE"], "", "id,full_name\n11,n1\n"),
  ]) func `[P4] CSV for a spreadsheet is asked for by an option or, in files, by a setting.`(
    words: [String], settings: String, output: String
  ) async throws {
    try await withFile("config.toml", "[output]\n\(settings)\n") { config in
      let file = URL(filePath: config).deletingLastPathComponent().appending(path: "rows.csv").path
      let words = words.map { $0 == "FILE" ? file : $0 }
      let result = try await search(["-n", "1", "--config", config] + words)
      let bytes =
        words.contains(file) ? Array(try Data(contentsOf: URL(filePath: file))) : Array(result.output.utf8)
      #expect(bytes == Array(output.utf8), "\(result.errors)")
    }
  }

  @Test(arguments: ["full_name", "name", "ful"])
  func `--sort and --filter read a name as --columns does.`(name: String) async throws {
    let result = try await search(["--all", "--sort", "\(name):desc", "--filter", "\(name)=n2", "-c", "id"])
    #expect(result.output == "id\n12\n22\n")
    #expect(result.errors == "")
  }

  @Test(arguments: [
    (
      ["-c", "id,topics"],
      "no column \"topics\" in source mine. Its columns and fields are: id, full_name, user. For a field of later rows, write $.topics\n"
    ),
    (["-c", "id,full_nam_"], "no column \"full_nam_\" in source mine. Did you mean \"full_name\"?\n"),
    (
      ["--sort", "topics"],
      "no column \"topics\" in source mine. Its columns and fields are: id, full_name, user. For a field of later rows, write $.topics\n"
    ),
    (
      ["--filter", "topics:a"],
      """
      invalid filter: no column "topics" in source mine or its rows. To find this text, quote it: "topics:a"
      riffle:   topics:a
      riffle:   ^~~~~~

      """
    ),
  ])
  func `[U30] A name that the first page does not have is refused before anything is written.`(
    words: [String], message: String
  ) async throws {
    let result = try await search(["--all"] + words)
    #expect(result.output == "")
    #expect(result.errors == "riffle: \(message)")
    #expect(result.status == 64)
  }

  @Test func `[U15] A path that no row has is reported.`() async throws {
    let result = try await search(["--all", "-c", "id,parent.id"])
    #expect(result.output == "id,parent.id\n11,\n12,\n21,\n22,\n")
    #expect(result.errors == "riffle: no row has a value at parent.id\n")
  }

  @Test(arguments: [["-c", "id,user.lgoin"], ["-c", "id", "--sort", "user.lgoin"]])
  func `A misspelled path is reported with the nearest one.`(words: [String]) async throws {
    let result = try await search(["--all"] + words)
    #expect(result.errors == "riffle: no row has a value at user.lgoin. Did you mean \"user.login\"?\n")
  }

  @Test(arguments: ["cafe", "~cfe", "name:cafe", "café", "-cake"])
  func `[52] In a pipe, the letters of a filter find those with accents.`(filter: String) async throws {
    let rows = #"[{"name": "cake"}, {"name": "café"}, {"name": "le Cafe\u0301"}]"#
    let server = try ScriptedServer { _ in .json(rows) }
    defer { server.stop() }
    let source = """
      schema = 1
      id = "mine"
      request.url = "\(server.baseURL)"
      [[columns]]
      path = "name"
      """
    try await withFile("mine.toml", source) { file in
      let result = try await Program.run(["search", file, "--all", "--filter", filter, "-f", "csv"])
      #expect(result.output == "name\ncafé\nle Cafe\u{301}\n", "\(result.errors)")
    }
  }

  @Test func `[U13] A filter may begin with a minus sign.`() async throws {
    let result = try await search(["--all", "-c", "id", "--filter", "-name=n1"])
    #expect(result.output == "id\n12\n22\n")
  }

  @Test(arguments: ["userid", "userId", "user-id", "USER_ID"])
  func `[U16] An option is set under its name in any case, with or without - and _.`(name: String)
    async throws
  {
    let result = try await search(["-n", "1", "-c", "user.login", "--set", "\(name)=7"])
    #expect(result.output == "user.login\nann\n")
  }

  @Test func `[U7] A source that needs a query says so before anything is requested.`() async throws {
    let result = try await Program.run(["search", "github"])
    #expect(
      result.errors == """
        riffle: source github needs a query: riffle search github QUERY. To send an empty query, write ''

        """)
    #expect(result.status == 64)
  }

  @Test(arguments: ["--all -o", "--all -c topics -o"])
  func `[U29] A run that fails before its first row creates no file, and changes none.`(words: String)
    async throws
  {
    try await withFile("kept.csv", "old\n") { kept in
      let new = kept + ".new"
      for file in [kept, new] {
        // Nothing listens on port 1.
        let url = words.contains("topics") ? nil : "http://127.0.0.1:1"
        let result = try await search(words.split(separator: " ").map(String.init) + [file], url: url)
        #expect(result.status != 0)
      }
      #expect(try String(contentsOfFile: kept, encoding: .utf8) == "old\n")
      #expect(!FileManager.default.fileExists(atPath: new))
    }
  }

  @Test func `[U17] A run that replaces the rows of an unfinished one says so, and how to continue.`()
    async throws
  {
    let server = try ScriptedServer { request in
      request.target.contains("page=2")
        ? .status(500, #"{"message": "down"}"#) : .json(#"{"items": [{"id": 1}, {"id": 2}], "total": 4}"#)
    }
    defer { server.stop() }
    let source = """
      schema = 1
      id = "mine"
      request.url = "\(server.baseURL)/list"
      pagination = { type = "page", param = "page" }
      rows = { path = "items", total = "total" }
      """
    try await withFile("mine.toml", source) { file in
      let output = file + ".csv"
      let words = ["search", file, "--trust", "--retries", "0", "--all", "-o", output]
      #expect(try await Program.run(words).status == 3)
      let again = try await Program.run(words)
      let note =
        "riffle: \(output) had 2 rows of an unfinished run, which this run replaces. "
        + "To continue a run, add --resume\n"
      #expect(again.errors.hasPrefix(note), "\(again.errors)")
      #expect(try await !Program.run(words + ["--resume"]).errors.contains("replaces"))
    }
  }
}

import DemoTesting
import Foundation
import TestSupport
import Testing

/// Carries out what messages advise: takes the remedy out of the message of a situation, applies it, and runs the
/// command again.
@Suite(.takesTurns, .serialized, .timeLimit(.minutes(3))) struct RemedyRunTests {
  /// What is taken from the message, and what is done with it.
  enum Remedy: Sendable {
    /// Runs the riffle command that the message prints after `run: `, then the command line again.
    case run
    /// Runs the command that the message prints instead of the command line.
    case instead
    /// Runs the command that the message gives as an example, with this query; "" is the empty query.
    case query(String)
    /// Runs the command that the message shows, with the value of an option.
    case show
    /// Replaces a word of the command line, or of a file, with the name that the message suggests.
    case meant(String)
    /// Appends an option that the message names, with these words as its value.
    case add(String, String = "")
    /// Removes what the message says to omit.
    case omit(String)
    /// Replaces a part of the command line with another; the message names what to check.
    case replace(String, by: String, named: String)
    /// Sets the variable that the message names; nil unsets it.
    case set(String, String?)
    /// Replaces a text of `mine.toml`, as the message says.
    case edit(String, by: String, named: String)
    /// Runs the shell command that the message names on a file.
    case shell(String, on: String)
  }

  struct Situation: Sendable, CustomTestStringConvertible {
    /// The words of the command line. `HOME` and `SERVER` stand for the folder and the service of the test.
    let line: String
    let remedy: Remedy
    /// A text of the output or the messages once the remedy is applied; the exit status is then 0.
    var result = ""
    var environment: [String: String] = [:]
    /// The source `HOME/mine.toml`.
    var source = Self.plain
    /// Files in the folder, by name.
    var files: [String: String] = [:]

    var testDescription: String { line }

    static let plain = """
      schema = 1
      id = "mine"
      request = { url = "SERVER/characters", params = { q = "{query}" } }
      rows.path = "items"
      """
    static let fixed = plain.replacing("{query}", with: "arrow")
    static func auth(_ from: String) -> String { "\(plain)\n[auth]\ntype = \"bearer\"\nfrom = \"\(from)\"\n" }
    static let own = ".config/riffle/sources/mine.toml"
  }

  private static let arrow = "search unicode arrow"
  private static let situations: [Situation] = [
    // Misspelled names
    Situation(line: "search unicod arrow -n 1", remedy: .meant("unicod"), result: "U+02C2"),
    Situation(line: "soures list", remedy: .meant("soures"), result: "unicode"),
    Situation(line: "\(arrow) --limitt 3", remedy: .meant("--limitt"), result: "U+02C4"),
    Situation(line: "\(arrow) -c nmae", remedy: .meant("nmae"), result: "ARROWHEAD"),
    Situation(line: "\(arrow) --sort nmae", remedy: .meant("nmae"), result: "ARROWHEAD"),
    Situation(line: "\(arrow) --filter nmae:right", remedy: .meant("nmae"), result: "RIGHT"),
    Situation(line: "\(arrow) --template {nmae}", remedy: .meant("nmae"), result: "ARROWHEAD"),
    Situation(line: "\(arrow) --set sever=SERVER", remedy: .meant("sever"), result: "ARROWHEAD"),
    Situation(
      line: "add HOME/api.json --endpoint /bookz --dry-run", remedy: .meant("/bookz"),
      result: "url = \"SERVER/books\"", files: ["api.json": description]),
    Situation(
      line: "config check HOME/mine.toml", remedy: .meant("limmit"), result: "no errors",
      source: "[search]\nlimmit = 3\n"),
    Situation(line: "unicode arrow -n 2", remedy: .instead, result: "U+02C3"),
    Situation(line: "unicode arrow --limit 2", remedy: .instead, result: "U+02C3"),
    Situation(line: "search unicode -arrow", remedy: .instead, result: "no results"),
    Situation(
      line: "search @c", remedy: .add("QUERY", "arrow"), result: "ARROWHEAD",
      files: [
        Situation.own: Situation.plain, ".config/riffle/config.toml": "[searches.c]\nsource = \"mine\"\n",
      ]),
    // [U22] [U23] Queries: what was typed is repeated, and the query selects the parents.
    Situation(line: "search HOME/mine.toml --all -c name", remedy: .query("arrow"), result: "ARROWHEAD"),
    Situation(line: "search HOME/mine.toml --all -c name", remedy: .query("")),
    Situation(
      line: "search gitlab-issues --each --all --dry-run", remedy: .query("runner"),
      result: "search=runner"),
    Situation(line: "search gitlab-issues --each --all --dry-run", remedy: .query(""), result: "/projects?"),
    Situation(line: "plan gitlab-issues --each --shards 2", remedy: .query("runner"), result: "parents:2/2"),
    // Files and directories
    Situation(line: "\(arrow) --config HOME/none.toml", remedy: .run, result: "ARROWHEAD"),
    Situation(line: "\(arrow) --config HOME/no.toml", remedy: .run, result: "ARROWHEAD"),
    Situation(
      line: "config init --config HOME/mine.toml", remedy: .instead, environment: ["VISUAL": "true"],
      source: "[search]\nlimit = 3\n"),
    Situation(line: "sources edit zz", remedy: .instead, result: "unicode"),
    Situation(line: "sources remove zz", remedy: .instead, result: "unicode"),
    Situation(line: "sources remove mine", remedy: .add("--yes"), files: [Situation.own: Situation.plain]),
    Situation(
      line: "sources edit unicode", remedy: .set("VISUAL", "true"), environment: ["VISUAL": "false"]),
    Situation(
      line: "sources edit unicode", remedy: .set("EDITOR", "true"), environment: ["EDITOR": "false"]),
    Situation(
      line: "search SERVER/characters arrow", remedy: .instead, result: "id = \"127-0-0-1\""),
    Situation(
      line: "add HOME/mine.toml", remedy: .instead, result: "cannot ask for confirmation"),
    Situation(
      line: "add HOME/api.json --all", remedy: .add("--name books --force"), result: "wrote",
      files: ["api.json": description, ".config/riffle/sources/books-books.toml": Situation.plain]),
    Situation(line: "sources show registry-tags", remedy: .show, result: "/v2/library/alpine/tags/list"),
    Situation(
      line: "add SERVER/characters?q=arrow --name mine", remedy: .add("--force"), result: "wrote",
      files: [Situation.own: Situation.plain]),
    Situation(
      line: "search HOME/mine.toml", remedy: .add("QUERY", "arrow"), result: "ARROWHEAD"),
    Situation(
      line: "search HOME/mine.toml arrow", remedy: .omit("arrow"), result: "ARROWHEAD",
      source: Situation.fixed),
    // Rows
    Situation(line: arrow, remedy: .add("--all"), result: "U+FFEB"),
    Situation(line: arrow, remedy: .add("--limit", "200"), result: "U+21AF"),
    Situation(line: "\(arrow) --filter right", remedy: .add("--all"), result: "U+2192"),
    Situation(
      line: "search unicode letter --filter zebra -n 500", remedy: .add("--max-pages", "11"),
      result: "no matches in the first 1,100 of"),
    Situation(line: "\(arrow) --filter block<", remedy: .replace("block<", by: "name<B", named: "a value")),
    Situation(line: "\(arrow) --resume", remedy: .add("--output", "HOME/rows.csv")),
    Situation(
      line: "search HOME/mine.toml arrow --count", remedy: .add("--count --all"), result: "30"),
    Situation(
      line: "\(arrow) --dry-run", remedy: .add("--set", "server=SERVER"), result: "curl 'SERVER/characters"),
    Situation(line: "pick unicode arrow", remedy: .replace("pick", by: "search", named: "riffle search")),
    Situation(
      line: "\(arrow) --record HOME/mine.toml",
      remedy: .replace("mine.toml", by: "new.riffle", named: "another name")),
    // The service
    Situation(
      line: "\(arrow) --set server=SERVER/zzz",
      remedy: .replace("/zzz", by: "", named: "check --set server=SERVER/zzz"), result: "ARROWHEAD"),
    Situation(
      line: "\(arrow) --set server=zzz",
      remedy: .replace("zzz", by: "SERVER", named: "Write it like https://"), result: "ARROWHEAD"),
    Situation(
      line: "search HOME/mine.toml arrow", remedy: .edit("/zzz", by: "/characters", named: "request.url"),
      result: "ARROWHEAD", source: Situation.plain.replacing("/characters", with: "/zzz")),
    // Credentials and certificates
    Situation(
      line: "doctor npm", remedy: .set("SSL_CERT_FILE", nil), environment: ["SSL_CERT_FILE": "/nope"]),
    Situation(
      line: "search HOME/mine.toml arrow", remedy: .add("--trust"), result: "ARROWHEAD",
      environment: ["TOKEN": "t"], source: Situation.auth("env:TOKEN")),
    Situation(
      line: "search mine arrow", remedy: .shell("chmod go-w", on: Situation.own), result: "ARROWHEAD",
      environment: ["TOKEN": "t"], files: [Situation.own: Situation.auth("env:TOKEN")]),
    Situation(
      line: "search mine arrow", remedy: .set("TOKEN", "t"), result: "ARROWHEAD",
      files: [Situation.own: Situation.auth("env:TOKEN")]),
    Situation(
      line: "sources check HOME/mine.toml", remedy: .edit("http:", by: "https:", named: "Use https"),
      result: "no mistakes",
      source: Situation.auth("env:TOKEN").replacing("SERVER", with: "http://api.example.org")),
    Situation(
      line: "\(arrow) -n 1", remedy: .meant("RIFFLE_SEARCH_TIMOUT"), result: "U+02C2",
      environment: ["RIFFLE_SEARCH_TIMOUT": "9s"]),
    Situation(
      line: "\(arrow) -n 1 -H A:$NONE", remedy: .set("NONE", "x"), result: "U+02C2"),
  ]

  private static let description = """
    {"openapi": "3.0.0", "info": {"title": "Books", "version": "1"}, "servers": [{"url": "SERVER"}],
     "paths": {"/books": {"get": {"responses": {"200": {"description": "", "content": {"application/json": {"schema":
       {"type": "array", "items": {"type": "object", "properties": {"id": {"type": "integer"}}}}}}}}}}}}
    """

  @Test(arguments: situations)
  func `[U13] What a message advises helps.`(situation: Situation) async throws {
    let server = try await TestServer.start()
    try await withFile("mine.toml", "") { path in
      var run = Run(
        situation, home: URL(filePath: path).deletingLastPathComponent().path, server: server.baseURL)
      try run.writeFiles()
      let before = try await run.result()
      let message = run.general(before.errors + before.output)
      try await run.apply(situation.remedy, of: message)
      let after = try await run.result()
      let text = run.general(after.output + after.errors)
      #expect(situation.result.isEmpty || text.contains(situation.result), "\(message)\n→ \(text)")
      #expect(after != before, "\(message)")
      #expect(after.status == 0 || situation.result == "cannot ask for confirmation", "\(message)\n→ \(text)")
    }
    try await server.stop()
  }

  @Test func `[U5] [U24] Both remedies of doctor for a source outside of the sources directory help.`()
    async throws
  {
    let server = try await TestServer.start()
    let text = Situation.auth("env:TOKEN").replacing("SERVER", with: server.baseURL)
    try await withFile("mine.toml", text) { path in
      let home = URL(filePath: path).deletingLastPathComponent().path
      func run(_ words: [String]) async throws -> Program.Result {
        try await Program.run(words, environment: ["HOME": home, "TOKEN": "t"])
      }
      let before = try await run(["doctor", path])
      let remedy = "run riffle sources add \(path), or pass --trust to riffle search"
      #expect(before.output.contains(remedy), "\(before.output)")
      #expect(try await run(["search", path, "arrow", "--trust"]).status == 0)
      #expect(try await run(["sources", "add", path, "--yes"]).status == 0)
      #expect(!(try await run(["doctor", "mine"]).output.contains("cannot use credentials")))
      #expect(try await run(["search", "mine", "arrow"]).status == 0)
    }
    try await server.stop()
  }

  @Test func `[U9] Doctor names the server that a source needs.`() async throws {
    let result = try await Program.run(["doctor", "jira"])
    let problem = /PROBLEM +source jira requires option server.*\n +→ write options\.server = "https/
    #expect(result.output.contains(problem), "\(result.output)")
  }

  @Test func `[U21] --restore without a terminal says so.`() async throws {
    let result = try await Program.run(["--restore"])
    #expect(result.errors == "riffle: --restore needs a terminal\n")
    #expect(result.status == 64)
  }

  @Test(
    arguments: [
      ("sources edit zz", [:], "riffle: unknown source \"zz\". To list sources, run: riffle sources list\n"),
      ("auth lgoin x", [:], "riffle: unexpected argument \"x\". Did you mean \"auth login\"?\n"),
      (
        "sources remov x", [:],
        "riffle: no source matches \"remov x\". To list all sources, run: riffle sources list. "
          + "Did you mean \"sources remove\"?\n"
      ),
      (
        "search https://api.example.org/list", [:],
        "riffle: https://api.example.org/list is a URL, not a source. To create a source from it, run: "
          + "riffle add 'https://api.example.org/list'\n"
      ),
      (
        "search npm tea", ["SSL_CERT_FILE": "/nope"],
        "riffle: page 1 failed: cannot read /nope (SSL_CERT_FILE): No such file or directory. "
          + "Set SSL_CERT_FILE to a PEM file of root certificates, or unset it to use those of the system\n"
      ),
      (
        "search npm tea", ["RIFFLE_TLS_CA_FILE": "/nope"],
        "riffle: page 1 failed: cannot read /nope (tls.ca_file): No such file or directory. "
          + "Set tls.ca_file to a PEM file of root certificates, or unset it to use those of the system\n"
      ),
      (
        "search github-code tea", ["PATH": "/nonexistent"],
        "riffle: source github-code needs a credential for https://api.github.com, but none was found: "
          + "GH_TOKEN is not set, GITHUB_TOKEN is not set, gh is not installed. "
          + "Create a token at https://github.com/settings/tokens, and set GH_TOKEN to it\n"
      ),
      (
        "unicode arrow -n 3", [:],
        "riffle: -n is an option of riffle search. Run: riffle search unicode arrow -n 3\n"
      ),
      (
        "plan unicode arrow --shards 2 --shard pages:1-2@10", [:],
        "riffle: --shard cannot be used with plan. A shard cannot be divided again\n"
      ),
      (
        "plan unicode arrow --shards 2 --since-last --state x", [:],
        "riffle: --since-last cannot be used with plan. A plan divides all rows\n"
      ),
      (
        "unicode arrow -n 3", [:],
        "riffle: -n is an option of riffle search. Run: riffle search unicode arrow -n 3\n"
      ),
      (
        "plan unicode arrow --shards 2 --shard pages:1-2@10", [:],
        "riffle: --shard cannot be used with plan. A shard cannot be divided again\n"
      ),
      (
        "plan unicode arrow --shards 2 --since-last --state x", [:],
        "riffle: --since-last cannot be used with plan. A plan divides all rows\n"
      ),
      (
        "search unicode snowman -q", ["RIFFLE_SEARCH_ZZZ": "1"], ""
      ),
      (
        "search npm tea --page-size 9999 --dry-run", [:],
        "riffle: --page-size 9999 is reduced to 250, the most that source npm allows\n"
      ),
      ("search npm tea --page-size 9999 --dry-run -q", [:], ""),
      (
        "search unicode arrow -o ", [:],
        "riffle: missing file name for --output (- is stdout). See riffle help search\n"
      ),
      (
        "search github-code tea", ["PATH": "/nonexistent", "GH_TOKEN": ""],
        "riffle: source github-code needs a credential for https://api.github.com, but none was found: "
          + "GH_TOKEN is empty, GITHUB_TOKEN is not set, gh is not installed. "
          + "Create a token at https://github.com/settings/tokens, and set GH_TOKEN to it\n"
      ),
      (
        "search unicode arrow -n 1", ["RIFFLE_SEARCH_ZZZ": "1"],
        "riffle: environment variable RIFFLE_SEARCH_ZZZ is not a setting\n"
      ),
      (
        "search unicode arrow --filter right", [:],
        "riffle: 14 matches in the first 30 of 644 rows. To filter all rows, use --all\n"
      ),
      (
        "search unicode arrow --filter name<", [:],
        "riffle: invalid filter: nothing after \"name<\". Give a value\nriffle:   name<\nriffle:   ^~~~~\n"
      ),
      (
        "search unicode arrow --dry-run", [:],
        "riffle: http://riffle.localhost exists only inside riffle, so curl cannot run this. "
          + "Start riffle demo serve --port 8000, and add --set server=http://127.0.0.1:8000\n"
      ),
    ] as [(String, [String: String], String)])
  func `[U12] A message names what is wrong, and is true.`(
    line: String, environment: [String: String], message: String
  ) async throws {
    let words = line.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
    let result = try await Program.run(
      words, environment: environment.merging(["RIFFLE_SEARCH_RETRIES": "0"]) { $1 })
    #expect(result.errors == message)
  }

  @Test func `[U12] A description without the named list reports its lists.`() async throws {
    try await withFile("api.json", Self.description.replacing("SERVER", with: "https://api.example.org")) {
      path in
      let result = try await Program.run(["add", path, "--endpoint", "/zz", "--dry-run"])
      #expect(result.errors == "riffle: \(path) has no list \"/zz\". Its lists are /books\n")
    }
  }

  /// One situation in a folder of its own.
  private struct Run {
    private let situation: Situation
    private let home: String
    private let server: String
    private var words: [String]
    private var environment: [String: String]

    init(_ situation: Situation, home: String, server: String) {
      (self.situation, self.home, self.server) = (situation, home, server)
      words = situation.line.split(separator: " ").map(String.init)
      environment = ["RIFFLE_SEARCH_RETRIES": "0"].merging(situation.environment) { $1 }
      environment["HOME"] = home
    }

    func writeFiles() throws {
      let files = ["mine.toml": situation.source].merging(situation.files) { $1 }
      for (name, text) in files {
        let url = URL(filePath: "\(home)/\(name)")
        try FileManager.default.createDirectory(
          at: url.deletingLastPathComponent(), withIntermediateDirectories: true,
          attributes: [.posixPermissions: 0o700])
        try special(text).write(to: url, atomically: true, encoding: .utf8)
        let isShared = if case .shell(_, name) = situation.remedy { true } else { false }
        try FileManager.default.setAttributes(
          [.posixPermissions: isShared ? 0o666 : 0o600], ofItemAtPath: url.path)
      }
    }

    func result() async throws -> Program.Result {
      try await Program.run(words.map(special), environment: environment)
    }

    private func special(_ text: String) -> String {
      text.replacing("HOME", with: home).replacing("SERVER", with: server)
    }

    func general(_ text: String) -> String {
      text.replacing(home, with: "HOME").replacing(server, with: "SERVER")
    }

    mutating func apply(_ remedy: Remedy, of message: String) async throws {
      switch remedy {
      case .run:
        let result = try await Program.run(try command(in: message).map(special), environment: environment)
        #expect(result.status == 0, "\(message)\n→ \(result)")
      case .instead: words = try command(in: message)
      case .query(let query):
        let pattern = /query: riffle ([^\n]+)\. To send an empty query, write ''/
        let command = String(try #require(message.firstMatch(of: pattern)?.1, "\(message)"))
        words = ShellWords.words(command).map { $0 == "QUERY" ? query : $0 }
      case .show:
        let pattern = /default\. riffle ([^\n]+) shows one/
        let command = String(try #require(message.firstMatch(of: pattern)?.1, "\(message)"))
        words = ShellWords.words(command.replacing("=…", with: "=library/alpine"))
      case .meant(let wrong):
        let pattern = /Did you mean (?:the [a-z]+ )?"?([^"?\n ]+)"?/
        let right = String(try #require(message.firstMatch(of: pattern)?.1, "\(message)"))
        words = words.map { $0.replacing(wrong, with: right) }
        if let value = environment.removeValue(forKey: wrong) { environment[right] = value }
        try edit(wrong, by: right)
      case .add(let name, let value):
        try #require(message.contains(name), "\(message)")
        let option = name.hasPrefix("-") ? name.split(separator: " ").map(String.init) : []
        words += option.filter { !words.contains($0) } + (value.isEmpty ? [] : [value])
      case .omit(let word):
        try #require(message.contains("Omit"), "\(message)")
        words.removeAll { $0 == word }
      case .replace(let old, let new, let named):
        try #require(message.localizedCaseInsensitiveContains(named), "\(message)")
        words = words.map { $0.replacing(old, with: new) }
      case .set(let name, let value):
        try #require(
          message.localizedCaseInsensitiveContains(value == nil ? "unset it" : "set"), "\(message)")
        try #require(message.contains(name), "\(message)")
        environment[name] = value
      case .edit(let old, let new, let named):
        try #require(message.contains(named), "\(message)")
        try edit(old, by: new)
      case .shell(let command, let file):
        try #require(message.contains("Run: \(command) HOME/\(file)"), "\(message)")
        _ = try await Program.shell("\(command) \(home)/\(file)")
      }
    }

    /// The words of the command that the message says to run.
    private func command(in message: String) throws -> [String] {
      let pattern = /[Rr]un: riffle ([^\n]+?)(?:\. |\n|$)/
      return ShellWords.words(String(try #require(message.firstMatch(of: pattern)?.1, "\(message)")))
    }

    private func edit(_ old: String, by new: String) throws {
      let path = "\(home)/mine.toml"
      let text = try String(contentsOfFile: path, encoding: .utf8)
      try text.replacing(old, with: new).write(toFile: path, atomically: true, encoding: .utf8)
    }
  }
}

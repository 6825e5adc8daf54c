import Config
import ConfigTesting
import TestSupport
import Testing

@testable import App
@testable import Config
@testable import Search

/// The sources of one service, which share a server and a credential.
@Suite(.takesTurns) struct SourceFamilyTests {
  private static let rows = """
    {"total_count": 1, "items": [{"id": 1, "login": "ann", "full_name": "a/b"}], \
    "data": {"search": {"nodes": [{"url": "https://x.example/1"}], "pageInfo": {"hasNextPage": false}}}}
    """

  private struct Case {
    /// The arguments after `search`.
    let words: String
    /// The first line of the last request, without the server's path.
    let request: String
    /// The body of the response.
    var rows = SourceFamilyTests.rows
  }

  private static let github = [
    Case(words: "github tui", request: "GET /api/v3/search/repositories?q=tui&page=1&per_page=100"),
    Case(words: "github-code tui", request: "GET /api/v3/search/code?q=tui&page=1&per_page=100"),
    Case(words: "github-users tui", request: "GET /api/v3/search/users?q=tui&page=1&per_page=100"),
    Case(
      words: "github-issues tui",
      request: "GET /api/v3/search/issues?q=tui&advanced_search=true&page=1&per_page=100"),
    Case(
      words: "github-repository-issues --set repository=a/b",
      request: "GET /api/v3/repos/a/b/issues?state=open&sort=created&per_page=100",
      rows: "[{\"id\": 1}]"),
    Case(words: "github-graphql tui", request: "POST /api/graphql"),
  ]

  private static let gitlab = [
    Case(
      words: "gitlab tui",
      request: "GET /api/v4/projects?search=tui&order_by=last_activity_at&sort=desc&page=1&per_page=100",
      rows: "[{\"id\": 1}]"),
    Case(
      words: "gitlab-issues --set project=7",
      request: "GET /api/v4/projects/7/issues?order_by=created_at&sort=desc&page=1&per_page=100",
      rows: "[{\"id\": 1}]"),
  ]

  /// Runs the cases with a settings file, and checks the request of each: its target, and the given credential.
  private func check(
    _ cases: [Case], _ settings: (String) -> String, _ environment: [String: String],
    sends credential: String?
  ) async throws {
    for row in cases {
      let server = try ScriptedServer { _ in .json(row.rows) }
      try await withFile("config.toml", settings(server.baseURL)) { file in
        let words = row.words.split(separator: " ").map(String.init)
        let result = try await Program.run(
          ["search"] + words + ["--all", "-f", "jsonl", "--config", file, "--retries", "0"],
          environment: environment)
        let request = try #require(server.requests.last, "\(result)")
        #expect(result.status == 0, "\(result)")
        #expect(request.hasPrefix("\(row.request) HTTP/1.1\n"))
        let lines = request.lowercased().split(separator: "\n")
        let sent = lines.filter { $0.hasPrefix("authorization:") || $0.hasPrefix("private-token:") }
        #expect(sent.joined() == credential ?? "", "\(row.words)")
      }
      server.stop()
    }
  }

  @Test func `[U6] Two lines of the settings move a family of sources to a server, with its credential.`()
    async throws
  {
    let (enterprise, own) = (WorkedExamples.servers[0].text, WorkedExamples.servers[1].text)
    try await check(
      Self.github, { enterprise.replacing("https://github.example.com", with: $0) },
      ["GHE_TOKEN": "ghe-token", "GH_TOKEN": "public-token"], sends: "authorization: bearer ghe-token")
    try await check(
      Self.gitlab, { own.replacing("https://gitlab.example.com", with: $0) },
      ["MY_GITLAB_TOKEN": "own-token", "GITLAB_TOKEN": "public-token"], sends: "private-token: own-token")
  }

  @Test func `[U6] A server whose credential is not named gets none.`() async throws {
    let environment = ["GH_TOKEN": "public-token", "GITLAB_TOKEN": "public-token"]
    try await check(
      Self.github, { "[sources.github-api]\noptions.server = \"\($0)/api/v3/\"" }, environment, sends: nil)
    try await check(
      Self.gitlab, { "[sources.gitlab-api]\noptions.server = \"\($0)\"" }, environment, sends: nil)
  }

  // MARK: One change breaks nothing else

  private static let path = "/home/ann/.config/riffle/config.toml"

  private func catalog(
    _ settings: String, _ documents: [BuiltInDocument] = BuiltInSources.documents
  ) throws -> Catalog {
    let layers = try SettingsLayers(schema: .program, file: TOMLDocument(settings, file: Self.path))
    return Catalog(
      builtIns: documents, folder: nil, files: MemoryFiles([Self.path: settings]).access,
      user: 1000, overlays: layers.overlays)
  }

  /// What the settings for a source break, other than in the settings and the source themselves.
  private func damage(
    _ settings: String, of name: String, to documents: [BuiltInDocument]
  ) throws -> [String] {
    try catalog(settings, documents).all().problems
      .filter { ![Self.path, "builtin:\(name)"].contains($0.place.file) }.map { "\($0)" }
  }

  /// The names that each built-in document refers to: what it extends, and its parent.
  private static let references: [String: [String]] = {
    let documents = BuiltInSources.documents.compactMap { try? $0.source() }
    return Dictionary(
      uniqueKeysWithValues: documents.map { document in
        let parent = document.tree["parent"]?.table?["source"]?.string
        return (document.identity.id, [document.identity.base, parent].compactMap(\.self))
      })
  }()

  /// The documents that a change of this one can reach, and what those refer to.
  private static func relatives(of name: String) -> [BuiltInDocument] {
    var names: Set = [name]
    func add(_ more: (Set<String>) -> [String]) {
      while case let found = Set(more(names)).subtracting(names), !found.isEmpty { names.formUnion(found) }
    }
    add { known in references.filter { !known.isDisjoint(with: $0.value) }.map(\.key) }
    add { known in known.flatMap { references[$0] ?? [] } }
    return BuiltInSources.documents.filter { names.contains($0.name) }
  }

  @Test(arguments: BuiltInSources.documents.map(\.name))
  func `[U6] A change to one built-in source breaks no other.`(name: String) throws {
    let documents = Self.relatives(of: name)
    let plain = try catalog("", documents)
    let document = try #require(try plain.document(id: name))
    let tree = try plain.derived(document).0.tree
    let url = try #require(tree["request"]?.table?["url"]?.string)
    let path = url.replacing("https://", with: "").drop { $0 != "/" }
    let moved = "[sources.\(name)]\nrequest.url = \"https://moved.example\(path)\"\n"
    #expect(try damage(moved, of: name, to: documents) == [])
    #expect(
      try damage(moved + "auth = { type = \"bearer\", from = [\"env:MINE\"] }", of: name, to: documents) == []
    )
    #expect(try damage(moved + "auth = { type = \"none\" }", of: name, to: documents) == [])
    for option in tree["options"]?.table?.entries ?? [] {
      for value in option.value.table?["values"]?.elements.compactMap(\.scalarText) ?? [] {
        let choice = "[sources.\(name).options]\n\(option.key) = \"\(value)\""
        #expect(try damage(choice, of: name, to: documents) == [], "\(choice)")
      }
    }
  }

  @Test func `[U6] A source keeps its server and credential when another one is moved.`() throws {
    let catalog = try catalog(
      """
      [sources.github]
      request.url = "https://ghe.example/api/v3/search/repositories"
      auth = { type = "bearer", from = ["env:GHE_TOKEN"] }
      """)
    let code = try catalog.entry(named: "github-code")
    #expect(code.source.origin(options: [:]).map { "\($0)" } == "https://api.github.com")
    #expect(code.source.secretOrigins.first == .environment("GH_TOKEN"))
    #expect(code.notes == [])
    let (entries, problems, notes) = catalog.all()
    #expect(entries.count == BuiltInSources.sources.count)
    #expect(problems == [])
    // Its parents are rows of the moved source.
    #expect(
      notes == [
        """
        sources github-branches, github-commits, github-pulls and 4 others cannot follow a change to a related source: \
        its rows come from \
        https://ghe.example, but this source sends a credential to https://api.github.com. To allow that, add \
        hosts = ["ghe.example"]. To move all sources of the service, set options.server in [sources.github-api]
        """
      ])
  }

  @Test func `[U6] The server is set where it is shared, and a shared document is not a source.`() throws {
    let settings = "[sources.github.options]\nserver = \"https://ghe.example/api/v3\""
    let layers = try SettingsLayers(schema: .program, file: TOMLDocument(settings, file: Self.path))
    #expect(
      try catalog(settings).problems(of: layers).map { "\($0)" } == [
        """
        \(Self.path):2:1: [sources.github.options] server: this is the server of github, github-branches, \
        github-code and 16 others. To set it for all of them, write \
        [sources.github-api.options]
        """
      ])
    let catalog = try catalog("")
    #expect(catalog.all().entries.allSatisfy { !$0.source.id.hasSuffix("-api") })
    #expect {
      try catalog.entry(named: "gitlab-api")
    } throws: {
      "\($0)" == """
        builtin:gitlab-api:5:12: abstract: this is the base of other sources. Use one of them: gitlab, \
        gitlab-branches, gitlab-commits and 10 others
        """
    }
  }
}

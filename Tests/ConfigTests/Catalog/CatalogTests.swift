import ConfigTesting
import Testing

@testable import Config
@testable import Search

@Suite struct CatalogTests {
  private static let forge = """
    schema = 1
    id = "forge"
    title = "Forge projects"
    aliases = ["f"]
    request = { url = "https://api.forge.example/search", params = { q = "{query}" } }
    [auth]
    type = "bearer"
    from = ["env:FORGE_TOKEN"]
    [[columns]]
    path = "name"
    """
  private static let notes = "schema = 1\nid = \"notes\"\nrequest.url = \"https://notes.example/all\""

  private func catalog(_ user: [String: String] = [:], permissions: UInt16 = 0o644) -> Catalog {
    var files = MemoryFiles()
    for (name, text) in user {
      let path = name.contains("/") ? name : "/home/ann/sources/\(name)"
      files.files[path] = MemoryFiles.File(text: text, permissions: permissions)
    }
    files.folders["/home/ann/sources"] = FileStatus(owner: 1000, permissions: 0o755)
    return Catalog(
      builtIns: [
        BuiltInDocument(name: "forge", bytes: Array(Self.forge.utf8)),
        BuiltInDocument(name: "notes", bytes: Array(Self.notes.utf8)),
      ],
      folder: "/home/ann/sources",
      files: files.access, user: 1000)
  }

  /// The entry that is found, or the reason none is.
  private func finding(_ name: String, in catalog: Catalog) -> String {
    do {
      let entry = try catalog.entry(named: name)
      return "\(entry.source.id), \(entry.provenance), trusted \(entry.trust.isTrusted)"
    } catch { return "\(error)" }
  }

  @Test func `A source is found by its id, an alias or the path of its file.`() {
    let catalog = catalog([
      "mine.toml": Self.notes.replacing("notes", with: "mine"),
      "/tmp/other.toml": Self.notes.replacing("notes", with: "other"),
      "here.toml": "", ".hidden.toml": "[", "readme.txt": "[",
    ])
    #expect(finding("forge", in: catalog) == "forge, built in, trusted true")
    #expect(finding("f", in: catalog) == "forge, built in, trusted true")
    #expect(finding("mine", in: catalog) == "mine, /home/ann/sources/mine.toml, trusted true")
    #expect(finding("/tmp/other.toml", in: catalog) == "other, /tmp/other.toml, trusted false")
    #expect(
      finding("/home/ann/sources/mine.toml", in: catalog)
        == "mine, /home/ann/sources/mine.toml, trusted true")
    #expect(finding("nowhere.toml", in: catalog) == "cannot read nowhere.toml: no such file")
  }

  @Test func `An unknown name is reported with the nearest ones.`() {
    #expect(finding("forgge", in: catalog()) == #"unknown source "forgge". Did you mean "forge"?"#)
    #expect(
      finding("zzz", in: catalog()) == #"unknown source "zzz". To list sources, run: riffle sources list"#)
  }

  @Test func `A broken file affects only its own source.`() {
    let catalog = catalog(["mine.toml": "schema = 1\nid = ", "odd.toml": "schema = 1\nid = \"odd\""])
    #expect(
      finding("mine", in: catalog)
        == "/home/ann/sources/mine.toml:2:6: expected a value, found the end of the file")
    #expect(finding("forge", in: catalog) == "forge, built in, trusted true")
    let (entries, problems, _) = catalog.all()
    #expect(entries.map(\.source.id) == ["forge", "notes"])
    #expect(
      problems.map(\.description) == [
        "/home/ann/sources/mine.toml:2:6: expected a value, found the end of the file",
        "/home/ann/sources/odd.toml:1:1: request: missing (the table that describes the request)",
      ])
  }

  @Test func `A folder that cannot be read is a problem, and one that does not exist is not.`() {
    for (failure, problems) in [
      (FileError.other("Permission denied"), ["cannot read /s: Permission denied"]), (.missing, []),
    ] {
      let files = FileAccess(
        read: { _ throws(FileError) in throw failure }, list: { _ throws(FileError) in throw failure },
        status: { _ throws(FileError) in throw failure }, link: { _ throws(FileError) in throw failure },
        canonical: { _ throws(FileError) in throw failure },
        create: { _, _ throws(FileError) in throw failure })
      let catalog = Catalog(builtIns: [], folder: "/s", files: files, user: 1)
      #expect(catalog.all().problems.map(\.description) == problems)
    }
  }

  @Test func `Two files with the same id are an error.`() {
    let catalog = catalog([
      "a.toml": "schema = 1\nid = \"notes\"", "b.toml": "schema = 1\nid = \"notes\"",
    ])
    #expect(
      catalog.all().problems.map(\.description) == [
        "/home/ann/sources/b.toml:2:6: id: /home/ann/sources/a.toml has the same id"
      ])
  }

  @Test func `A file with the id of a built-in source changes only the keys it has.`() throws {
    let entry = try catalog([
      "forge.toml": """
      schema = 1
      id = "forge"
      title = "My forge"
      request.params = { sort = "stars" }
      [[columns]]
      path = "id"
      """
    ]).entry(named: "forge")
    #expect(entry.source.title == "My forge")
    #expect(entry.source.endpoint.url.text == "https://api.forge.example/search")
    #expect(entry.source.endpoint.parameters.map(\.name) == ["q", "sort"])
    #expect(entry.source.columns.map(\.name) == ["id"])
    #expect(entry.source.authorization != nil)
    #expect(entry.source.aliases == ["f"])
    #expect(entry.provenance == .user(path: "/home/ann/sources/forge.toml"))
  }

  @Test func `Problems of a layered source name the file of each layer.`() {
    let catalog = catalog(["forge.toml": "schema = 1\nid = \"forge\"\nauth.type = \"none\""])
    #expect(
      finding("forge", in: catalog) == """
        builtin:forge:8:1: [auth] from: not allowed with type = "none"
        """)
  }

  @Test func `A source may extend another.`() throws {
    let entry = try catalog([
      "groups.toml": """
      schema = 1
      id = "groups"
      extends = "forge"
      request.url = "https://api.forge.example/groups"
      """
    ]).entry(named: "groups")
    #expect(entry.source.title == "Forge projects")
    #expect(entry.source.aliases.isEmpty)
    #expect(entry.source.authorization != nil)
  }

  @Test func `Names of earlier drafts of the schema are read with a note.`() throws {
    let entry = try catalog([
      "x.toml": """
      schema = 1
      id = "x"
      extends = "forge"
      [rows]
      key = "isbn"
      [pagination]
      type = "link"
      next = "next"
      next_origin = "reply"
      """
    ]).entry(named: "x")
    #expect(try entry.source.rows.key == ValueExpression(parsing: "isbn"))
    #expect(
      entry.notes == [
        "source x: rows.key is now rows.id. The former name works until version 1.0",
        #"source x: next_origin = "reply" is now next_origin = "response". The former name works until version 1.0"#,
      ])
  }

  @Test(arguments: [
    "request.url = \"https://api.forge.example.org/search\"",
    "request.url = \"http://api.forge.example/search\"",
    "request.url = \"https://api.forge.example:8443/search\"",
    "request.url = \"https://api.forge.example.\"",
    "request.url = \"https://{host}/search\"\noptions.host.values = [\"x.example\"]",
  ])
  func `A source that requests another origin inherits no credentials.`(line: String) throws {
    let entry = try catalog(["x.toml": "schema = 1\nid = \"x\"\nextends = \"forge\"\n\(line)"]).entry(
      named: "x")
    #expect(entry.source.authorization == nil)
    #expect(
      entry.notes == [
        """
        source x uses another origin than the source it extends, so it does not inherit [auth]. To send a credential \
        there, also set auth.from, like auth.from = ["env:NAME"]
        """
      ])
  }

  private static let keyed = """
    schema = 1
    id = "keyed"
    options.base.default = "https://a.example"
    [request]
    url = "{base}/x"
    headers = { X-Key = "{secret:k}", X-Mode = "a" }
    params = { q = "{query}", key = "{secret:k?}" }
    when.query.params = { token = "{secret:k}", b = "2" }
    body = { plain = "1", login = { user = "ann", key = "{secret:k}" }, keys = [["{secret:k}"]] }
    [auth]
    type = "bearer"
    from = "env:AUTH"
    hosts = ["listed.example"]
    [secrets.k]
    from = "env:K"
    """

  /// The credentials that a document with these lines inherits from the source above.
  private func inheritance(_ lines: String) throws -> String {
    let entry = try catalog([
      "keyed.toml": Self.keyed, "x.toml": "schema = 1\nid = \"x\"\nextends = \"keyed\"\n\(lines)",
    ]).entry(named: "x")
    let endpoint = entry.source.endpoint
    let fields = endpoint.parameters + endpoint.headers + endpoint.additions.flatMap(\.parameters)
    let body = endpoint.body?.fields(.form).map(\.name) ?? []
    return (entry.source.secretOrigins.map(\.description) + fields.map(\.name) + body + entry.notes)
      .joined(separator: " ")
  }

  @Test func `With another origin, the secrets and every field that contains one are dropped.`() throws {
    let all = "env:AUTH env:K q key X-Key X-Mode token b plain login[user] login[key] keys"
    #expect(try inheritance("options.base.title = \"Server\"") == all)
    #expect(try inheritance("options.base.default = \"https://listed.example\"") == all)
    #expect(try inheritance("request.url = \"https://a.example/x\"").hasPrefix("q X-Mode b plain"))
    #expect(
      try inheritance("options.base.default = \"https://b.example\"") == """
        q X-Mode b plain login[user] source x uses another origin than the source it extends, so it does not inherit \
        [auth], [secrets], params.key, headers.X-Key, body.login.key, body.keys, params.token. To send a credential \
        there, also set auth.from, like auth.from = ["env:NAME"]
        """)
    #expect(
      try inheritance(
        "options.base.default = \"https://b.example\"\nauth.hosts = [\"b.example\"]") == all)
    #expect(
      try inheritance("options.base.charset = \"a-z:/.\"").hasPrefix("q X-Mode b plain login[user] source x"))
    #expect(
      try inheritance(
        "options.base.default = \"https://b.example\"\nauth = { type = \"none\" }\nsecrets.k.from = \"env:MINE\""
      ) == "env:MINE q key X-Key X-Mode token b plain login[user] login[key] keys")
  }

  @Test func `The source that another extends must exist and must not extend it back.`() {
    let catalog = catalog([
      "a.toml": "schema = 1\nid = \"a\"\nextends = \"b\"",
      "b.toml": "schema = 1\nid = \"b\"\nextends = \"a\"",
      "c.toml": "schema = 1\nid = \"c\"\nextends = \"forgee\"",
    ])
    #expect(
      finding("a", in: catalog)
        == "/home/ann/sources/b.toml:3:11: extends: \"a\" extends this source itself")
    #expect(
      finding("c", in: catalog)
        == "/home/ann/sources/c.toml:3:11: extends: unknown source \"forgee\". Did you mean \"forge\"?")
  }

  @Test(arguments: [
    ("schema = 1\nid = \"forge\"\n[rows", "3:6: expected ], found the end of the file"),
    ("schema = 1\nid =", "2:5: expected a value, found the end of the file"),
  ])
  func `A broken file that replaces a built-in source is reported, not skipped.`(
    text: String, problem: String
  ) {
    let catalog = catalog(["forge.toml": text])
    #expect(finding("forge", in: catalog) == "/home/ann/sources/forge.toml:\(problem)")
    #expect(catalog.all().entries.map(\.source.id) == ["notes"])
    #expect(catalog.all().problems.map(\.description) == ["/home/ann/sources/forge.toml:\(problem)"])
  }

  @Test
  func
    `A built-in source is found by its id even if others are invalid; an invalid one is reported when read.`()
    throws
  {
    let forge = "schema = 1\nid = \"forge\"\naliases = [\"f\"]\nrequest.url = \"https://forge.example\""
    let catalog = Catalog(
      builtIns: [
        BuiltInDocument(name: "broken", bytes: Array("id = ".utf8)),
        BuiltInDocument(name: "forge", bytes: Array(forge.utf8)),
      ], folder: nil,
      files: MemoryFiles([:]).access, user: 1)
    #expect(try catalog.entry(named: "forge").source.id == "forge")
    #expect(try catalog.entry(named: "f").source.id == "forge")
    #expect(throws: CatalogError.self) { try catalog.entry(named: "broken") }
    #expect(catalog.all().entries.map(\.source.id) == ["forge"])
    #expect(catalog.all().problems.map(\.description).allSatisfy { $0.hasPrefix("builtin:broken:1:") })
    #expect(!catalog.all().problems.isEmpty)
  }

  @Test func `A broken base is reported with its own problem.`() {
    let catalog = catalog([
      "a.toml": "schema = 1\nid =", "b.toml": "schema = 1\nid = \"b\"\nextends = \"a\"",
    ])
    #expect(
      finding("b", in: catalog)
        == "/home/ann/sources/a.toml:2:5: expected a value, found the end of the file")
  }

  @Test func `A missing base hides no other mistake.`() {
    let catalog = catalog([
      "c.toml": """
      schema = 1
      id = "c"
      extends = "forgee"
      titel = "C"
      request.params.q = "{query} {sort}"
      request.timeout = 3
      pagination.first = 1
      """
    ])
    #expect(
      finding("c", in: catalog) == """
        /home/ann/sources/c.toml:3:11: extends: unknown source "forgee". Did you mean "forge"?
        /home/ann/sources/c.toml:4:1: titel: unknown setting. Did you mean "title"?
        /home/ann/sources/c.toml:6:19: [request] timeout: expected a duration like "400ms" or "5m", found an integer
        """)
  }

  @Test func `An alias that another source has is a problem, and an id takes precedence over it.`() {
    let catalog = catalog([
      "a.toml": Self.notes.replacing("notes", with: "a") + "\naliases = [\"f\", \"notes\", \"b\"]",
      "b.toml": Self.notes.replacing("notes", with: "b") + "\nenabled = false",
    ])
    #expect(
      catalog.all().problems.map(\.description) == [
        "/home/ann/sources/a.toml:4:11: aliases: \"f\" already names source forge. Choose another alias",
        "/home/ann/sources/a.toml:4:11: aliases: \"notes\" already names source notes. Choose another alias",
      ])
    #expect(finding("notes", in: catalog) == "notes, built in, trusted true")
    #expect(finding("b", in: catalog) == "a, /home/ann/sources/a.toml, trusted true")
  }

  @Test func `A query between quotes without a filter gets a note.`() throws {
    func notes(_ request: String) throws -> [String] {
      try catalog(["q.toml": "schema = 1\nid = \"q\"\n[request]\n\(request)"]).entry(named: "q").notes
    }
    let url = "url = \"https://a.example\"\n"
    #expect(
      try notes(url + #"params.where = "name = '%{query}%'""#) == [
        """
        source q: [request.params] where: {query} is inside quotes, so a quote in the query would end the \
        string. Write {query|sql} (doubles ') or {query|json}
        """
      ])
    #expect(try notes(url + #"when.query.body.a.b = ["'x' or \"{query}\""]"#).count == 1)
    #expect(try notes(#"url = "https://a.example/x('{query}')""#).count == 1)
    for fine in [
      #"params.where = "name = '%{query|sql}%'""#, #"params.q = "'a' {query} 'b'""#,
      #"params.q = "{query}'s""#,
    ] {
      #expect(try notes(url + fine).isEmpty)
    }
  }

  /// A separate scan for each placeholder would take minutes.
  @Test(.timeLimit(.minutes(2)))
  func `[D54] Tens of thousands of placeholders take no longer than as many letters.`() throws {
    let placeholders = String(repeating: "{query}x", count: 32_000)
    func notes(_ text: String) throws -> Int {
      let request = "url = \"https://a.example\"\nparams.q = \"\(text)\""
      return try catalog(["q.toml": "schema = 1\nid = \"q\"\n[request]\n\(request)"]).entry(named: "q")
        .notes.count
    }
    #expect(try notes(placeholders) == 0)
    #expect(try notes("it's \(placeholders)") == 0)
    #expect(try notes("it's \(placeholders)'") == 1)
  }

  @Test func `A file with an invalid name is reported with all its other problems.`() {
    let catalog = catalog(["/tmp/x.toml": "schema = 1\nid = \"X\"\nrequest.url = \"x\""])
    #expect(
      finding("/tmp/x.toml", in: catalog) == """
        /tmp/x.toml:2:6: id: invalid name "X": use a-z, 0-9 and -, and start with a letter or digit
        /tmp/x.toml:3:15: [request] url: invalid URL "x": it does not start with http:// or https://
        """)
  }

  @Test func `A disabled source is not listed, and naming it reports that it is disabled.`() {
    let catalog = catalog(["notes.toml": "schema = 1\nid = \"notes\"\nenabled = false"])
    #expect(catalog.all().entries.map(\.source.id) == ["forge"])
    #expect(
      finding("notes", in: catalog)
        == "/home/ann/sources/notes.toml:3:11: enabled: this source is disabled")
  }

  @Test func `A source changed by an untrusted file is not trusted either.`() throws {
    let catalog = catalog(["forge.toml": "schema = 1\nid = \"forge\""], permissions: 0o666)
    #expect(try !catalog.entry(named: "forge").trust.isTrusted)
  }
}

import ConfigTesting
import Search
import Testing

@testable import Config

/// `[sources.NAME]` of the settings file.
@Suite struct SourceOverlayTests {
  private static let forge = """
    schema = 1
    id = "forge"
    options.sort.values = ["", "stars"]
    options.per = { default = 10, title = "Per" }
    [request]
    url = "https://forge.example/search"
    params = { q = "{query}", sort = "{sort?}", per = "{per}" }
    [auth]
    type = "bearer"
    from = ["env:FORGE_TOKEN"]
    """
  private static let path = "/home/ann/.config/riffle/config.toml"

  private func catalog(
    _ config: String, own: [String: String] = [:], _ change: (inout MemoryFiles) -> Void = { _ in }
  ) throws -> Catalog {
    let document = try TOMLDocument(config, file: Self.path)
    let layers = try SettingsLayers(schema: TestSchema.schema, file: document)
    var files = MemoryFiles([Self.path: config])
    let folders = ["", "/riffle", "/riffle/sources"].map { "/home/ann/.config\($0)" }
    for folder in folders { files.folders[folder] = FileStatus(owner: 1000, permissions: 0o755) }
    for (name, text) in own { files.files["\(folders[2])/\(name)"] = MemoryFiles.File(text: text) }
    change(&files)
    let catalog = Catalog(
      builtIns: [BuiltInDocument(name: "forge", bytes: Array(Self.forge.utf8))], folder: folders[2],
      files: files.access, user: 1000,
      overlays: layers.overlays)
    #expect(catalog.problems(of: layers).isEmpty)
    return catalog
  }

  @Test func `A disabled source is not listed, and naming it reports where it is disabled.`() throws {
    let catalog = try catalog("[sources.forge]\nenabled = false")
    #expect(catalog.all().entries.isEmpty)
    #expect {
      try catalog.entry(named: "forge")
    } throws: {
      "\($0)" == "\(Self.path):2:11: [sources.forge] enabled: this source is disabled"
    }
  }

  @Test func `A source that its own file disables can be enabled.`() throws {
    let catalog = try catalog(
      "[sources.forge]\nenabled = true", own: ["forge.toml": "schema = 1\nid = \"forge\"\nenabled = false"])
    #expect(catalog.all().entries.map(\.source.id) == ["forge"])
  }

  @Test func `An option gets a different default and keeps everything else.`() throws {
    let source = try catalog("[sources.forge.options]\nsort = \"stars\"\nper = 50").entry(named: "forge")
      .source
    #expect(source.options.map(\.name) == ["sort", "per"])
    #expect(source.options.map(\.defaultValue) == ["stars", "50"])
    #expect(source.options.map(\.values) == [["", "stars"], []])
    #expect(source.options.map(\.title) == [nil, "Per"])
  }

  @Test func `Settings win over the source's own file, and tables are merged key by key.`() throws {
    let entry = try catalog(
      "[sources.forge]\ntitle = \"Mine\"\nrequest.params.per = \"5\"",
      own: ["forge.toml": "schema = 1\nid = \"forge\"\ntitle = \"Own\"\nhomepage = \"https://own.example/\""]
    ).entry(named: "forge")
    #expect(entry.source.title == "Mine")
    #expect(entry.source.homepage == "https://own.example/")
    #expect(entry.source.endpoint.parameters.map(\.name) == ["q", "sort", "per"])
    #expect(entry.provenance == .user(path: "/home/ann/.config/riffle/sources/forge.toml"))
    #expect(entry.trust == .trusted)
  }

  @Test func `Settings also apply to a source that extends the changed one.`() throws {
    let entry = try catalog(
      "[sources.forge.options]\nsort = \"stars\"\n[sources.groups.options]\nper = 5",
      own: ["groups.toml": "schema = 1\nid = \"groups\"\nextends = \"forge\""]
    ).entry(named: "groups")
    #expect(entry.source.options.map(\.defaultValue) == ["stars", "5"])
  }

  @Test func `With another origin, a changed source inherits no credentials.`() throws {
    let entry = try catalog("[sources.forge]\nrequest.url = \"https://evil.example/\"").entry(
      named: "forge")
    #expect(entry.source.authorization == nil)
    #expect(
      entry.notes == [
        """
        source forge was moved to another origin, so it does not inherit [auth]. To send a credential there, also \
        set auth.from, like auth.from = ["env:NAME"]
        """
      ])
  }

  @Test(
    arguments: [
      ("", 1000, 0o644, nil),
      (
        "", 1000, 0o666,
        "is writable by others (mode 666). Run: chmod go-w \(path)"
      ),
      ("", 1001, 0o644, "belongs to another user"),
      (
        "/home/ann/.config/riffle", 1000, 0o777,
        "is not safe: /home/ann/.config/riffle is writable by others (mode 777). Run: chmod go-w /home/ann/.config/riffle"
      ),
    ] as [(String, UInt32, UInt16, String?)])
  func `A source is trusted no more than the settings file that changes it.`(
    folder: String, owner: UInt32, permissions: UInt16, reason: String?
  ) throws {
    let change = { (files: inout MemoryFiles) in
      if folder.isEmpty {
        files.files[Self.path]?.owner = owner
        files.files[Self.path]?.permissions = permissions
      } else {
        files.folders[folder] = FileStatus(owner: owner, permissions: permissions)
      }
    }
    let entry = try catalog("[sources.forge]\ntitle = \"Mine\"", change).entry(named: "forge")
    #expect(entry.trust == (reason.map { .untrusted($0) } ?? .trusted))
    #expect(try catalog("", change).entry(named: "forge").trust == .trusted)
  }

  @Test func `The permissions of a settings file with a relative path are checked at its location.`() throws {
    for (permissions, isTrusted) in [(0o600, true), (0o606, false)] as [(UInt16, Bool)] {
      var files = MemoryFiles()
      files.files["/home/ann/my.toml"] = MemoryFiles.File(text: "", permissions: permissions)
      let document = try TOMLDocument("[sources.forge]\ntitle = \"Mine\"", file: "my.toml")
      let layers = try SettingsLayers(schema: TestSchema.schema, file: document)
      let catalog = Catalog(
        builtIns: [BuiltInDocument(name: "forge", bytes: Array(Self.forge.utf8))], folder: nil,
        files: files.access, user: 1000,
        overlays: layers.overlays)
      #expect(try catalog.entry(named: "forge").trust.isTrusted == isTrusted)
    }
  }

  @Test func `Values in the settings are reported with their lines, except secrets.`() throws {
    let document = try TOMLDocument(
      """
      [sources.forge]
      enabled = true
      options.sort = "stars"
      request.params.api_key = "abc123"
      request.headers = { Authorization = { a = "abc123" }, X-Mode = "m" }
      request.url = "https://ann:abc123@forge.example/"
      auth.from = ["ghp_abc123", "env:FORGE"]
      request.body.list = [{ token = "abc123" }]
      [sources.forge.auth.x]
      """, file: "c.toml")
    let report = try SettingsLayers(schema: TestSchema.schema, file: document).report
    #expect(
      report.filter { $0.key.hasPrefix("sources.") }.map { "\($0.key) = \($0.value ?? "") \($0.origin)" } == [
        "sources.forge.enabled = true c.toml:2",
        "sources.forge.options.sort = \"stars\" c.toml:3",
        "sources.forge.request.params.api_key = (hidden) c.toml:4",
        "sources.forge.request.headers.Authorization = (hidden) c.toml:5",
        "sources.forge.request.headers.X-Mode = \"m\" c.toml:5",
        "sources.forge.request.url = (hidden) c.toml:6",
        "sources.forge.request.body.list = (hidden) c.toml:8",
        "sources.forge.auth.from = (hidden) c.toml:7",
        "sources.forge.auth.x = {} c.toml:9",
      ])
  }

  @Test func `[D54] A value in the place of a secret's name is shown only if it names a secret.`() throws {
    let document = try TOMLDocument(
      """
      [sources.forge.secrets]
      mine = "abc123"
      [sources.forge.secrets.one]
      from = "abc123"
      value = "abc123"
      optional = true
      [sources.forge.secrets.two]
      from = ["env:TWO", "cmd:pass two"]
      [sources.forge.auth]
      type = "bearer"
      from = "env:FORGE"
      user_from = ["abc123"]
      secret_value = "abc123"
      [sources.forge.request.params]
      key = "abc123"
      [sources.forge.request.headers]
      X-Auth-Key = "abc123"
      [sources.forge.rows]
      id = "id"
      """, file: "c.toml")
    let report = try SettingsLayers(schema: TestSchema.schema, file: document).report
    #expect(
      Set(report.filter { $0.key.hasPrefix("sources.") }.map { "\($0.key) = \($0.value ?? "")" }) == [
        "sources.forge.secrets.mine = (hidden)", "sources.forge.secrets.one.from = (hidden)",
        "sources.forge.secrets.one.value = (hidden)", "sources.forge.secrets.one.optional = true",
        #"sources.forge.secrets.two.from = ["env:TWO", "cmd:pass two"]"#,
        #"sources.forge.auth.type = "bearer""#, #"sources.forge.auth.from = "env:FORGE""#,
        "sources.forge.auth.user_from = (hidden)", "sources.forge.auth.secret_value = (hidden)",
        "sources.forge.request.params.key = (hidden)", "sources.forge.request.headers.X-Auth-Key = (hidden)",
        #"sources.forge.rows.id = "id""#,
      ])
  }
}

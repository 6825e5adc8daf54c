import ConfigTesting
import Testing

@testable import Config
@testable import Search

/// Tests the table `[parent]`: its meaning, and each mistake with its line and column.
@Suite struct ParentTests {
  /// The problems of a source whose lines 5 and on are these.
  private func problems(_ lines: String, url: String = "https://api.example.org/{project}/issues") -> String {
    ConfigTests.problems("schema = 1\nid = \"mine\"\nrequest.url = \"\(url)\"\n[parent]\n\(lines)")
  }

  private func parent(_ lines: String) throws -> Source {
    try source(
      "schema = 1\nid = \"mine\"\nrequest.url = \"https://api.example.org/{project}/issues\"\n[parent]\n\(lines)"
    )
  }

  @Test func `The parents are rows of a source, values, or values of a variable.`() throws {
    let rows = try parent(
      "source = \"forge\"\nname = \"project\"\nvalue = \"id\"\ncolumns = [\"name\", \"owner.login\"]")
    #expect(rows.parent?.rows == .source("forge"))
    #expect(rows.parent?.copies.map { "\($0)" } == ["name", "owner.login"])
    #expect(rows.options.map(\.name) == ["project"])

    let values = try parent("values = [\"eu\", \"us\"]\nname = \"project\"")
    #expect(values.parent?.rows == .values(["eu", "us"]))
    #expect(values.options.first?.values == ["eu", "us"])

    let variable = try parent("values_from = \"env:REGIONS\"\nname = \"project\"")
    #expect(variable.parent?.rows == .variable("REGIONS"))
    #expect(Parent.values(in: " eu, us ,,de ") == ["eu", "us", "de"])
    #expect(Parent.values(in: " , ") == [])
  }

  @Test func `A declared option keeps what it declares.`() throws {
    let source = try parent(
      "source = \"forge\"\nname = \"project\"\nvalue = \"id\"\n[options.project]\nvalues = [\"1\", \"2\"]")
    #expect(source.options.map(\.name) == ["project"])
    #expect(source.options.first?.values == ["1", "2"])
  }

  @Test(arguments: [
    (
      "name = \"project\"",
      "4:1: [parent]: a parent needs source, values or values_from"
    ),
    (
      "source = \"forge\"\nvalue = \"id\"",
      "4:1: [parent] name: missing (the name of the option for the value of a parent's row, like \"project\")"
    ),
    (
      "source = \"forge\"\nname = \"project\"",
      "4:1: [parent] value: missing (the value of a parent's row, like \"id\")"
    ),
    (
      "source = \"forge\"\nvalues = [\"a\"]\nname = \"project\"\nvalue = \"id\"",
      "6:10: [parent] values: source and values cannot be used together\nmine.toml:8:1: [parent] value: requires source"
    ),
    (
      "values = [\"a\"]\nvalues_from = \"env:A\"\nname = \"project\"",
      "6:15: [parent] values_from: values and values_from cannot be used together"
    ),
    ("values = [\"a\"]\nname = \"project\"\nvalue = \"id\"", "7:1: [parent] value: requires source"),
    (
      "values = [\"a\"]\nname = \"project\"\ncolumns = [\"name\"]\nwhere = { path = \"x\", exists = true }",
      "7:1: [parent] columns: requires source\nmine.toml:8:1: [parent] where: requires source"
    ),
    (
      "values = []\nname = \"project\"",
      "5:10: [parent] values: expected at least one value, and none that is empty"
    ),
    (
      "values = [\"a\", \"\"]\nname = \"project\"",
      "5:10: [parent] values: expected at least one value, and none that is empty"
    ),
    ("values = [\"a\"]\nname = 5", "6:8: [parent] name: expected a string, found an integer"),
    ("values_from = \"REGIONS\"\nname = \"project\"", "5:15: [parent] values_from: expected \"env:NAME\""),
    ("values_from = \"env:\"\nname = \"project\"", "5:15: [parent] values_from: expected \"env:NAME\""),
    (
      "source = \"forge\"\nname = \"project\"\nvalue = \"id\"\ncolumns = [\"tags[*]\"]",
      "8:11: [parent] columns: \"tags[*]\": expected the path of one field"
    ),
    (
      "source = \"forge\"\nname = \"project\"\nvalue = \"id\"\ncolumns = [\"name\", \"owner.name\"]",
      "8:11: [parent] columns: two columns would be named parent.name"
    ),
    (
      "source = \"forge\"\nname = \"project\"\nvalue = \"id\"\nwehre = 1",
      "8:1: [parent] wehre: unknown setting. Did you mean \"where\"?"
    ),
  ])
  func `Mistakes in the parent table are reported.`(lines: String, problem: String) {
    #expect(problems(lines) == "mine.toml:\(problem)")
  }

  @Test(arguments: [
    ("a b", "expected a name of letters, digits, - and _"),
    ("query", "{query} is a built-in placeholder. Choose another name"),
  ])
  func `The name has to be one that a placeholder may have.`(name: String, problem: String) {
    let text = problems(
      "source = \"forge\"\nname = \"\(name)\"\nvalue = \"id\"", url: "https://api.example.org/{query}")
    #expect(text.split(separator: "\n").first.map(String.init) == "mine.toml:6:8: [parent] name: \(problem)")
  }

  @Test func `A name that the request does not use is reported.`() {
    #expect(
      problems(
        "source = \"forge\"\nname = \"project\"\nvalue = \"id\"", url: "https://api.example.org/issues")
        == "mine.toml:6:8: [parent] name: {project} is not used in [request], so all lists would be the same")
  }
}

/// The sources above a source.
@Suite struct SourceAncestryTests {
  private func text(
    _ id: String, under parent: String? = nil, _ rest: String = "", host: String = "a.example"
  ) -> String {
    var text = "schema = 1\nid = \"\(id)\"\n"
    text += "request.url = \"https://\(host)/\(parent == nil ? id : "{\(id)_of}")\"\n"
    if let parent { text += "[parent]\nsource = \"\(parent)\"\nname = \"\(id)_of\"\nvalue = \"id\"\n" }
    return text + rest
  }

  private func catalog(
    _ texts: [String: String], builtIns: [BuiltInDocument] = []
  ) -> Catalog {
    var files = MemoryFiles()
    for (name, text) in texts {
      files.files["/home/ann/sources/\(name).toml"] = MemoryFiles.File(text: text, permissions: 0o644)
    }
    files.folders["/home/ann/sources"] = FileStatus(owner: 1000, permissions: 0o755)
    return Catalog(builtIns: builtIns, folder: "/home/ann/sources", files: files.access, user: 1000)
  }

  private func lineage(of id: String, _ texts: [String: String], options: [String: String] = [:]) -> String {
    let catalog = catalog(texts)
    do {
      return try catalog.lineage(of: try catalog.entry(named: id), options: options).map(\.source.id)
        .joined(separator: " > ")
    } catch { return "\(error)".replacing("/home/ann/sources/", with: "") }
  }

  @Test func `A nested list begins with the topmost source, or below a chosen value.`() {
    let texts = [
      "groups": text("groups"), "projects": text("projects", under: "groups"),
      "issues": text("issues", under: "projects"),
    ]
    #expect(lineage(of: "groups", texts) == "groups")
    #expect(lineage(of: "issues", texts) == "groups > projects > issues")
    #expect(lineage(of: "issues", texts, options: ["projects_of": "7"]) == "projects > issues")
    #expect(lineage(of: "issues", texts, options: ["issues_of": "7"]) == "issues")
  }

  @Test func `The child sources of a source are found, regardless of how they name it.`() {
    let head = "schema = 1\nrequest.url = \"https://a.example/{in}\"\n"
    let rest = "name = \"in\"\nvalue = \"id\"\n"
    let texts = [
      "groups": text("groups"),
      "plain": text("plain", under: "groups"),
      "dotted": "\(head)id = \"dotted\"\nparent.source = 'groups'\nparent.name = 'in'\nparent.value = 'id'\n",
      "inline": "\(head)id = \"inline\"\nparent = { source = \"groups\", name = \"in\", value = \"id\" }\n",
      "escaped": "\(head)id = \"escaped\"\n[parent]\nsource = \"gr\\u006fups\"\n\(rest)",
      "folded": "\(head)id = \"folded\"\n[parent]\nsource = \"\"\"gro\\\n  ups\"\"\"\n\(rest)",
      "heir": "schema = 1\nid = \"heir\"\nextends = \"plain\"\n",
      "laid": "schema = 1\nid = \"laid\"\ntitle = \"A file over a built-in source\"\n",
      "off": text("off", under: "groups").replacing("schema", with: "enabled = false\nschema"),
      "under": text("under", under: "plain"),
      "broken": text("broken", under: "groups", "[columns"),
      "circle": "schema = 1\nid = \"circle\"\nextends = \"round\"\n",
      "round": "schema = 1\nid = \"round\"\nextends = \"circle\"\n",
      "talk": text("talk", "# As in groups.\n"),
    ]
    let catalog = catalog(
      texts, builtIns: [BuiltInDocument(name: "laid", bytes: Array(text("laid", under: "groups").utf8))])
    func children(_ id: String) -> String { catalog.children(of: id).map(\.source.id).joined(separator: " ") }
    #expect(children("groups") == "dotted escaped folded heir inline laid plain")
    #expect(children("plain") == "under")
    #expect(children("talk") == "")
  }

  @Test func `A source that does not exist is reported with the nearest one.`() {
    #expect(
      lineage(of: "issues", ["groups": text("groups"), "issues": text("issues", under: "grups")])
        == "issues.toml:5:10: [parent] source: unknown source \"grups\". Did you mean \"groups\"?")
  }

  @Test func `A cycle is reported at the reference that closes it.`() {
    #expect(
      lineage(of: "a", ["a": text("a", under: "a")])
        == "a.toml:5:10: [parent] source: \"a\" is this source, or has it as a parent")
    #expect(
      lineage(of: "a", ["a": text("a", under: "b"), "b": text("b", under: "a")])
        == "b.toml:5:10: [parent] source: \"a\" is this source, or has it as a parent")
  }

  @Test func `There are at most three parents, one above the other.`() {
    let texts = [
      "a": text("a"), "b": text("b", under: "a"), "c": text("c", under: "b"), "d": text("d", under: "c"),
      "e": text("e", under: "d"),
    ]
    #expect(lineage(of: "d", texts) == "a > b > c > d")
    #expect(
      lineage(of: "e", texts)
        == "b.toml:5:10: [parent] source: there are more than 3 parents, one above the other")
  }

  @Test func `A credential is not sent along with values from another origin, unless the source allows it.`()
  {
    let auth = "[auth]\ntype = \"bearer\"\nfrom = [\"env:TOKEN\"]\n"
    let other = ["top": text("top", host: "b.example"), "mine": text("mine", under: "top", auth)]
    #expect(
      lineage(of: "mine", other)
        == "mine.toml:5:10: [parent] source: its rows come from https://b.example, but this source sends a credential to https://a.example. To allow that, add hosts = [\"b.example\"]"
    )
    #expect(
      lineage(
        of: "mine",
        other.merging(["mine": text("mine", under: "top", "hosts = [\"b.example\"]\n" + auth)]) { $1 })
        == "top > mine")
    #expect(
      lineage(of: "mine", other.merging(["mine": text("mine", under: "top")]) { $1 }) == "top > mine")
    #expect(
      lineage(of: "mine", other.merging(["top": text("top")]) { $1 }) == "top > mine")
  }

  @Test func `Values of a parent further up are not sent along with a credential either.`() {
    let leaf = text(
      "mine", under: "middle", "[options.middle_of]\n[auth]\ntype = \"bearer\"\nfrom = [\"env:TOKEN\"]\n")
    let texts = [
      "top": text("top", host: "b.example"), "middle": text("middle", under: "top"),
      "mine": leaf.replacing("{mine_of}", with: "{middle_of}/{mine_of}"),
    ]
    #expect(
      lineage(of: "mine", texts)
        == "mine.toml:5:10: [parent] source: rows above it come from https://b.example, but this source sends a credential to https://a.example. To allow that, add hosts = [\"b.example\"]"
    )
    #expect(
      lineage(of: "mine", texts.merging(["mine": text("mine", under: "middle")]) { $1 })
        == "top > middle > mine")
  }

  @Test func `A parent with a mistake is reported with it.`() {
    #expect(
      lineage(of: "mine", ["top": text("top", "titel = \"x\""), "mine": text("mine", under: "top")])
        == "top.toml:4:1: titel: unknown setting. Did you mean \"title\"?")
  }
}

import Search
import Testing

@testable import Config

/// The keys before the first header give the same names as the whole document.
@Suite struct SourceHeadTests {
  @Test(arguments: [
    "schema = 1\nid = \"a\"",
    "# A comment.\r\n\r\nschema = 1 # one\r\n  id\t= \"a\"\r\n[request]\r\nid = \"b\"",
    "schema = 1\nid = \"a\"\naliases = [\"b\", \"c\",]\nenabled = false\nextends = \"d\"\ntitle = \"é [x] # y\"",
    "id = \"a\"\naliases = \"b\"\nrequest.url = \"https://x.example\"\nschema = 1",
    "schema = 1\nid = \"a\"\naliases = []\n[[columns]]\nid = [",
    "\u{FEFF}schema = 0x1\n\"id\" = '''a'''",
    "schema = 1\nid = \"\\u0061\"\naliases = [ # b\n'b',\n]\n[rows",
    "schema = 1\nid = 'a'\nrequest = { url = \"x\" }\n[rows]\npath = \u{1}",
  ])
  func `The names are known without reading the rest of the file.`(text: String) throws {
    let identity = try #require(headIdentity(text))
    let names = text.replacing("\r\n", with: "\n").split(separator: "\n[")[0]
    var reader = TableReader(document: try TOMLDocument(String(names), file: "x").root, file: "x")
    #expect(identity == SourceIdentity(&reader))
  }

  @Test(arguments: [
    "", "id = \"a\"", "schema = 2\nid = \"a\"", "schema = 1\nid = \"a\\u0000\"", "schema = 1\nid = \"a\" b",
    "schema = 1\nid = \"a\"\nid = \"b\"", "schema = 1\nid = \"A\"", "schema = 1\nid = \"a",
    "schema = 1\nid =", "schema = 1\nid = \"a\"\naliases = [\"b\" \"c\"]",
    "schema = 1\nid = \"a\"\nenabled = 1", "schema = 1\nid = \"a\"\nextends = \"A b\"",
    "[request]\nschema = 1\nid = \"a\"", "schema = 1\nid = \"a\"\naliases = [,]",
    "schema = 1\nid = \"a\"\ntitle = \"\u{0}\"",
  ])
  func `A head with a problem requires reading the whole file.`(text: String) {
    #expect(headIdentity(text) == nil)
  }

  private func headIdentity(_ text: String) -> SourceIdentity? {
    TOMLDocument.head(of: Array(text.utf8), file: "x").flatMap { SourceIdentity(head: $0, file: "x") }
  }

  @Test func `A broken file that replaces a built-in source is reported, not skipped.`() {
    var files = MemoryFiles(["/s/forge.toml": "schema = 1\nid = \"forge\"\n[rows"])
    files.folders["/s"] = FileStatus(owner: 1000, permissions: 0o755)
    let catalog = Catalog(
      builtIns: [
        ("forge", Array("schema = 1\nid = \"forge\"\nrequest.url = \"https://forge.example\"".utf8))
      ],
      folder: "/s", files: files.access, user: 1)
    #expect(throws: CatalogError.self) { try catalog.entry(named: "forge") }
    #expect(
      catalog.all().problems.map(\.description) == [
        "/s/forge.toml:3:6: expected ], found the end of the file"
      ])
  }

  @Test
  func
    `A built-in source is found by its id whatever the others are; one with a problem is reported when it is read.`()
    throws
  {
    let forge = "schema = 1\nid = \"forge\"\naliases = [\"f\"]\nrequest.url = \"https://forge.example\""
    let catalog = Catalog(
      builtIns: [("broken", Array("id = ".utf8)), ("forge", Array(forge.utf8))], folder: nil,
      files: MemoryFiles([:]).access, user: 1)
    #expect(try catalog.entry(named: "forge").source.id == "forge")
    #expect(try catalog.entry(named: "f").source.id == "forge")
    #expect(throws: CatalogError.self) { try catalog.entry(named: "broken") }
    #expect(catalog.all().entries.map(\.source.id) == ["forge"])
    #expect(catalog.all().problems.map(\.description).allSatisfy { $0.hasPrefix("builtin:broken:1:") })
    #expect(!catalog.all().problems.isEmpty)
  }
}

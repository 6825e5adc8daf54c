import Testing

/// Files in the folder of sources: a broken one affects only its own source.
@Suite struct BrokenSourceFileTests {
  @Test(
    arguments: [
      (["x.toml": "schema = 1\nid ="], "/s/x.toml:2:5: expected a value, found the end of the file"),
      (
        ["x.toml": "id = \"x\"\nrequest.url = \"https://x.example\""],
        "/s/x.toml:1:1: schema: missing (write schema = 1)"
      ),
      (
        [
          "a.toml": "schema = 1\nid = \"a\"\nextends = \"b\"",
          "b.toml": "schema = 1\nid = \"b\"\nextends = \"a\"",
        ],
        """
        /s/b.toml:3:11: extends: "a" extends this source itself
        /s/a.toml:3:11: extends: "b" extends this source itself
        """
      ),
      (
        ["x.toml": "schema = 1\nid = \"x\"\nextends = \"x\""],
        "/s/x.toml:3:11: extends: \"x\" extends this source itself"
      ),
      (
        ["x.toml": "schema = 1\nid = \"x\"\nextends = \"forge\"\nrequest.headers.X-Api-Key = \"abc123\""],
        "/s/x.toml:4:29: [request.headers] X-Api-Key: credentials are not allowed in settings or sources. Use [auth], or [secrets.NAME] and {secret:NAME} here"
      ),
      (
        ["x.toml": "schema = 1\nid = \"notes\"", "y.toml": "schema = 1\nid = \"notes\""],
        "/s/y.toml:2:6: id: /s/x.toml has the same id"
      ),
    ] as [([String: String], String)])
  func `An invalid source file is reported with its own path.`(files: [String: String], expected: String) {
    #expect(BrokenFiles.problems(config: "", sources: files) == expected)
  }

  @Test func `A broken source file is not blamed on the settings that change its source.`() {
    #expect(
      BrokenFiles.problems(
        config: "[search]\nsource = \"x\"\n[sources.x]\nenabled = false",
        sources: ["x.toml": "schema = 1\nid ="])
        == "/s/x.toml:2:5: expected a value, found the end of the file")
    #expect(
      BrokenFiles.problems(
        config: "[sources.y]\noptions.sort = \"stars\"",
        sources: ["y.toml": "schema = 1\nid = \"y\"\nextends = \"zzz\""])
        == "/s/y.toml:3:11: extends: unknown source \"zzz\". To list sources, run: riffle sources list")
  }
}

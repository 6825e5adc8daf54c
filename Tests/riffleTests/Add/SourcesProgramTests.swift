import Foundation
import TestSupport
import Testing

@testable import App
@testable import riffle

/// Tests `riffle sources` and its subcommands.
@Suite(.takesTurns) struct SourcesProgramTests {
  private static let forge = """
    schema = 1
    id = "forge"
    title = "Forge"
    [request]
    url = "https://api.forge.example/search"
    params = { q = "{query}" }
    [auth]
    type = "bearer"
    from = ["env:FORGE_TOKEN", "cmd:forge auth token"]
    [pagination]
    type = "page"
    param = "page"
    next = "header:x-next"
    [rows]
    path = "items"
    total = "total"
    [[columns]]
    path = "name"
    """

  @Test
  func `A source is shown with its effective settings and its credentials by name, but never a secret.`()
    async throws
  {
    try await withFile("forge.toml", Self.forge) { file in
      let result = try await Program.run(
        ["sources", "show", file], environment: ["FORGE_TOKEN": "hush-hush"])
      let lines = result.lines.map(String.init)
      #expect(lines[0] == "# source forge, \(file)")
      #expect(
        lines[1].hasPrefix(
          "# not trusted: it is not in your sources directory. To allow its credentials, use --trust"))
      #expect(lines[2] == "# sends env:FORGE_TOKEN or cmd:forge auth token to https://api.forge.example")
      #expect(lines[3] == "# first request: GET https://api.forge.example/search?q=QUERY&page=1")
      #expect(
        result.output.contains(
          "[request]\nurl = \"https://api.forge.example/search\"\nparams = { q = \"{query}\" }"))
      #expect(!result.output.contains("hush"))
      // The output is a valid source.
      try await withFile("shown.toml", result.output) { file in
        let check = try await Program.run(["sources", "check", file])
        #expect(check.output == "forge: no mistakes in the document (\(file))\n")
      }
    }
  }

  @Test(arguments: ["github", "qiita", "unicode"])
  func `A built-in source is shown as a valid document.`(name: String) async throws {
    let shown = try await Program.run(["sources", "show", name])
    #expect(shown.status == 0)
    try await withFile("shown.toml", shown.output) { file in
      let check = try await Program.run(["sources", "check", file])
      #expect(check.status == 0)
    }
  }

  @Test func `A file is copied after its credentials are shown, and is trusted from then on.`() async throws {
    try await withFile("forge.toml", Self.forge) { file in
      let home = (file as NSString).deletingLastPathComponent
      let environment = ["XDG_CONFIG_HOME": home]
      let silent = try await Program.run(["sources", "add", file], environment: environment)
      #expect(silent.status == 64)
      #expect(
        silent.errors == """
          source forge would send env:FORGE_TOKEN or cmd:forge auth token to https://api.forge.example
          riffle: cannot ask for confirmation without a terminal. Use --yes

          """)
      let added = try await Program.run(["sources", "add", "--yes", file], environment: environment)
      #expect(added.status == 0, "\(added.errors)")
      let copy = "\(home)/riffle/sources/forge.toml"
      #expect(try String(contentsOfFile: copy, encoding: .utf8) == Self.forge)
      #expect(
        try await Program.run(["sources", "path", "forge"], environment: environment).output == "\(copy)\n")
      let shown = try await Program.run(["sources", "show", "forge"], environment: environment)
      #expect(shown.lines[1] == "# trusted: can use its credentials")
      let again = try await Program.run(["sources", "add", "--yes", file], environment: environment)
      #expect(again.status == 64)
    }
  }

  @Test func `[U15] A saved response without rows says what it cannot show.`() async throws {
    let explained = try await explained(#"{"total":0,"items":[]}"#, head: "HTTP/1.1 200 OK\r\n")
    #expect(
      explained.output == """
        status       200
        rows         0 at items
        total        0
        next page    none (last page)
        not checked  ids, links and columns: the response has no rows. Use one that has some

        """)
    #expect(explained.status == 0)
  }

  @Test func `[U16] A source that would send its credential unencrypted is an error, as in a run.`()
    async throws
  {
    let source = """
      schema = 1
      id = "mine"
      request.url = "http://api.example.org/list"
      rows.path = "items"
      [auth]
      type = "bearer"
      from = "env:TOKEN"
      """
    let reason =
      "source mine would send env:TOKEN to http://api.example.org unencrypted. Use https, or remove [auth]"
    try await withFile("mine.toml", source) { file in
      let check = try await Program.run(["sources", "check", file])
      #expect(check.errors == "riffle: \(file): \(reason)\n" && check.status == 78, "\(check)")
      let run = try await Program.run(["search", file, "--trust"], environment: ["TOKEN": "t"])
      #expect(run.errors == "riffle: \(reason)\n" && run.status == 4, "\(run)")
    }
    try await withFile("mine.toml", source.replacing("api.example.org", with: "127.0.0.1:1")) { file in
      let check = try await Program.run(["sources", "check", file])
      #expect(check.status == 0)
    }
  }

  @Test func `A saved response is explained without a network.`() async throws {
    let body = #"{"total":1234,"items":[{"id":1,"name":"one"},{"id":2,"name":"two"}]}"#
    let explained = try await explained(body, head: "HTTP/1.1 200 OK\r\nX-Next: 2\r\n")
    #expect(
      explained.output == """
        status       200
        rows         2 at items
        ids          2 distinct
        total        1,234
        next page    2 (from the response)
        column name  2 of 2 rows, like one

        Name
        one
        two

        """)
    #expect(explained.status == 0)
  }

  @Test(arguments: [
    (#"{"total":0,"items":[]}"#, "HTTP/1.1 200 OK\n", "next page    none (last page)", Int32(0)),
    (#"{"message":"no"}"#, "HTTP/1.1 401 Unauthorized\n", "retry   no\n", 1),
    ("<html>", "", "response.json contains HTML, not JSON", 1),
    ("{\"items\": [1,}", "", "response.json contains invalid JSON", 1),
    (#"{"items":{}}"#, "", "the value at items (rows.path of source forge) is an object, not an array", 1),
    (#"{"itms":[]}"#, "", #"remedy  Did you mean "itms"? Correct rows.path in source forge"#, 1),
  ]) func `A response that cannot be read is explained too.`(
    body: String, head: String, line: String, status: Int32
  ) async throws {
    let explained = try await explained(body, head: head)
    #expect(explained.output.contains(line), "\(explained.output)")
    #expect(explained.status == status)
  }

  @Test
  func `[D22] A value that a source reads but the response does not have is a problem, with similar names.`()
    async throws
  {
    let source = """
      schema = 1
      id = "forge"
      request.url = "https://api.forge.example/search?q={query}"
      [pagination]
      type = "cursor"
      next = "next_curser"
      into = "query:cursor"
      size = { param = "n", default = 2 }
      [rows]
      path = "items"
      id = "uid"
      total = "totl"
      link = "html_ulr"
      [[columns]]
      path = "stargazers"
      [[columns]]
      path = ["nick", "user.nam"]
      [[columns]]
      path = "labels[*].name"
      [[columns]]
      path = "license.name"
      """
    let body = """
      {"total": 9, "next_cursor": "abc", "items": [
        {"id": 1, "html_url": "x", "stargazers_count": 3, "user": {"name": "a"}, "labels": [], "license": null},
        {"id": 2, "html_url": "y", "stargazers_count": 4, "user": {"name": "b"}, "labels": [], "license": null}]}
      """
    let result = try await explained(body, head: "", by: source)
    #expect(
      result.output.hasPrefix(
        """
        status         200
        rows           2 at items
        ids            none: repeated pages are detected, repeated rows are not
        total          not reported
        next page      none (last page)
        column name    no value in any row
        column name_2  no value in any row
        problem        rows.total: not in the response: "totl". Did you mean "total"?
        problem        pagination.next: not in the response: "next_curser". Did you mean "next_cursor"?
        problem        rows.id: not in the response: "uid". Did you mean "id"?
        problem        rows.link: not in the response: "html_ulr". Did you mean "html_url"?
        problem        column stargazers: not in the response: "stargazers". Did you mean "stargazers_count"?
        problem        column nick: not in the response: "nick". Available: id, html_url, stargazers_count, user, labels, license

        """), "\(result.output)")
    #expect(result.status == 1)
  }

  @Test(
    arguments: [
      (
        "link", "next = \"link:next\"", "",
        "pagination.next: the response has no Link header with rel=\"next\""
      ),
      ("link", "next = \"header:X-Next\"", "", "pagination.next: the response has no header X-Next"),
      ("link", "next = \"link:next\"", "Link: <https://api.forge.example/?p=0>; rel=\"prev\"\n", nil),
      ("link", "next = \"link:next\"\nsize = { param = \"n\", default = 3 }", "", nil),
    ] as [(String, String, String, String?)])
  func `[D22] A missing next link is a problem, unless the page is short or has other links.`(
    type: String, settings: String, head: String, problem: String?
  ) async throws {
    let source = """
      schema = 1
      id = "forge"
      request.url = "https://api.forge.example/search?q={query}"
      [pagination]
      type = "\(type)"
      \(settings)
      """
    let result = try await explained(#"[{"id": 1}, {"id": 2}]"#, head: head, by: source)
    #expect(result.status == (problem == nil ? 0 : 1), "\(result.output)")
    #expect(result.output.contains("problem") == (problem != nil))
    if let problem { #expect(result.output.contains("problem    \(problem)\n"), "\(result.output)") }
  }

  @Test(arguments: [
    (
      "page\"\nparam = \"p", "",
      "2 (counted, until the total or an empty page)"
    ),
    ("cursor\"\nnext = \"next\"\ninto = \"query:c", "", "abc (from the response)"),
    (
      "link\"\nnext = \"link:next", "Link: </search?p=2>; rel=\"next\"\n",
      "https://api.forge.example/search?p=2 (from the response)"
    ),
  ]) func `[D22] The position of the next page is described.`(type: String, head: String, next: String)
    async throws
  {
    let source = """
      schema = 1
      id = "forge"
      request.url = "https://api.forge.example/search?q={query}"
      rows.path = "items"
      [pagination]
      type = "\(type)"
      """
    let result = try await explained(
      #"{"next": "abc", "items": [{"id": 1}, {"id": 2}]}"#, head: head, by: source)
    #expect(result.output.contains("\nnext page  \(next)\n"), "\(result.output)")
  }

  @Test func `[D22] All rows of a response are read, even if a query would filter them.`() async throws {
    let source = """
      schema = 1
      id = "forge"
      input.filter = "client"
      request.url = "https://api.forge.example/all"
      [pagination]
      type = "merge"
      next = "continue"
      [rows]
      path = "items"
      """
    let body =
      #"{"continue": {"page": 2, "from": "m"}, "items": [{"id": 1, "name": "a"}, {"id": 2, "name": "b"}]}"#
    let result = try await explained(body, head: "", by: source)
    #expect(
      result.output == """
        status     200
        rows       2 at items
        ids        2 distinct
        total      not reported
        next page  page=2, from=m (from the response)

        id  name
        1   a
        2   b

        """)
    #expect(result.status == 0)
  }

  private func explained(
    _ body: String, head: String, by document: String = forge
  ) async throws -> Program.Result {
    try await withFile("forge.toml", document) { source in
      try await withFile("response.json", body) { response in
        try await withFile("head.txt", head) { head in
          try await Program.run(["sources", "check", source, "--response", response, "--headers", head])
        }
      }
    }
  }

  @Test(arguments: [
    (["sources", "check"], "\(BuiltInSources.sources.count) sources without problems\n", "", Int32(0)),
    (["sources", "path"], "/dev/null/.config/riffle/sources\n", "", 0),
    (["sources", "path", "unicode"], "", "source unicode is built in and has no file", 64),
    (["sources", "show", "nope"], "", "unknown source \"nope\"", 64),
    (["sources", "check", "--response", "x"], "", "--response needs a source", 64),
    (["sources", "check", "--live"], "", "--live needs a source", 64),
    (["sources", "check", "unicode", "--query", "x"], "", "--query, --set and --trust need --live", 64),
    (["sources", "remove", "unicode"], "", "source unicode is built in and has no file", 64),
    (
      ["sources", "check", "github", "--response", "/nonexistent"], "",
      "cannot read /nonexistent: no such file", 64
    ),
  ]) func `Each subcommand prints its result or says what is missing.`(
    arguments: [String], output: String, message: String, status: Int32
  ) async throws {
    let result = try await Program.run(arguments)
    #expect(result.output == output)
    #expect(result.errors.contains(message) || message.isEmpty, "\(result.errors)")
    #expect(result.status == status)
  }

  /// A home folder with sources, and an editor that adds a text to a file.
  private func withHome(
    _ sources: [String: String], adding text: String = "",
    _ body: (_ folder: String, _ run: (String) async throws -> Program.Result) async throws -> Void
  ) async throws {
    try await withFile("editor", "#!/bin/sh\nprintf '\(text)' >> \"$1\"\n") { editor in
      try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: editor)
      let home = (editor as NSString).deletingLastPathComponent
      let folder = home + "/riffle/sources"
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      for (name, source) in sources {
        try source.write(toFile: "\(folder)/\(name).toml", atomically: true, encoding: .utf8)
      }
      try await body(folder) { words in
        try await Program.run(
          words.split(separator: " ").map(String.init),
          environment: ["XDG_CONFIG_HOME": home, "HOME": home, "EDITOR": editor])
      }
    }
  }

  @Test func `A source is edited and then checked.`() async throws {
    try await withHome(["forge": Self.forge], adding: "\\nformat = \"number\"\\n") { folder, run in
      let good = try await run("sources edit forge")
      #expect(good.output == "forge: no mistakes in the document (\(folder)/forge.toml)\n", "\(good.errors)")
      let bad = try await run("sources edit forge")
      #expect(bad.status == 78)
      let place = "forge.toml:21:1: "
      #expect(bad.errors.contains("\(place)\"format\" is already set in line "), "\(bad.errors)")
      #expect(bad.errors.hasSuffix("Run again: riffle sources edit forge\n"), "\(bad.errors)")
    }
  }

  @Test(arguments: ["github", "forge"])
  func `[U8] [U25] A source that is disabled is hidden, which is no error.`(name: String) async throws {
    let own = """
      schema = 1
      id = "forge"
      request = { url = "https://api.forge.example/search", params = { q = "{query}" } }
      rows.path = "items"

      """
    try await withHome(["forge": own], adding: "enabled = false\\n") { _, run in
      let note =
        "riffle: source \(name) is now hidden. To show it again, remove enabled = false with: "
        + "riffle sources edit \(name)\n"
      let result = try await run("sources edit \(name)")
      #expect(result.errors == note && result.status == 0, "\(result)")
    }
  }

  @Test
  func `A built-in source is edited in a file of overrides, which is deleted if it changes nothing.`()
    async throws
  {
    try await withHome([:]) { folder, run in
      let result = try await run("sources edit github")
      #expect(result.errors == "riffle: nothing changed, so \(folder)/github.toml was removed\n")
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == [])
    }
    try await withHome([:], adding: "title = \"Mine\"\\n") { folder, run in
      let result = try await run("sources edit github")
      #expect(
        result.output == "github: no mistakes in the document (\(folder)/github.toml)\n", "\(result.errors)")
      #expect(try await run("sources list").output.contains("Mine"))
      #expect(
        try await run("sources remove github --yes").errors == "riffle: removed \(folder)/github.toml\n")
      #expect(try await !run("sources list").output.contains("Mine"))
    }
  }

  @Test func `The file for changes to a built-in source is deleted if the editor fails.`() async throws {
    try await withHome([:]) { folder, _ in
      let home = folder.replacing("/riffle/sources", with: "")
      for editor in ["false", "no-such-editor"] {
        let result = try await Program.run(
          ["sources", "edit", "github"],
          environment: ["XDG_CONFIG_HOME": home, "HOME": home, "EDITOR": editor])
        #expect(result.status == 1 && result.errors.contains("Set EDITOR"), "\(result)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == [])
      }
    }
  }

  @Test func `A source is removed after confirmation, even one that does not parse.`() async throws {
    try await withHome(["forge": Self.forge, "broken": "x ="]) { folder, run in
      let asked = try await run("sources remove forge")
      #expect(asked.status == 64 && asked.errors.contains("Use --yes"), "\(asked)")
      for name in ["forge", "broken"] {
        let removed = try await run("sources remove --yes \(name)")
        #expect(removed.errors == "riffle: removed \(folder)/\(name).toml\n")
      }
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == [])
      let gone = try await run("sources remove --yes forge")
      #expect(gone.status == 64 && gone.errors.contains("unknown source \"forge\""), "\(gone)")
    }
  }

  @Test func `A page that is requested now is explained, with the values that each setting reads.`()
    async throws
  {
    let live = try await Program.run(["sources", "check", "unicode", "--live", "--query", "snowman"])
    #expect(
      live.output.hasPrefix(
        """
        unicode: no mistakes in the document (built in)
        status             200
        rows               3 at items
        ids                3 distinct
        total              3
        next page          none (last page)
        rows.link          3 of 3 rows, like https://util.unicode.org/UnicodeJsps/character.jsp…
        column character   3 of 3 rows, like ☃
        column code_point  3 of 3 rows, like U+2603
        """), "\(live.output)")
    #expect(live.output.contains("column numeric     no value in any row"))
    #expect(live.status == 0)
    let failed = try await withFile(
      "away.toml", Self.forge.replacing("api.forge.example", with: "127.0.0.1:9")
    ) { file in
      try await Program.run(["sources", "check", file, "--live", "--query", "x"])
    }
    #expect(
      failed.status == 78 && failed.errors.contains("To allow it for this run, add --trust"), "\(failed)")
  }

  @Test func `An invalid file is reported by list and check, with status 78.`() async throws {
    try await withFile("forge.toml", "schema = 1\nid = \"forge\"\n") { file in
      #expect(try await Program.run(["sources", "check", file]).status == 78)
      let home = (file as NSString).deletingLastPathComponent
      let folder = home + "/riffle/sources"
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      try FileManager.default.copyItem(atPath: file, toPath: folder + "/forge.toml")
      let list = try await Program.run(["sources"], environment: ["XDG_CONFIG_HOME": home])
      #expect(list.lines.count { $0.hasPrefix("  ") } == BuiltInSources.sources.count)
      #expect(list.errors.contains("forge.toml:1:1: request: missing"), "\(list.errors)")
      #expect(list.status == 78)
    }
  }

  @Test func `A full disk is status 74, and a closed pipe causes no message.`() async throws {
    #expect(try await Program.shell("riffle sources list > /dev/full").status == 74)
    #expect(try await Program.shell("riffle sources show github > /dev/full").status == 74)
    let piped = try await Program.shell("riffle sources list | head -1")
    #expect(piped.status == 0 && piped.errors == "" && piped.lines.count == 1)
  }
}

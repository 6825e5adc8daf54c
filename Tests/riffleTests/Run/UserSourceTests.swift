import DemoTesting
import Foundation
import TestSupport
import Testing

/// Tests a user's own source, named by its path, and its behavior with faulty services.
@Suite(.takesTurns) struct UserSourceTests {
  private func source(_ url: String, parameters: String = "") -> String {
    """
    schema = 1
    id = "mine"
    [request]
    url = "\(url)"
    params = { q = "{query}"\(parameters) }
    [pagination]
    type = "cursor"
    next = "next_cursor"
    into = "query:cursor"
    size = { param = "limit", default = 30, max = 100 }
    [rows]
    path = "items"
    id = "code_point"
    [[columns]]
    path = "code_point"
    [errors]
    message = "message"
    """
  }

  /// Runs a search with a source whose service has this fault.
  private func search(
    _ extra: String, path: String = "/characters/cursor", arguments: [String] = []
  ) async throws -> Program.Result {
    let server = try await TestServer.start()
    let text = source(server.baseURL + path, parameters: extra)
    let result = try await withFile("mine.toml", text) { file in
      try await Program.run(
        ["search", file, "arrow", "--all", "-f", "csv", "--no-header", "--retries", "0"] + arguments)
    }
    try await server.stop()
    return result
  }

  /// The demo server has no times, so the rows come from a file.
  @Test func `[D6] Local times use the TZ time zone, with the offset of their day.`() async throws {
    let source = """
      schema = 1
      id = "mine"
      [request]
      url = "http://127.0.0.1:9/?q={query}"
      [pagination]
      type = "none"
      [[columns]]
      path = "at"
      format = "datetime"
      """
    let response = #"[{"at": "2026-01-15T12:00:00Z"}, {"at": "2026-07-15T12:00:00Z"}]"#
    let result = try await withFile("mine.toml", source) { file in
      try await withFile("response.json", response) { response in
        try await Program.run(
          ["sources", "check", file, "--response", response], environment: ["TZ": "Europe/Berlin"])
      }
    }
    #expect(
      result.output.contains("2026-01-15 13:00") && result.output.contains("2026-07-15 14:00"), "\(result)")
  }

  @Test func `[D6] Local times on the screen and in a file written there follow TZ, too.`() async throws {
    let server = try ScriptedServer { _ in
      .json(#"[{"at": "2026-01-15T12:00:00Z"}, {"at": "2026-07-15T12:00:00Z"}]"#)
    }
    let source = """
      schema = 1
      id = "mine"
      request.url = "\(server.baseURL)"
      [[columns]]
      path = "at"
      format = "datetime"
      """
    try await withFile("mine.toml", source) { file in
      let terminal = try Program.onTerminal(
        [file], columns: 200, rows: 12,
        environment: ["HOME=/dev/null", "TZ=Europe/Berlin"])
      #expect(terminal.shows("2026-01-15 13:00"))
      #expect(terminal.shows("2026-07-15 14:00"))
      terminal.type("w\(file).txt\r")
      #expect(terminal.shows("wrote 2 rows"))
      terminal.type("q")
      #expect(terminal.ending() == .exit(0))
      let written = try String(contentsOfFile: "\(file).txt", encoding: .utf8)
      #expect(written == "At\n2026-01-15 13:00\n2026-07-15 14:00\n")
    }
    server.stop()
  }

  @Test func `[D30] Rows are not written from the screen to a file whose ending is no format's.`()
    async throws
  {
    let server = try ScriptedServer { _ in .json(#"[{"name": "one"}]"#) }
    try await withFile("mine.toml", Self.list(server.baseURL)) { file in
      let terminal = try Program.onTerminal(
        [file], columns: 200, rows: 12, environment: ["HOME=/dev/null"])
      #expect(terminal.shows("one"))
      terminal.type("w\(file).xlsx\r")
      #expect(terminal.shows("no format for .xlsx"))
      // The name is asked for again.
      terminal.type("\u{03}q")
      #expect(terminal.ending() == .exit(0))
      #expect(!FileManager.default.fileExists(atPath: "\(file).xlsx"))
    }
    server.stop()
  }

  @Test func `[D12] A look in the settings styles the whole selected row.`() async throws {
    let server = try ScriptedServer { _ in .json(#"[{"name": "one"}]"#) }
    try await withFile("mine.toml", Self.list(server.baseURL)) { file in
      try await withFile("config.toml", "theme.selected = \"white on blue\"") { config in
        let terminal = try Program.onTerminal(
          [file, "--config", config], columns: 80, rows: 12,
          environment: ["HOME=/dev/null"])
        #expect(terminal.shows("␛[37;44m"))
        terminal.type("q")
        #expect(terminal.ending() == .exit(0))
      }
    }
    server.stop()
  }

  /// A source that takes no query.
  private static func list(_ url: String, _ input: String = "") -> String {
    """
    schema = 1
    id = "mine"
    \(input)
    request.url = "\(url)"
    [[columns]]
    path = "name"
    """
  }

  @Test(arguments: ["search", "browse"])
  func `[D19] A query for a source that takes none is refused before anything is sent.`(command: String)
    async throws
  {
    let result = try await withFile("mine.toml", Self.list("http://127.0.0.1:9/list")) { file in
      try await Program.run([command, file, "two", "words"])
    }
    #expect(result.status == 64)
    #expect(result.output == "")
    #expect(
      result.errors == """
        riffle: source mine takes no query: its request has no {query}. Omit the query. To filter rows, use \
        --filter of riffle search, or & in the pager

        """)
  }

  @Test
  func `[D19] A query filters the rows of a source with a client filter, and an empty query is accepted.`()
    async throws
  {
    let server = try ScriptedServer { _ in .json(#"[{"name": "one"}, {"name": "two"}]"#) }
    func rows(_ input: String, _ words: [String]) async throws -> String {
      try await withFile("mine.toml", Self.list(server.baseURL, input)) { file in
        try await Program.run(["search", file, "-f", "csv", "--no-header"] + words).output
      }
    }
    #expect(try await rows("input.filter = \"client\"", ["TW"]) == "two\n")
    #expect(try await rows("input.filter = \"client\"", []) == "one\ntwo\n")
    #expect(try await rows("", []) == "one\ntwo\n")
    #expect(try await rows("", [" "]) == "one\ntwo\n")
    #expect(try await rows("", ["--filter", "two"]) == "two\n")
    server.stop()
  }

  /// Two pages of rows; the second page has a key that the first one does not have.
  private static func wide() throws -> (server: ScriptedServer, document: String) {
    let server = try ScriptedServer { request in
      .json(
        request.target.contains("page=1")
          ? """
          [{"id": 1, "name": "one", "a": 1, "b": 2, "c": 3, "d": 4, "owner": {"x":"u"}, "word": "hay", "isLast": false},
           {"id": 2, "name": "two", "a": 1, "b": 2, "c": 3, "d": 4, "owner": null, "word": "needle", "isLast": true}]
          """
          : request.target.contains("page=2")
            ? #"[{"id": 3, "name": "three", "word": "9.0", "new": 1}]"# : "[]")
    }
    let document = """
      schema = 1
      id = "wide"
      request.url = "\(server.baseURL)"
      pagination = { type = "page", param = "page" }
      """
    return (server, document)
  }

  @Test(arguments: [
    (
      "-f csv",
      "id,name,a,b,c,d,word,islast,owner\n1,one,1,2,3,4,hay,false,\"{\"\"x\"\":\"\"u\"\"}\"\n"
        + "2,two,1,2,3,4,needle,true,\n", ""
    ),
    ("-f csv --no-header -c id --filter word:needle", "2\n", ""),
    ("-f csv --no-header -c id --filter islast:true", "2\n", ""),
    ("-f csv --no-header -c id --filter word=NEEDLE", "2\n", ""),
    ("-f csv --no-header -c id --all --filter b>2.5", "", "riffle: no matches in 3 rows\n"),
    ("-f csv --no-header -c id --all --filter b<2.5", "1\n2\n", ""),
    ("-f csv --no-header -c id --filter ~ndl", "2\n", ""),
    ("-f csv --no-header -c id --filter needle", "2\n", ""),
    ("-f csv --no-header -c id,name --filter needle", "2,two\n", ""),
    ("-f csv --no-header -c id --filter=-needle", "1\n", ""),
    ("-f csv --no-header -c id --filter http://x", "", "riffle: no matches in 2 rows\n"),
    ("-f csv --no-header -c islast,id", "false,1\ntrue,2\n", ""),
    (
      "-f table",
      "id  name  a  b  c  d\n1   one   1  2  3  4\n2   two   1  2  3  4\n", ""
    ),
    (
      "-f csv --no-header --all --filter=-needle",
      "1,one,1,2,3,4,hay,false,\"{\"\"x\"\":\"\"u\"\"}\"\n3,three,,,,,9.0,,\n",
      "riffle: fields missing from the first page are not written: new. Add them with --columns, or use jsonl\n"
    ),
    (
      "-f csv --filter wrd:needle", "",
      """
      riffle: invalid filter: no column "wrd" in source wide or its rows. Did you mean "word"? \
      To find this text, quote it: "wrd:needle"
      riffle:   wrd:needle
      riffle:   ^~~

      """
    ),
  ]) func `[D21] A source without columns has all keys for filter, sort and exports, and a table shows six.`(
    options: String, output: String, errors: String
  ) async throws {
    let (server, document) = try Self.wide()
    let result = try await withFile("wide.toml", document) { file in
      try await Program.run(["search", file] + options.split(separator: " ").map(String.init))
    }
    server.stop()
    #expect(result.output == output)
    #expect(result.errors == errors)
    #expect(result.status == (errors.contains("no column") ? 64 : 0))
  }

  @Test(arguments: [("word", "3\n1\n2\n"), ("word:desc", "2\n1\n3\n"), ("islast", "1\n2\n3\n")])
  func `[D21] Rows are sorted by any key, with decimal texts as numbers.`(
    sort: String, output: String
  ) async throws {
    let (server, document) = try Self.wide()
    let result = try await withFile("wide.toml", document) { file in
      try await Program.run(["search", file, "--all", "-f", "csv", "--no-header", "-c", "id", "--sort", sort])
    }
    server.stop()
    #expect(result.output == output)
  }

  @Test
  func `[D21] A source with columns is filtered by keys that have no column, and an unknown key is refused.`()
    async throws
  {
    let (server, document) = try Self.wide()
    func run(_ filter: String) async throws -> Program.Result {
      try await withFile("wide.toml", document + "\n[[columns]]\npath = \"id\"") { file in
        try await Program.run(["search", file, "-f", "csv", "--no-header", "--filter", filter])
      }
    }
    #expect(try await run("word:needle").output == "2\n")
    #expect(try await run("needle").output == "")
    #expect(try await run("islast=yes").output == "2\n")
    #expect(try await run("word:needle needle").output == "", "only a word with a name looks there")
    let refused = try await run("nme:two")
    server.stop()
    #expect(refused.status == 64)
    #expect(refused.errors.contains("no column \"nme\" in source wide"), "\(refused.errors)")
    #expect(refused.errors.contains("Did you mean \"name\"?"), "\(refused.errors)")
  }

  @Test func `[D25] --stats includes a total that is requested separately.`() async throws {
    let server = try ScriptedServer { request in
      .json(request.target.hasPrefix("/count") ? #"{"n": 42}"# : #"[{"id": 1}]"#)
    }
    let document = """
      schema = 1
      id = "mine"
      request.url = "\(server.baseURL)/list"
      rows.total_request = { url = "\(server.baseURL)/count", total = "n" }
      """
    let result = try await withFile("mine.toml", document) { file in
      try await Program.run(["search", file, "-f", "csv", "--no-header", "--stats", "-"])
    }
    server.stop()
    #expect(result.output == "1\n")
    #expect(result.errors.contains(#""total": 42, "total_kind": "exact""#), "\(result.errors)")
    #expect(result.status == 0)
  }

  @Test func `A cursor is followed to the end, with one request per page.`() async throws {
    let server = try await TestServer.start()
    let (result, requests) = try await withFile("mine.toml", source(server.baseURL + "/characters/cursor")) {
      file in
      let result = try await Program.run(["search", file, "arrow", "--all", "-f", "csv", "--no-header"])
      return (result, server.requestLog)
    }
    let whole = try await Program.run([
      "search", "unicode", "arrow", "--all", "-f", "csv", "--no-header", "-c", "code_point", "-s",
      "server=\(server.baseURL)",
    ])
    try await server.stop()
    #expect(result.errors == "")
    #expect(result.output == whole.output)
    #expect(requests.count == (result.lines.count + 99) / 100)
  }

  @Test(arguments: [
    ("fault = \"html\"", "returned HTML, not JSON: probably a sign-in page or a wrong URL", Int32(1)),
    ("fault = \"500\"", "returned 500 Internal Server Error", 1),
    ("fault = \"truncate\"", "lost after", 1),
    (
      "fault = \"429\", retry_after = \"3600\"",
      "The service asks you to wait 1 h. To wait, use --max-wait 1h", 5
    ),
  ]) func `A misbehaving service causes one clear message and the right status.`(
    fault: String, message: String, status: Int32
  ) async throws {
    let result = try await search(", " + fault, arguments: ["--retries", "1"])
    #expect(result.errors.contains(message), "\(result.errors)")
    #expect(result.errors.split(separator: "\n").count == 1, "\(result.errors)")
    #expect(result.output == "")
    #expect(result.status == status)
  }

  @Test func `A service that never answers is given up after the timeout.`() async throws {
    let result = try await search(", fault = \"hang\"", arguments: ["--timeout", "1s"])
    #expect(result.errors.contains(" did not respond "))
    #expect(result.errors.contains(" within 1 s. Use --timeout to allow more"))
    #expect(result.status == 1)
  }

  @Test func `--timeout wins over the timeout of a source.`() async throws {
    let server = try await TestServer.start()
    let source = hangingSource(server.baseURL).replacing("[request]", with: "[request]\ntimeout = \"1s\"")
    let result = try await withFile("slow.toml", source) { file in
      try await Program.run(["search", file, "x", "--timeout", "2s", "--retries", "0"])
    }
    try await server.stop()
    #expect(result.errors.contains(" within 2 s. Use --timeout to allow more"), "\(result.errors)")
  }

  @Test(arguments: ["GARBAGE GARBAGE", "HTTP/9.9 huh", "\u{0}\u{1}", "HTTP/1.1 200 OK\nbad line"])
  func `[U35] Bytes that are not HTTP, on a connection that served a page, are reported as such.`(
    bytes: String
  ) async throws {
    let page = "{\"items\": [{\"code_point\": 1}], \"next_cursor\": \"a\"}"
    let server = try await RawServer.start { number, _ in
      if number > 0 { return [.send("\(bytes)\n\n")] }
      return [.send("HTTP/1.1 200 OK\nContent-Length: \(page.utf8.count)\n\n\(page)")]
    }
    let result = try await withFile("mine.toml", source("http://127.0.0.1:\(server.port)/")) { file in
      try await Program.run(["search", file, "x", "--all", "-f", "csv", "--retries", "0"])
    }
    #expect(result.status == 3 && result.output == "code_point\n1\n", "\(result)")
    #expect(
      result.errors.contains("http://127.0.0.1:\(server.port) did not send a valid HTTP response."),
      "\(result)")
    try await server.stop()
  }

  @Test func `A service that refuses connections is reported with a hint.`() async throws {
    let server = try await TestServer.start()
    let url = server.baseURL
    try await server.stop()
    let result = try await withFile("mine.toml", source(url + "/characters/cursor")) { file in
      try await Program.run(["search", file, "arrow", "--retries", "0"])
    }
    #expect(
      result.errors
        == "riffle: page 1 failed: connection refused by \(url). Is the service running on that port?\n")
    #expect(result.status == 1)
  }

  @Test func `Rows received before a failure are kept, and the status says partial.`() async throws {
    // The second page is requested with an invalid cursor, which the server refuses.
    let server = try await TestServer.start()
    let broken = source(server.baseURL + "/characters/cursor")
      .replacingOccurrences(of: "next = \"next_cursor\"", with: "next = \"items[0].code_point\"")
    let result = try await withFile("mine.toml", broken) { file in
      try await Program.run(["search", file, "arrow", "--all", "-f", "csv", "--no-header"])
    }
    try await server.stop()
    #expect(result.lines.count == 100)
    #expect(
      result.errors.contains(
        "stopped after 100 rows: page 2 failed: \(server.baseURL)/characters/cursor returned 400 Bad Request")
    )
    #expect(result.status == 3)
  }

  @Test func `Every error of an invalid document is reported at once, with file, line and column.`()
    async throws
  {
    let text = """
      schema = 1
      id = "mine"
      [request]
      ulr = "https://example.org/"
      [pagination]
      type = "pgae"
      """
    let result = try await withFile("mine.toml", text) { try await Program.run(["search", $0, "x"]) }
    #expect(result.errors.contains("mine.toml:4:1: [request] ulr: unknown setting"), "\(result.errors)")
    #expect(result.errors.contains("mine.toml:6:8: [pagination] type:"), "\(result.errors)")
    #expect(result.status == 78)
  }

  @Test func `Broken TOML is reported with file, line and column.`() async throws {
    let result = try await withFile("mine.toml", "schema = 1\nid = \n") {
      try await Program.run(["search", $0, "x"])
    }
    #expect(result.errors.contains("mine.toml:2:"), "\(result.errors)")
    #expect(result.status == 78)
  }

  @Test func `A file elsewhere may not use credentials until it is trusted.`() async throws {
    let server = try await TestServer.start()
    let text =
      source(server.baseURL + "/characters/cursor")
      + "\n[auth]\ntype = \"bearer\"\nfrom = [\"env:MY_TOKEN\"]\n"
    let (refused, trusted) = try await withFile("mine.toml", text) { file in
      let arguments = ["search", file, "U+2192", "-f", "csv", "--no-header"]
      let environment = ["MY_TOKEN": "s3cret-s3cret"]
      return (
        try await Program.run(arguments, environment: environment),
        try await Program.run(arguments + ["--trust"], environment: environment)
      )
    }
    try await server.stop()
    #expect(refused.status == 78)
    #expect(refused.errors.contains("would send env:MY_TOKEN to \(server.baseURL)"), "\(refused.errors)")
    #expect(!refused.errors.contains("s3cret"))
    #expect(trusted.output == "U+2192\n")
  }
}

import DemoTesting
import Foundation
import Locking
import TestSupport
import Testing

/// Tests `riffle add` against the embedded server.
@Suite(.takesTurns, .serialized, .timeLimit(.minutes(3))) struct AddProgramTests {
  /// Runs `body` with a temporary home folder.
  private func withHome<Value>(_ body: (_ home: String) async throws -> Value) async throws -> Value {
    try await withFile("home", "") { try await body(($0 as NSString).deletingLastPathComponent) }
  }

  /// Addresses on the embedded server, and the pagination style each one uses.
  private static let addresses = [
    ("/pages?q=arrow&per_page=20", "link"), ("/pages?q=arrow&page=3&per_page=50", "link"),
    ("/pages/zero?q=arrow&hitsPerPage=50", "page"), ("/pages/zero?q=arrow&page=2&hitsPerPage=50", "page"),
    ("/offset?q=arrow&limit=20&offset=40", "link"), ("/cursor?q=arrow&limit=20", "cursor"),
    ("/cursor/header?q=arrow&limit=50", "cursor"), ("/keyset?q=arrow&limit=50", "cursor"),
    ("/link?q=arrow&per_page=20", "link"), ("/link/body?q=arrow&per_page=20", "link"),
    ("/link/relative?q=arrow&per_page=20", "link"), ("/link/query?q=arrow&per_page=20", "link"),
    ("/rows/map?q=arrow&per_page=50", "page"), ("/rows/columns?q=arrow&limit=50", "cursor"),
    ("/merge?q=arrow&limit=20", "merge"),
  ]

  @Test(arguments: [["--endpoint", "/x"], ["--all"], ["--set", "a=b"], ["--all", "--set", "a=b"]])
  func `An option for API descriptions is reported as ignored for a page of rows.`(option: [String])
    async throws
  {
    let server = try await TestServer.start()
    try await withHome { home in
      let address = server.baseURL + "/pages?q=arrow&per_page=20"
      let added = try await Program.run(
        ["add", address, "--name", "mine"] + option, environment: ["XDG_CONFIG_HOME": home])
      #expect(added.status == 0)
      let names =
        option.count == 3 ? "--all and --set are ignored: they need" : "\(option[0]) is ignored: it needs"
      let note = "\(names) an API description, and \(address) is a page of rows\n"
      #expect(added.errors.contains(note))
    }
  }

  @Test(arguments: addresses)
  func `The generated source pages to the end.`(address: String, style: String) async throws {
    let server = try await TestServer.start()
    try await withHome { home in
      let environment = ["XDG_CONFIG_HOME": home]
      let added = try await Program.run(
        ["add", "--name", "mine", server.baseURL + address], environment: environment)
      #expect(added.status == 0, "\(added.errors)")
      #expect(added.output.contains("type = \"\(style)\""))
      #expect(added.errors.contains("Confirmed: page 2 has"))
      let file = "\(home)/riffle/sources/mine.toml"
      #expect(try String(contentsOfFile: file, encoding: .utf8) == added.output)

      let rows = try await Program.run(
        ["search", "mine", "arrow", "--all", "-f", "csv", "--no-header", "-c", "code_point"],
        environment: environment)
      let whole = try await Program.run([
        "search", "unicode", "arrow", "--all", "-f", "csv", "--no-header", "-c", "code_point", "-s",
        "server=\(server.baseURL)",
      ])
      #expect(rows.output == whole.output)
      #expect(rows.errors == "")
    }
    try await server.stop()
  }

  /// The other routes: the added path, the words of the report, and the number of rows that a walk reads.
  private static let otherRoutes = [
    ("/blocks", #"rows: 16 in "items", row id in "id"; total: 16, in "#, 16),
    ("/blocks?per_page=4", "Confirmed: page 2 has 4 new rows", 16),
    ("/blocks/arrows/characters?per_page=20", "Confirmed: page 2 has 20 new rows", 112),
    ("/private/characters?q=snowman&per_page=2", "Confirmed: page 2 has 1 new row", 3),
    ("/me", "the response is one object). Confirmed: there are no pages", 1),
  ]

  @Test(arguments: otherRoutes)
  func `A list in a list, a list of a user, and a single object are read completely.`(
    path: String, words: String, count: Int
  ) async throws {
    let server = try await TestServer.start()
    try await withHome { home in
      let login = try await Program.shell(
        #"curl -sS -d '{"user":"ann","password":"demo-password"}' -H 'Content-Type: application/json' \#(server.baseURL)/login"#
      )
      let token = try #require(login.output.firstMatch(of: /"token": ?"([^"]+)"/)).1
      let environment = ["XDG_CONFIG_HOME": home, "DEMO_TOKEN": String(token)]
      let added = try await Program.run(
        ["add", "--name", "mine", "-H", "Authorization: Bearer $DEMO_TOKEN", server.baseURL + path],
        environment: environment)
      #expect(added.status == 0 && added.errors.contains(words), "\(added.errors)")
      let query = added.errors.contains("query: parameter") ? ["snowman"] : []
      let rows = try await Program.run(
        ["search", "mine", "--all", "-f", "jsonl"] + query, environment: environment)
      #expect(rows.lines.count == count && rows.status == 0, "\(rows)")
    }
    try await server.stop()
  }

  @Test func `Files are owner-only, and an existing one is overwritten only with --force.`() async throws {
    let server = try await TestServer.start()
    try await withHome { home in
      let words = ["add", "--name", "mine", server.baseURL + "/characters?q=snowman"]
      let environment = ["XDG_CONFIG_HOME": home]
      #expect(try await Program.run(words, environment: environment).status == 0)
      let folder = "\(home)/riffle/sources"
      let permissions = try [folder, "\(folder)/mine.toml"].map {
        try FileManager.default.attributesOfItem(atPath: $0)[.posixPermissions] as? Int
      }
      #expect(permissions == [0o700, 0o600])
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["mine.toml"])
      let again = try await Program.run(words, environment: environment)
      #expect(again.status == 64)
      #expect(
        again.errors.contains("mine.toml already exists. Choose another --name, or replace it with --force"))
      let other = ["add", "--name", "mine", "--force", server.baseURL + "/offset?q=arrow&limit=20"]
      let replaced = try await Program.run(other, environment: environment)
      #expect(try String(contentsOfFile: "\(folder)/mine.toml", encoding: .utf8) == replaced.output)
      #expect(replaced.output.contains("/offset") && replaced.status == 0, "\(replaced)")
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["mine.toml"])
    }
    try await server.stop()
  }

  @Test(arguments: [["--dry-run", "--name", "mine"], []])
  func `Nothing is written without consent.`(options: [String]) async throws {
    let server = try await TestServer.start()
    try await withHome { home in
      let result = try await Program.run(
        ["add", server.baseURL + "/characters?q=snowman"] + options, environment: ["XDG_CONFIG_HOME": home])
      #expect(result.status == 0)
      #expect(result.output.hasPrefix("schema = 1\n"))
      #expect(!FileManager.default.fileExists(atPath: home + "/riffle"))
    }
    try await server.stop()
  }

  /// Whether the program asks the question within 30 seconds, even on a busy machine.
  private func asked(by terminal: PseudoTerminal, _ question: String) -> Bool {
    (0..<6).contains { _ in terminal.waits(for: question) || terminal.output.contains(question) }
  }

  @Test(
    arguments: [
      ("y", "127-0-0-1"), ("n", nil), ("", nil), ("No such name", nil), ("snow", "snow"),
    ] as [(String, String?)])
  func `[U18] On a terminal, the user is asked before the file is written, and may type another name.`(
    answer: String, name: String?
  )
    async throws
  {
    let server = try await TestServer.start()
    try await withHome { home in
      let terminal = try Program.onTerminal(
        ["add", server.baseURL + "/characters?q=snowman"], columns: 100,
        environment: ["XDG_CONFIG_HOME=\(home)"])
      #expect(asked(by: terminal, "127-0-0-1.toml? [y/N, or another name]"))
      terminal.type(answer + "\n")
      #expect(terminal.ending() == .exit(0))
      let folder = "\(home)/riffle/sources"
      let files = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
      #expect(files == name.map { ["\($0).toml"] } ?? [])
      if let name {
        let text = try String(contentsOfFile: "\(folder)/\(name).toml", encoding: .utf8)
        #expect(text.hasPrefix("schema = 1\nid = \"\(name)\"\n"))
      }
    }
    try await server.stop()
  }

  @Test(arguments: [
    ("/nope", "the service returned 404 Not Found", Int32(1)),
    ("/characters?q=x&fault=html", "the response is HTML or XML", 1),
    ("/characters?q=nosuchcharacter", "items has no rows", 1),
    ("/characters?q=x&fault=429", "the service returned 429 Too Many Requests", 5),
    ("/nope?api_key=hush", "the service returned 404 Not Found", 1),
  ]) func `An unreadable response is reported, and the output is a source to fill in.`(
    address: String, message: String, status: Int32
  ) async throws {
    let server = try await TestServer.start()
    let result = try await Program.run(["add", "--name", "mine", server.baseURL + address])
    let requests = server.requestLog
    try await server.stop()
    #expect(result.errors.contains(message), "\(result.errors)")
    #expect(result.status == status)
    #expect(result.output.contains("[pagination]\ntype = \"none\""))
    #expect(!result.output.contains("hush") && !result.errors.contains("hush"))
    #expect(requests.contains { $0.contains("hush") } == address.contains("hush"))
    try await withFile("skeleton.toml", result.output) { file in
      let check = try await Program.run(["sources", "check", file])
      #expect(check.status == 0)
    }
  }

  @Test(arguments: [
    (["Basic realm=\"a, Bearer\""], "type = \"basic\"\nuser_from = [\"env:API_USER\"]"),
    (["Bearer realm=\"x\", error=\"invalid_token\""], "type = \"bearer\"\nfrom = [\"env:API_TOKEN\"]"),
    (["Negotiate, Basic realm=\"x\""], "type = \"basic\""),
    (["Negotiate", "bearer"], "type = \"bearer\"\nfrom"),
    (["Digest realm=\"x\", nonce=\"y\""], "type = \"bearer\"          # or:"),
    ([], "type = \"bearer\"          # or:"),
  ]) func `[D25] A source to fill in has the kind of credential that the response requires.`(
    challenges: [String], auth: String
  ) async throws {
    let server = try ScriptedServer { _ in
      var answer = ScriptedServer.Answer.status(401)
      answer.fields += challenges.map { ("WWW-Authenticate", $0) }
      return answer
    }
    let result = try await Program.run(["add", "--name", "mine", server.baseURL + "/items"])
    server.stop()
    #expect(result.status == 4)
    #expect(result.output.contains("[auth]\n\(auth)"), "\(result.output)")
    try await withFile("mine.toml", result.output) { file in
      let check = try await Program.run(["sources", "check", file])
      #expect(check.status == 0)
    }
  }

  @Test(arguments: [(403, "Open the URL in a browser", Int32(1)), (503, "Try again later", 1), (401, "", 4)])
  func `A web page in place of the service is no missing credential, unless it is asked for.`(
    status: Int, advice: String, expected: Int32
  ) async throws {
    let server = try ScriptedServer { _ in
      .status(status, "<!DOCTYPE html><html><head><title>Just a moment...</title></head></html>")
    }
    let result = try await Program.run(["add", "--name", "mine", server.baseURL + "/items"])
    server.stop()
    let page = "a web page, \"Just a moment...\". \(advice)"
    #expect(result.errors.contains(page) == (status != 401), "\(result.errors)")
    #expect(result.output.contains("[auth]") == (status == 401), "\(result.output)")
    #expect(result.status == expected)
  }

  /// Facts that one page suggests and the next one refutes.
  @Test(arguments: [
    // The total counts just the page.
    ("\"total\": 2, ", "id", ["type = \"page\""], ["total =", "only one page"]),
    // The same id is another row's.
    ("\"total\": 9, ", "kind", ["total = \"total\"", "so it is not a row id"], ["\nid = \"id\""]),
    // Behind the last page there is no list.
    ("", "id", ["missing = \"empty\""], ["end_status"]),
  ]) func `The written source contains only settings on which two pages agree.`(
    total: String, field: String, written: [String], absent: [String]
  ) async throws {
    let server = try ScriptedServer { request in
      let page = request.target.hasSuffix("page=2") ? 2 : request.target.hasSuffix("page=1") ? 1 : 100
      let rows = (0..<2).map { index in
        let id = field == "id" ? page * 2 + index : [3, 1, 3, 2][((page - 1) * 2 + index) % 4]
        return "{\"id\": \(id), \"name\": \"row \(page) \(index)\"}"
      }
      return page > 2
        ? .json("{\"count\": 0}") : .json("{\(total)\"items\": [\(rows.joined(separator: ", "))]}")
    }
    defer { server.stop() }
    let result = try await Program.run(["add", "--dry-run", server.baseURL + "/items?page=1"])
    #expect(result.status == 0)
    for text in written { #expect(result.output.contains(text), "\(text): \(result)") }
    for text in absent { #expect(!(result.output + result.errors).contains(text), "\(text): \(result)") }
  }

  @Test(arguments: [
    (#"{"total": 9, "items": [{"id": 1}, {"id": 2}]}"#, "per_page=50", "default = 2, max = 2 }\n"),
    (#"{"total": 2, "items": [{"id": 1}, {"id": 2}]}"#, "per_page=50", "default = 50 }   # add max = N"),
    (#"{"total": 9, "items": [{"id": 1}]}"#, "per_page=2&page=5", "default = 2 }   # add max = N"),
    (#"{"max_per_page": 200, "items": [{"id": 1}]}"#, "per_page=50", "default = 50, max = 200 }\n"),
  ]) func `[D25] The maximum page size is written when the response shows it.`(
    body: String, query: String, size: String
  ) async throws {
    let server = try ScriptedServer { _ in .json(body) }
    let result = try await Program.run(["add", "--dry-run", server.baseURL + "/items?" + query])
    server.stop()
    #expect(
      result.output.contains("size = { param = \"per_page\", \(size)"), "\(result.output)\(result.errors)")
  }

  private static func page(_ request: ScriptedServer.Request) -> ScriptedServer.Answer {
    let number = Int(request.target.firstMatch(of: /page=([0-9]+)/)?.1 ?? "1") ?? 1
    let rows = (0..<10).map { "{\"id\": \(number * 100 + $0), \"name\": \"n\(number)-\($0)\"}" }
    return .json("{\"items\": [\(number > 3 ? "" : rows.joined(separator: ", "))], \"total\": 30}")
  }

  struct Header: Sendable {
    /// The headers as given to `-H`.
    let written: [String]
    /// A line of each request, as it must be.
    let sent: String
    /// The expected table in the source.
    let table: String
    /// The variable that the next run needs.
    let variable: String
  }

  @Test(arguments: [
    Header(
      written: ["Authorization: Bearer $FORGE_KEY"], sent: "Authorization: Bearer s3cr3t-0123456789",
      table: "[auth]\ntype = \"bearer\"\nfrom = [\"env:FORGE_KEY\"]\n", variable: "FORGE_KEY"),
    Header(
      written: ["Authorization: Token s3cr3t-0123456789"], sent: "Authorization: Token s3cr3t-0123456789",
      table:
        "[auth]\ntype = \"header\"\nheader = \"Authorization\"\nprefix = \"Token \"\nfrom = [\"env:MINE_TOKEN\"]\n",
      variable: "MINE_TOKEN"),
    Header(
      written: ["X-Api-Key: s3cr3t-0123456789", "X-Version: 2"], sent: "X-Api-Key: s3cr3t-0123456789",
      table: "[auth]\ntype = \"header\"\nheader = \"X-Api-Key\"\nfrom = [\"env:MINE_TOKEN\"]\n",
      variable: "MINE_TOKEN"),
    Header(
      written: ["X-Key: ($FORGE_KEY)"], sent: "X-Key: (s3cr3t-0123456789)",
      table: "[secrets.forge_key]\nfrom = [\"env:FORGE_KEY\"]\n", variable: "FORGE_KEY"),
  ]) func `A credential in a header is used, and the source reads it from a variable.`(header: Header)
    async throws
  {
    let server = try ScriptedServer { request in
      if request.text.contains("\n\(header.sent)\n") { return Self.page(request) }
      return .status(401, "{\"message\": \"no: \(request.text.filter { !$0.isNewline })\"}")
    }
    defer { server.stop() }
    try await withHome { home in
      var environment = ["XDG_CONFIG_HOME": home, "FORGE_KEY": "s3cr3t-0123456789"]
      let added = try await Program.run(
        ["add", "--name", "mine", server.baseURL + "/list"] + header.written.flatMap { ["-H", $0] },
        environment: environment)
      #expect(added.status == 0, "\(added.errors)")
      #expect(added.output.contains(header.table), "\(added.output)")
      #expect(
        added.errors.contains("export MINE_TOKEN=…") == (header.variable == "MINE_TOKEN"), "\(added.errors)")
      environment[header.variable] = "s3cr3t-0123456789"
      let rows = try await Program.run(["search", "mine", "--all", "-f", "csv"], environment: environment)
      #expect(rows.lines.count == 31 && rows.status == 0, "\(rows.errors)")
      #expect(!(added.output + added.errors + rows.output + rows.errors).contains("s3cr3t"))
    }
  }

  /// A request that a service requires: 30 rows, ten a page, for those who send all of `parts`.
  struct CurlRequest: Sendable, CustomTestStringConvertible {
    let name: String
    /// The command line, with SERVER for the URL of the server.
    let line: String
    /// The parts that each request must contain.
    let parts: [String]
    /// The number of the row that a request asks for first, or nil for a bad request.
    let first: @Sendable (_ request: String) -> Int?
    /// The response around the rows.
    let response: @Sendable (_ rows: String, _ next: Int) -> String

    var testDescription: String { name }
  }

  private static func number(_ pattern: String, in text: String) -> Int? {
    guard let expression = try? Regex(pattern + "\"?:? ?\"?=?([0-9]+)", as: (Substring, Substring).self)
    else { return nil }
    return text.firstMatch(of: expression).flatMap { Int($0.1) }
  }

  private static let requests = [
    CurlRequest(
      name: "a page number in JSON",
      line: """
        curl 'SERVER/find' -H 'Authorization: Bearer s3cr3t' -H 'Content-Type: application/json' \\
          --data-raw '{"query":"tea","paging":{"pageSize":10,"pageNumber":1},"active":true}'
        """,
      parts: ["POST /find ", "Authorization: Bearer s3cr3t\n", "\"active\":true", "\"query\":\"tea\""],
      first: { request in number("pageNumber", in: request).map { ($0 - 1) * 10 } },
      response: { rows, _ in "{\"data\": {\"items\": \(rows)}, \"totalCount\": 30}" }),
    CurlRequest(
      name: "an offset beside a size in JSON",
      line:
        "curl SERVER/_search -u key:s3cr3t --json '{\"from\": 0, \"size\": 10, \"query\": {\"match_all\": {}}}'",
      parts: ["Authorization: Basic a2V5OnMzY3IzdA==", "\"match_all\":{}", "\"size\":10"],
      first: { number("from", in: $0) },
      response: { rows, _ in "{\"hits\": {\"total\": {\"value\": 30}, \"hits\": \(rows)}}" }),
    CurlRequest(
      name: "a cursor in JSON that the first request does not have",
      line: "curl -X POST SERVER/query -H 'X-Version: 3' -H 'X-Api-Key: s3cr3t' -d '{\"page_size\": 10}'",
      parts: ["POST /query", "X-Version: 3", "X-Api-Key: s3cr3t", "\"page_size\":10"],
      first: { $0.contains("_cursor") ? number("start_cursor\"?:\"c", in: $0) : 0 },
      response: { rows, next in
        "{\"results\": \(rows), \"next_cursor\": \(next < 30 ? "\"c\(next)\"" : "null"), \"has_more\": \(next < 30)}"
      }),
    CurlRequest(
      name: "a form with a page number",
      line: "curl SERVER/list -d 'api_key=s3cr3t&per_page=10&page=1'",
      parts: ["POST /list", "api_key=s3cr3t", "per_page=10"],
      first: { request in
        number("&page", in: "&" + request.replacing("per_page", with: "size")).map { ($0 - 1) * 10 }
      },
      response: { rows, _ in "{\"rows\": \(rows), \"total\": 30}" }),
    CurlRequest(
      name: "GraphQL",
      line: #"""
        curl SERVER/graphql -H 'Authorization: Bearer s3cr3t' -H 'content-type: application/json' --data-raw \
        '{"query":"query($n: Int, $at: String) {\n ships(first: $n, after: $at) { nodes { id } pageInfo { hasNextPage endCursor } } }","variables":{"n":10}}'
        """#, parts: ["\"n\":10", "Authorization: Bearer s3cr3t\n"],
      first: { $0.contains("\"at\"") ? number("\"at\"?:\"c", in: $0) : 0 },
      response: { rows, next in
        "{\"data\": {\"ships\": {\"nodes\": \(rows), \"pageInfo\": {\"hasNextPage\": \(next < 30), \"endCursor\": \"c\(next)\"}}}}"
      }),
    CurlRequest(
      name: "keys in the address",
      line: "curl -sS 'SERVER/list?api_key=s3cr3t&limit=10&offset=0' -H 'accept: */*' | jq .",
      parts: ["GET /list?", "api_key=s3cr3t", "limit=10"], first: { number("offset", in: $0) },
      response: { rows, _ in "{\"items\": \(rows), \"total\": 30}" }),
  ]

  @Test(arguments: requests)
  func `A curl command becomes a source that reads each row once and contains no secret.`(
    request: CurlRequest
  ) async throws {
    let server = try ScriptedServer { received in
      guard request.parts.allSatisfy({ received.text.contains($0) }),
        let first = request.first(received.text), first >= 0
      else {
        return .status(400, "{\"message\": \"no\"}")
      }
      let rows = (first..<max(first, min(first + 10, 30))).map { "{\"id\": \($0), \"name\": \"n\($0)\"}" }
      return .json(request.response("[\(rows.joined(separator: ", "))]", first + 10))
    }
    defer { server.stop() }
    try await withFile("line.txt", request.line.replacing("SERVER", with: server.baseURL)) { file in
      let home = (file as NSString).deletingLastPathComponent
      var environment = ["XDG_CONFIG_HOME": home]
      let added = try await Program.shell(
        "riffle add --curl - --name mine < '\(file)'", environment: environment)
      #expect(added.status == 0, "\(added.errors)\(added.output)")
      #expect(added.errors.contains("Confirmed: page 2 has 10 new rows"), "\(added.errors)")
      let variables = added.errors.matches(of: /export ([A-Z_]+)=/).map { String($0.1) }
      #expect(!variables.isEmpty)
      for name in variables { environment[name] = name.hasSuffix("_USER") ? "key" : "s3cr3t" }
      let rows = try await Program.run(
        ["search", "mine", "--all", "-f", "csv", "-c", "id"]
          + (added.errors.contains("query: parameter") ? ["tea"] : []),
        environment: environment)
      #expect(rows.lines == ["id"] + (0..<30).map { "\($0)" }, "\(rows.errors)\(added.output)")
      #expect(!(added.output + added.errors + rows.output + rows.errors).contains("s3cr3t"))
    }
  }

  @Test(arguments: [
    (
      ["add", "--curl", "curl -F a=1 x.org"],
      "cannot read the curl command: riffle does not support -F. Remove it if the request works without it"
    ),
    (["add", "curl x.org/$TEAM"], "the URL contains a variable outside its parameters"),
    (["add", "--curl", "curl x.org", "https://x.org"], "a URL and --curl cannot be used together"),
    (["add"], "expected a URL, a file or --curl"),
  ]) func `A curl command that cannot become a source is rejected.`(words: [String], message: String)
    async throws
  {
    let result = try await Program.run(words)
    #expect(result.status == 64 && result.errors.contains(message) && result.output == "", "\(result)")
  }

  private static func description(_ server: String) -> String {
    """
    {"openapi": "3.0.0", "info": {"title": "Forge"}, "servers": [{"url": "\(server)"}], "paths": {
      "/list": {"get": {"summary": "All things", "parameters": [{"name": "page", "in": "query", "schema": {"type": "integer"}}],
        "responses": {"200": {"description": "", "content": {"application/json": {"schema": {"type": "object", "properties":
          {"total": {"type": "integer"}, "items": {"type": "array", "items": {"$ref": "#/components/schemas/Thing"}}}}}}}}}},
      "/teams/{team}/things": {"get": {"summary": "Things of a team", "parameters": [
          {"name": "team", "in": "path", "required": true, "schema": {"type": "string"}}],
        "responses": {"200": {"description": "", "content": {"application/json": {"schema": {"type": "array", "items":
          {"$ref": "#/components/schemas/Thing"}}}}}}}},
      "/me": {"get": {"summary": "Who I am", "responses": {"200": {"description": "", "content": {"application/json":
        {"schema": {"$ref": "#/components/schemas/Thing"}}}}}}}},
     "components": {"schemas": {"Thing": {"type": "object", "properties": {"id": {"type": "integer"}, "name": {"type": "string"}}}}}}
    """
  }

  /// The same in YAML, as far as the test needs it.
  private static func yaml(_ server: String) -> String {
    """
    # A comment
    openapi: "3.0.0"
    info: {title: Forge}
    servers:
      - url: \(server)
    paths:
      /list:
        get:
          summary: All things
          parameters:
            - {name: page, in: query, schema: {type: integer}}
          responses:
            '200': &ok
              description: >
                All of
                them
              content:
                application/json:
                  schema:
                    type: object
                    properties:
                      total: {type: integer}
                      items: {type: array, items: {$ref: '#/components/schemas/Thing'}}
      /teams/{team}/things:
        get:
          parameters: [{name: team, in: path, required: yes, schema: {type: string}}]
          responses: {200: *ok}
      /me:
        get: {responses: {200: {description: "", content: {application/json: {schema: {$ref: '#/components/schemas/Thing'}}}}}}
    components:
      schemas:
        Thing:
          type: object
          properties: {id: {type: integer}, name: {type: string}}
    """
  }

  @Test(arguments: [false, true], [false, true])
  func `The lists of an API description are shown, and one becomes a source.`(
    isServed: Bool, isYAML: Bool
  ) async throws {
    let text = isYAML ? Self.yaml : Self.description
    let base = Lock("")
    let server = try ScriptedServer { request in
      request.target == "/openapi.json" ? .json(text(base.withLock { $0 })) : Self.page(request)
    }
    defer { server.stop() }
    base.withLock { $0 = server.baseURL }
    try await withHome { home in
      let file = home + "/openapi.json"
      try text(server.baseURL).write(toFile: file, atomically: true, encoding: .utf8)
      let place = isServed ? "\(server.baseURL)/openapi.json" : file
      func run(_ words: String...) async throws -> Program.Result {
        try await Program.run(words, environment: ["XDG_CONFIG_HOME": home])
      }
      let lists = try await run("add", place)
      #expect(lists.status == 0, "\(lists.errors)")
      #expect(
        lists.lines.map { $0.split(separator: " ").first ?? "" } == ["LIST", "/list", "/teams/{team}/things"])
      #expect(lists.errors.contains("2 lists; 1 other endpoint left out. Add one with --endpoint PATH"))
      let wrong = try await run("add", place, "--endpoint", "/lst")
      #expect(wrong.status == 64 && wrong.errors.contains("Did you mean \"/list\"?"), "\(wrong.errors)")
      let added = try await run("add", place, "--endpoint", "/list", "--name", "things")
      #expect(added.status == 0, "\(added.errors)")
      #expect(added.errors.hasPrefix("Name "), "\(added.errors)")
      #expect(
        added.errors.contains(#"rows: 10 in "items", row id in "id"; total: 30, in "total""#),
        "\(added.errors)")
      #expect(added.errors.contains("Confirmed: page 2 has 10 new rows"), "\(added.errors)")
      #expect(added.errors.contains("things.toml. Try: riffle things\n"), "\(added.errors)")
      let dependent = try await run("add", place, "--endpoint", "/teams/{team}/things", "--name", "of-team")
      #expect(dependent.output.contains("# not confirmed: it needs a value for team"), "\(dependent)")
      #expect(dependent.errors.contains("Try: riffle of-team --set team=…\n"), "\(dependent)")
      let rows = try await run("search", "things", "--all", "-f", "csv")
      #expect(rows.lines.count == 31 && rows.lines[0] == "name,id" && rows.status == 0, "\(rows)")
    }
  }

  @Test(arguments: [
    ("openapi: 3.0.0\npaths: {}\n", "describes no list"),
    ("openapi: 3.0.0\n  paths: {}\n", "is neither JSON nor YAML: line 2: mapping values are not allowed"),
    ("swagger: [\n", "is neither JSON nor YAML: line 2"),
    ("{\"openapi\": ", "is neither JSON nor YAML"),
    ("words\n", "the document is not an API description"),
    (
      "{\"openapi\": \"4.0.0\", \"paths\": {}}",
      "the version \"4.0.0\" of the API description is not supported"
    ),
    ("{\"swagger\": \"2.0\", \"paths\": {}}", "describes no list"),
    ("{\"items\": []}", "the document is not an API description"),
    ("", "is neither JSON nor YAML: it is empty"),
  ]) func `A file that is not a usable API description is rejected.`(text: String, words: String) async throws
  {
    try await withFile("api.json", text) { file in
      let result = try await Program.run(["add", file])
      #expect(result.errors.contains(words) && result.output == "", "\(result)")
      #expect(result.status == (words == "describes no list" ? 1 : 64))
    }
  }

  @Test func `A service that echoes a refused credential does not show it.`() async throws {
    let server = try ScriptedServer { .status(401, "no: \($0.text.filter { !$0.isNewline })") }
    defer { server.stop() }
    let result = try await Program.run([
      "add", "-H", "X-Api-Key: s3cr3t-0123456789", server.baseURL + "/list",
    ])
    #expect(result.status == 4)
    #expect(!(result.output + result.errors).contains("s3cr3t"), "\(result)")
    let missing = try await Program.run(["add", "-H", "X-Api-Key: $NOT_SET", server.baseURL + "/list"])
    #expect(missing.status == 64 && missing.errors.contains("environment variable NOT_SET is not set"))
  }

  @Test(arguments: [
    (["add", "example.org/x"], "Give a URL (http:// or https://) or an existing file", Int32(64)),
    (["add", "--name", "A b", "https://example.org/"], "use a-z, 0-9 and -, and do not start with -", 64),
    (["add", "--name", "github", "https://example.org/"], "source github already exists (built in)", 64),
    (["add", "--force", "--name", "github", "https://example.org/"], "github already exists (built in)", 64),
    (["add", "--force", "https://example.org/"], "--force needs --name", 64),
    (["add", "--name", "search", "https://example.org/"], "search is a riffle command", 64),
    (["add", "http://127.0.0.1:1/"], "connection refused by", 1),
  ]) func `Wrong usage is reported before any request is sent.`(
    arguments: [String], message: String, status: Int32
  ) async throws {
    let result = try await Program.run(arguments)
    #expect(result.errors.contains(message), "\(result.errors)")
    #expect(result.status == status)
    #expect(result.output == "")
  }
}

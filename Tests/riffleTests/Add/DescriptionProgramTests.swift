import Foundation
import Locking
import TestSupport
import Testing

/// Tests `riffle add` with API descriptions, against a server with the described endpoints.
@Suite(.takesTurns, .serialized, .timeLimit(.minutes(3))) struct DescriptionProgramTests {
  /// A service with a list that requires a key, one that is described wrongly, a nested one, and one by POST.
  private final class Service: Sendable {
    let requests = Lock<[String]>([])

    func answer(_ request: ScriptedServer.Request) -> ScriptedServer.Answer {
      requests.withLock { $0.append(request.target) }
      let path = request.target.prefix { $0 != "?" }
      if path == "/locked", !request.text.contains("\nX-Key: s3cr3t-0123456789\n") {
        return .status(401, "{\"message\": \"no: \(request.text.filter { !$0.isNewline })\"}")
      }
      switch path {
      case "/locked": return Self.page(Self.number("page", request) ?? 1, of: 3)
      case "/skewed":
        let start = Self.number("skip", request) ?? 0
        return .json("{\"count\": 25, \"list\": [\(Self.rows(start..<min(start + 10, 25)))]}")
      case "/find":
        let start = Int(request.text.firstMatch(of: /"from":([0-9]+)/)?.1 ?? "0") ?? 0
        return .json("{\"total\": 25, \"hits\": [\(Self.rows(start..<min(start + 10, 25)))]}")
      case "/teams/red": return Self.page(Self.number("page", request) ?? 1, of: 2)
      default: return .status(404)
      }
    }

    private static func number(_ name: String, _ request: ScriptedServer.Request) -> Int? {
      request.target.split { "?&".contains($0) }.first { $0.hasPrefix("\(name)=") }.flatMap {
        Int($0.dropFirst(name.count + 1))
      }
    }

    private static func rows(_ range: Range<Int>) -> String {
      range.map { "{\"id\": \($0), \"name\": \"thing \($0)\"}" }.joined(separator: ",")
    }

    private static func page(_ number: Int, of count: Int) -> ScriptedServer.Answer {
      let rows = number > count ? "" : rows((number - 1) * 10..<number * 10)
      return .json("{\"total\": \(count * 10), \"items\": [\(rows)]}")
    }
  }

  private static func description(_ server: String) -> String {
    func list(_ rows: String, _ total: String) -> String {
      #"""
      "responses": {"200": {"content": {"application/json": {"schema": {"type": "object", "properties": {
        "\#(total)": {"type": "integer"}, "\#(rows)": {"type": "array", "items": {"type": "object", "properties":
        {"id": {"type": "integer"}, "name": {"type": "string"}, "notes": {"type": "string"}}}}}}}}}}
      """#
    }
    func parameters(_ names: String...) -> String {
      let texts = names.map { #"{"name": "\#($0)", "in": "query", "schema": {"type": "integer"}}"# }
      return "\"parameters\": [\(texts.joined(separator: ","))]"
    }
    return #"""
      {"openapi": "3.1.0", "info": {"title": "Forge API"}, "servers": [{"url": "\#(server)"}],
       "components": {"securitySchemes": {"key": {"type": "apiKey", "in": "header", "name": "X-Key"}}},
       "paths": {
        "/locked": {"get": {"summary": "Locked", "security": [{"key": []}], \#(parameters("page")), \#(list("items", "total"))}},
        "/skewed": {"get": {"summary": "Skewed", \#(parameters("page", "skip", "limit")), \#(list("items", "total"))}},
        "/teams/{team}": {"get": {"summary": "Of a team", \#(list("items", "total"))}},
        "/find": {"post": {"summary": "Found", "requestBody": {"content": {"application/json": {"schema": {"type": "object",
          "properties": {"from": {"type": "integer"}, "size": {"type": "integer"}}}}}}, \#(list("hits", "total"))}},
        "/things": {"post": {"summary": "Makes one", \#(list("items", "total"))}}}}
      """#
  }

  private struct Place {
    let home: String
    let file: String
    let service: Service

    func run(_ words: String..., environment: [String: String] = [:]) async throws -> Program.Result {
      var all = environment
      all["XDG_CONFIG_HOME"] = home
      return try await Program.run(words, environment: all)
    }
  }

  private func withService(_ body: (Place) async throws -> Void) async throws {
    let service = Service()
    let server = try ScriptedServer { service.answer($0) }
    defer { server.stop() }
    try await withFile("openapi.json", Self.description(server.baseURL)) { file in
      try await body(Place(home: (file as NSString).deletingLastPathComponent, file: file, service: service))
    }
  }

  @Test func `A credential is never taken from the environment: a header that is given confirms the list.`()
    async throws
  {
    try await withService { place in
      let secret = ["FORGE_API_KEY": "s3cr3t-0123456789", "FORGE_KEY": "s3cr3t-0123456789"]
      let alone = try await place.run("add", place.file, "--endpoint", "/locked", environment: secret)
      #expect(
        alone.errors.contains("Not confirmed: it needs a credential. To confirm it, add -H"), "\(alone)")
      #expect(alone.output.contains("from = [\"env:FORGE_API_KEY\"]"))
      #expect(place.service.requests.withLock { $0 } == [])
      let added = try await place.run(
        "add", place.file, "--endpoint", "/locked", "--name", "locked", "-H", "X-Key: $FORGE_KEY",
        environment: secret)
      #expect(added.errors.contains("Confirmed: page 2 has 10 new rows"), "\(added)")
      #expect(added.output.contains("header = \"X-Key\"\nfrom = [\"env:FORGE_KEY\"]"), "\(added)")
      let rows = try await place.run("search", "locked", "--all", "-f", "csv", environment: secret)
      #expect(rows.lines.count == 31, "\(rows)")
      let wrong = try await place.run(
        "add", place.file, "--endpoint", "/locked", "-H", "X-Key: hush-0123456789")
      #expect(
        wrong.status == 0 && wrong.errors.contains("Not confirmed: the service returned 401"), "\(wrong)")
      #expect(!"\(alone)\(added)\(rows)\(wrong)".contains("s3cr3t") && !"\(wrong)".contains("hush"))
    }
  }

  @Test func `A page overrides a description that contradicts it, and the difference is reported.`()
    async throws
  {
    try await withService { place in
      let added = try await place.run("add", place.file, "--endpoint", "/skewed", "--name", "skewed")
      #expect(
        added.errors.contains("not as described: rows at items: the page has them at list"), "\(added)")
      #expect(added.output.contains("# not as described: the total at total: the page has none there"))
      #expect(added.output.contains("type = \"offset\"\nparam = \"skip\"\n"), "\(added)")
      #expect(added.output.contains("path = \"list\"\nid = \"id\"\ntotal = \"count\"\n"), "\(added)")
      #expect(!added.output.contains("notes"), "\(added)")
      let rows = try await place.run("search", "skewed", "--all", "-f", "csv")
      #expect(rows.lines.count == 26, "\(rows)")
    }
  }

  @Test func `A list requested by POST with its position in the body is confirmed as well.`() async throws {
    try await withService { place in
      let added = try await place.run("add", place.file, "--endpoint", "/find", "--name", "found")
      #expect(added.errors.contains("Confirmed: page 2 has 10 new rows"), "\(added)")
      #expect(added.output.contains("type = \"offset\"\ninto = \"body:from\"\n"), "\(added)")
      let rows = try await place.run("search", "found", "--all", "-f", "csv")
      #expect(rows.lines.count == 26, "\(rows)")
    }
  }

  @Test func `A described server on a private address is not requested for a description from elsewhere.`()
    async throws
  {
    let log = Lock<[String]>([])
    let service = try ScriptedServer { request in
      log.withLock { $0.append(request.target) }
      return .json("[]")
    }
    defer { service.stop() }
    let text = Self.description(service.baseURL.replacing("127.0.0.1", with: "169.254.1.1"))
    let documents = try ScriptedServer { _ in .json(text) }
    defer { documents.stop() }
    let added = try await Program.run(["add", documents.baseURL, "--endpoint", "/skewed"])
    #expect(added.errors.contains("Not confirmed: its server 169.254.1.1 is a private address"), "\(added)")
    let other = try ScriptedServer { _ in .json(Self.description(service.baseURL)) }
    defer { other.stop() }
    let given = try await Program.run([
      "add", other.baseURL, "--endpoint", "/skewed", "-H", "X-Key: s3cr3t-0123456789",
    ])
    #expect(
      given.errors.contains("the headers are for \(other.baseURL), and the list is on \(service.baseURL)"))
    #expect(log.withLock { $0 } == [])
  }

  @Test func `Path parameters are given for the first page and are not written.`() async throws {
    try await withService { place in
      let words = ["add", place.file, "--endpoint", "/teams/{team}", "--name", "team"]
      let environment = ["XDG_CONFIG_HOME": place.home]
      let alone = try await Program.run(words + ["--dry-run"], environment: environment)
      #expect(
        alone.errors.contains("Not confirmed: it needs a value for team. To confirm it, add --set team=…"),
        "\(alone)")
      #expect(place.service.requests.withLock { $0 } == [])
      let added = try await Program.run(words + ["--set", "team=red"], environment: environment)
      #expect(added.errors.contains(#"rows: 10 in "items""#), "\(added)")
      #expect(added.errors.contains("Try: riffle team --set team='red'\n"), "\(added)")
      #expect(added.output.contains("/teams/{team}\"") && !added.output.contains("red\""), "\(added)")
      let rows = try await place.run("search", "team", "--set", "team=red", "--all", "-f", "csv")
      #expect(rows.lines.count == 21, "\(rows)")
      let wrong = try await Program.run(words + ["--force", "--set", "tem=red"], environment: environment)
      #expect(
        wrong.status == 64 && wrong.errors.contains(#"the list has no option "tem". Did you mean "team"?"#),
        "\(wrong)")
    }
  }

  @Test func `All lists become sources that load, and what is left out is named.`() async throws {
    try await withService { place in
      let dry = try await place.run("add", place.file, "--all", "--dry-run")
      #expect(dry.lines.count == 4 && dry.status == 0, "\(dry)")
      #expect(!FileManager.default.fileExists(atPath: place.home + "/riffle"))
      let added = try await place.run("add", place.file, "--all", "--name", "forge")
      #expect(
        added.lines.map { $0.split(separator: " ", maxSplits: 1)[0] } == [
          "forge-locked", "forge-skewed", "forge-teams", "forge-find",
        ], "\(added)")
      #expect(
        added.errors.contains(
          "left out: POST /things: a POST request may change something. Write its source by hand\n"))
      #expect(
        added.errors.contains("wrote 4 sources to \(place.home)/riffle/sources. Try: riffle forge-locked\n"))
      #expect(place.service.requests.withLock { $0 } == [])
      let check = try await place.run("sources", "check")
      #expect(check.status == 0, "\(check)")
      let again = try await place.run("add", place.file, "--all", "--name", "forge")
      #expect(again.status == 64 && again.errors.contains("or replace it with --force"), "\(again)")
      let replaced = try await place.run("add", place.file, "--all", "--name", "forge", "--force")
      #expect(replaced.status == 0, "\(replaced)")
      let both = try await place.run("add", place.file, "--all", "--endpoint", "/find")
      #expect(both.status == 64)
    }
  }

  private func chosen(
    _ keys: String, _ place: Place, answer: String? = nil, options: [String] = []
  ) throws -> PseudoTerminal {
    let terminal = try Program.onTerminal(
      ["add", place.file] + options, columns: 100, rows: 14,
      environment: ["XDG_CONFIG_HOME=\(place.home)", "HOME=\(place.home)"])
    #expect((0..<6).contains { _ in terminal.waits(for: "POST /find") })
    #expect(terminal.output.contains("Forge API"))
    terminal.type(keys)
    for answer in answer ?? "" {
      #expect((0..<6).contains { _ in terminal.waits(for: "? [y/N, or another name]") })
      terminal.type("\(answer)\n")
    }
    return terminal
  }

  @Test func `[U18] On a terminal, a list is chosen in the pager, and named after the API.`() async throws {
    try await withService { place in
      let terminal = try chosen("j\r", place, answer: "y")
      #expect(terminal.ending() == .exit(0))
      #expect(terminal.output.contains("Confirmed: page 2 has 10 new rows"))
      let sources = try FileManager.default.contentsOfDirectory(atPath: place.home + "/riffle/sources")
      #expect(sources == ["forge-skewed.toml"])
      let text = try String(contentsOfFile: "\(place.home)/riffle/sources/\(sources[0])", encoding: .utf8)
      #expect(text.contains("/skewed\""))
    }
  }

  @Test func `All marked lists are added, each under its own name.`() async throws {
    try await withService { place in
      let terminal = try chosen("jxG", place, options: ["--name", "forge"])
      terminal.type("x\r")
      #expect(terminal.ending() == .exit(0))
      let sources = try FileManager.default.contentsOfDirectory(atPath: place.home + "/riffle/sources")
      #expect(sources.sorted() == ["forge-find.toml", "forge-skewed.toml"])
    }
  }

  @Test func `A list that the filter leaves is chosen by the same keys.`() async throws {
    try await withService { place in
      let terminal = try chosen("&team\r\r", place, answer: "n")
      #expect(terminal.ending() == .exit(0))
      #expect(terminal.output.contains("Not confirmed: it needs a value for team"))
    }
  }

  @Test(arguments: ["q", "\u{3}"]) func `Leaving the table adds nothing.`(key: String) async throws {
    try await withService { place in
      let terminal = try chosen(key, place)
      #expect(terminal.ending() == .exit(130))
      #expect(!FileManager.default.fileExists(atPath: place.home + "/riffle/sources"))
      #expect(place.service.requests.withLock { $0 } == [])
    }
  }
}

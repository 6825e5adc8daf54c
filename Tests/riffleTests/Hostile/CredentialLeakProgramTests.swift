import TestSupport
import Testing

/// A credential is seen only by the service it is for: not by another origin that the service leads to, and not by a
/// reader of the output, the messages or the screen.
@Suite(.takesTurns, .serialized) struct CredentialLeakProgramTests {
  /// The secrets that a service knows.
  struct Service: Sendable {
    let credential: CredentialCase
    /// The base address of another server.
    let other: String
  }

  /// The behavior of a service that knows the request completely.
  struct Scenario: Sendable, CustomTestStringConvertible {
    let testDescription: String
    var pagination = ""
    /// Whether the source lists the other server's host.
    var isListed = false
    /// How many requests the other server gets.
    var visits = 0
    /// A part of the expected message.
    let words: String
    let answer: @Sendable (_ request: ScriptedServer.Request, _ service: Service) -> ScriptedServer.Answer
  }

  private static let errors = """
    [errors]
    message = "message"
    [[errors.when]]
    match = { path = "message", exists = true }
    unless = "items"
    """

  /// Everything that was sent to a service, as a JSON string.
  private static func echo(_ request: ScriptedServer.Request) -> String { request.text.inJSON }

  private static let link = "type = \"link\"\nnext = \"next\""

  static let scenarios = [
    Scenario(testDescription: "a redirect elsewhere", words: "leads to another origin") { request, service in
      .status(302, "", ("Location", service.other + request.target))
    },
    Scenario(
      testDescription: "a redirect to a listed host", pagination: link, isListed: true, visits: 1,
      words: "404"
    ) {
      request, service in .status(307, "", ("Location", service.other + request.target))
    },
    Scenario(
      testDescription: "a next link elsewhere", pagination: link, words: "leads to another origin"
    ) { request, service in
      .json("{\"items\": [{\"id\": 1}], \"next\": \((service.other + request.target).inJSON)}")
    },
    Scenario(
      testDescription: "a next link to a listed host", pagination: link, isListed: true, visits: 1,
      words: "404"
    ) { request, service in
      .json("{\"items\": [{\"id\": 1}], \"next\": \((service.other + request.target).inJSON)}")
    },
    Scenario(
      testDescription: "a next link that repeats the request and cannot be followed", pagination: link,
      words: "only http and https"
    ) { request, _ in
      .json("{\"items\": [{\"id\": 1}], \"next\": \(("gopher://127.0.0.1/" + CredentialCase.secret).inJSON)}")
    },
    Scenario(
      testDescription: "a next link that is cut where it repeats the secret", pagination: link,
      words: "only http and https"
    ) { request, _ in
      let long = "gopher://127.0.0.1/" + String(repeating: "x", count: 170) + CredentialCase.secret
      return .json("{\"items\": [{\"id\": 1}], \"next\": \(long.inJSON)}")
    },
    Scenario(testDescription: "an error that repeats the request", words: "401") { request, _ in
      .status(401, "{\"message\": \(echo(request))}")
    },
    Scenario(testDescription: "an error that spells the secret in every way", words: "500") { _, service in
      .status(500, "{\"message\": \(service.credential.spellings.joined(separator: " ").inJSON)}")
    },
    Scenario(testDescription: "an error with every byte of the secret escaped, once and twice", words: "500")
    {
      _, service in
      let spellings = service.credential.escapedSpellings
      return .status(500, "{\"message\": \"\(spellings[0]) \(spellings[1].replacing("\\", with: "\\\\"))\"}")
    },
    Scenario(testDescription: "an error that is cut where it repeats the secret", words: "422") { _, _ in
      let long = String(repeating: "x", count: 290) + CredentialCase.secret
      return .status(422, "{\"message\": \(long.inJSON)}")
    },
    Scenario(testDescription: "an error beside rows", words: "reported an error along with the rows") {
      request, _ in .json("{\"items\": [{\"id\": 1}], \"message\": \(echo(request))}")
    },
    Scenario(testDescription: "a body that begins with the secret", words: "returned invalid JSON") { _, _ in
      .json(CredentialCase.secret)
    },
    Scenario(testDescription: "a body that is broken within the secret", words: "returned invalid JSON") {
      _, _ in
      .json("{\"message\": \"\(CredentialCase.secret)\u{1}\(CredentialCase.secret)\"}")
    },
    Scenario(testDescription: "a page of HTML", words: "returned HTML") { request, _ in
      .status(200, "<html>\(request.text)</html>")
    },
  ]

  private static func tables(_ scenario: Scenario, host: String) -> String {
    """
    [pagination]
    \(scenario.pagination.isEmpty ? "type = \"cursor\"\nnext = \"c\"\ninto = \"query:c\"" : scenario.pagination)
    \(scenario.isListed ? "hosts = [\"\(host)\"]" : "")
    [rows]
    path = "items"
    \(errors)
    """
  }

  @Test(arguments: scenarios, CredentialCase.all)
  func `Nobody but the service sees a secret, whatever the service does with it.`(
    scenario: Scenario, credential: CredentialCase
  ) async throws {
    let other = try ScriptedServer { _ in .status(404) }
    let home = try ScriptedServer {
      scenario.answer($0, Service(credential: credential, other: other.baseURL))
    }
    defer {
      other.stop()
      home.stop()
    }
    let text = credential.source(at: home, Self.tables(scenario, host: "127.0.0.1:\(other.port)"))
    let result = try await withFile("mine.toml", text) { file in
      try await Program.run(
        ["search", file, "x", "--all", "-f", "jsonl", "--trust", "--retries", "0", "--stats", "-"],
        environment: CredentialCase.environment)
    }
    let sent = home.requests.joined()
    #expect(!credential.traces(in: sent).isEmpty, "the service itself got it")
    #expect(result.errors.contains(scenario.words), "\(result.errors)")
    #expect(credential.traces(in: result.output + result.errors) == [])
    #expect(other.requests.count == scenario.visits)
    #expect(credential.traces(in: other.requests.joined()) == [])
  }

  @Test(arguments: CredentialCase.all)
  func `The screen does not show the credential.`(credential: CredentialCase) async throws {
    let home = try ScriptedServer { .status(401, "{\"message\": \(Self.echo($0))}") }
    defer { home.stop() }
    let text = credential.source(at: home, Self.tables(Self.scenarios[0], host: ""))
    try await withFile("mine.toml", text) { file in
      let terminal = try Program.onTerminal(
        [file, "x", "--trust"], columns: 200, rows: 24,
        environment: ["HOME=/dev/null"] + CredentialCase.environment.map { "\($0)=\($1)" })
      #expect(terminal.shows("401 Unauthorized"))
      terminal.type("q")
      #expect(terminal.ending() == .exit(0))
      #expect(credential.traces(in: terminal.output) == [])
    }
    #expect(!credential.traces(in: home.requests.joined()).isEmpty)
  }
}

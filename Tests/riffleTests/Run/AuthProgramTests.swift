import Foundation
import TestSupport
import Testing

@testable import Search

/// Tests `riffle auth`: it obtains, lists and removes stored credentials, and prints none.
@Suite(.takesTurns, .serialized) struct AuthProgramTests {
  typealias Response = TokenService.Response

  private func environment(_ state: StateHome) -> [String: String] {
    ["XDG_STATE_HOME": state.path, "SECRET": TokenService.clientSecret]
  }

  private static let pending = Response.json(400, "{\"error\": \"authorization_pending\"}")

  struct Login: Sendable, CustomTestStringConvertible {
    let testDescription: String
    var device = Response.json(200, TokenService.Plan.deviceCode)
    var tokens: [[RawServer.Action]]
    /// The outcome as `status; requests for tokens; stored tokens`.
    let outcome: String
    let words: String
  }

  static let logins = [
    Login(
      testDescription: "is confirmed at the third poll",
      tokens: [pending, pending, Response.token("TWO", refresh: "TWO")], outcome: "0; 3; TWO refresh TWO",
      words: "To log in to source mine, open http://x.test/d and enter the code WDJB-MJHT"),
    Login(
      testDescription: "is denied", tokens: [pending, Response.json(400, "{\"error\": \"access_denied\"}")],
      outcome: "4; 2; ", words: "the request was denied"),
    Login(
      testDescription: "expires by the service's words",
      tokens: [Response.json(400, "{\"error\": \"expired_token\"}")],
      outcome: "4; 1; ", words: "the code expired before it was confirmed. Log in again"),
    Login(
      testDescription: "expires by its lifetime",
      device: Response.json(200, TokenService.Plan.deviceCode.replacing("60}", with: "0.5}")),
      tokens: [pending],
      outcome: "4; 1 or 2; ",
      words: "Waiting for at most 1 s (Ctrl-C: cancel)\nriffle: the code expired before it was confirmed"),
    Login(
      testDescription: "survives a failing endpoint",
      tokens: [[.close], Response.token("TWO", refresh: "TWO")],
      outcome: "0; 2; TWO refresh TWO", words: "token that expires at"),
    Login(
      testDescription: "is refused a code", device: Response.json(401, "{\"error\": \"invalid_client\"}"),
      tokens: [pending], outcome: "4; 0; ", words: "invalid_client"),
    Login(
      testDescription: "gets HTML instead of a code", device: Response.body(200, "<html>"), tokens: [pending],
      outcome: "1; 0; ", words: "returned HTML, not JSON. Check auth.device_url"),
    Login(
      testDescription: "gets a response without a code",
      device: Response.json(200, "{\"device_code\": \"d\"}"),
      tokens: [pending], outcome: "1; 0; ",
      words: "returned a response without user_code. Check auth.device_url"
    ),
    Login(
      testDescription: "gets a token that cannot be sent",
      tokens: [Response.json(200, "{\"access_token\": \"a\\nb\"}")], outcome: "1; 1; ",
      words: "cannot be sent"),
  ]

  @Test(arguments: logins) func `A login succeeds with a device code.`(_ row: Login) async throws {
    var plan = TokenService.Plan(tokens: row.tokens)
    plan.device = row.device
    let service = try await TokenService.start(plan)
    try await StateHome.with { state in
      try await withFile("mine.toml", service.source(.device)) { file in
        let login = try await Program.run(
          ["auth", "login", file, "--trust"], environment: environment(state))
        // How often it asks within its lifetime depends on what else the machine does.
        let count = service.requests("/token").count
        let requests = row.outcome.contains("1 or 2") && 1...2 ~= count ? "1 or 2" : "\(count)"
        #expect("\(login.status); \(requests); \(state.kept)" == row.outcome, "\(login.errors)")
        #expect(login.errors.contains(row.words), "\(login.errors)")
        for part in TokenService.secretParts { #expect(!(login.output + login.errors).contains(part)) }
      }
    }
    try await service.server.stop()
  }

  @Test func `A login is shown, reused without another login, and removed.`() async throws {
    var plan = TokenService.Plan(tokens: [Response.token("TWO", refresh: "TWO")])
    plan.uses = ["TWO": nil]
    let service = try await TokenService.start(plan)
    try await StateHome.with { state in
      try await withFile("mine.toml", service.source(.device)) { file in
        func run(_ arguments: String...) async throws -> Program.Result {
          try await Program.run(arguments, environment: environment(state))
        }
        let untrusted = try await run("auth", "login", file)
        #expect(untrusted.status == 78 && untrusted.errors.contains("add --trust"), "\(untrusted.errors)")
        #expect(try await run("auth", "status", file).status == 4)
        #expect(try await run("auth", "login", file, "--trust").status == 0)
        #expect(try await run("search", file, "--all", "-f", "csv", "--trust").output == "id\n1\n2\n")
        let status = try await run("auth")
        #expect(
          status.output.hasPrefix("mine  \(service.baseURL)  token that expires at "), "\(status.output)")
        #expect(
          try await run("sources", "show", file).output.contains(
            "# stored for \(service.baseURL): token that expires at "))
        #expect(
          try await run("auth", "logout", "mine").errors == "riffle: removed 1 credential of source mine\n")
        #expect(state.files == [])
        #expect(try await run("search", file, "--trust").status == 4)
      }
    }
    try await service.server.stop()
  }

  private func keySource(_ server: ScriptedServer) -> String {
    """
    schema = 1
    id = "mine"
    [request]
    url = "\(server.baseURL)/list"
    [auth]
    type = "bearer"
    from = ["env:KEY", "store"]
    [rows]
    path = "items"
    """
  }

  @Test func `An API key from stdin is stored and sent, and can be removed.`() async throws {
    let server = try ScriptedServer { request in
      request.text.contains("Bearer key-0123456789\n") ? .json("{\"items\": [{\"id\": 1}]}") : .status(401)
    }
    try await StateHome.with { state in
      try await withFile("mine.toml", keySource(server)) { file in
        func shell(_ line: String) async throws -> Program.Result {
          try await Program.shell(line.replacing("FILE", with: file), environment: environment(state))
        }
        let before = try await shell("riffle search FILE --trust")
        #expect(
          before.status == 4 && before.errors.contains("Run: riffle auth login \(file) --trust"),
          "\(before.errors)")
        #expect(try await shell("echo | riffle auth login FILE --trust").status == 64)
        let quoted = try await shell("echo '\"key-0123456789\"' | riffle auth login FILE --trust")
        #expect(
          quoted.errors.contains("the API key is in quotes. Remove them. Nothing was stored"),
          "\(quoted.errors)")
        #expect(state.files == [])
        let login = try await shell("printf ' key-0123456789 \\nmore' | riffle auth login FILE --trust")
        #expect(
          login.errors == "riffle: stored the API key of source mine (sent only to \(server.baseURL))\n")
        #expect(try await shell("riffle search FILE --trust -f csv").output == "id\n1\n")
        #expect(try await shell("riffle auth status mine").output == "mine  \(server.baseURL)  API key\n")
        #expect(try await shell("riffle search FILE --trust").status == 0)
        #expect(try await shell("riffle auth logout mine; riffle search FILE --trust").status == 4)
      }
    }
    server.stop()
  }

  @Test func `A typed API key is not shown, and Ctrl-C or a signal stores nothing.`() async throws {
    let server = try ScriptedServer { _ in .status(401) }
    try await StateHome.with { state in
      try await withFile("mine.toml", keySource(server)) { file in
        func terminal() throws -> PseudoTerminal {
          try PseudoTerminal(
            "riffle", arguments: ["auth", "login", file, "--trust"], columns: 200, rows: 24,
            environment: ["HOME=/dev/null", "XDG_STATE_HOME=\(state.path)"])
        }
        let canceled = try terminal()
        #expect(canceled.waits(for: "input hidden): "))
        canceled.type("key-0123\u{3}")
        #expect(canceled.ending() == .exit(130))
        let ended = try terminal()
        #expect(ended.waits(for: "input hidden): "))
        ended.type("key-0123")
        ended.signal(SIGTERM)
        #expect(ended.ending() == .signal(SIGTERM) && ended.isAsFound)
        #expect(state.files == [])
        let typed = try terminal()
        #expect(typed.waits(for: "input hidden): "))
        typed.type("key-9\u{7F}0123456789\r")
        #expect(typed.ending() == .exit(0))
        #expect(state.kept == "0123456789")
        #expect(![typed, canceled, ended].contains { $0.output.contains("0123") })
      }
    }
    server.stop()
  }
}

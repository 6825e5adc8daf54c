import Credentials
import Foundation
import HTTPValues
import Search
import TestSupport
import Testing

/// What a run does when a token endpoint, or the folder of kept tokens, misbehaves. In every case, no secret is in
/// any output.
@Suite(.takesTurns, .serialized) struct TokenFaultTests {
  typealias Response = TokenService.Response

  struct Case: Sendable, CustomTestStringConvertible {
    let testDescription: String
    var grant = TokenGrant.Kind.refreshToken
    /// Keys of `[auth]`, or of `[auth.login]`.
    var keys = ""
    /// Whether tokens are obtained by a login, not by the grant.
    var isLogin = false
    var isOptional = false
    var plan = TokenService.Plan()
    /// The token stored before the run, if any; its age is in seconds.
    var before: StoredToken?
    var arguments: [String] = []
    var environment: [String: String] = [:]
    /// The outcome as `status; rows; requests for tokens; requests for pages; stored tokens`.
    let outcome: String
    /// A part of the expected messages.
    var words = ""

    struct StoredToken: Sendable {
      var name = "ONE"
      var age = 0.0
      var lifetime: Double? = 3_600
      var refresh: String? = "ONE"
      var seed: String? = "SEED"
      var mode = 0o600
      /// The whole content, in place of a token.
      var text: String?
    }

    init(
      _ description: String, _ grant: TokenGrant.Kind = .refreshToken, keys: String = "",
      tokens: [[RawServer.Action]]? = nil, uses: [String: Int?]? = nil, list: [RawServer.Action]? = nil,
      before: StoredToken? = nil, arguments: [String] = [], environment: [String: String] = [:],
      is outcome: String, _ words: String = ""
    ) {
      testDescription = description
      self.grant = grant
      self.keys = keys
      if let tokens { plan.tokens = tokens }
      if let uses { plan.uses = uses }
      plan.list = list
      self.before = before
      self.arguments = arguments
      self.environment = environment
      self.outcome = outcome
      self.words = words
    }
  }

  private static func login(
    _ description: String, keys: String = "", _ responses: [[RawServer.Action]], uses: [String: Int?]? = nil,
    before: Case.StoredToken? = nil, optional: Bool = false, environment: [String: String] = [:],
    is outcome: String, _ words: String = ""
  ) -> Case {
    var row = Case(
      "login: \(description)", keys: keys, tokens: responses, uses: uses, before: before,
      environment: environment, is: outcome, words)
    row.isLogin = true
    row.isOptional = optional
    return row
  }

  /// Faults of logins: the response, the lifetime of the token, and the account.
  static let logins = [
    login("a token", [Response.session("TWO")], is: "0; 1 2; 1; 2; TWO"),
    login(
      "a token in a header", [Response.json(200, "{}", "X-Token: \(TokenService.access("TWO"))\n")],
      is: "0; 1 2; 1; 2; TWO"),
    login(
      "a response without a body", [Response.body(204, "", "X-Token: \(TokenService.access("TWO"))\n")],
      is: "0; 1 2; 1; 2; TWO"),
    login(
      "a login with a time limit of its own", keys: "timeout = \"1s\"", [[.pause(milliseconds: 60_000)]],
      is: "1; ; 1; 0; ", "did not respond within 1 s"),
    login("a kept token", [], before: .init(), is: "0; 1 2; 0; 2; ONE"),
    login(
      "a kept token without a known end", [], before: .init(age: 1e6, lifetime: nil), is: "0; 1 2; 0; 2; ONE"),
    login(
      "a kept token that has ended", [Response.session("TWO")], before: .init(age: 3_700),
      is: "0; 1 2; 1; 2; TWO"),
    login(
      "a kept token of another password", [Response.session("TWO")], before: .init(seed: "other"),
      is: "0; 1 2; 1; 2; TWO"),
    login(
      "a kept token that the service rejects at once", [Response.session("TWO")], uses: ["TWO": nil],
      before: .init(),
      is: "0; 1 2; 1; 3; TWO"),
    login(
      "a token that ends in the middle", [Response.session("ONE"), Response.session("TWO")],
      uses: ["ONE": 1, "TWO": nil], is: "0; 1 2; 2; 3; TWO"),
    login(
      "every token is rejected", [Response.session("TWO")], uses: [:], is: "4; ; 2; 1; TWO",
      "rejected the request"),
    login(
      "an end in seconds", keys: "expires = \"expires_in\"",
      [Response.session("TWO", more: ", \"expires_in\": \"900\"")],
      is: "0; 1 2; 1; 2; TWO"),
    login(
      "an end that has passed", keys: "expires = \"at\"",
      [Response.session("TWO", more: ", \"at\": 1600000000")],
      is: "0; 1 2; 1; 2; TWO"),
    login(
      "an end that is no time", keys: "expires = \"at\"",
      [Response.session("TWO", more: ", \"at\": \"soon\"")],
      is: "0; 1 2; 1; 2; TWO"),
    login(
      "a wrong password", [Response.json(401, "{\"message\": \"wrong \(TokenService.clientSecret)\"}")],
      is: "4; ; 1; 0; ",
      "rejected the request"),
    login(
      "a wrong password as 400", [Response.json(400, "{\"message\": \"unknown user\"}")], is: "4; ; 1; 0; ",
      "400 Bad Request: unknown user. Check env:SECRET"),
    login(
      "404", [Response.body(404, "")], is: "1; ; 1; 0; ", "404 Not Found. Check auth.login.url of source mine"
    ),
    login("500", [Response.body(500, "")], is: "1; ; 1; 0; ", "cannot log in"),
    login(
      "HTML", [Response.body(200, "<!DOCTYPE html><p>Sign in")], is: "1; ; 1; 0; ",
      "in a browser, or correct auth.login.url in source mine"),
    login("an empty response", [Response.body(200, "")], is: "1; ; 1; 0; ", "cannot log in"),
    login(
      "JSON that is cut off", [Response.body(200, "{\"token\": \"acc")], is: "1; ; 1; 0; ", "incomplete JSON"),
    login(
      "no token", [Response.json(200, "{\"ok\": true}")], is: "1; ; 1; 0; ",
      "returned no token. Check auth.login.token of source mine"),
    login(
      "an empty token", [Response.json(200, "{\"token\": \"\"}")], is: "1; ; 1; 0; ", "returned no token"),
    login(
      "a token with a line feed", [Response.json(200, "{\"token\": \"a\\nX: y\"}")], is: "1; ; 1; 0; ",
      "a token that cannot be sent"),
    login(
      "a token of 50 kB", [Response.json(200, "{\"token\": \"\(String(repeating: "a", count: 50_000))\"}")],
      is: "1; ; 1; 0; ", "a token that cannot be sent"),
    login("a lost connection", [[.close]], is: "1; ; 1; 0; ", "cannot log in"),
    login(
      "a redirect to another origin", [Response.body(307, "", "Location: https://elsewhere.example/token\n")],
      is: "1; ; 1; 0; ", "cannot log in"),
    login(
      "no password", [], environment: ["SECRET": ""], is: "4; ; 0; 0; ",
      "SECRET is empty"),
    login(
      "no password, and none is needed", [Response.session("TWO")], optional: true,
      environment: ["SECRET": ""],
      is: "4; ; 0; 1; ", "rejected the request"),
    login(
      "no folder is needed", [Response.session("TWO")], environment: ["XDG_STATE_HOME": "/dev/null"],
      is: "0; 1 2; 1; 2; "),
  ]

  private static func refused(_ name: String, _ response: [RawServer.Action], _ words: String) -> Case {
    Case("\(name)", tokens: [response], is: "4; ; 1; 0; ", words)
  }

  private static func fails(_ name: String, _ response: [RawServer.Action], _ words: String) -> Case {
    Case("\(name)", tokens: [response], is: "1; ; 1; 0; ", words)
  }

  /// The endpoint's response to the first request for a token.
  static let responses = [
    refused(
      "an invalid grant", Response.error(400, "invalid_grant"),
      "invalid_grant: about <secret>. Put a new refresh token into env:REFRESH"),
    refused(
      "an invalid client", Response.error(401, "invalid_client"),
      "refused the client (401 Unauthorized): invalid_client"),
    refused("an unauthorized client", Response.error(400, "unauthorized_client"), "unauthorized_client"),
    refused("an invalid scope", Response.error(400, "invalid_scope"), "invalid_scope"),
    refused("an unsupported grant", Response.error(400, "unsupported_grant_type"), "unsupported_grant_type"),
    refused("an error with status 200", Response.error(200, "bad_refresh_token"), "bad_refresh_token"),
    refused(
      "400 without JSON", Response.body(400, "<html>no</html>"), "refused the request (400 Bad Request)"),
    refused("403 without a body", Response.body(403, ""), "refused the request (403 Forbidden)"),
    refused(
      "an error with an endless text", Response.error(400, String(repeating: "x", count: 50_000)), "xxx…"),
    fails("404", Response.body(404, "<html>"), "returned 404 Not Found. Check auth.token_url"),
    fails("405", Response.body(405, ""), "405 Method Not Allowed"),
    fails("500", Response.body(500, "oops"), "cannot obtain a token: the token endpoint"),
    fails("503", Response.body(503, ""), "503 Service Unavailable"),
    fails("a server error as a code", Response.error(400, "server_error"), "server_error"),
    fails(
      "temporarily unavailable", Response.error(400, "temporarily_unavailable"), "temporarily_unavailable"),
    fails(
      "HTML with status 200", Response.body(200, "<!DOCTYPE html><p>Sign in"),
      "returned HTML, not JSON. Check auth.token_url"
    ),
    fails("an empty body", Response.body(200, ""), "returned an empty response"),
    fails(
      "JSON that is cut off", Response.body(200, "{\"access_token\": \"access-TWO-01234"), "invalid JSON"),
    fails("an array", Response.json(200, "[]"), "returned a response without access_token"),
    fails("null", Response.json(200, "null"), "returned a response without access_token"),
    fails(
      "no access token", Response.json(200, "{\"token\": 1}"), "returned a response without access_token"),
    fails(
      "a number as the token", Response.json(200, "{\"access_token\": 12}"),
      "an unusable access_token (not text)"),
    fails(
      "an empty token", Response.json(200, "{\"access_token\": \"\"}"), "an unusable access_token (empty)"),
    fails(
      "a token with a line feed", Response.json(200, "{\"access_token\": \"a\\nX: y\"}"),
      "characters that cannot be sent"),
    fails(
      "a token of 50 kB",
      Response.json(200, "{\"access_token\": \"\(String(repeating: "a", count: 50_000))\"}"),
      "an unusable access_token (50000 bytes)"),
    fails(
      "a refresh token of 50 kB",
      Response.token("TWO", more: ", \"refresh_token\": \"\(String(repeating: "a", count: 50_000))\""),
      "a refresh_token that cannot be used"),
    fails(
      "a token that needs a proof", Response.json(200, "{\"access_token\": \"a\", \"token_type\": \"DPoP\"}"),
      "a token of type DPoP"),
    fails("a lost connection", [.close], "closed the connection without a response"),
    fails("a reset", [.reset], "cannot obtain a token"),
    fails(
      "a body that is cut off", [.send("HTTP/1.1 200 OK\nContent-Length: 500\n\n{\"access"), .close],
      "lost after"),
    fails("no HTTP", [.send("hello\n\n"), .close], "did not send a valid HTTP response"),
    fails(
      "a redirect to another origin", Response.body(307, "", "Location: https://elsewhere.example/token\n"),
      "cannot obtain a token"),
    fails("a redirect to itself", Response.body(307, "", "Location: /token\n"), "cannot obtain a token"),
    Case(
      "429 with a long wait", tokens: [Response.body(429, "", "Retry-After: 3600\n")],
      arguments: ["--retries", "3"], is: "5; ; 1; 0; ", "429 Too Many Requests"),
    Case(
      "no response", tokens: [[.pause(milliseconds: 60_000)]], arguments: ["--timeout", "1s"],
      is: "1; ; 1; 0; ", "did not respond within"),
    Case(
      "a response that comes later than the timeout",
      tokens: [[.pause(milliseconds: 2_500)] + Response.token("TWO", refresh: "TWO")],
      arguments: ["--timeout", "1s"], is: "1; ; 1; 0; ", "did not respond within 1 s"),
    Case(
      "a response that drips",
      tokens: [[.send("HTTP/1.1 200 OK\nContent-Length: 500\n\n"), .drip([32], milliseconds: 20)]],
      arguments: ["--timeout", "1s"], is: "1; ; 1; 0; ", "did not finish its response"),
    Case(
      "503, then a token", tokens: [Response.body(503, "", "Retry-After: 0\n"), Response.token("TWO")],
      arguments: ["--retries", "2"], is: "0; 1 2; 2; 2; TWO refresh SEED"),
    Case(
      "a lost connection, then a token", tokens: [[.close], Response.token("TWO")],
      arguments: ["--retries", "2"], is: "0; 1 2; 2; 2; TWO refresh SEED"),
    Case(
      "429 without a wait, then a token",
      tokens: [Response.body(429, "", "Retry-After: 0\n"), Response.token("TWO")],
      arguments: ["--retries", "2"],
      is: "0; 1 2; 2; 2; TWO refresh SEED"),
  ]

  /// Lifetimes, renewal and rotation.
  static let lives = [
    Case("a first token", is: "0; 1 2; 1; 2; TWO refresh SEED"),
    Case(
      "a first token that rotates", tokens: [Response.token("TWO", refresh: "TWO")],
      is: "0; 1 2; 1; 2; TWO refresh TWO"),
    Case("a kept token", before: .init(), is: "0; 1 2; 0; 2; ONE refresh ONE"),
    Case(
      "a kept token without a known end", before: .init(age: 1e6, lifetime: nil),
      is: "0; 1 2; 0; 2; ONE refresh ONE"),
    Case(
      "a kept token that has ended", tokens: [Response.token("TWO", refresh: "TWO")],
      before: .init(age: 3_700),
      is: "0; 1 2; 1; 2; TWO refresh TWO"),
    Case("a kept token in its last minute", before: .init(age: 3_550), is: "0; 1 2; 1; 2; TWO refresh ONE"),
    Case(
      "a kept token of the future: the clock was set back a day", before: .init(age: -86_400),
      is: "0; 1 2; 1; 2; TWO refresh ONE"),
    Case(
      "a kept token whose seed was replaced", before: .init(seed: "OLD"), is: "0; 1 2; 1; 2; TWO refresh SEED"
    ),
    Case(
      "a kept token, and no seed any more", before: .init(age: 3_700), environment: ["REFRESH": ""],
      is: "0; 1 2; 1; 2; TWO refresh ONE"),
    Case(
      "no kept token and no seed", environment: ["REFRESH": ""], is: "4; ; 0; 0; ", "source mine has no token"
    ),
    Case(
      "no client secret", environment: ["SECRET": ""], is: "4; ; 0; 0; ",
      "SECRET is empty"),
    Case(
      "a lifetime as text", tokens: [Response.token("TWO", lifetime: "\"3600\"")],
      is: "0; 1 2; 1; 2; TWO refresh SEED"),
    Case(
      "a lifetime of zero", tokens: [Response.token("TWO", lifetime: "0")],
      is: "0; 1 2; 1; 2; TWO refresh SEED"),
    Case(
      "a negative lifetime", tokens: [Response.token("TWO", lifetime: "-1")],
      is: "0; 1 2; 1; 2; TWO refresh SEED"),
    Case(
      "a lifetime without end", tokens: [Response.token("TWO", lifetime: "1e308")],
      is: "0; 1 2; 1; 2; TWO refresh SEED"),
    Case(
      "a lifetime that is no number", tokens: [Response.token("TWO", lifetime: "[]")],
      is: "0; 1 2; 1; 2; TWO refresh SEED"),
    Case(
      "a token that the service rejects at once", uses: ["TWO": nil], before: .init(),
      is: "0; 1 2; 1; 3; TWO refresh ONE"),
    Case(
      "a token that ends in the middle", tokens: [Response.token("TWO", refresh: "TWO")],
      uses: ["ONE": 1, "TWO": nil], before: .init(), is: "0; 1 2; 1; 3; TWO refresh TWO"),
    Case(
      "a token that ends in the middle, and so does its refresh token",
      tokens: [Response.error(400, "invalid_grant")], uses: ["ONE": 1], before: .init(),
      is: "3; 1; 1; 2; ONE refresh ONE", "invalid_grant"),
    Case(
      "a renewal in the middle that fails once",
      tokens: [Response.body(503, "", "Retry-After: 0\n"), Response.token("TWO")],
      uses: ["ONE": 1, "TWO": nil],
      before: .init(), arguments: ["--retries", "2"], is: "0; 1 2; 2; 3; TWO refresh ONE"),
    Case("every token is rejected", uses: [:], is: "4; ; 2; 1; TWO refresh SEED", "rejected the request"),
    Case(
      "the same token again after a rejection", tokens: [Response.token("ONE")], uses: [:], before: .init(),
      is: "4; ; 1; 1; ONE refresh ONE", "rejected the request"),
    Case("a client's own token", .clientCredentials, is: "0; 1 2; 1; 2; TWO"),
    Case(
      "a client's token in the middle", .clientCredentials,
      tokens: [Response.token("ONE"), Response.token("TWO")],
      uses: ["ONE": 1, "TWO": nil], is: "0; 1 2; 2; 3; TWO"),
    Case(
      "a client that is refused", .clientCredentials,
      tokens: [Response.json(401, "{\"error\": \"invalid_client\"}")],
      is: "4; ; 1; 0; ", "Check the client's id and secret (env:SECRET)"),
    Case("a device that is not logged in", .device, is: "4; ; 0; 0; ", "source mine has no token for"),
    Case(
      "a device that need not log in", .device, keys: "optional = true", is: "4; ; 0; 1; ",
      "rejected the request"),
    Case(
      "a device's token that ended", .device, before: .init(age: 4_000, seed: nil),
      is: "0; 1 2; 1; 2; TWO refresh ONE"),
    Case(
      "a device's token that ended, refused", .device,
      tokens: [
        Response.json(
          400, "{\"error\": \"invalid_grant\", \"error_description\": \"\(TokenService.refresh("ONE"))\"}")
      ],
      before: .init(age: 4_000, seed: nil), is: "4; ; 1; 0; ONE refresh ONE", "/mine.toml --trust"),
    Case(
      "a device's token that cannot be renewed", .device, before: .init(age: 4_000, refresh: nil, seed: nil),
      is: "4; ; 0; 0; ONE", "/mine.toml --trust"),
  ]

  /// Faults of the directory of stored tokens.
  static let stores = [
    Case(
      "a damaged file", before: .init(text: "access-ONE-0123456789\n{}\n"), is: "4; ; 0; 0; damaged",
      "is damaged. Remove it with: riffle auth logout mine"),
    Case(
      "a file that is cut off", before: .init(text: "access-ONE-0123456789"), is: "4; ; 0; 0; damaged",
      "is damaged"),
    Case("an empty file", before: .init(text: ""), is: "0; 1 2; 1; 2; TWO refresh SEED"),
    Case(
      "a file that others can read", before: .init(mode: 0o644), is: "4; ; 0; 0; ONE refresh ONE",
      "(mode 644), so it is not used. Run: chmod 600"),
    Case(
      "no home", environment: ["XDG_STATE_HOME": "", "HOME": ""], is: "4; ; 0; 0; ",
      "neither HOME nor XDG_STATE_HOME is set"),
    Case(
      "a folder that cannot be made", environment: ["XDG_STATE_HOME": "/dev/null"], is: "4; ; 0; 0; ",
      "cannot store the credential of source mine"),
    Case(
      "a client needs no folder", .clientCredentials, environment: ["XDG_STATE_HOME": "/dev/null"],
      is: "0; 1 2; 1; 2; "),
    Case(
      "a client needs no folder to renew", .clientCredentials,
      tokens: [Response.token("ONE"), Response.token("TWO")], uses: ["ONE": 1, "TWO": nil],
      environment: ["XDG_STATE_HOME": "/dev/null"], is: "0; 1 2; 2; 3; "),
  ]

  @Test(arguments: responses + lives + stores + logins)
  func `A token fault has the outcome listed in the table.`(_ row: Case) async throws {
    let service = try await TokenService.start(row.plan)
    try await StateHome.with { state in
      if let before = row.before {
        let kept =
          row.isLogin
          ? try service.storedLogin(
            before.name, age: before.age, lifetime: before.lifetime,
            password: before.seed == "SEED" ? TokenService.clientSecret : "")
          : try service.kept(
            before.name, age: before.age, lifetime: before.lifetime, refresh: before.refresh,
            seed: before.seed)
        try state.put(
          before.text.map { Array($0.utf8) } ?? kept.bytes, named: kept.identity.fileName, mode: before.mode)
      }
      let environment = [
        "XDG_STATE_HOME": state.path, "SECRET": TokenService.clientSecret,
        "REFRESH": TokenService.refresh("SEED"),
      ].merging(row.environment) { $1 }
      let retries = row.arguments.contains("--retries") ? [] : ["--retries", "0"]
      let source =
        row.isLogin
        ? service.loginSource(row.keys, isOptional: row.isOptional) : service.source(row.grant, row.keys)
      let result = try await withFile("mine.toml", source) { file in
        try await Program.run(
          ["search", file, "--all", "-f", "csv", "--trust", "--stats", "-", "-v"] + retries + row.arguments,
          environment: environment)
      }
      let rows = result.lines.dropFirst().joined(separator: " ")
      let requests = "\(service.requests("/token").count); \(service.requests("/list").count)"
      #expect(
        "\(result.status); \(rows); \(requests); \(state.kept)" == row.outcome, "\(result.errors)")
      #expect(row.words.isEmpty || result.errors.contains(row.words), "\(result.errors)")
      for part in TokenService.secretParts { #expect(!(result.output + result.errors).contains(part)) }
      for page in service.requests("/list") {
        #expect(!page.contains(TokenService.clientSecret) && !page.contains("refresh-"))
      }
    }
    try await service.server.stop()
  }

  /// The environment of the program: the directory of its tokens, and its secrets.
  private func environment(_ state: StateHome) -> [String: String] {
    [
      "XDG_STATE_HOME": state.path, "SECRET": TokenService.clientSecret,
      "REFRESH": TokenService.refresh("SEED"),
      "HOME": "/dev/null", "PATH": "/usr/bin:/bin",
    ]
  }

  @Test func `Processes that find an expired token at the same time renew it once.`() async throws {
    var plan = TokenService.Plan(tokens: [
      [.pause(milliseconds: 300)] + Response.token("TWO", refresh: "TWO"),
      Response.error(400, "invalid_grant"),
    ])
    plan.uses = ["TWO": nil]
    let service = try await TokenService.start(plan)
    try await StateHome.with { state in
      let kept = try service.kept("ONE", age: 4_000, lifetime: 3_600, refresh: "ONE", seed: "SEED")
      try state.put(kept.bytes, named: kept.identity.fileName)
      try await withFile("mine.toml", service.source(.refreshToken)) { file in
        let outputs = try await withThrowingTaskGroup { group in
          for _ in 0..<4 {
            group.addTask {
              let result = try await Program.run(
                ["search", file, "--all", "-f", "csv", "--trust"], environment: environment(state))
              return "\(result.status) \(result.lines.joined(separator: " ")) \(result.errors)"
            }
          }
          return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(outputs == [String](repeating: "0 id 1 2 ", count: 4))
      }
      #expect(service.requests("/token").count == 1)
      #expect(state.kept == "TWO refresh TWO" && state.files.count == 1)
    }
    try await service.server.stop()
  }

  @Test func `Sources with one account share a refresh token that is replaced with each use.`() async throws {
    var plan = TokenService.Plan(tokens: [
      Response.token("TWO", refresh: "TWO"), Response.token("THREE", refresh: "THREE"),
      Response.error(400, "invalid_grant"),
    ])
    // Two pages for the first source, one for the second.
    plan.uses = ["TWO": 3, "THREE": nil]
    let service = try await TokenService.start(plan)
    try await StateHome.with { state in
      for (id, kept) in [("mine", "TWO refresh TWO"), ("yours", "THREE refresh THREE")] {
        let source = service.source(.refreshToken, "account = \"team\"").replacing(
          "\"mine\"", with: "\"\(id)\"")
        let result = try await withFile("\(id).toml", source) { file in
          try await Program.run(
            ["search", file, "--all", "-f", "csv", "--trust"], environment: environment(state))
        }
        #expect("\(result.status) \(result.lines) \(result.errors)" == "0 [\"id\", \"1\", \"2\"] ")
        #expect(state.kept == kept)
      }
      #expect(state.files.map { $0.prefix(5) } == ["team."])
    }
    let used = service.requests("/token").map { $0.contains(TokenService.refresh("TWO")) }
    #expect(used == [false, true])
    try await service.server.stop()
  }

  @Test func `A program that is killed before it uses a new token has stored it.`() async throws {
    var plan = TokenService.Plan(tokens: [
      Response.token("TWO", refresh: "TWO"), Response.error(400, "invalid_grant"),
    ])
    plan.list = [.pause(milliseconds: 60_000)]
    let service = try await TokenService.start(plan)
    try await StateHome.with { state in
      try await withFile("mine.toml", service.source(.refreshToken)) { file in
        let process = Program.process(["search", file, "--all", "-f", "csv", "--trust"])
        process.environment = environment(state)
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        let end = try process.start()
        try await once { service.requests("/list").count == 1 }
        kill(process.processIdentifier, SIGKILL)
        try await end.end()
        #expect(state.kept == "TWO refresh TWO")
        let curl = try await Program.run(
          ["search", file, "--dry-run", "--trust"], environment: environment(state))
        #expect(curl.output.contains("\"$(head -n 1 -- '\(state.credentials)/mine."))
        #expect(!curl.output.contains("0123456789"))
      }
      #expect(service.requests("/token").count == 1)
    }
    try await service.server.stop()
  }
}

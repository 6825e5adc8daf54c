import HTTPValues
import JSON
import Testing

@testable import Search

/// The status table and the rules of a source.
@Suite struct ResponseVerdictTests {
  private func source(method: HTTPMethod = .get, _ rules: ErrorRules = ErrorRules()) throws -> Source {
    try listSource(PagePagination.self, PaginationSettings(into: .query("p"), endStatuses: [404])) {
      $0.endpoint = Endpoint(method: method, url: $0.endpoint.url)
      $0.errors = rules
      $0.limits.remaining = ValueExpression([.header("X-Remaining")])
    }
  }

  /// `rateLimited, freely`, and the wait that the service requests: `wait 5`, `at least 60`.
  private func picture(
    _ status: Int, _ body: String = "{}", headers: [(String, String)] = [], ordinal: Int = 0,
    by source: Source
  ) throws -> String {
    let response = HTTPResponse(
      status: status, headers: HTTPFields(headers.map { HTTPField(received: $0.0, value: $0.1) }),
      body: Array(body.utf8), url: try WebURL("https://api.example.org/list"))
    let request = PageRequest(query: Query("x"), position: .number(ordinal), generation: 1)
    do throws(PageError) {
      let page = try source.page(from: response, for: request, in: RunContext()) { .document($0) }
      return "\(page.rowCount) rows"
    } catch {
      var text = "\(error.kind), \(error.canRepeat)"
      if let wait = error.wait { text += ", wait \(Int(wait))" }
      if let least = error.waitAtLeast { text += ", at least \(Int(least))" }
      return text
    }
  }

  @Test(arguments: [
    ([200, 201, 206, 204], "0 rows"), ([300, 304, 305, 306], "rejected, never"),
    ([400, 402, 404, 405, 406, 409, 410, 415, 418, 422, 451], "rejected, never"),
    ([401, 403], "unauthorized, never"), ([429], "rateLimited, freely"),
    ([408, 425, 500, 502, 503, 504, 520, 521, 522, 523, 524, 529], "server, freely"),
    ([501, 505, 507, 511, 525, 530, 599], "server, never"),
  ]) func `The status table gives every status one meaning.`(statuses: [Int], meaning: String) throws {
    for status in statuses {
      let body = status < 300 ? #"{"items": []}"# : "{}"
      #expect(try picture(status, body, by: source()) == meaning, "\(status)")
    }
  }

  @Test func `A request that must not be sent twice is not retried.`() throws {
    for status in [408, 425, 429, 500, 502, 503, 504, 520, 529] {
      #expect(try picture(status, by: source(method: .post)).hasSuffix("never"), "\(status)")
    }
    #expect(try picture(200, "{\"items\": [", by: source(method: .post)) == "unreadable, never")
    #expect(try picture(200, "{\"items\": [", by: source()) == "unreadable, atMost(1)")
    #expect(try picture(200, "<html>", by: source()) == "unreadable, never")
    #expect(try picture(200, "\u{FEFF}{\"items\": []}", by: source()) == "0 rows")
  }

  @Test(arguments: [
    ([("Retry-After", "5")], "rateLimited, freely, wait 5"), ([("X-Remaining", "0")], "rateLimited, freely"),
    ([("X-Remaining", "1")], "unauthorized, never"),
    ([("RateLimit", "\"a\";r=0;t=9")], "rateLimited, freely, wait 9"),
  ]) func `The headers of a 403 say whether it is a rate limit.`(headers: [(String, String)], meaning: String)
    throws
  {
    #expect(try picture(403, headers: headers, by: source()) == meaning)
  }

  @Test(arguments: [
    (#"{"message": "API rate limit exceeded for 203.0.113.9."}"#, true),
    (#"{"message": "You have exceeded a secondary rate limit."}"#, true),
    (#"{"error": {"code": 403, "message": "Rate Limit Exceeded"}}"#, true),
    (#"{"error": "rate_limit_exceeded"}"#, true),
    (#"{"error": "Daily quota exceeded"}"#, true),
    (#"{"detail": "Request was throttled. Expected available in 30 seconds."}"#, true),
    (#"{"errors": [{"title": "Too Many Requests"}]}"#, true),
    (#"{"error": "Rate limit"}"#, true),
    ("Too many requests, slow down", true),
    ("<html><body>You are being rate limited</body></html>", true),
    (#"{"message": "Upgrade your plan to raise the rate limit."}"#, false),
    (#"{"message": "Your token may not read rate limits."}"#, false),
    (#"{"message": "Your storage quota is exceeded."}"#, false),
    (#"{"message": "This limit parameter is not allowed."}"#, false),
    (#"{"message": "Resource not accessible", "documentation": "rate limit exceeded"}"#, false),
    ("", false),
  ]) func `[D24] A 403 whose message mentions too many requests is a rate limit, for any source.`(
    body: String, isLimit: Bool
  ) throws {
    let meaning = isLimit ? "rateLimited, freely" : "unauthorized, never"
    #expect(try picture(403, body, by: source()) == meaning)
    #expect(try picture(401, body, by: source()) == "unauthorized, never")
  }

  @Test func `A 503 with Retry-After is a server failure, not a rate limit.`() throws {
    #expect(
      try picture(503, headers: [("Retry-After", "3600")], by: source()) == "server, freely, wait 3600")
  }

  @Test func `Source rules take precedence over the table, and rules that forbid over rules that allow.`()
    throws
  {
    let message = try expression("message")
    func about(_ word: String) -> Condition { Condition(value: message, test: .contains([word])) }
    let source = try source(
      ErrorRules(
        rateLimited: [
          ErrorRule(statuses: [403, 429], condition: about("secondary")),
          ErrorRule(statuses: [400], condition: about("slow"), waitAtLeast: 5),
        ],
        retry: [ErrorRule(statuses: [422], condition: about("busy"), waitAtLeast: 2)],
        fatal: [ErrorRule(statuses: [429, 500], condition: about("quota"))]))
    #expect(
      try picture(403, #"{"message": "a Secondary limit"}"#, by: source) == "rateLimited, freely, at least 60"
    )
    #expect(try picture(403, #"{"message": "no"}"#, by: source) == "unauthorized, never")
    #expect(try picture(400, #"{"message": "slow down"}"#, by: source) == "rateLimited, freely, at least 5")
    #expect(try picture(422, #"{"message": "busy"}"#, by: source) == "rejected, freely, at least 2")
    #expect(try picture(429, #"{"message": "secondary quota"}"#, by: source) == "rateLimited, never")
    #expect(try picture(500, #"{"message": "quota"}"#, by: source) == "server, never")
    #expect(try picture(429, by: source) == "rateLimited, freely")
  }

  @Test func `A rule does not apply when its unless value exists.`() throws {
    let source = try source(
      ErrorRules(
        retry: [
          ErrorRule(statuses: [400], unless: try expression("items"))
        ]))
    #expect(try picture(400, by: source) == "rejected, freely")
    #expect(try picture(400, #"{"items": []}"#, by: source) == "rejected, never")
  }

  @Test func `An error inside a 200 is classified by the rules, as in GitHub's GraphQL API.`() throws {
    let type = try expression("errors[*].type")
    var source = try source(
      ErrorRules(
        message: try expression("errors[*].message"),
        inside: [
          ErrorRule(
            condition: Condition(value: try expression("errors"), test: .exists(true)),
            unless: try expression("items"))
        ],
        rateLimited: [ErrorRule(condition: Condition(value: type, test: .equals(["rate_limited"])))],
        retry: [
          ErrorRule(
            condition: Condition(
              value: try expression("errors[0].message"), test: .startsWith(["Something went wrong"])))
        ]))
    func error(_ type: String, _ message: String) -> String {
      #"{"errors": [{"type": "OTHER"}, {"type": "\#(type)", "message": "\#(message)"}]}"#
    }
    #expect(
      try picture(200, error("RATE_LIMITED", "limit exceeded"), by: source)
        == "rateLimited, freely, at least 60")
    #expect(try picture(200, error("NOT_FOUND", "no such thing"), by: source) == "rejected, never")
    #expect(
      try picture(200, #"{"errors": [{"message": "Something went wrong while"}]}"#, by: source)
        == "server, freely")
    // Rows next to an error count, unless a rule matches the error.
    #expect(
      try picture(200, #"{"errors": [{"type": "OTHER"}], "items": [{"id": 1}]}"#, by: source) == "1 rows")
    #expect(
      try picture(200, #"{"errors": [{"type": "RATE_LIMITED"}], "items": []}"#, by: source)
        == "rateLimited, freely, at least 60")
    // A rule without a status applies to errors only.
    #expect(try picture(200, #"{"items": [{"id": 1}], "type": "RATE_LIMITED"}"#, by: source) == "1 rows")
    source.errors.rateLimited = [
      ErrorRule(statuses: [200], condition: Condition(value: try expression("full"), test: .exists(true)))
    ]
    #expect(try picture(200, #"{"full": 1}"#, by: source) == "rateLimited, freely, at least 60")
  }

  @Test(arguments: [
    (
      #"{"data": {"items": [{"id": 1}]}, "errors": [{"message": "late"}]}"#,
      "1 rows, the service reported an error along with the rows: late"
    ),
    (
      #"{"data": null, "errors": [{"message": "late"}], "extensions": {}}"#,
      "https://api.example.org/list reported an error: late"
    ),
    (#"{"errors": [{"message": "late"}]}"#, "https://api.example.org/list reported an error: late"),
    (#"{"data": {"items": [{"id": 1}]}, "errors": []}"#, "1 rows"),
    (#"{"data": {"items": [{"id": 1}]}, "errors": [{"message": "late"}], "page": 1}"#, "1 rows"),
  ]) func `GraphQL errors are reported when the source has no error rules.`(
    body: String, picture: String
  ) throws {
    var source = try source()
    source.rows.path = try JSONPath("data.items")
    let response = HTTPResponse(
      status: 200, headers: [], body: Array(body.utf8), url: try WebURL("https://api.example.org/list"))
    let request = PageRequest(query: Query("x"), position: .number(0), generation: 1)
    do throws(PageError) {
      let page = try source.page(from: response, for: request, in: RunContext()) { .document($0) }
      #expect(
        (["\(page.rowCount) rows"] + page.notes + [page.doubt].compactMap(\.self)).joined(separator: ", ")
          == picture)
    } catch {
      #expect(error.message == picture)
    }
  }

  @Test
  func `MediaWiki's maxlag waits as its header says, and Stack Exchange's throttle as its message says.`()
    throws
  {
    let wiki = try source(
      ErrorRules(
        inside: [ErrorRule(condition: Condition(value: try expression("error"), test: .exists(true)))],
        retry: [
          ErrorRule(condition: Condition(value: try expression("error.code"), test: .equals(["maxlag"])))
        ]))
    #expect(
      try picture(
        200, #"{"error": {"code": "maxlag", "lag": 0.81}}"#, headers: [("Retry-After", "5")], by: wiki)
        == "server, freely, wait 5")
    #expect(try picture(200, #"{"error": {"code": "badvalue"}}"#, by: wiki) == "rejected, never")
    let stack = try source(
      ErrorRules(
        inside: [ErrorRule(condition: Condition(value: try expression("error_id"), test: .exists(true)))],
        rateLimited: [
          ErrorRule(
            condition: Condition(value: try expression("error_id"), test: .equals(["502"])),
            waitFrom: WaitField(value: try expression("error_message"), numberAfter: "in "))
        ]))
    let throttle =
      #"{"error_id": 502, "error_message": "too many requests from this IP, more requests available in 314 seconds"}"#
    for status in [200, 400] {
      #expect(
        try picture(status, throttle, by: stack) == "rateLimited, freely, wait 314, at least 60", "\(status)")
    }
  }

  @Test func `A status in end_status or expired_status has a meaning only after the first page.`() throws {
    var source = try source()
    #expect(try picture(404, by: source) == "rejected, never")
    #expect(try picture(404, ordinal: 1, by: source) == "0 rows")
    var settings = PaginationSettings(into: .query("c"), next: try expression("next"))
    settings.expiredStatuses = [400]
    source.pagination = try Pagination(CursorPagination.self, settings)
    #expect(try picture(400, by: source) == "rejected, never")
    #expect(try picture(400, ordinal: 1, by: source) == "rejected, afterRestart")
  }

  @Test func `Smaller pages are advised only if a page was too large.`() {
    let failure = TransportError(.bodyTooLarge(limit: 32 << 20), origin: "https://api.example.org")
    #expect(
      PageError(failure, isSafe: true, isPage: true).fullMessage
        == "https://api.example.org sent a page larger than 32 MiB. Set search.page_size to request smaller pages"
    )
    #expect(
      PageError(failure, isSafe: true, isPage: true, placesPageSize: false).fullMessage
        == "https://api.example.org sent a page larger than 32 MiB. Set pagination.size in the source, if the service "
        + "has a parameter for it")
    #expect(
      PageError(failure, isSafe: true).fullMessage
        == "https://api.example.org sent a response larger than 32 MiB")
  }

  /// A failure, and how often a safe and an unsafe request are retried.
  @Test(arguments: [
    (TransportError.Kind.hostNotFound, PageError.Repeat.atMost(2), PageError.Repeat.atMost(2)),
    (.refused, .atMost(2), .atMost(2)), (.tls, .never, .never),
    (.connectTimeout(seconds: 10), .freely, .never), (.deadlineBeforeHead(seconds: 60), .freely, .never),
    (.deadline(seconds: 60), .freely, .never),
    (.lostBeforeHead, .freely, .never), (.lostInBody(received: 7), .atMost(1), .never),
    (.brokenEncoding(received: 7), .atMost(1), .never),
    (.unrequestedEncoding("br"), .atMost(1), .never), (.bodyTooLarge(limit: 1), .never, .never),
    (.malformed, .atMost(1), .never),
  ])
  func `[D14] A failed exchange is retried when that is safe, and is offline when nothing was reached.`(
    kind: TransportError.Kind, safe: PageError.Repeat, unsafe: PageError.Repeat
  ) {
    let failure = TransportError(kind, origin: "https://api.example.org")
    let error = PageError(failure, isSafe: true)
    #expect(error.canRepeat == safe)
    // Only a host that was never reached is offline. The message names the host in any case.
    switch kind {
    case .hostNotFound, .refused, .connectTimeout: #expect(error.kind == .offline)
    default: #expect(error.kind != .offline)
    }
    if kind != .cancelled { #expect(error.brief.contains("https://api.example.org")) }
    #expect(PageError(failure, isSafe: false).canRepeat == unsafe)
  }

  @Test func `[U28] The remedy of a TLS error depends on its reason.`() {
    func words(_ detail: String) -> String {
      PageError(
        TransportError(.tls, origin: "https://api.example.org", detail: detail), isSafe: true
      ).fullMessage
    }
    #expect(
      words("CERTIFICATE_VERIFY_FAILED") == """
        cannot establish a secure connection to https://api.example.org: its certificate is not trusted. For a \
        certificate of your company, set tls.ca_file in config.toml or SSL_CERT_FILE to a PEM file with its root \
        certificate. Otherwise check the system clock, and that ca-certificates is installed
        """)
    #expect(
      words("no TLS on this port (is it http?)") == """
        cannot establish a secure connection to https://api.example.org: no TLS on this port (is it http?). Check the \
        scheme and port of the URL, and that the server supports TLS 1.2 or later
        """)
  }

  @Test(arguments: [
    (401, "{}", "\"abc\"", "the credential from env:KEY is sent with its quotes. Remove them"),
    (401, "{}", "abc", "set KEY to a valid credential"),
    (403, "{}", "abc", "set KEY to a valid credential"),
    (
      403, "{\"message\": \"Not allowed for this project\"}", "abc",
      "check the permissions of the credential from env:KEY"
    ),
    (
      403, "<html><title>Just a moment...</title></html>", "abc",
      "open https://api.example.org/list in a browser: something before the service may block programs"
    ),
    (
      403, "<!DOCTYPE html><html><title>Just a moment...</title></html>", "",
      "open https://api.example.org/list in a browser: something before the service may block programs"
    ),
    (
      200, "<?xml version=\"1.0\"?><feed/>", "abc",
      "look for a URL or header of the service that returns JSON"
    ),
    (
      200, "\u{FEFF}\n<?xml version=\"1.0\"?><rss/>", "abc",
      "look for a URL or header of the service that returns JSON"
    ),
  ]) func `[U12] [U34] The remedy of a refusal depends on what was sent and what came back.`(
    status: Int, body: String, token: String, remedy: String
  ) throws {
    try expect(remedy, status: status, body: body, token: token, from: "env:KEY")
  }

  @Test(arguments: [
    ("env:KEY", nil, "set KEY to a valid credential"),
    ("file:~/.token", nil, "replace the credential in ~/.token"),
    ("cmd:pass show x", nil, "check the credential that \"pass show x\" prints"),
    ("--request-header Authorization", nil, "check the credential given with --request-header Authorization"),
    ("store", nil, "log in again: riffle auth login test"),
    ("store", "./mine.toml", "log in again: riffle auth login ./mine.toml --trust"),
  ])
  func `A rejected credential is renewed at the place it was read from.`(
    place: String, path: String?, remedy: String
  )
    throws
  {
    try expect(remedy, from: place, path: path)
  }

  private func expect(
    _ remedy: String, status: Int = 401, body: String = "{}", token: String = "abc", from place: String,
    path: String? = nil
  ) throws {
    let response = HTTPResponse(
      status: status, headers: [], body: Array(body.utf8), url: try WebURL("https://api.example.org/list"))
    let credential = PlacedCredential(
      place: .header("Authorization"), secret: Secret("Bearer \(token)"), provenance: place)
    let run = RunContext(credentials: ResolvedCredentials(authorization: credential))
    let request = PageRequest(query: Query("x"), position: .number(0), generation: 1)
    var source = try source()
    source.path = path
    source.secrets = [NamedSecret(name: "key", from: [.environment("KEY")], isOptional: false)]
    do {
      _ = try source.page(from: response, for: request, in: run) { .document($0) }
      Issue.record("it is a page")
    } catch {
      #expect(error.remedy == remedy)
      #expect(!error.fullMessage.contains("abc"))
    }
  }
}

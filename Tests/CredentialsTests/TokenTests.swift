import HTTPValues
import Testing

@testable import Credentials
@testable import Search

/// Tests OAuth 2.0 without a network: the requests, the responses, and the use of stored tokens.
@Suite struct TokenTests {
  private static let texts = [
    "grant": "refresh_token", "token_url": "https://auth.example.org/token", "client_id": "ann",
    "scopes": "read write", "params.audience": "a&b",
  ]

  private static func grant(_ changes: [String: String] = [:]) throws -> TokenGrant {
    try #require(AuthScheme.oauth.grant?(texts.merging(changes) { $1 }))
  }

  private static func text(_ request: HTTPRequest) -> String {
    let credentials = request.credentials.map { "\($0.place) \($0.secret.reveal())\n" }.joined()
    return credentials + String(decoding: request.body, as: UTF8.self).replacing("&", with: "\n")
  }

  // MARK: Requests

  @Test func `A refresh token is exchanged with the client's credentials in a header.`() throws {
    let client = TokenGrant.Client(id: "ann:1", secret: Secret("s/e c"))
    let request = try Self.grant().tokenRequest(by: client, refreshing: Secret("r+1"), app: "riffle/0")
    // The pair is ann%3A1:s%2Fe%20c (RFC 6749, section 2.3.1).
    #expect(
      Self.text(request) == """
        header("Authorization") Basic YW5uJTNBMTpzJTJGZSUyMGM=
        grant_type=refresh_token
        refresh_token=r%2B1
        scope=read%20write
        audience=a%26b
        """)
    #expect(
      request.method == .post && !request.isSafe
        && request.url.description == "https://auth.example.org/token")
  }

  @Test func `With client_in = "body", id and secret are members of the form.`() throws {
    let client = TokenGrant.Client(id: "ann", secret: Secret("sec"))
    let grant = try Self.grant(["grant": "client_credentials", "client_in": "body", "scopes": ""])
    #expect(
      Self.text(grant.tokenRequest(by: client, app: "riffle/0")) == """
        grant_type=client_credentials
        audience=a%26b
        client_id=ann
        client_secret=sec
        """)
  }

  @Test func `A public client names itself and asks for a device code, then for its token.`() throws {
    let client = TokenGrant.Client(id: "ann", secret: nil)
    let grant = try Self.grant(["grant": "device", "device_url": "https://auth.example.org/device"])
    let request = try #require(grant.deviceRequest(by: client, app: "riffle/0"))
    #expect(Self.text(request) == "scope=read%20write\naudience=a%26b\nclient_id=ann")
    #expect(request.url.description == "https://auth.example.org/device")
    #expect(
      Self.text(grant.tokenRequest(by: client, deviceCode: Secret("d"), app: "riffle/0")) == """
        grant_type=urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Adevice_code
        device_code=d
        audience=a%26b
        client_id=ann
        """)
  }

  // MARK: Responses

  private static func response(_ status: Int, _ body: String, _ headers: HTTPFields = []) throws
    -> TokenResponse
  {
    TokenResponse(
      HTTPResponse(
        status: status, headers: headers, body: Array(body.utf8),
        url: try WebURL("https://auth.example.org/token"), arrivedAt: 1_000))
  }

  private static func meaning(_ status: Int, _ body: String, _ headers: HTTPFields = []) throws -> String {
    do {
      let token = try response(status, body, headers).token()
      return [
        token.access.reveal(), token.lifetime.map { "\($0)" } ?? "-", token.refresh?.reveal() ?? "-",
      ].joined(separator: " ")
    } catch let failure as TokenError {
      let error = failure.error
      return "\(error.kind.rawValue) \(error.canRepeat): \(error.fullMessage)"
    }
  }

  @Test(arguments: [
    (#"{"access_token":"a","token_type":"Bearer","expires_in":3600,"refresh_token":"r"}"#, "a 3600.0 r"),
    (#"{"access_token":"a","expires_in":"3600"}"#, "a 3600.0 -"),
    (#"{"access_token":"a","token_type":"bot"}"#, "a - -"),
    (#"{"access_token":"a","expires_in":0}"#, "a - -"),
    (#"{"access_token":"a","expires_in":-5}"#, "a - -"),
    (#"{"access_token":"a","expires_in":1e300}"#, "a 315360000.0 -"),
    (#"{"access_token":"a","expires_in":"soon"}"#, "a - -"),
    (#"{"access_token":"a","expires_in":null,"refresh_token":""}"#, "a - -"),
  ])
  func `A token has a lifetime if the endpoint returns a valid one.`(body: String, meaning: String) throws {
    #expect(try Self.meaning(200, body) == meaning)
  }

  @Test(arguments: [
    (
      400, #"{"error":"invalid_grant","error_description":"revoked"}"#,
      "unauthorized never: the token endpoint https://auth.example.org refused the request (400 Bad Request): invalid_grant: revoked"
    ),
    (
      401, #"{"error":"invalid_client"}"#,
      "unauthorized never: the token endpoint https://auth.example.org refused the client (401 Unauthorized): invalid_client"
    ),
    (
      200, #"{"error":"bad_refresh_token","error_description":"too\nold"}"#,
      "unauthorized never: the token endpoint https://auth.example.org refused the request: bad_refresh_token: too old"
    ),
    (
      200, #"{"error":"invalid_client","error_description":"nope"}"#,
      "unauthorized never: the token endpoint https://auth.example.org refused the client: invalid_client: nope"
    ),
    (
      400, #"{"error":"unauthorized_client"}"#,
      "unauthorized never: the token endpoint https://auth.example.org refused the client (400 Bad Request): unauthorized_client"
    ),
    (
      403, "no",
      "unauthorized never: the token endpoint https://auth.example.org refused the request (403 Forbidden)"
    ),
    (
      503, #"{"error":"temporarily_unavailable"}"#,
      "server freely: the token endpoint https://auth.example.org returned 503 Service Unavailable: temporarily_unavailable"
    ),
    (
      500, "<html>",
      "server freely: the token endpoint https://auth.example.org returned 500 Internal Server Error"
    ),
    (
      429, "",
      "rate-limited freely: the token endpoint https://auth.example.org returned 429 Too Many Requests"
    ),
    (
      404, "<html>",
      "rejected never: the token endpoint https://auth.example.org returned 404 Not Found. Check auth.token_url"
    ),
    (
      200, "<html>sign in</html>",
      "unreadable never: the token endpoint https://auth.example.org returned HTML, not JSON. Check auth.token_url"
    ),
    (
      200, "",
      "unreadable never: the token endpoint https://auth.example.org returned an empty response"
    ),
    (
      200, "[]",
      "unreadable never: the token endpoint https://auth.example.org returned a response without access_token. Check auth.token_url"
    ),
    (
      200, #"{"access_token":7}"#,
      "unreadable never: the token endpoint https://auth.example.org returned an unusable access_token (not text)"
    ),
    (
      200, #"{"access_token":""}"#,
      "unreadable never: the token endpoint https://auth.example.org returned an unusable access_token (empty)"
    ),
    (
      200, #"{"access_token":"a b"}"#,
      "unreadable never: the token endpoint https://auth.example.org returned an access_token with characters that cannot be sent"
    ),
    (
      200, #"{"access_token":"a","token_type":"DPoP"}"#,
      "unreadable never: the token endpoint https://auth.example.org returned a token of type DPoP, but only bearer tokens are supported"
    ),
  ])
  func `A response without a token is an error that says what was received.`(
    status: Int, body: String, meaning: String
  ) throws {
    #expect(try Self.meaning(status, body) == meaning)
  }

  @Test func `The wait that a token endpoint requests is observed.`() throws {
    do {
      _ = try Self.response(429, "", [HTTPField(received: "Retry-After", value: "7")]).token()
      Issue.record("no error")
    } catch let failure as TokenError { #expect(failure.error.wait == 7) }
  }

  @Test func `A device code has an interval of five seconds and a lifetime of ten minutes by default.`()
    throws
  {
    let code = try Self.response(
      200, #"{"device_code":"d","user_code":"AB-CD","verification_url":"https://x.example/d"}"#
    ).deviceCode()
    #expect(code.interval == 5 && code.lifetime == 600 && code.userCode == "AB-CD")
    #expect(code.address == "https://x.example/d" && code.completeAddress == nil)
  }

  @Test(arguments: [
    (200, "<html>", "returned HTML, not JSON. Check auth.device_url"),
    (404, "", "returned 404 Not Found. Check auth.device_url"),
    (200, "{}", "returned a response without device_code. Check auth.device_url"),
    (
      200, #"{"device_code":"d","user_code":"u"}"#,
      "returned a response without verification_uri. Check auth.device_url"
    ),
    (200, #"{"device_code":"d","user_code":""}"#, "returned an unusable user_code (empty)"),
  ])
  func `A response without a device code is an error that names the requested URL.`(
    status: Int, body: String, meaning: String
  ) throws {
    do {
      _ = try Self.response(status, body).deviceCode()
      Issue.record("no error")
    } catch let failure as TokenError {
      #expect(failure.error.fullMessage == "https://auth.example.org (auth.device_url) \(meaning)")
    }
  }

  // MARK: Kept tokens

  private static func identity() throws -> CredentialIdentity {
    CredentialIdentity(source: "mine", origin: try WebURL("https://api.example.org/").origin)
  }

  /// A token issued at 1000 with a lifetime, and the seed from which it was obtained.
  private static func kept(
    _ lifetime: Double?, refresh: String? = "r1", seed: String? = nil, at time: Double = 1_000
  ) throws -> StoredCredential {
    try StoredCredential(
      IssuedToken(access: Secret("a1"), lifetime: lifetime, refresh: refresh.map { Secret($0) }),
      for: identity(),
      at: time, after: nil, seed: seed.map { SecretMark(of: Secret($0), salt: "salt") })
  }

  private static func step(
    _ kind: TokenGrant.Kind, _ kept: StoredCredential?, seed: String? = nil, at now: Double,
    rejected: String = ""
  ) throws -> String {
    let issuer = TokenIssuer.grant(try grant(["grant": kind.rawValue]))
    let step = TokenStep(issuer, kept: kept, seed: seed.map { Secret($0) }, now: now) {
      $0 == Secret(rejected)
    }
    return switch step {
    case .use(let kept): "use \(kept.secret.reveal())"
    case .refresh(let token): "refresh \(token.reveal())"
    case .request: "request"
    case .login: "login"
    }
  }

  @Test(
    arguments: [
      (3_600.0, 4_539.0, "use a1"), (3_600, 4_540, "refresh r1"), (100, 1_049, "use a1"),
      (100, 1_050, "refresh r1"),
      (nil, 9_999_999, "use a1"), (3_600, 996, "use a1"), (3_600, 994, "refresh r1"), (nil, 0, "refresh r1"),
    ] as [(Double?, Double, String)])
  func
    `A token is renewed a minute before it expires or halfway, and when the clock was set back.`(
      lifetime: Double?, now: Double, step: String
    ) throws
  {
    #expect(try Self.step(.device, Self.kept(lifetime), at: now) == step)
  }

  @Test func `A stored refresh token is used until the user provides another.`() throws {
    let old = try Self.kept(100, seed: "s1")
    #expect(try Self.step(.refreshToken, nil, seed: "s1", at: 0) == "refresh s1")
    #expect(try Self.step(.refreshToken, old, seed: "s1", at: 1_000) == "use a1")
    #expect(try Self.step(.refreshToken, old, seed: "s1", at: 2_000) == "refresh r1")
    #expect(try Self.step(.refreshToken, old, seed: "s2", at: 1_000) == "refresh s2")
    #expect(try Self.step(.refreshToken, old, seed: nil, at: 2_000) == "refresh r1")
    #expect(try Self.step(.refreshToken, nil, seed: nil, at: 2_000) == "login")
  }

  @Test func `A rejected token is not used again.`() throws {
    let kept = try Self.kept(3_600)
    #expect(try Self.step(.device, kept, at: 1_000, rejected: "a1") == "refresh r1")
    #expect(try Self.step(.device, Self.kept(3_600, refresh: nil), at: 1_000, rejected: "a1") == "login")
    #expect(try Self.step(.clientCredentials, kept, at: 1_000, rejected: "a1") == "request")
    #expect(try Self.step(.clientCredentials, nil, at: 1_000) == "request")
    #expect(try Self.step(.device, nil, at: 1_000) == "login")
  }

  @Test func `A stored credential is read back as written, and nothing else is accepted.`() throws {
    let kept = try Self.kept(3_600, seed: "s1")
    let bytes = kept.bytes
    #expect(StoredCredential(bytes) == kept)
    #expect(String(decoding: bytes, as: UTF8.self).hasPrefix("a1\n{\"identity\":"))
    #expect(!String(decoding: bytes, as: UTF8.self).contains("s1"))
    for count in 0..<bytes.count { #expect(StoredCredential(Array(bytes[..<count])) == nil, "\(count)") }
    let later = String(decoding: bytes, as: UTF8.self).replacing("\"version\":1", with: "\"version\":2")
    #expect(StoredCredential(Array(later.utf8)) == nil)
  }

  @Test func `Each source, origin, client and set of scopes has its own file.`() throws {
    func name(_ scopes: String, _ client: String, _ host: String, _ source: String) throws -> String {
      CredentialIdentity(
        source: source, origin: try WebURL("https://\(host)/").origin,
        grant: try Self.grant(["scopes": scopes]), clientID: client
      ).fileName
    }
    let first = try name("a b", "c", "api.example.org", "mine")
    #expect(try name("b a", "c", "api.example.org", "mine") == first)
    let others = try [
      name("a", "c", "api.example.org", "mine"), name("a b", "d", "api.example.org", "mine"),
      name("a b", "c", "eu.example.org", "mine"), name("a b", "c", "api.example.org", "yours"),
    ]
    #expect(Set(others + [first]).count == 5)
    #expect(first == "mine.api.example.org.5a475edb41e2a422")
    #expect(try name("", "c", "[::1]:8080", "mine").hasPrefix("mine.___1__8080."))
    #expect(try name("", "c", String(repeating: "long.", count: 40), "mine").count == 4 + 1 + 64 + 1 + 16)
  }

  // MARK: Device codes

  private static func failure(_ code: String?, _ canRepeat: PageError.Repeat = .never) -> TokenError {
    TokenError(code: code, PageError(.server, message: "words", canRepeat: canRepeat))
  }

  @Test func `A device code is polled at the interval of the service until it expires.`() {
    let code = DeviceCode(
      code: Secret("d"), userCode: "AB", address: "x", completeAddress: nil, lifetime: 100, interval: 5)
    var polling = DevicePolling(code, arrivedAt: 1_000)
    #expect(polling.step(after: Self.failure("authorization_pending"), at: 1_005) == .wait(5))
    #expect(polling.step(after: Self.failure("slow_down"), at: 1_010) == .wait(10))
    #expect(polling.step(after: Self.failure("authorization_pending"), at: 1_020) == .wait(10))
    #expect(polling.step(after: Self.failure(nil, .freely), at: 1_030) == .wait(20))
    let expired = PageError(
      .unauthorized, message: "the code expired before it was confirmed", remedy: "log in again")
    #expect(polling.step(after: Self.failure("authorization_pending"), at: 1_090) == .fail(expired))
    #expect(polling.step(after: Self.failure("expired_token"), at: 1_020) == .fail(expired))
    #expect(
      polling.step(after: Self.failure("access_denied"), at: 1_020)
        == .fail(PageError(.unauthorized, message: "the request was denied on the service's page")))
    #expect(
      polling.step(after: Self.failure("invalid_client"), at: 1_020)
        == .fail(PageError(.server, message: "words")))
  }
}

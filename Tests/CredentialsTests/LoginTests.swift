import HTTPValues
import Testing

@testable import Credentials
@testable import Search

/// A login without a network: its request, what its response means, and where the token goes.
@Suite struct LoginTests {
  private static func source(
    token: String = "session.token", lifetime: Double? = nil, end: String? = nil, send: String = "bearer",
    prefix: String = ""
  ) throws -> Source {
    var endpoint = Endpoint(
      method: .post, url: try Template("https://{region}.login.example/in"),
      body: .table([
        .init(name: "user", value: .text(try Template("{secret:user}"))),
        .init(name: "password", value: .text(try Template("{secret:password}"))),
      ]))
    endpoint.parameters = [.init(name: "tenant", value: try Template("{tenant}"))]
    var source = Source(
      id: "mine", title: "Mine",
      endpoint: Endpoint(
        url: try Template("https://api.example/list"),
        headers: [.init(name: "X-Key", value: try Template("{secret:key}"))]),
      pagination: try Pagination(SinglePage.self, .standard))
    source.options = [SourceOption(name: "tenant"), SourceOption(name: "region")]
    source.secrets = ["key", "password", "user"].map {
      NamedSecret(name: $0, from: [.environment($0.uppercased())], isOptional: false)
    }
    source.authorization = Authorization(
      .login, ["login": "", "login.send": send, "login.prefix": prefix], from: [:])
    source.authorization?.login = Login(
      endpoint: endpoint, token: try ValueExpression(parsing: token), lifetime: lifetime,
      end: try end.map { try ValueExpression(parsing: $0) })
    return source
  }

  private static let options = ["tenant": "a b", "region": "eu"]

  private static func login(_ source: Source) throws -> LoginRequest {
    try #require(try LoginRequest(of: source, options: options))
  }

  private static var run: RunContext {
    var run = RunContext(pageSize: nil, version: "1")
    for (name, value) in ["user": "ann", "password": "p\"w"] {
      run.credentials.secrets[name] = ResolvedCredentials.Finding(secret: Secret(value), provenance: name)
    }
    return run
  }

  @Test func `The request has options and secrets, and no credential of the pages.`() throws {
    let login = try Self.login(Self.source())
    let request = try login.request(in: Self.run)
    #expect(request.url.description == "https://eu.login.example/in?tenant=a%20b")
    #expect(request.confidentialBody?.reveal() == #"{"user":"ann","password":"p\"w"}"#)
    #expect(request.headers.first("X-Key") == nil && !request.isSafe)
    #expect(login.source.secrets.map(\.name) == ["password", "user"])
    #expect(try Self.source().pageSecrets.map(\.name) == ["key"])
  }

  @Test func `A missing option, or a URL without encryption, is rejected.`() throws {
    #expect(throws: PageError.self) { try LoginRequest(of: try Self.source(), options: ["tenant": "x"]) }
    var source = try Self.source()
    source.authorization?.login?.endpoint.url = try Template("http://{region}.login.example/in")
    let error = #expect(throws: PageError.self) { try LoginRequest(of: source, options: Self.options) }
    #expect(
      error?.fullMessage
        == "source mine would log in at http://eu.login.example unencrypted. Use https")
  }

  @Test(arguments: [
    ("bearer", "", "header(\"Authorization\") Bearer T"),
    ("header:X-Auth-Token", "", "header(\"X-Auth-Token\") T"),
    ("header:Cookie", "session=", "header(\"Cookie\") session=T"),
    ("query:sid", "", "query(\"sid\") T"),
  ])
  func `The token is sent at the location that the source declares.`(
    send: String, prefix: String, sent: String
  ) throws {
    let authorization = try #require(try Self.source(send: send, prefix: prefix).authorization)
    let credential = authorization.credential(of: [TokenGrant.token: Secret("T")])
    #expect("\(authorization.place) \(credential.reveal())" == sent)
  }

  private static func lifetime(_ end: String, date: String? = nil) throws -> Double? {
    let fields: HTTPFields = date.map { [HTTPField(received: "Date", value: $0)] } ?? []
    let response = HTTPResponse(
      status: 200, headers: fields, body: Array("{\"session\": {\"token\": \"T\", \"end\": \(end)}}".utf8),
      url: try WebURL("https://eu.login.example/in"), arrivedAt: 1_800_000_000)
    let token = try login(source(end: "session.end")).token(in: response, run)
    #expect(token.access.reveal() == "T")
    return token.lifetime
  }

  @Test(
    arguments: [
      ("900", 900), ("\"900\"", 900), ("0.5", 0.5), ("1800000600", 600), ("1800000600000", 600),
      ("\"2027-01-15T08:10:00Z\"", 600), ("1799999999", nil), ("-5", nil), ("0", nil), ("1e400", nil),
      ("\"nan\"", nil), ("\"soon\"", nil), ("null", nil), ("{}", nil),
      ("\"9999-01-01T00:00:00Z\"", 315_360_000),
    ] as [(String, Double?)])
  func `The expiry of a token is a time, a number of seconds, or unknown.`(
    end: String, lifetime: Double?
  ) throws {
    #expect(try Self.lifetime(end) == lifetime)
  }

  @Test func `A time is compared with the clock of the service.`() throws {
    // The clock here is a day ahead: 2027-01-15 08:00:00 is 1800000000.
    #expect(try Self.lifetime("1799914200", date: "Thu, 14 Jan 2027 08:00:00 GMT") == 600)
  }

  @Test func `A token belongs to the account that logged in and to the options of the login.`() throws {
    func key(_ password: String, _ options: [String: String]) throws -> String {
      let login = try #require(try LoginRequest(of: try Self.source(), options: options))
      return login.key(["user": Secret("ann"), "password": Secret(password)]).reveal()
    }
    #expect(try key("pw", Self.options) == "region=eu\ntenant=a b\npassword=pw\nuser=ann")
    let mark = SecretMark(of: Secret("a"), salt: "s", isGuessable: true)
    #expect(mark.digest.count == 4 && mark.matches(Secret("a")) && !mark.matches(Secret("b")))
  }
}

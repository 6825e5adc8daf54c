import JSON
import NIOHTTP1
import Testing

@testable import Demo
@testable import DemoTesting

/// Tests how tokens are issued, and which routes they open.
struct TokenRouteTests {
  private let demo = DemoSession()
  private static let client = "client_id=riffle-demo&client_secret=demo-secret"

  private func refreshed(_ token: String, at time: Int = 1_000) throws -> String {
    try demo.text(
      "POST /oauth/token", "grant_type=refresh_token&refresh_token=\(token)&client_id=riffle-demo", at: time)
  }

  @Test func `A refresh token works once, and is replaced.`() throws {
    let used = """
      400 {"error":"invalid_grant","error_description":"the refresh token has been used or was never issued"}
      """
    #expect(
      try refreshed("demo-refresh") == """
        200 {"access_token":"demo-access-1000-1","token_type":"Bearer","expires_in":3600,"scope":"read",\
        "refresh_token":"demo-refresh-1000-2"}
        """)
    #expect(try refreshed("demo-refresh") == used)
    #expect(
      try refreshed("demo-refresh-1000-2", at: 5_000).hasPrefix(
        "200 {\"access_token\":\"demo-access-5000-3\""))
    #expect(try refreshed("demo-refresh-1000-2", at: 5_000) == used)
  }

  @Test func `Client credentials, in the body or in a header, give a token without a refresh token.`() throws
  {
    let token = """
      {"access_token":"demo-access-1000-1","token_type":"Bearer","expires_in":60,"scope":"read write"}
      """
    let body = "grant_type=client_credentials&scope=read+write&lifetime=60"
    #expect(try demo.text("POST /oauth/token", "\(body)&\(Self.client)") == "200 \(token)")
    let response = try DemoSession().response(
      "POST /oauth/token", body, headers: ["Authorization": "Basic cmlmZmxlLWRlbW86ZGVtby1zZWNyZXQ="])
    #expect(String(decoding: response.body, as: UTF8.self) == token)
    #expect(response.headers.first(name: "Cache-Control") == "no-store")
  }

  @Test(
    arguments: [
      ("client_id=riffle-demo", [:]), ("client_id=other&client_secret=demo-secret", [:]),
      ("client_id=riffle-demo&client_secret=wrong", [:]),
      ("", ["Authorization": "Basic cmlmZmxlLWRlbW86d3Jvbmc="]),
    ] as [(String, HTTPHeaders)])
  func `A client without the right secret gets no token.`(client: String, headers: HTTPHeaders) throws {
    let response = try demo.response(
      "POST /oauth/token", "grant_type=client_credentials&\(client)", headers: headers)
    #expect(response.status == 401)
    #expect(response.headers.first(name: "WWW-Authenticate") == "Basic realm=\"riffle demo\"")
    #expect(
      String(decoding: response.body, as: UTF8.self)
        == #"{"error":"invalid_client","error_description":"wrong client id or client secret"}"#)
  }

  @Test(arguments: [
    ("", #"400 {"error":"invalid_request","error_description":"grant_type is missing"}"#),
    (
      "grant_type=password",
      """
      400 {"error":"unsupported_grant_type","error_description":"grant_type must be one of refresh_token, \
      client_credentials, urn:ietf:params:oauth:grant-type:device_code"}
      """
    ),
    (
      "grant_type=client_credentials&lifetime=0",
      #"422 {"message":"lifetime must be a whole number from 1, but is '0'"}"#
    ),
  ])
  func `A mistake in a request for a token is explained.`(body: String, response: String) throws {
    #expect(try demo.text("POST /oauth/token", body) == response)
  }

  // MARK: Devices

  private func polled(_ code: String, at time: Int) throws -> String {
    let grant = "grant_type=urn:ietf:params:oauth:grant-type:device_code"
    let response = try demo.json(
      "POST /oauth/token", "\(grant)&device_code=\(code)&client_id=riffle-demo", at: time)
    return response["error"]?.string ?? response["access_token"]?.string ?? ""
  }

  @Test func `A device gets its token after the user has consented, and only once.`() throws {
    #expect(
      try demo.text("POST /oauth/device", "client_id=riffle-demo&scope=read") == """
        200 {"device_code":"demo-device-1000-1","user_code":"DEMO-1","verification_uri":"http://127.0.0.1:8080/device",\
        "verification_uri_complete":"http://127.0.0.1:8080/device?user_code=DEMO-1","expires_in":300,"interval":5}
        """)
    #expect(try polled("demo-device-1000-1", at: 1_005) == "authorization_pending")
    #expect(
      try demo.text("GET /device?user_code=DEMO-1", at: 1_006)
        == #"200 {"message":"DEMO-1 is authorized. Return to riffle"}"#)
    #expect(try polled("demo-device-1000-1", at: 1_010) == "demo-access-1010-2")
    #expect(try polled("demo-device-1000-1", at: 1_015) == "invalid_grant")
  }

  @Test func `A device that polls too soon must wait five seconds longer.`() throws {
    _ = try demo.text("POST /oauth/device", "client_id=riffle-demo&interval=2")
    let polls = [1_000, 1_001, 1_007, 1_019].map { time in (try? polled("demo-device-1000-1", at: time)) ?? ""
    }
    #expect(polls == ["authorization_pending", "slow_down", "slow_down", "authorization_pending"])
  }

  @Test func `A device may count as authorized after a number of polls.`() throws {
    _ = try demo.text("POST /oauth/device", "client_id=riffle-demo&polls=2&interval=1")
    let polls = (1...3).map { (try? polled("demo-device-1000-1", at: 1_000 + $0)) ?? "" }
    #expect(polls == ["authorization_pending", "authorization_pending", "demo-access-1003-2"])
  }

  @Test func `A device learns that its code has expired or was refused.`() throws {
    _ = try demo.text("POST /oauth/device", "client_id=riffle-demo&lifetime=10")
    #expect(try polled("demo-device-1000-1", at: 1_009) == "authorization_pending")
    #expect(try polled("demo-device-1000-1", at: 1_020) == "expired_token")
    #expect(try demo.text("GET /device?user_code=DEMO-1", at: 1_020).hasPrefix("404 "))
    _ = try demo.text("POST /oauth/device", "client_id=riffle-demo")
    #expect(
      try demo.text("GET /device?user_code=DEMO-2&deny=1")
        == #"200 {"message":"DEMO-2 is refused. Return to riffle"}"#
    )
    #expect(try polled("demo-device-1000-2", at: 1_005) == "access_denied")
  }

  // MARK: Login and what needs a token

  @Test(arguments: [
    #"{"user":"ann","password":"demo-password","lifetime":60}"#,
    "user=ann&password=demo-password&lifetime=60",
  ])
  func `A login in JSON or in a form gives a token with a lifetime.`(body: String) throws {
    #expect(
      try demo.text("POST /login", body)
        == #"200 {"token":"demo-access-1000-1","expires_in":60,"expires_at":1060}"#)
  }

  @Test(arguments: ["", "user=ann&password=x", #"{"user":"ann"}"#])
  func `A wrong login gets no token.`(body: String) throws {
    #expect(try demo.text("POST /login", body) == #"401 {"message":"wrong user or password"}"#)
  }

  @Test func `The private list is the public one, for as long as its token is valid.`() throws {
    _ = try demo.text("POST /login", #"{"user":"ann","password":"demo-password","lifetime":60}"#)
    let list = "/characters?q=U%2B2192"
    let open = try demo.text("GET \(list)")
    let target = "GET /private\(list)"
    #expect(try demo.text(target, token: "demo-access-1000-1", at: 1_059) == open)
    #expect(try demo.text(target + "&access_token=demo-access-1000-1") == open)
    #expect(try demo.response(target, headers: ["X-Auth-Token": "demo-access-1000-1"]).status == 200)
    let expired = try demo.response(target, token: "demo-access-1000-1", at: 1_060)
    #expect(expired.status == 401)
    #expect(
      expired.headers.first(name: "WWW-Authenticate") == """
        Bearer realm="riffle demo", error="invalid_token", \
        error_description="the access token has expired or was never issued"
        """)
    let missing = try demo.response(target)
    #expect(missing.status == 401)
    #expect(missing.headers.first(name: "WWW-Authenticate") == "Bearer realm=\"riffle demo\"")
  }

  @Test func `A token may be valid for a number of requests.`() throws {
    _ = try demo.text("POST /login?requests=2", "user=ann&password=demo-password")
    let statuses = (1...3).map { _ in
      (try? demo.response("GET /private/characters", token: "demo-access-1000-1"))?.status
    }
    #expect(statuses == [200, 200, 401])
  }

  @Test func `The account is one object.`() throws {
    _ = try demo.text("POST /login?requests=2", "user=ann&password=demo-password")
    #expect(
      try demo.text("GET /me", token: "demo-access-1000-1") == """
        200 {"user":"ann","name":"Ann Example","client":"riffle-demo","scope":"read","expires_at":4600,"requests_left":1}
        """)
    #expect(try demo.text("GET /me") == #"401 {"message":"an access token is required"}"#)
  }
}

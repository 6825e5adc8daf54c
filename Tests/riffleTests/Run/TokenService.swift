import Foundation
import HTTPValues
import Locking
import TestSupport

@testable import Credentials
@testable import Search

/// A service with a token endpoint (`/token`), a device endpoint (`/device`), and a list of two pages (`/list`),
/// which only some tokens may read.
final class TokenService: Sendable {
  /// The behavior of the endpoints.
  struct Plan: Sendable {
    /// The responses of the token endpoint in order; the last one is repeated.
    var tokens: [[RawServer.Action]] = [Response.token("TWO")]
    var device: [RawServer.Action] = Response.json(200, deviceCode)
    /// How often each access token may be used; nil for any number.
    var uses: [String: Int?] = ["ONE": nil, "TWO": nil, "THREE": nil]
    /// The response of the list to a request, before its token is checked; nil for the usual one.
    var list: [RawServer.Action]?

    static let deviceCode = """
      {"device_code": "device-SECRET-0123456789", "user_code": "WDJB-MJHT", "verification_uri": "http://x.test/d", \
      "interval": 0.2, "expires_in": 60}
      """
  }

  /// Responses as bytes.
  enum Response {
    static func json(_ status: Int, _ text: String, _ fields: String = "") -> [RawServer.Action] {
      body(status, text, "Content-Type: application/json\n\(fields)")
    }

    static func body(_ status: Int, _ text: String, _ fields: String = "") -> [RawServer.Action] {
      [
        .send(
          "HTTP/1.1 \(status) Answer\nConnection: close\nContent-Length: \(text.utf8.count)\n\(fields)\n\(text)"
        ), .close,
      ]
    }

    /// Issues `access-NAME` and, unless it is nil, `refresh-NAME`.
    static func token(
      _ name: String, refresh: String? = nil, lifetime: String = "3600", more: String = ""
    ) -> [RawServer.Action] {
      let rotated = refresh.map { ", \"refresh_token\": \"\(TokenService.refresh($0))\"" } ?? ""
      return json(
        200,
        "{\"access_token\": \"\(access(name))\", \"token_type\": \"Bearer\", \"expires_in\": \(lifetime)\(rotated)\(more)}"
      )
    }

    /// The response of a login.
    static func session(_ name: String, more: String = "", fields: String = "") -> [RawServer.Action] {
      json(200, "{\"token\": \"\(access(name))\"\(more)}", fields)
    }

    static func error(_ status: Int, _ code: String, _ fields: String = "") -> [RawServer.Action] {
      json(
        status, "{\"error\": \"\(code)\", \"error_description\": \"about \(TokenService.refresh("SEED"))\"}",
        fields)
    }
  }

  static func access(_ name: String) -> String { "access-\(name)-0123456789" }
  static func refresh(_ name: String) -> String { "refresh-\(name)-0123456789" }
  static let clientSecret = "client-SECRET-0123456789"
  /// A part of each secret that is long enough to be recognized.
  static let secretParts = ["-0123456789", "MDEyMzQ1Njc4O", "LTAxMjM0NTY3ODk", "wMTIzNDU2Nzg5"]

  let server: RawServer
  var baseURL: String { "http://127.0.0.1:\(server.port)" }

  private init(_ server: RawServer) { self.server = server }

  static func start(_ plan: Plan) async throws -> TokenService {
    let counts = Lock([String: Int]())
    let server = try await RawServer.start { _, request in
      let target = request.split(separator: " ").dropFirst().first ?? ""
      func count(_ name: String) -> Int {
        counts.withLock { counts in
          counts[name, default: 0] += 1
          return counts[name, default: 0]
        }
      }
      if target == "/token" { return plan.tokens[min(count("token"), plan.tokens.count) - 1] }
      if target == "/device" { return plan.device }
      if let actions = plan.list { return actions }
      let known = plan.uses.first {
        request.contains("Bearer \(access($0.key))\r\n") || request.contains("Bearer \(access($0.key))\n")
      }
      guard let (name, most) = known, most.map({ count(name) <= $0 }) ?? true else {
        return Response.json(
          401,
          "{\"message\": \"no: \(request.split(separator: "earer ").last?.prefix(40).filter { !$0.isNewline } ?? "")\"}"
        )
      }
      return target.hasSuffix("page=2")
        ? Response.json(200, "{\"items\": [{\"id\": 2}]}")
        : Response.json(200, "{\"items\": [{\"id\": 1}], \"next\": \"?page=2\"}")
    }
    return TokenService(server)
  }

  func requests(_ target: String) -> [String] {
    server.requests.filter { ($0.split(separator: " ").dropFirst().first ?? "").hasPrefix(target) }
  }

  /// A source that reads the list with tokens of this grant; `more` are keys of `[auth]`.
  func source(_ grant: TokenGrant.Kind, _ more: String = "") -> String {
    let own =
      switch grant {
      case .refreshToken: "refresh_from = \"env:REFRESH\"\nclient_secret_from = \"env:SECRET\""
      case .clientCredentials: "client_secret_from = \"env:SECRET\""
      case .device: "device_url = \"\(baseURL)/device\""
      }
    return """
      schema = 1
      id = "mine"
      [request]
      url = "\(baseURL)/list"
      [auth]
      type = "oauth"
      grant = "\(grant.rawValue)"
      token_url = "\(baseURL)/token"
      client_id = "ann"
      \(own)
      \(more)
      [rows]
      path = "items"
      id = "id"
      [pagination]
      type = "link"
      next = "next"
      """
  }

  /// A source that reads the list with tokens of a login, which `/token` answers; `more` are keys of `[auth.login]`.
  func loginSource(_ more: String = "", isOptional: Bool = false) -> String {
    """
    schema = 1
    id = "mine"
    [request]
    url = "\(baseURL)/list"
    [auth]
    type = "login"
    optional = \(isOptional)
    [auth.login]
    url = "\(baseURL)/token"
    body = { user = "ann", password = "{secret:password}" }
    token = ["token", "header:X-Token"]
    \(more)
    [secrets.password]
    from = ["env:SECRET"]
    [rows]
    path = "items"
    id = "id"
    [pagination]
    type = "link"
    next = "next"
    """
  }

  /// The credential that a login with this password stores.
  func storedLogin(
    _ name: String, age: Double, lifetime: Double?, password: String
  ) throws -> StoredCredential {
    let url = try WebURL("\(baseURL)/")
    var identity = CredentialIdentity(source: "mine", origin: url.origin)
    identity.endpoint = "\(baseURL)/token"
    return StoredCredential(
      IssuedToken(access: Secret(Self.access(name)), lifetime: lifetime, refresh: nil), for: identity,
      at: Date().timeIntervalSince1970 - age, after: nil,
      seed: SecretMark(of: Secret("password=\(password)"), salt: "salt", isGuessable: true))
  }

  /// The credential that the source stores for the token that the service calls `name`.
  func kept(
    _ name: String, age: Double, lifetime: Double?, refresh: String? = nil, seed: String? = nil
  ) throws -> StoredCredential {
    let url = try WebURL("\(baseURL)/")
    let texts = ["grant": "device", "token_url": "\(baseURL)/token"]
    let grant = AuthScheme.oauth.grant?(texts)
    let identity = grant.map {
      CredentialIdentity(source: "mine", origin: url.origin, grant: $0, clientID: "ann")
    }
    return StoredCredential(
      IssuedToken(
        access: Secret(Self.access(name)), lifetime: lifetime,
        refresh: refresh.map { Secret(Self.refresh($0)) }),
      for: identity ?? CredentialIdentity(source: "mine", origin: url.origin),
      at: Date().timeIntervalSince1970 - age, after: nil,
      seed: seed.map { SecretMark(of: Secret(Self.refresh($0)), salt: "salt") })
  }
}

/// A temporary state folder.
struct StateHome: Sendable {
  let path: String
  var credentials: String { "\(path)/riffle/credentials" }

  static func with<Value>(_ body: (StateHome) async throws -> Value) async throws -> Value {
    try await withFile("mark", "") { file in
      try await body(StateHome(path: URL(filePath: file).deletingLastPathComponent().path + "/state"))
    }
  }

  var files: [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: credentials)) ?? []).sorted()
  }

  func put(_ bytes: [UInt8], named name: String, mode: Int = 0o600) throws {
    try FileManager.default.createDirectory(
      atPath: credentials, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    try Data(bytes).write(to: URL(filePath: "\(credentials)/\(name)"))
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: "\(credentials)/\(name)")
  }

  /// The names of the stored tokens: `ONE refresh TWO`; empty if there are none.
  var kept: String {
    files.map { name in
      let bytes = (try? Data(contentsOf: URL(filePath: "\(credentials)/\(name)"))).map(Array.init) ?? []
      guard let kept = StoredCredential(bytes) else { return "damaged" }
      func part(_ secret: Secret) -> String {
        String(secret.reveal().split(separator: "-").dropFirst().first ?? "")
      }
      return part(kept.secret) + (kept.refresh.map { " refresh \(part($0))" } ?? "")
    }.joined(separator: ", ")
  }
}

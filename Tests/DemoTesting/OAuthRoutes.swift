import Demo
import HTTPValues
import JSON
import NIOHTTP1
import Text

extension Route {
  /// The token endpoint (RFC 6749, section 3.2).
  static func token(_ tokens: TokenStore) -> Route {
    Route(["/oauth/token"], methods: ["POST"]) { request throws(DemoError) in
      let request = try request.readingForm()
      let lifetime = try TokenLifetime(request)
      do throws(OAuthError) {
        guard let type = request["grant_type"] else {
          throw OAuthError("invalid_request", "grant_type is missing")
        }
        guard let grant = OAuthGrant.all.first(where: { $0.type == type }) else {
          let types = OAuthGrant.all.map(\.type).joined(separator: ", ")
          throw OAuthError("unsupported_grant_type", "grant_type must be one of \(types)")
        }
        try request.checkClient(needsSecret: grant.needsClientSecret)
        return try tokens.update { (issued) throws(OAuthError) in
          let scope = try grant.scope(request, &issued)
          let access = issued.issueAccess(lifetime, scope: scope, at: request.time)
          let refresh = grant.issuesRefresh ? issued.issueRefresh(scope: scope, at: request.time) : nil
          return Response(token: access, lifetime, scope: scope, refresh: refresh)
        }
      } catch {
        return error.response
      }
    }
  }

  /// The device authorization endpoint (RFC 8628, section 3.1). The user consents at `/device`, or counts as having
  /// consented after `polls` polls.
  static func deviceAuthorization(_ tokens: TokenStore) -> Route {
    Route(["/oauth/device"], methods: ["POST"]) { request throws(DemoError) in
      let request = try request.readingForm()
      let lifetime = try request.number("lifetime", from: 1, standard: 300)
      let interval = try request.number("interval", from: 1, standard: 5)
      let polls = request["polls"] == nil ? nil : try request.number("polls", from: 0, standard: 0)
      do throws(OAuthError) { try request.checkClient(needsSecret: false) } catch { return error.response }
      let codes = tokens.update {
        $0.issueDevice(
          scope: request["scope"] ?? "read", lifetime: lifetime, interval: interval, pollsUntilConsent: polls,
          at: request.time)
      }
      let address = "\(request.url.origin)/device"
      return Response(
        json: [
          "device_code": codes.deviceCode, "user_code": codes.userCode, "verification_uri": address,
          "verification_uri_complete": "\(address)?user_code=\(codes.userCode)", "expires_in": lifetime,
          "interval": interval,
        ] as JSONObject)
    }
  }

  /// Where the user consents to a device code, or refuses it with `deny=1`.
  static func device(_ tokens: TokenStore) -> Route {
    Route(["/device"], methods: ["GET"]) { request throws(DemoError) in
      guard let code = request["user_code"], !code.isEmpty else {
        throw DemoError(400, "add ?user_code= and the code that riffle shows")
      }
      let isGranted = request["deny"] == nil
      let isKnown = tokens.update { $0.decide(userCode: code, isGranted: isGranted, at: request.time) }
      guard isKnown else { throw DemoError(404, "the code \(code) has expired or was never issued") }
      let message = "\(code) is \(isGranted ? "authorized" : "refused"). Return to riffle"
      return Response(json: ["message": message] as JSONObject)
    }
  }
}

/// A way to get an access token (`grant_type`).
private struct OAuthGrant: Sendable {
  let type: String
  var needsClientSecret = false
  let issuesRefresh: Bool
  /// The scope of the token to be issued.
  let scope: @Sendable (Request, inout IssuedTokens) throws(OAuthError) -> String

  static let all = [refreshToken, clientCredentials, deviceCode]

  /// Each refresh token works once and is replaced (RFC 6749, section 6).
  private static let refreshToken = OAuthGrant(type: "refresh_token", issuesRefresh: true) {
    request, issued throws(OAuthError) in
    guard let scope = issued.redeem(refresh: request["refresh_token"] ?? "") else {
      throw OAuthError("invalid_grant", "the refresh token has been used or was never issued")
    }
    return scope
  }

  private static let clientCredentials = OAuthGrant(
    type: "client_credentials", needsClientSecret: true, issuesRefresh: false
  ) { request, _ in request["scope"] ?? "read" }

  private static let deviceCode = OAuthGrant(
    type: "urn:ietf:params:oauth:grant-type:device_code", issuesRefresh: true
  ) { request, issued throws(OAuthError) in
    switch issued.poll(device: request["device_code"] ?? "", at: request.time) {
    case .granted(let scope): return scope
    case .pending: throw OAuthError("authorization_pending", "the user has not decided yet")
    case .slowDown: throw OAuthError("slow_down", "wait 5 seconds longer between requests")
    case .denied: throw OAuthError("access_denied", "the user refused")
    case .expired: throw OAuthError("expired_token", "the device code has expired")
    case .unknown: throw OAuthError("invalid_grant", "the device code has been used or was never issued")
    }
  }
}

/// Why no token is issued (RFC 6749, section 5.2).
private struct OAuthError: Error {
  let code: String
  let description: String

  init(_ code: String, _ description: String) {
    self.code = code
    self.description = description
  }

  var response: Response {
    let isClient = code == "invalid_client"
    var response = Response(
      status: isClient ? 401 : 400, json: ["error": code, "error_description": description] as JSONObject)
    if isClient { response.headers.add(name: "WWW-Authenticate", value: "Basic realm=\"riffle demo\"") }
    response.headers.add(name: "Cache-Control", value: "no-store")
    return response
  }
}

extension Request {
  /// Checks the client's id and secret, in a header or in the body (RFC 6749, section 2.3.1).
  fileprivate func checkClient(needsSecret: Bool) throws(OAuthError) {
    let isKnown: Bool
    if let header = headers.first(name: "Authorization") {
      let pair = Base64.encoded("\(DemoAccount.client):\(DemoAccount.clientSecret)")
      isKnown = header == "Basic \(pair)"
    } else {
      let secret = self["client_secret"]
      isKnown =
        self["client_id"] == DemoAccount.client
        && (secret == DemoAccount.clientSecret || secret == nil && !needsSecret)
    }
    if !isKnown { throw OAuthError("invalid_client", "wrong client id or client secret") }
  }
}

extension Response {
  /// A successful response of the token endpoint (RFC 6749, section 5.1).
  fileprivate init(token: String, _ lifetime: TokenLifetime, scope: String, refresh: String?) {
    var members: [(name: String, value: any JSONConvertible)] = [
      ("access_token", token), ("token_type", "Bearer"), ("expires_in", lifetime.seconds), ("scope", scope),
    ]
    if let refresh { members.append(("refresh_token", refresh)) }
    self.init(json: JSONObject(members))
    headers.add(name: "Cache-Control", value: "no-store")
  }
}

import JSON
import NIOHTTP1

extension Route {
  /// Issues an access token for the user's name and password, in a form or a JSON body.
  static func login(_ tokens: TokenStore) -> Route {
    Route(["/login"], methods: ["POST"], summary: "an access token for user and password") {
      request throws(Refusal) in
      let request = try request.readingForm()
      let lifetime = try TokenLifetime(request)
      guard request["user"] == DemoAccount.user, request["password"] == DemoAccount.password else {
        throw Refusal(401, "wrong user or password")
      }
      let token = tokens.update { $0.issueAccess(lifetime, scope: "read", at: request.time) }
      return Reply(
        json: [
          "token": token, "expires_in": lifetime.seconds, "expires_at": request.time + lifetime.seconds,
        ] as JSONObject)
    }
  }

  /// As `/characters`, with an access token.
  static func privateCharacters(_ tokens: TokenStore) -> Route {
    Route(["/private/characters"], summary: "the same, with an access token", for: tokens) {
      request, _ throws(Refusal) in
      try Route.characters.reply(request)
    }
  }

  /// The account that an access token was issued for, as one object.
  static func me(_ tokens: TokenStore) -> Route {
    Route(["/me"], summary: "the account, with an access token", for: tokens) { request, token in
      Reply(
        json: [
          "user": DemoAccount.user, "name": "Ann Example", "client": DemoAccount.client, "scope": token.scope,
          "expires_at": token.expiresAt, "requests_left": token.requests,
        ] as JSONObject)
    }
  }

  /// A route that needs an access token (RFC 6750), as `Authorization: Bearer`, in `X-Auth-Token` or in the parameter
  /// `access_token`. A request is counted for its token.
  private init(
    _ paths: [String], summary: String, for tokens: TokenStore,
    reply: @escaping @Sendable (Request, IssuedTokens.AccessToken) throws(Refusal) -> Reply
  ) {
    self.init(paths, summary: summary) { request throws(Refusal) in
      guard let text = request.accessToken else { return .unauthorized("an access token is required") }
      guard let token = tokens.update({ $0.spend(text, at: request.time) }) else {
        return .unauthorized(
          "the access token has expired or was never issued", error: "invalid_token")
      }
      return try reply(request, token)
    }
  }
}

extension Request {
  fileprivate var accessToken: String? {
    let header = headers.first(name: "Authorization").flatMap { value in
      value.lowercased().hasPrefix("bearer ") ? String(value.dropFirst(7)) : nil
    }
    return header ?? headers.first(name: "X-Auth-Token") ?? self["access_token"]
  }
}

extension Reply {
  /// - Parameter error: The error code of RFC 6750, section 3.1.
  fileprivate static func unauthorized(_ message: String, error: String? = nil) -> Reply {
    var reply = Refusal(401, message).reply
    let details = error.map { ", error=\"\($0)\", error_description=\"\(message)\"" } ?? ""
    reply.headers.add(name: "WWW-Authenticate", value: "Bearer realm=\"riffle demo\"\(details)")
    return reply
  }
}

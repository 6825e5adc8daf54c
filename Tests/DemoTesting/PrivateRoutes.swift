import Demo
import HTTPValues
import JSON
import NIOHTTP1

extension Route {
  /// Issues an access token for the user's name and password, in a form or a JSON body.
  static func login(_ tokens: TokenStore) -> Route {
    Route(["/login"], methods: ["POST"]) { request throws(DemoError) in
      let request = try request.readingForm()
      let lifetime = try TokenLifetime(request)
      guard request["user"] == DemoAccount.user, request["password"] == DemoAccount.password else {
        throw DemoError(401, "wrong user or password")
      }
      let token = tokens.update { $0.issueAccess(lifetime, scope: "read", at: request.time) }
      return Response(
        json: [
          "token": token, "expires_in": lifetime.seconds, "expires_at": request.time + lifetime.seconds,
        ] as JSONObject)
    }
  }

  /// The same list as `/characters`, for requests with an access token.
  static func privateCharacters(_ tokens: TokenStore) -> Route {
    Route(["/private/characters"], for: tokens) { request, _ throws(DemoError) in
      try Route.characters.response(request)
    }
  }

  /// The account that an access token was issued for, as one object.
  static func me(_ tokens: TokenStore) -> Route {
    Route(["/me"], for: tokens) { request, token in
      Response(
        json: [
          "user": DemoAccount.user, "name": "Ann Example", "client": DemoAccount.client, "scope": token.scope,
          "expires_at": token.expiresAt, "requests_left": token.requests,
        ] as JSONObject)
    }
  }

  /// A route that needs an access token (RFC 6750), as `Authorization: Bearer`, in `X-Auth-Token` or in the parameter
  /// `access_token`. A request is counted for its token.
  private init(
    _ paths: [String], for tokens: TokenStore,
    response: @escaping @Sendable (Request, IssuedTokens.AccessToken) throws(DemoError) -> Response
  ) {
    self.init(paths) { request throws(DemoError) in
      guard let text = request.accessToken else { return .unauthorized("an access token is required") }
      guard let token = tokens.update({ $0.spend(text, at: request.time) }) else {
        return .unauthorized(
          "the access token has expired or was never issued", error: "invalid_token")
      }
      return try response(request, token)
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

extension Response {
  /// - Parameter error: The error code of RFC 6750, section 3.1.
  fileprivate static func unauthorized(_ message: String, error: String? = nil) -> Response {
    var response = DemoError(401, message).response
    let details = error.map { ", error=\"\($0)\", error_description=\"\(message)\"" } ?? ""
    response.headers.add(name: "WWW-Authenticate", value: "Bearer realm=\"riffle demo\"\(details)")
    return response
  }
}

extension Request {
  /// This request with the members of its body as parameters: a form, or a JSON object whose members are texts or
  /// numbers.
  func readingForm() throws(DemoError) -> Request {
    var request = self
    let isJSON = headers.first(name: "Content-Type")?.lowercased().hasPrefix("application/json") ?? false
    if isJSON {
      guard let json = try? JSONDocument(body), json.root.kind == .object else {
        throw DemoError(400, "the body is not a JSON object")
      }
      for (name, value) in json.root.members {
        if let text = value.text { request.url.setQueryItem(name: name, value: text) }
      }
    } else {
      for item in body.split(separator: UInt8(ascii: "&")) {
        let pair = item.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
          .map { PercentEncoding.decoded(String(decoding: $0, as: UTF8.self), plusIsSpace: true) }
        request.url.setQueryItem(name: pair[0], value: pair.count > 1 ? pair[1] : "")
      }
    }
    return request
  }
}

package import HTTPValues

extension AuthScheme {
  /// A token that a login request returns, as in services with sessions. There is no standard for such requests.
  package static let login = AuthScheme(
    name: "login", meaning: "a token that a login request returns",
    keys: [
      Key(
        name: "login", kind: "a table", meaning: "see `[auth.login]`",
        purpose: "the table that describes the login request", form: .login)
    ],
    inputs: [],
    place: { texts in Login.place(texts["login.send"]) ?? .header("Authorization") },
    parts: { texts in
      switch Login.place(texts["login.send"]) {
      case nil: [.literal("Bearer "), .input(TokenGrant.token)]
      default: [.key("login.prefix"), .input(TokenGrant.token)]
      }
    })
}

/// A request that returns a token (`[auth.login]`), and how the token is read from the response.
package struct Login: Sendable, Hashable {
  package var endpoint: Endpoint
  package var token: ValueExpression
  /// The lifetime of the token in seconds.
  package var lifetime: Double?
  /// When the token expires, or after how many seconds; nil if it is used until the service rejects it.
  package var end: ValueExpression?

  package init(endpoint: Endpoint, token: ValueExpression, lifetime: Double?, end: ValueExpression?) {
    self.endpoint = endpoint
    self.token = token
    self.lifetime = lifetime
    self.end = end
  }

  /// Where the token is sent: `header:NAME` or `query:NAME`; nil for anything else.
  package static func place(_ text: String?) -> PlacedCredential.Place? {
    let parts = (text ?? "").split(separator: ":", maxSplits: 1).map(String.init)
    guard parts.count == 2 else { return nil }
    return switch parts[0] {
    case "header": .header(parts[1])
    case "query": .query(parts[1])
    default: nil
    }
  }
}

extension Source {
  /// The source of the login request. Its only credentials are the secrets in that request, which are sent nowhere
  /// else. Nil if this source has no login.
  package var loginSource: Source? {
    guard let login = authorization?.login else { return nil }
    var source = requesting(login.endpoint, of: "auth.login")
    // A transport repeats no request that opens a session.
    source.endpoint.isSafe = false
    source.authorization = nil
    source.parent = nil
    let names = login.endpoint.secretNames
    source.secrets = secrets.filter { names.contains($0.name) }
    return source
  }

  /// The secrets that requests for pages contain: all but those that only the login request does.
  package var pageSecrets: [NamedSecret] {
    guard let login = authorization?.login else { return secrets }
    let own = endpoint.secretNames.union(rows.totalRequest?.endpoint.secretNames ?? [])
    let names = login.endpoint.secretNames.subtracting(own)
    return secrets.filter { !names.contains($0.name) }
  }
}

extension Endpoint {
  /// The names of the secrets in the request.
  package var secretNames: Set<String> {
    Set(templates.flatMap { $0.placeholders.compactMap(\.secretName) })
  }
}

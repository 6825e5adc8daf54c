package import HTTPValues
import JSON
private import Text

extension AuthScheme {
  /// A token that a request returns, as services with sessions have it. There is no standard for it.
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

/// A request that returns a token (`[auth.login]`), and how the token is read from the reply.
package struct Login: Sendable, Hashable {
  package var endpoint: Endpoint
  package var token: ValueExpression
  /// In seconds.
  package var lifetime: Double?
  /// When the token ends, or after how many seconds; nil if it is used until the service rejects it.
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
  /// The source of the login: it has no credential but the secrets in the login request, which go nowhere else.
  /// Nil if this source has no login.
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

// MARK: - Request and reply

/// The login of a source with chosen options.
package struct LoginRequest: Sendable {
  /// As `Source.loginSource`.
  package let source: Source
  /// The request without its secrets.
  package let url: WebURL
  private let login: Login
  private let query: Query

  /// - Returns: Nil if the source has no login.
  /// - Throws: If an option is missing, or the credentials would be sent unencrypted.
  package init?(of source: Source, options: [String: String]) throws(PageError) {
    guard let login = source.authorization?.login, let own = source.loginSource else { return nil }
    self.login = login
    self.source = own
    query = Query(options: options)
    url = try own.request(for: PageRequest(first: own, query), in: RunContext()).url
    guard url.origin.isProtected else {
      throw PageError(
        .invalidRequest, message: "source \(source.id) would log in at \(url.origin) unencrypted",
        remedy: "use https")
    }
  }

  /// What the token depends on: the values of the secrets, and of the options that the request contains.
  package func key(_ secrets: [String: Secret]) -> Secret {
    let names = Set(login.endpoint.templates.flatMap(\.names)).sorted()
    let secrets = secrets.sorted { $0.key < $1.key }
    let texts = names.compactMap { name in query.options[name].map { "\(name)=\($0)" } }
    return Secret(
      (texts + secrets.map { "\($0)=\($1.reveal())" }).joined(separator: "\n"),
      containing: secrets.map(\.value))
  }

  /// - Parameter run: With the secrets of `source`.
  package func request(in run: RunContext) throws(PageError) -> HTTPRequest {
    try source.request(for: PageRequest(first: source, query), in: run)
  }

  /// The token in the reply, which is not trusted. An error in it is recognized as in any reply of the source.
  package func token(in reply: HTTPReply, _ run: RunContext) throws(PageError) -> IssuedToken {
    let values = try source.read(reply, of: query, in: run, isFirst: true).values
    guard let text = values.text(of: login.token), !text.isEmpty else {
      if let error = values.error { throw source.unreadable(reply, error) }
      throw unusable("returned no token", reply, remedy: "check auth.login.token of source \(source.id)")
    }
    guard text.utf8.count <= IssuedToken.longest, text.isVisibleASCII else {
      throw unusable("returned a token that cannot be sent", reply)
    }
    let lifetime =
      login.lifetime ?? login.end.flatMap { values.text(of: $0) }.flatMap { seconds(to: $0, reply) }
    return IssuedToken(access: Secret(text), lifetime: lifetime, refresh: nil)
  }

  private func unusable(_ what: String, _ reply: HTTPReply, remedy: String? = nil) -> PageError {
    PageError(.unreadable, status: reply.status, message: "\(reply.url.origin) \(what)", remedy: remedy)
  }

  /// The seconds from the arrival of the reply to a time, by the clock of the service. A number is a time since 1970
  /// in seconds or milliseconds, or, if it is less than ten years, the seconds themselves. Nil for a time that has
  /// passed, or a text that is none: the token is then used until it is rejected.
  private func seconds(to text: String, _ reply: HTTPReply) -> Double? {
    let now = ServiceClock(reply.headers, now: reply.arrivedAt).time
    let seconds: Double
    if let number = Double(text) {
      let isDuration = number < IssuedToken.longestLifetime
      let isInMilliseconds = number > 1e11
      seconds = isDuration ? number : (isInMilliseconds ? number / 1_000 : number) - now
    } else if let time = Timestamp(iso8601: text) {
      seconds = time.epoch - now
    } else {
      return nil
    }
    return seconds > 0 && seconds.isFinite ? min(seconds, IssuedToken.longestLifetime) : nil
  }
}

extension Endpoint {
  /// The names of the secrets in the request.
  package var secretNames: Set<String> {
    Set(templates.flatMap { $0.placeholders.compactMap(\.secretName) })
  }
}

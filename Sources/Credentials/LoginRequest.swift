package import HTTPValues
package import Search
import Text

/// The login of a source with chosen options.
package struct LoginRequest: Sendable {
  /// The source of the login request (`Source.loginSource`).
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
    url = try own.request(for: PageRequest(first: own, query), in: RunContext(pageSize: nil, version: "")).url
    guard url.origin.isProtected else {
      throw PageError(
        .invalidRequest, message: "source \(source.id) would log in at \(url.origin) unencrypted",
        remedy: "use https")
    }
  }

  /// The values that the token depends on: those of the secrets, and of the options that the request contains.
  package func key(_ secrets: [String: Secret]) -> Secret {
    let names = Set(login.endpoint.templates.flatMap(\.names)).sorted()
    let secrets = secrets.sorted { $0.key < $1.key }
    let texts = names.compactMap { name in query.options[name].map { "\(name)=\($0)" } }
    return Secret(
      (texts + secrets.map { "\($0)=\($1.reveal())" }).joined(separator: "\n"),
      containing: secrets.map(\.value))
  }

  /// - Parameter run: The run, with the secrets of `source`.
  package func request(in run: RunContext) throws(PageError) -> HTTPRequest {
    try source.request(for: PageRequest(first: source, query), in: run)
  }

  /// The token in the response, which is not trusted. An error in it is recognized as in any response of the source.
  package func token(in response: HTTPResponse, _ run: RunContext) throws(PageError) -> IssuedToken {
    let values = try source.values(in: response, of: query, run)
    guard let text = values.text(of: login.token), !text.isEmpty else {
      if let error = values.error { throw source.unreadable(response, error) }
      throw unusable("returned no token", response, remedy: "check auth.login.token of source \(source.id)")
    }
    guard text.utf8.count <= IssuedToken.longest, text.isVisibleASCII else {
      throw unusable("returned a token that cannot be sent", response)
    }
    let lifetime =
      login.lifetime ?? login.end.flatMap { values.text(of: $0) }.flatMap { seconds(to: $0, response) }
    return IssuedToken(access: Secret(text), lifetime: lifetime, refresh: nil)
  }

  private func unusable(_ what: String, _ response: HTTPResponse, remedy: String? = nil) -> PageError {
    PageError(.unreadable, status: response.status, message: "\(response.url.origin) \(what)", remedy: remedy)
  }

  /// The seconds from the arrival of the response to a time, by the clock of the service. A number is a time since 1970
  /// in seconds or milliseconds, or, if it is less than ten years, the seconds themselves. Nil for a time that has
  /// passed, or an invalid one: the token is then used until it is rejected.
  private func seconds(to text: String, _ response: HTTPResponse) -> Double? {
    let now = ServiceClock(response.headers, now: response.arrivedAt).time
    let seconds: Double
    if let number = Double(text) {
      let isDuration = number < IssuedToken.maxLifetime
      let isInMilliseconds = number > 1e11
      seconds = isDuration ? number : (isInMilliseconds ? number / 1_000 : number) - now
    } else if let time = Timestamp(iso8601: text) {
      seconds = time.epoch - now
    } else {
      return nil
    }
    return seconds > 0 && seconds.isFinite ? min(seconds, IssuedToken.maxLifetime) : nil
  }
}

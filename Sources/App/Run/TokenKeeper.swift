import Config
import HTTPTransport
import HTTPValues
import Search

/// Obtains, keeps and renews the access tokens of a source. What is to be done is decided by `TokenStep`.
struct TokenKeeper: Sendable {
  let source: Source
  let authorization: Authorization
  let grant: TokenGrant
  /// The origin that the tokens are sent to.
  let origin: Origin
  let resolver: SecretResolver
  let store: CredentialStore
  let transport: Transport
  /// The time limit for a request; nil for the transport's default.
  let timeout: Duration?
  let clock: any Clock<Duration>
  /// The time in seconds since 1970.
  let now: @Sendable () -> Double

  /// Nil if the source obtains no tokens, or its requests have no origin with these options.
  init?(
    of source: Source, options: [String: String], _ configuration: Configuration, transport: Transport,
    timeout: Duration?
  ) {
    guard let authorization = source.authorization, let grant = authorization.grant,
      let origin = source.origin(options: options)
    else { return nil }
    self.source = source
    self.authorization = authorization
    self.grant = grant
    self.origin = origin
    resolver = configuration.resolver
    store = configuration.store
    self.transport = transport
    self.timeout = timeout
    clock = configuration.dependencies.clock
    now = configuration.dependencies.now
  }

  /// The token as it is sent.
  func credential(of kept: KeptCredential) -> PlacedCredential {
    PlacedCredential(
      place: authorization.place, secret: authorization.credential(of: [TokenGrant.token: kept.secret]),
      provenance: "store")
  }

  /// A token that can be used now: the kept one, or a new one, which is kept before it is returned.
  ///
  /// - Parameter rejected: A credential that the service rejected; its token is not returned.
  /// - Returns: Nil if only the user can provide one and the source needs none.
  func token(rejecting rejected: PlacedCredential?) async throws(PageError) -> KeptCredential? {
    let identity = try await identity()
    let seed = try await seed()
    func step(_ kept: KeptCredential?) -> TokenStep {
      TokenStep(grant.kind, kept: kept, seed: seed, now: now()) {
        authorization.credential(of: [TokenGrant.token: $0]) == rejected?.secret
      }
    }
    if case .use(let kept) = step(try stored(identity)) { return kept }
    guard let file = try await locked(identity) else {
      return try await obtained(step(nil), nil, identity, seed)
    }
    // Another process may have renewed it while this one waited.
    let kept = try Self.reading { () throws(CredentialStoreProblem) in try file.credential() }
    let next = step(kept)
    if case .use(let kept) = next { return kept }
    guard let new = try await obtained(next, kept, identity, seed) else { return nil }
    try keep(new, in: file)
    return new
  }

  /// What the tokens belong to.
  func identity() async throws(PageError) -> CredentialIdentity {
    CredentialIdentity(source: source.account, origin: origin, grant: grant, clientID: try await clientID())
  }

  /// The client with its secret.
  func client() async throws(PageError) -> TokenGrant.Client {
    TokenGrant.Client(
      id: try await clientID(), secret: try await input("client_secret_from", isRequired: true)?.secret)
  }

  /// Keeps a token, replacing what was kept.
  func keep(_ token: IssuedToken, arrivedAt time: Double) async throws(PageError) {
    let identity = try await identity()
    guard let file = try await locked(identity) else {
      throw PageError(.unauthorized, message: "nothing can be kept: neither HOME nor XDG_STATE_HOME is set")
    }
    try keep(KeptCredential(token, for: identity, at: time, after: nil, seed: nil), in: file)
  }

  /// Sends a request of the grant. Errors contain none of these secrets.
  func reply<Value>(
    to request: HTTPRequest, hiding secrets: [Secret], _ read: (TokenReply) throws(TokenFailure) -> Value
  ) async throws(TokenFailure) -> (value: Value, arrivedAt: Double) {
    let redactor = Redactor(secrets, request.credentials)
    do throws(TokenFailure) {
      let reply: HTTPReply
      do { reply = try await transport.reply(to: request, within: timeout) } catch {
        throw TokenFailure(PageError(error, isSafe: true))
      }
      return (try read(TokenReply(reply)), reply.arrivedAt)
    } catch { throw TokenFailure(code: error.code, redactor.redacted(error.error)) }
  }

  // MARK: Parts

  private func obtained(
    _ step: TokenStep, _ kept: KeptCredential?, _ identity: CredentialIdentity, _ seed: Secret?
  ) async throws(PageError) -> KeptCredential? {
    let client = try await client()
    let request: HTTPRequest
    var former: Secret?
    switch step {
    case .use(let kept): return kept
    case .login:
      if authorization.isOptional { return nil }
      throw PageError(
        .unauthorized, message: "source \(source.id) has no token for \(origin)", remedy: remedy)
    case .request: request = grant.tokenRequest(by: client, app: Self.app)
    case .refresh(let token):
      former = token
      request = grant.tokenRequest(by: client, refreshing: token, app: Self.app)
    }
    let secrets = [client.secret, former, kept?.secret, seed].compactMap(\.self)
    do throws(TokenFailure) {
      let (token, time) = try await reply(to: request, hiding: secrets) { (reply) throws(TokenFailure) in
        try reply.token()
      }
      let mark = seed.map { SecretMark(of: $0, salt: "\(UInt64.random(in: .min ... .max))") }
      return KeptCredential(token, for: identity, at: time, after: former, seed: mark)
    } catch {
      var error = error.error
      if error.kind == .unauthorized {
        error.remedy = remedy
      } else {
        error.message = "cannot obtain a token: \(error.message)"
      }
      throw error
    }
  }

  static let app = "riffle/\(Version.number)"

  /// What the user can do after a refusal.
  private var remedy: String {
    func places(_ keys: String...) -> String {
      let places = keys.flatMap { authorization.origins[$0] ?? [] }.map(\.description)
      return places.joined(separator: ", ")
    }
    return switch grant.kind {
    case .device: "run: riffle auth login \(source.id)"
    case .refreshToken: "put a new refresh token into \(places("refresh_from"))"
    case .clientCredentials:
      "check the client's id and secret (\(places("client_id_from", "client_secret_from")))"
    }
  }

  private func clientID() async throws(PageError) -> String {
    if let id = grant.clientID { return id }
    return try await input("client_id_from", isRequired: true)?.secret.reveal() ?? ""
  }

  /// The refresh token that the user provides. It may be missing once there is a kept one.
  private func seed() async throws(PageError) -> Secret? {
    try await input("refresh_from", isRequired: false)?.secret
  }

  private func input(_ key: String, isRequired: Bool) async throws(PageError) -> Credentials.Finding? {
    do {
      return try await resolver.input(key, of: source, for: grant.tokenURL.origin, isRequired: isRequired)
    } catch { throw PageError(.unauthorized, message: "\(error)") }
  }

  // MARK: The kept token

  private func stored(_ identity: CredentialIdentity) throws(PageError) -> KeptCredential? {
    try Self.reading { () throws(CredentialStoreProblem) in try store.credential(for: identity) }
  }

  private static func reading<Value>(
    _ read: () throws(CredentialStoreProblem) -> Value
  ) throws(PageError) -> Value {
    do { return try read() } catch { throw PageError(.unauthorized, message: "\(error)") }
  }

  /// How long another process may take to renew a token, and how often its lock is tried.
  private static let (longestLock, lockInterval) = (Duration.seconds(90), Duration.milliseconds(20))

  /// The file of the token, locked; nil if none can be written and none is needed, because the client's own
  /// credentials always obtain another token.
  private func locked(_ identity: CredentialIdentity) async throws(PageError) -> CredentialFile? {
    var waited = Duration.zero
    while true {
      do throws(CredentialStoreProblem) {
        if let file = try store.lock(identity) { return file }
      } catch {
        if error.isOnlyUnwritable, grant.kind == .clientCredentials { return nil }
        throw PageError(.unauthorized, message: "\(error)")
      }
      guard waited < Self.longestLock else {
        throw PageError(
          .connection, message: "another riffle is still renewing the token of source \(source.id)",
          canRepeat: .freely)
      }
      do { try await clock.sleep(for: Self.lockInterval) } catch {
        throw PageError(.connection, message: "canceled")
      }
      waited += Self.lockInterval
    }
  }

  private func keep(_ new: KeptCredential, in file: consuming CredentialFile) throws(PageError) {
    do { try file.replace(with: new) } catch {
      if grant.kind == .clientCredentials { return }
      throw PageError(.unauthorized, message: "\(error)")
    }
  }
}

import Config
import Credentials
import HTTPTransport
import HTTPValues
import Search

/// Obtains, keeps and renews the access tokens of a source. What is to be done is decided by `TokenStep`.
struct TokenKeeper: Sendable {
  let source: Source
  let authorization: Authorization
  private let options: [String: String]
  let issuer: TokenIssuer
  /// The origin that the tokens are sent to.
  let origin: Origin
  let resolver: SecretResolver
  let store: CredentialStore
  let transport: Transport
  private let exchanges: TokenExchanges
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
    guard let authorization = source.authorization, let issuer = authorization.issuer,
      let origin = source.origin(options: options)
    else { return nil }
    self.source = source
    self.authorization = authorization
    self.options = options
    self.issuer = issuer
    self.origin = origin
    resolver = configuration.resolver
    store = configuration.store
    self.transport = transport
    self.timeout = source.loginSource?.endpoint.timeout ?? timeout
    exchanges = configuration.dependencies.tokenExchanges
    clock = configuration.dependencies.clock
    now = configuration.dependencies.now
  }

  /// The token as it is sent.
  func credential(of kept: StoredCredential) -> PlacedCredential {
    PlacedCredential(
      place: authorization.place, secret: authorization.credential(of: [TokenGrant.token: kept.secret]),
      provenance: "store")
  }

  /// A token that can be used now: the kept one, or a new one, which is kept before it is returned.
  ///
  /// - Parameter rejected: A credential that the service rejected; its token is not returned.
  /// - Returns: Nil if only the user can provide one and the source needs none. `isFound` is whether it was kept.
  func token(
    rejecting rejected: PlacedCredential?
  ) async throws(PageError) -> (kept: StoredCredential, isFound: Bool)? {
    guard let tokenInput = try await tokenInput() else { return nil }
    let identity = try await identity()
    func step(_ kept: StoredCredential?) -> TokenStep {
      TokenStep(issuer, kept: kept, seed: tokenInput.seed, now: now()) {
        authorization.credential(of: [TokenGrant.token: $0]) == rejected?.secret
      }
    }
    if case .use(let kept) = step(try stored(identity)) { return (kept, true) }
    let file = try await locked(identity)
    if Task.isCancelled { throw .canceled }
    // Before the file is read, so that no signal can end the program in between.
    let losesToken = !issuer.needsNoFormer
    if losesToken { exchanges.begin() }
    defer { if losesToken { exchanges.end() } }
    guard let file else {
      return try await obtained(step(nil), nil, identity, tokenInput).map { ($0, false) }
    }
    // Another process may have renewed it while this one waited.
    let kept = try Self.reading { () throws(CredentialStoreError) in try file.credential() }
    let next = step(kept)
    if case .use(let kept) = next { return (kept, true) }
    guard let new = try await obtained(next, kept, identity, tokenInput) else { return nil }
    try keep(new, in: file)
    return (new, false)
  }

  /// What the tokens belong to.
  func identity() async throws(PageError) -> CredentialIdentity {
    if case .grant(let grant) = issuer {
      return CredentialIdentity(
        source: source.account, origin: origin, grant: grant, clientID: try await clientID(of: grant))
    }
    return try CredentialIdentity(source: source.account, origin: origin, login: login())
  }

  /// The client with its secret.
  func client(of grant: TokenGrant) async throws(PageError) -> TokenGrant.Client {
    TokenGrant.Client(
      id: try await clientID(of: grant),
      secret: try await input("client_secret_from", of: grant, isRequired: true)?.secret)
  }

  /// Keeps a token, replacing what was kept.
  func keep(_ token: IssuedToken, arrivedAt time: Double) async throws(PageError) {
    let identity = try await identity()
    guard let file = try await locked(identity) else {
      throw PageError(.unauthorized, message: "cannot store a token: neither HOME nor XDG_STATE_HOME is set")
    }
    try keep(StoredCredential(token, for: identity, at: time, after: nil, seed: nil), in: file)
  }

  /// Sends a request to what issues the tokens. Errors contain none of these secrets.
  func response<Value>(
    to request: HTTPRequest, hiding secrets: [Secret], _ read: (HTTPResponse) throws(TokenError) -> Value
  ) async throws(TokenError) -> (value: Value, arrivedAt: Double) {
    let redactor = Redactor(secrets, request.credentials)
    do throws(TokenError) {
      let response: HTTPResponse
      do { response = try await completeResponse(to: request) } catch {
        throw TokenError(PageError(error, isSafe: true))
      }
      return (try read(response), response.arrivedAt)
    } catch { throw TokenError(code: error.code, redactor.redacted(error.error)) }
  }

  /// The response to a request that is sent to its end, even if the caller is canceled meanwhile.
  private func completeResponse(to request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
    try await Task.detached(executorPreference: Workers.shared) { [transport, timeout] in
      do throws(TransportError) {
        return Result<HTTPResponse, TransportError>.success(
          try await transport.response(to: request, within: timeout))
      } catch { return .failure(error) }
    }.value.get()
  }

  // MARK: Obtaining

  /// What the user provides for a token.
  private enum TokenInput {
    /// The first refresh token, if the grant has one.
    case grant(TokenGrant, Secret?)
    case login(LoginRequest, ResolvedCredentials)

    /// What the token descends from.
    var seed: Secret? {
      switch self {
      case .grant(_, let refresh): refresh
      case .login(let login, let credentials): login.key(credentials.secrets.mapValues(\.secret))
      }
    }
  }

  /// Nil if a secret of a login that is optional is missing.
  private func tokenInput() async throws(PageError) -> TokenInput? {
    if case .grant(let grant) = issuer {
      // It may be missing once there is a kept one.
      return .grant(grant, try await input("refresh_from", of: grant, isRequired: false)?.secret)
    }
    let login = try login()
    var source = login.source
    if authorization.isOptional {
      for index in source.secrets.indices { source.secrets[index].isOptional = true }
    }
    let credentials: ResolvedCredentials
    do { credentials = try await resolver.credentials(of: source, options: options) } catch {
      throw PageError(.unauthorized, message: "\(error)")
    }
    let isComplete = login.source.secrets.allSatisfy { $0.isOptional || credentials.secrets[$0.name] != nil }
    return isComplete ? .login(login, credentials) : nil
  }

  private func login() throws(PageError) -> LoginRequest {
    if let login = try LoginRequest(of: source, options: options) { return login }
    throw PageError(.invalidRequest, message: "source \(source.id) has no login")
  }

  private func obtained(
    _ step: TokenStep, _ kept: StoredCredential?, _ identity: CredentialIdentity, _ tokenInput: TokenInput
  ) async throws(PageError) -> StoredCredential? {
    var former: Secret?
    switch step {
    case .use(let kept): return kept
    case .login:
      if authorization.isOptional { return nil }
      throw PageError(
        .unauthorized, message: "source \(source.id) has no token for \(origin)", remedy: remedy)
    case .request: break
    case .refresh(let token): former = token
    }
    let secrets = [former, kept?.secret, tokenInput.seed].compactMap(\.self)
    let (token, time) =
      switch tokenInput {
      case .grant(let grant, _): try await token(of: grant, refreshing: former, hiding: secrets)
      case .login(let login, let credentials): try await token(of: login, credentials, hiding: secrets)
      }
    let mark = tokenInput.seed.map {
      let isGuessable = if case .login = tokenInput { true } else { false }
      return SecretMark(of: $0, salt: "\(UInt64.random(in: .min ... .max))", isGuessable: isGuessable)
    }
    return StoredCredential(token, for: identity, at: time, after: former, seed: mark)
  }

  private func token(
    of grant: TokenGrant, refreshing former: Secret?, hiding secrets: [Secret]
  ) async throws(PageError) -> (value: IssuedToken, arrivedAt: Double) {
    let client = try await client(of: grant)
    let request =
      former.map { grant.tokenRequest(by: client, refreshing: $0, app: Self.app) }
      ?? grant.tokenRequest(by: client, app: Self.app)
    let hidden = secrets + [client.secret].compactMap(\.self)
    do throws(TokenError) {
      return try await response(to: request, hiding: hidden) { (response) throws(TokenError) in
        try TokenResponse(response).token()
      }
    } catch {
      var error = error.error
      if error.kind == .unauthorized {
        error.remedy = remedy
      } else {
        error.message = "cannot obtain a token: \(error.message)"
        if error.kind == .unreadable, error.remedy == nil { error.remedy = "check auth.token_url" }
      }
      throw error
    }
  }

  private func token(
    of login: LoginRequest, _ credentials: ResolvedCredentials, hiding secrets: [Secret]
  ) async throws(PageError) -> (value: IssuedToken, arrivedAt: Double) {
    var run = RunContext(pageSize: nil, version: Version.number)
    run.credentials = credentials
    run.startedAt = now()
    let request = try login.request(in: run)
    do throws(TokenError) {
      return try await response(to: request, hiding: secrets) { (response) throws(TokenError) in
        do throws(PageError) { return try login.token(in: response, run) } catch { throw TokenError(error) }
      }
    } catch {
      var error = error.error
      error.message = "cannot log in: \(error.message)"
      // Many services answer 400 or 422 to a wrong password.
      if error.status == 400 || error.status == 422 { error.kind = .unauthorized }
      if error.kind == .unauthorized { error.remedy = remedy }
      if error.kind == .rejected { error.remedy = "check auth.login.url of source \(source.id)" }
      throw error
    }
  }

  static let app = "riffle/\(Version.number)"

  /// What the user can do after a refusal.
  var remedy: String {
    func list(_ places: [SecretOrigin]) -> String { places.map(\.description).joined(separator: ", ") }
    func places(_ keys: String...) -> String { list(keys.flatMap { authorization.origins[$0] ?? [] }) }
    guard case .grant(let grant) = issuer else {
      let places = source.loginSource?.secrets.flatMap(\.from) ?? []
      return places.isEmpty ? "check [auth.login] of source \(source.id)" : "check \(list(places))"
    }
    return switch grant.kind {
    case .device: "run: riffle auth login \(source.commandName)"
    case .refreshToken: "put a new refresh token into \(places("refresh_from"))"
    case .clientCredentials:
      "check the client's id and secret (\(places("client_id_from", "client_secret_from")))"
    }
  }

  private func clientID(of grant: TokenGrant) async throws(PageError) -> String {
    if let id = grant.clientID { return id }
    return try await input("client_id_from", of: grant, isRequired: true)?.secret.reveal() ?? ""
  }

  private func input(
    _ key: String, of grant: TokenGrant, isRequired: Bool
  ) async throws(PageError) -> ResolvedCredentials.Finding? {
    do {
      return try await resolver.input(key, of: source, for: grant.tokenURL.origin, isRequired: isRequired)
    } catch { throw PageError(.unauthorized, message: "\(error)") }
  }

  // MARK: The kept token

  private func stored(_ identity: CredentialIdentity) throws(PageError) -> StoredCredential? {
    try Self.reading { () throws(CredentialStoreError) in try store.credential(for: identity) }
  }

  private static func reading<Value>(
    _ read: () throws(CredentialStoreError) -> Value
  ) throws(PageError) -> Value {
    do { return try read() } catch { throw PageError(.unauthorized, message: "\(error)") }
  }

  /// How long another process may take to renew a token, and how often its lock is tried.
  private static let (maxLockTime, lockInterval) = (Duration.seconds(90), Duration.milliseconds(20))

  /// The file of the token, locked; nil if none can be written and none is needed, because another token
  /// can always be requested.
  private func locked(_ identity: CredentialIdentity) async throws(PageError) -> CredentialFile? {
    var waited = Duration.zero
    while true {
      do throws(CredentialStoreError) {
        if let file = try store.lock(identity) { return file }
      } catch {
        if error.isOnlyUnwritable, issuer.needsNoFormer { return nil }
        throw PageError(.unauthorized, message: "\(error)")
      }
      guard waited < Self.maxLockTime else {
        throw PageError(
          .connection, message: "another riffle process is still renewing the token of source \(source.id)",
          canRepeat: .freely)
      }
      do { try await clock.sleep(for: Self.lockInterval) } catch { throw .canceled }
      waited += Self.lockInterval
    }
  }

  private func keep(_ new: StoredCredential, in file: consuming CredentialFile) throws(PageError) {
    do { try file.replace(with: new) } catch {
      if issuer.needsNoFormer { return }
      throw PageError(.unauthorized, message: "\(error)")
    }
  }
}

extension PageError {
  /// The run ends, so nothing waits for a credential any more.
  static let canceled = PageError(.connection, message: "canceled")
}

import Config
import Credentials
import Glibc
import HTTPTransport
import HTTPValues
import Search
import Text

/// Implements `riffle auth`: the credentials that riffle keeps.
package struct AuthCommands: Sendable {
  private let configuration: Configuration
  private let dependencies: Dependencies
  private let message: Message
  private var store: CredentialStore { configuration.store }

  package init(_ dependencies: Dependencies, _ message: Message, config: String?) throws(CommandError) {
    configuration = try Configuration(dependencies, file: config)
    self.dependencies = dependencies
    self.message = message
  }

  /// Implements `riffle auth login`: obtains or reads the credential of a source, and keeps it.
  package func login(_ request: RequestOptions) throws(CommandError) -> RunEnd {
    let entry = try configuration.entry(request.source ?? "")
    let source = entry.source
    let options = try request.query(for: source).options
    if !request.trust {
      do { try SecretResolver.checkTrust(of: entry, options: options) } catch {
        throw CommandError("\(error)", .configuration)
      }
    }
    guard let authorization = source.authorization else {
      throw CommandError("source \(source.id) has no [auth], so it sends no credential", .usage)
    }
    guard let origin = source.origin(options: options), origin.isProtected else {
      throw CommandError(
        "source \(source.id) has no https URL with these options. Choose them with --set", .usage)
    }
    if authorization.issuer == nil {
      guard authorization.from.contains(.store) else {
        let places = authorization.secretOrigins.map(\.description).joined(separator: ", ")
        throw CommandError(
          "source \(source.id) reads its credential from \(places). To store one in riffle, add \"store\" to auth.from: riffle sources edit \(source.id)",
          .usage)
      }
      return try keepKey(of: source, authorization, sentTo: origin)
    }
    let connections = HTTPConnections(
      TransportConfiguration(dependencies, configuration.settings, isInsecure: request.insecure))
    defer { connections.close() }
    guard
      let tokens = TokenKeeper(
        of: source, options: options, configuration, transport: dependencies.network(over: connections),
        timeout: configuration.settings.search.timeout)
    else { return .status(.failed) }
    let login = DeviceLogin(tokens: tokens, message: message)
    let result = dependencies.blockingExchanges(message) { () async -> Result<StoredCredential?, PageError> in
      do throws(PageError) {
        if case .grant(let grant) = tokens.issuer, grant.kind == .device { try await login.perform(grant) }
        return .success(try await tokens.token(rejecting: nil)?.kept)
      } catch { return .failure(error) }
    }
    do throws(PageError) {
      if let kept = try result.get() {
        message.note("stored the credential of source \(source.id): \(words(kept))")
      }
      return .status(.done)
    } catch { throw CommandError(error.fullMessage, error.kind.exitStatus) }
  }

  private func words(_ kept: StoredCredential) -> String {
    kept.words(at: dependencies.now(), zone: dependencies.zone)
  }

  private func keepKey(
    of source: Source, _ authorization: Authorization, sentTo origin: Origin
  ) throws(CommandError) -> RunEnd {
    if let page = authorization.help { message.plain("Create an API key at \(page)") }
    let question = "API key for source \(source.id) (sent only to \(origin), input hidden): "
    let key: String
    switch try SecretInput(dependencies: dependencies).read(asking: question) {
    case .secret(let text): key = text
    case .canceled: return .canceled
    case .interrupted(let signal): return .signal(signal)
    }
    if key.isEmpty { throw CommandError("no API key was given, so nothing was stored", .usage) }
    guard let from = authorization.scheme.inputs.last, authorization.isUsable(key, as: from) else {
      throw CommandError("the API key contains characters that cannot be sent, so it was not stored", .usage)
    }
    if let mistake = authorization.mistake(in: key) {
      throw CommandError("the API key \(mistake). Nothing was stored", .usage)
    }
    let identity = CredentialIdentity(source: source.account, origin: origin)
    let isStored: Bool
    do { isStored = try keep(StoredCredential(Secret(key), for: identity, at: dependencies.now())) } catch {
      throw CommandError("\(error)", .output)
    }
    guard isStored else {
      throw CommandError(
        "another riffle process is writing the credential of source \(source.id). Try again", .failed)
    }
    message.note("stored the API key of source \(source.id) (sent only to \(origin))")
    return .status(.done)
  }

  /// Returns false if another process has the file locked.
  private func keep(_ credential: StoredCredential) throws(CredentialStoreError) -> Bool {
    guard let file = try store.lock(credential.identity) else { return false }
    try file.replace(with: credential)
    return true
  }

  /// Implements `riffle auth status`: prints what is kept, and until when it is valid. With a source for which
  /// nothing is kept, the status is 4.
  package func status(of name: String?) throws(CommandError) -> RunEnd {
    let source = try name.map(account)
    var problems: [CredentialStoreError] = []
    let rows = store.files(of: source).compactMap { file -> [String]? in
      do throws(CredentialStoreError) {
        return try store.credential(in: file.path, of: file.source).map {
          [file.source, $0.identity.origin, words($0)]
        }
      } catch {
        problems.append(error)
        return nil
      }
    }
    try dependencies.print(ColumnList.lines(rows).map { $0 + "\n" }.joined())
    for problem in problems { message.failure("\(problem)") }
    if !problems.isEmpty { return .status(.configuration) }
    if rows.isEmpty {
      message.note("no stored credentials" + (source.map { " for source \($0)" } ?? ""))
      return .status(source == nil ? .done : .unauthorized)
    }
    return .status(.done)
  }

  /// Implements `riffle auth logout`: removes what is kept for a source.
  package func logout(of name: String) throws(CommandError) -> RunEnd {
    let source = try account(name)
    do {
      let count = try store.removeAll(of: source)
      message.note(
        count == 0
          ? "no stored credentials for source \(source)"
          : "removed \(Digits.counted(count, "credential")) of source \(source)")
      return .status(.done)
    } catch { throw CommandError("\(error)", .output) }
  }

  /// The name under which the credential of a source is kept; the source may have been removed since.
  private func account(_ name: String) throws(CommandError) -> String {
    if !store.files(of: name).isEmpty { return name }
    return try configuration.entry(name).source.account
  }
}

/// Logs in with a device code (RFC 8628): the user confirms it on another device or in a browser.
struct DeviceLogin: Sendable {
  let tokens: TokenKeeper
  let message: Message

  /// Returns once a token is kept. Until then, nothing is written.
  func perform(_ grant: TokenGrant) async throws(PageError) {
    let client = try await tokens.client(of: grant)
    guard let request = grant.deviceRequest(by: client, app: TokenKeeper.app) else { return }
    let secrets = [client.secret].compactMap(\.self)
    do throws(TokenError) {
      let (code, time) = try await tokens.response(to: request, hiding: secrets) {
        (response) throws(TokenError) in
        try TokenResponse(response).deviceCode()
      }
      message.plain(
        "To log in to source \(tokens.source.id), open \(code.address) and enter the code \(code.userCode)")
      if let address = code.completeAddress { message.plain("or open \(address)") }
      message.plain("Waiting for at most \(DurationText.words(seconds: code.lifetime)) (Ctrl-C: cancel)")
      let (token, arrival) = try await token(for: code, arrivedAt: time, grant, client, secrets)
      do { try await tokens.keep(token, arrivedAt: arrival) } catch { throw TokenError(error) }
    } catch { throw error.error }
  }

  private func token(
    for code: DeviceCode, arrivedAt time: Double, _ grant: TokenGrant, _ client: TokenGrant.Client,
    _ secrets: [Secret]
  ) async throws(TokenError) -> (IssuedToken, Double) {
    let request = grant.tokenRequest(by: client, deviceCode: code.code, app: TokenKeeper.app)
    var polling = DevicePolling(code, arrivedAt: time)
    var wait = polling.interval
    while true {
      do { try await tokens.clock.sleep(for: .seconds(wait)) } catch {
        throw TokenError(PageError.canceled)
      }
      do throws(TokenError) {
        let (token, arrival) = try await tokens.response(to: request, hiding: secrets + [code.code]) {
          (response) throws(TokenError) in try TokenResponse(response).token()
        }
        return (token, arrival)
      } catch {
        switch polling.step(after: error, at: tokens.now()) {
        case .wait(let seconds): wait = seconds
        case .fail(let error): throw TokenError(error)
        }
      }
    }
  }
}

extension StoredCredential {
  /// What it is and until when, without any of its secrets: `token that expires at 2026-11-23 08:21, renewable`.
  ///
  /// - Parameter now: In seconds since 1970.
  func words(at now: Double, zone: LocalZone) -> String {
    if identity.endpoint.isEmpty { return "API key" }
    let renewal = refresh == nil ? "" : ", renewable"
    guard let endTime, let end = Timestamp(epoch: endTime) else {
      return "token without an expiry time\(renewal)"
    }
    let time = "\(end.date(in: zone)) \(end.clock(in: zone).prefix(5))"
    return "token that \(endTime > now ? "expires" : "expired") at \(time)\(renewal)"
  }
}

import Config
import Credentials
import Demo
import Glibc
import HTTPTransport
import HTTPValues
import Locking
import Search

extension CredentialName {
  var word: String { if case .secret(let name) = self { "secret \(name)" } else { "" } }

  init(word: String) {
    self = word.isEmpty ? .authorization : .secret(String(word.dropFirst("secret ".count)))
  }
}

extension Source {
  /// The credentials available in the environment, determined before any is resolved, so that a cap that
  /// applies only to unauthorized requests can be ignored.
  func credentialNames(in environment: [String: String]) -> Set<CredentialName> {
    func isSet(_ places: [SecretOrigin]) -> Bool { places.contains { $0.isSet(in: environment) } }
    var names = Set(secrets.filter { isSet($0.from) }.map { CredentialName.secret($0.name) })
    let obtainsTokens = authorization.map { $0.issuer != nil && !$0.isOptional } ?? false
    if obtainsTokens || isSet(authorization?.from ?? []) { names.insert(.authorization) }
    return names
  }
}

extension Source {
  /// What the kept credential belongs to, without reading a file or running a program; nil if the client's id
  /// requires that, or an option of the login is missing.
  func credentialIdentity(
    sentTo origin: Origin, _ options: [String: String], in environment: [String: String]
  ) -> CredentialIdentity? {
    switch authorization?.issuer {
    case nil: return CredentialIdentity(source: account, origin: origin)
    case .login:
      let login = try? LoginRequest(of: self, options: options)
      return login.flatMap(\.self).map { CredentialIdentity(source: account, origin: origin, login: $0) }
    case .grant(let grant):
      let variable = (authorization?.origins["client_id_from"] ?? []).inOrder.first.flatMap { place in
        if case .environment(let name) = place { environment[name] } else { nil }
      }
      guard let id = grant.clientID ?? variable else { return nil }
      return CredentialIdentity(source: account, origin: origin, grant: grant, clientID: id)
    }
  }
}

extension CredentialStore {
  init(_ dependencies: Dependencies) { self.init(environment: dependencies.environment, user: getuid()) }
}

/// The slow part of preparing a run, done once, concurrently with the first frame: resolves the credentials
/// of the source and starts the embedded server.
struct RunSetup: Sendable {
  let entry: CatalogEntry
  let resolver: SecretResolver
  let query: Query
  let pageSize: Int?
  let filter: RowFilter?
  let additions: RequestAdditions
  let isTrustedAnyway: Bool
  /// What obtains access tokens, by the chosen options; nil if the source needs none.
  let tokens: @Sendable (_ options: [String: String]) -> TokenKeeper?
  let dependencies: Dependencies

  func context() async -> Result<RunContext, PageError> {
    do throws(PageError) {
      var context = try await authorized(RunContext(pageSize: pageSize, version: Version.number))
      context.addresses = try await addresses()
      context.filter = filter
      return .success(context)
    } catch { return .failure(error) }
  }

  /// The context with its credentials resolved again; nil if that yields no others, or none are available.
  func renewed(_ old: RunContext) async throws(PageError) -> RunContext? {
    if entry.source.authorization?.issuer != nil { return try await authorized(old) }
    return entry.source.canRenewSecrets ? try? await authorized(old) : nil
  }

  /// The context with its credentials. Of a recorded session, only whether there are any is known.
  private func authorized(_ old: RunContext) async throws(PageError) -> RunContext {
    let name = "access \(entry.source.id)"
    if let replay = dependencies.replay { return try recorded(replay.found(name) ?? [], old) }
    do throws(PageError) {
      let context = try await resolved(old)
      let credentials = context.credentials
      let authorization = credentials.authorization == nil ? "" : "authorization"
      dependencies.recorder?.note(
        name,
        ["", credentials == old.credentials ? "same" : "other", authorization, credentials.absence ?? ""])
      return context
    } catch {
      dependencies.recorder?.note(name, [error.message, error.needsRestart ? "restart" : ""])
      throw error
    }
  }

  /// Credentials in place of the recorded ones, and other ones where those were renewed.
  private func recorded(_ access: [String], _ old: RunContext) throws(PageError) -> RunContext {
    if let problem = access.first, !problem.isEmpty {
      throw PageError(.unauthorized, message: problem, needsRestart: access.dropFirst().first == "restart")
    }
    guard access.count == 4, access[1] == "other" else { return old }
    var context = old
    let secret = Secret(RecordedResponse.secret)
    for name in entry.source.secrets.map(\.name) + additions.secrets.keys {
      context.credentials.secrets[name] = ResolvedCredentials.Finding(secret: secret, provenance: "recording")
    }
    context.credentials.secrets["renewal-\(old.credentials.secrets.count)"] = ResolvedCredentials.Finding(
      secret: secret, provenance: "recording")
    if let place = entry.source.authorization?.place, !access[2].isEmpty {
      context.credentials.authorization = PlacedCredential(
        place: place, secret: secret, provenance: "recording")
    }
    context.credentials.absence = access[3].isEmpty ? nil : access[3]
    return context
  }

  private func resolved(_ old: RunContext) async throws(PageError) -> RunContext {
    var context = old
    context.credentials = try await credentials()
    context.renewalTime = nil
    guard context.credentials.absence == nil, let tokens = tokens(query.options) else { return context }
    let token = try await tokens.token(rejecting: old.credentials.authorization)
    context.credentials.authorization = token.map { tokens.credential(of: $0.kept) }
    context.renewalTime = token?.kept.renewalTime
    context.isAuthorizationFound = token?.isFound ?? false
    return context
  }

  /// Fails for an untrusted source before anything is drawn or sent (status 78).
  func checkTrust() throws(CommandError) {
    if isTrustedAnyway { return }
    do { try SecretResolver.checkTrust(of: entry, options: query.options) } catch {
      throw CommandError("\(error)", .configuration)
    }
  }

  private func credentials() async throws(PageError) -> ResolvedCredentials {
    do throws(SecretFileError) {
      var credentials = try await resolver.credentials(
        for: entry, options: query.options, isTrustedAnyway: isTrustedAnyway)
      credentials.secrets.merge(additions.secrets) { $1 }
      return credentials
    } catch { throw PageError(.unauthorized, message: "\(error)", needsRestart: error.needsRestart) }
  }

  /// The host name that stands for the embedded server in a source (RFC 6761: `.localhost` is this machine).
  static let embedded = "http://riffle.localhost"

  /// The embedded server runs only if the source refers to it.
  private func addresses() async throws(PageError) -> [String: String] {
    let needsServer = entry.source.options.contains { option in
      (query.options[option.name] ?? option.defaultValue) == Self.embedded
    }
    guard needsServer else { return [:] }
    if let replay = dependencies.replay { return [Self.embedded: replay.found("server")?.first ?? ""] }
    do {
      let address = try await dependencies.server.baseURL
      dependencies.recorder?.note("server", [address])
      return [Self.embedded: address]
    } catch {
      throw PageError(.invalidRequest, message: "cannot start the embedded server: \(error)")
    }
  }
}

/// The context of a run, prepared once and awaited by every request. When the service rejects the credentials
/// (a token may have expired), they are renewed: once after each time they were accepted, so that a program that
/// returns a wrong token is not run for every request. Credentials that others obtained, or that other requests of this
/// run use at the same time, may be used up although they were never accepted here. Credentials with a known end are
/// renewed before it.
final class CredentialProvider: Sendable {
  private typealias Work = Task<Result<RunContext?, PageError>, Never>

  private let prepare: @Sendable () async -> Result<RunContext, PageError>
  private let renew: @Sendable (RunContext) async throws(PageError) -> RunContext?
  /// What the user can do if credentials are rejected that riffle obtains itself; nil for others.
  let remedy: String?
  private let now: @Sendable () -> Double
  private let workers: any TaskExecutor
  private let state = Lock(State())

  private struct State {
    /// Nil until it is prepared.
    var latest: RunContext?
    /// How often the credentials were renewed since they were accepted; 0 for the first ones.
    var renewals = 0
    /// The number of requests that use credentials.
    var requests = 0
    /// Whether the current credentials were rejected, and renewing them failed.
    var isRejected = false
    /// The preparation or renewal in progress.
    var work: Work?
    /// Whether a request waits for `work`, or has waited for the last.
    var isAwaited = false
    /// Why the preparation failed, until a request has been told.
    var failure: PageError?
    /// All credentials that the run has used, including rejected ones.
    private var known: [ResolvedCredentials] = []
    /// Those of a request that are composed of several.
    private var composed: [PlacedCredential] = []
    /// Removes all of these.
    private var redactor = Redactor()

    mutating func add(_ credentials: ResolvedCredentials) {
      if known.contains(credentials) { return }
      known.append(credentials)
      updateRedactor()
    }

    mutating func redactor(with placed: [PlacedCredential]) -> Redactor {
      let others = placed.filter { credential in !known.contains { $0.authorization == credential } }
      if !others.isEmpty, others != composed {
        composed = others
        updateRedactor()
      }
      return redactor
    }

    private mutating func updateRedactor() {
      redactor = Redactor(
        known.flatMap { $0.secrets.values.map(\.secret) }, known.compactMap(\.authorization) + composed)
    }
  }

  /// Begins to prepare.
  ///
  /// - Parameters:
  ///   - renew: Returns a context with newly resolved credentials; nil if there are none.
  ///   - now: The time in seconds since 1970.
  init(
    prepare: @escaping @Sendable () async -> Result<RunContext, PageError>,
    renew: @escaping @Sendable (RunContext) async throws(PageError) -> RunContext? = { _ throws(PageError) in
      nil
    },
    remedy: String? = nil, now: @escaping @Sendable () -> Double = { 0 },
    workers: any TaskExecutor = Workers.shared
  ) {
    self.prepare = prepare
    self.renew = renew
    self.remedy = remedy
    self.now = now
    self.workers = workers
    state.withLock { $0.work = work(renewing: nil) }
  }

  /// Removes the credentials known so far, and those of a request, from texts.
  func redactor(with placed: [PlacedCredential] = []) -> Redactor {
    state.withLock { $0.redactor(with: placed) }
  }

  /// Cancels the work in progress.
  func cancel() { state.withLock { $0.work }?.cancel() }

  /// The current context: waits until it is prepared or renewed. After a failure, the next call tries again.
  var context: Result<RunContext, PageError> {
    get async {
      let (latest, work) = state.withLock { state -> (RunContext?, Work?) in
        if let latest = state.latest, !state.isRejected, latest.renewalTime.map({ now() < $0 }) ?? true {
          return (latest, nil)
        }
        if let failure = state.failure {
          state.failure = nil
          return (nil, Task(executorPreference: workers) { .failure(failure) })
        }
        state.isAwaited = true
        if state.work == nil { state.work = self.work(renewing: state.latest) }
        return (state.latest, state.work)
      }
      guard let work else { return latest.map { .success($0) } ?? .failure(.canceled) }
      return await work.value.flatMap { ($0 ?? latest).map { .success($0) } ?? .failure(.canceled) }
    }
  }

  /// How often credentials are renewed without being accepted, if several requests use them up.
  private static let maxRenewals = 3

  /// Records that a request begins to use credentials, or no longer does.
  func use(by requests: Int) { state.withLock { $0.requests += requests } }

  /// Records that the service accepted the credentials of this context.
  func accept(_ context: RunContext) {
    state.withLock { state in
      if state.latest?.credentials == context.credentials {
        (state.renewals, state.isRejected) = (0, false)
      }
    }
  }

  /// A context with credentials other than the rejected ones; nil if there are none. Concurrent rejections
  /// share one renewal.
  func renewed(after refused: RunContext) async throws(PageError) -> RunContext? {
    let (latest, work) = state.withLock { state -> (RunContext?, Work?) in
      if let latest = state.latest, latest.credentials != refused.credentials { return (latest, nil) }
      let canRenew = state.renewals == 0 || state.requests > 1 && state.renewals < Self.maxRenewals
      if state.work == nil, canRenew {
        state.renewals += 1
        state.work = self.work(renewing: refused)
      }
      return (nil, state.work)
    }
    if let latest { return latest }
    return try await work?.value.get()
  }

  /// Prepares the first context, or renews one. The result is nil if there are no other credentials.
  private func work(renewing old: RunContext?) -> Work {
    Task.detached(executorPreference: workers) { [self] in
      let result = await result(renewing: old)
      state.withLock { state in
        state.work = nil
        switch result {
        case .success(let context?):
          state.add(context.credentials)
          state.latest = context
          state.isRejected = false
          if context.isAuthorizationFound, state.renewals > 0 { state.renewals -= 1 }
        // The next request is not sent with credentials that are known to be rejected.
        case .failure(let error):
          (state.isRejected, state.renewals) = (old != nil, 0)
          if !state.isAwaited { state.failure = error }
        case .success(nil): break
        }
      }
      return result
    }
  }

  private func result(renewing old: RunContext?) async -> Result<RunContext?, PageError> {
    guard let old else { return await prepare().map { $0 } }
    do throws(PageError) {
      return .success(try await renew(old).flatMap { $0.credentials == old.credentials ? nil : $0 })
    } catch { return .failure(error) }
  }
}

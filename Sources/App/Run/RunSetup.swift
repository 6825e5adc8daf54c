import Config
import Demo
import HTTPValues
import Search
import Synchronization

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

  func context() async -> Result<RunContext, PageError> {
    do throws(PageError) {
      var context = RunContext(pageSize: pageSize, version: Version.number)
      context.credentials = try await credentials()
      context.addresses = try await addresses()
      context.filter = filter
      return .success(context)
    } catch {
      return .failure(error)
    }
  }

  /// The context with its credentials resolved again; nil if no program provides them, or they are
  /// unavailable.
  func renewed(_ old: RunContext) async -> RunContext? {
    guard entry.source.canRenewSecrets, let credentials = try? await credentials() else { return nil }
    var context = old
    context.credentials = credentials
    return context
  }

  /// Fails for an untrusted source before anything is drawn or sent (status 78).
  func checkTrust() throws(CommandError) {
    if isTrustedAnyway { return }
    do throws(SecretProblem) {
      try SecretResolver.checkTrust(of: entry, options: query.options)
    } catch {
      throw CommandError("\(error)", .configuration)
    }
  }

  private func credentials() async throws(PageError) -> Credentials {
    do throws(SecretProblem) {
      var credentials = try await resolver.credentials(
        for: entry, options: query.options, isTrustedAnyway: isTrustedAnyway)
      credentials.secrets.merge(additions.secrets) { $1 }
      return credentials
    } catch {
      throw PageError(.unauthorized, message: "\(error)")
    }
  }

  /// The host name that stands for the embedded server in a source (RFC 6761: `.localhost` is this machine).
  private static let embedded = "http://riffle.localhost"

  /// The embedded server runs only if the source refers to it, for the lifetime of the process.
  private func addresses() async throws(PageError) -> [String: String] {
    let needsServer = entry.source.options.contains { option in
      (query.options[option.name] ?? option.defaultValue) == Self.embedded
    }
    guard needsServer else { return [:] }
    do {
      return [Self.embedded: try await DemoServer.start().baseURL]
    } catch {
      throw PageError(.invalidRequest, message: "cannot start the embedded server: \(error)")
    }
  }
}

/// The context of a run, prepared once and awaited by every request. When the service rejects the credentials
/// (a token from a program may have expired), they are resolved again: once after each time they were
/// accepted, so that a program that returns a wrong token is not run for every request.
final class CredentialProvider: Sendable {
  private let renew: @Sendable (RunContext) async -> RunContext?
  private let first: Task<Result<RunContext, PageError>, Never>
  private let state = Mutex(State())

  private struct State {
    /// The latest renewed context; nil before the first renewal.
    var latest: RunContext?
    /// Whether the current credentials were accepted or are the first ones.
    var canRenew = true
    var renewing: Task<RunContext?, Never>?
    /// All credentials that the run has used, including rejected ones.
    private var known: [Credentials] = []
    /// Those of a request that are composed of several.
    private var composed: [PlacedCredential] = []
    /// Removes all of these.
    private var redactor = Redactor()

    mutating func add(_ credentials: Credentials) {
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

  /// - Parameter renew: Returns a context with newly resolved credentials; nil if there are none.
  init(
    prepare: @escaping @Sendable () async -> Result<RunContext, PageError>,
    renew: @escaping @Sendable (RunContext) async -> RunContext? = { _ in nil }
  ) {
    self.renew = renew
    first = Task.detached(executorPreference: Workers.shared) { await prepare() }
  }

  /// Removes the credentials known so far, and those of a request, from texts.
  func redactor(with placed: [PlacedCredential] = []) -> Redactor {
    state.withLock { $0.redactor(with: placed) }
  }

  /// Cancels the preparation if it is still running.
  func cancel() {
    first.cancel()
    state.withLock { $0.renewing }?.cancel()
  }

  var value: Result<RunContext, PageError> {
    get async {
      if let latest = state.withLock({ $0.latest }) { return .success(latest) }
      let context = await first.value
      if case .success(let context) = context { state.withLock { $0.add(context.credentials) } }
      return context
    }
  }

  /// Records that the service accepted the credentials of this context.
  func accept(_ context: RunContext) {
    state.withLock { state in
      if state.latest.map({ $0.credentials == context.credentials }) ?? true { state.canRenew = true }
    }
  }

  /// A context with credentials other than the rejected ones; nil if there are none. Concurrent rejections
  /// share one renewal.
  func renewed(after refused: RunContext) async -> RunContext? {
    let (latest, renewing) = state.withLock { state -> (RunContext?, Task<RunContext?, Never>?) in
      if let latest = state.latest, latest.credentials != refused.credentials { return (latest, nil) }
      if state.renewing == nil, state.canRenew {
        state.canRenew = false
        state.renewing = renewal(of: refused)
      }
      return (nil, state.renewing)
    }
    if let latest { return latest }
    return await renewing?.value
  }

  private func renewal(of refused: RunContext) -> Task<RunContext?, Never> {
    Task.detached(executorPreference: Workers.shared) { [self] in
      let context = await renew(refused).flatMap { $0.credentials == refused.credentials ? nil : $0 }
      state.withLock { state in
        state.renewing = nil
        if let context {
          state.add(context.credentials)
          state.latest = context
        }
      }
      return context
    }
  }
}

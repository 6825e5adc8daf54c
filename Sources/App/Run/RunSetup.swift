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
      return .success(
        RunContext(
          pageSize: pageSize, credentials: try await credentials(), addresses: try await addresses(),
          filter: filter, version: Version.number))
    } catch {
      return .failure(error)
    }
  }

  /// The context with its credentials resolved again; nil if no program provides them, or they are
  /// unavailable.
  func renewed(_ old: RunContext) async -> RunContext? {
    let isFromProgram = entry.source.secretOrigins.contains { if case .command = $0 { true } else { false } }
    guard isFromProgram, let credentials = try? await credentials() else { return nil }
    var context = old
    context.credentials = credentials
    return context
  }

  /// Fails for an untrusted source before anything is drawn or sent (status 78).
  func checkTrust() throws(CommandError) {
    guard !entry.trust.isTrusted, !isTrustedAnyway, !entry.source.secretOrigins.isEmpty else { return }
    // For an untrusted source the resolver fails immediately, so this does not block.
    let problem = blocking { [self] in
      do throws(SecretProblem) {
        _ = try await resolver.credentials(for: entry, options: query.options)
        return SecretProblem?.none
      } catch {
        return error
      }
    }
    if let problem { throw CommandError("\(problem)", .configuration) }
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
  private let known: KnownCredentials

  private struct State {
    /// The latest renewed context; nil before the first renewal.
    var latest: RunContext?
    /// Whether the current credentials were accepted or are the first ones.
    var canRenew = true
    var renewing: Task<RunContext?, Never>?
  }

  /// - Parameter renew: Returns a context with newly resolved credentials; nil if there are none.
  init(
    prepare: @escaping @Sendable () async -> Result<RunContext, PageError>,
    renew: @escaping @Sendable (RunContext) async -> RunContext?
  ) {
    let known = KnownCredentials()
    self.known = known
    self.renew = renew
    first = Task.detached(executorPreference: Workers.shared) {
      let context = await prepare()
      if case .success(let context) = context { known.add(context.credentials) }
      return context
    }
  }

  /// Removes the credentials known so far from a text.
  func redacted(_ text: String) -> String { known.redacted(text) }

  /// Cancels the preparation if it is still running.
  func cancel() {
    first.cancel()
    state.withLock { $0.renewing }?.cancel()
  }

  var value: Result<RunContext, PageError> {
    get async {
      if let latest = state.withLock({ $0.latest }) { return .success(latest) }
      return await first.value
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
      if let context { known.add(context.credentials) }
      state.withLock { state in
        state.renewing = nil
        if let context { state.latest = context }
      }
      return context
    }
  }
}

/// All credentials a run has used, including rejected ones.
private final class KnownCredentials: Sendable {
  private let all = Mutex<[Credentials]>([])

  func add(_ credentials: Credentials) {
    if !credentials.isEmpty { all.withLock { $0.append(credentials) } }
  }

  func redacted(_ text: String) -> String {
    all.withLock { $0 }.reduce(text) { $1.redacted(in: $0) }
  }
}

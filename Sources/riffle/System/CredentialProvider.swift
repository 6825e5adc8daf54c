import Search
import Synchronization

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

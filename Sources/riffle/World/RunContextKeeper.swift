import Search
import Synchronization

/// The context of a run, prepared once and awaited by every request. Its credentials are looked for again when the
/// service refuses them (a token from a program may have run out): once for each time they were taken before, so that a
/// program that gives a wrong one is not run for every request.
final class RunContextKeeper: Sendable {
  private let renew: @Sendable (RunContext) async -> RunContext?
  private let first: Task<Result<RunContext, PageError>, Never>
  private let state = Mutex(State())
  private let known: KnownCredentials

  private struct State {
    /// After the first.
    var latest: RunContext?
    /// Whether the credentials of now were taken, or are the first.
    var canRenew = true
    var renewing: Task<RunContext?, Never>?
  }

  /// - Parameter renew: the context with credentials that were looked for again; nil when there are none.
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

  /// A text without the credentials that were found so far.
  func redacted(_ text: String) -> String { known.redacted(text) }

  /// Ends what is still being prepared.
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

  /// The service has taken the credentials of this context.
  func accept(_ context: RunContext) {
    state.withLock { state in
      if state.latest.map({ $0.credentials == context.credentials }) ?? true { state.canRenew = true }
    }
  }

  /// The context with other credentials than the refused one's; nil when there are none. However many requests were
  /// refused at a time, the work is done once.
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

/// The credentials a run has had, those that were refused included.
private final class KnownCredentials: Sendable {
  private let all = Mutex<[Credentials]>([])

  func add(_ credentials: Credentials) {
    if !credentials.isEmpty { all.withLock { $0.append(credentials) } }
  }

  func redacted(_ text: String) -> String {
    all.withLock { $0 }.reduce(text) { $1.redacted(in: $0) }
  }
}

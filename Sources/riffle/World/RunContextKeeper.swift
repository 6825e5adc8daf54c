import Search
import Synchronization

/// The context of a run, prepared once and awaited by every page; its credentials are looked for once more
/// when the service refuses them (a token from a program may have run out).
final class RunContextKeeper: Sendable {
  private typealias Preparing = Task<Result<RunContext, PageError>, Never>

  private let preparation: RunPreparation
  private let current: Mutex<Preparing>
  private let renewal = Mutex<Task<RunContext?, Never>?>(nil)
  private let known: KnownCredentials

  init(_ preparation: RunPreparation) {
    let known = KnownCredentials()
    self.known = known
    self.preparation = preparation
    current = Mutex(
      Task.detached(executorPreference: Workers.shared) {
        let context = await preparation.context()
        if case .success(let context) = context { known.add(context.credentials) }
        return context
      })
  }

  /// A text without the credentials that were found so far.
  func redacted(_ text: String) -> String { known.redacted(text) }

  /// Ends what is still being prepared.
  func cancel() {
    current.withLock { $0.cancel() }
    renewal.withLock { $0?.cancel() }
  }

  var value: Result<RunContext, PageError> {
    get async { await current.withLock { $0 }.value }
  }

  /// The context with other credentials than the refused one's; nil when there are none. However many pages
  /// were refused, the work is done once.
  func renewed(after refused: RunContext) async -> RunContext? {
    let renewing = renewal.withLock { renewal in
      let task =
        renewal
        ?? Task.detached(executorPreference: Workers.shared) { [preparation] in
          await preparation.renewed(refused)
        }
      renewal = task
      return task
    }
    guard let context = await renewing.value, context.credentials != refused.credentials else { return nil }
    known.add(context.credentials)
    current.withLock { $0 = Task(executorPreference: Workers.shared) { .success(context) } }
    return context
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

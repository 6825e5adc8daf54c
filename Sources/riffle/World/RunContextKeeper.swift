import Search
import Synchronization

/// The context of a run, prepared once and awaited by every page; its credentials are looked for once more
/// when the service refuses them (a token from a program may have run out).
final class RunContextKeeper: Sendable {
  private typealias Preparing = Task<Result<RunContext, PageError>, Never>

  private let preparation: RunPreparation
  private let current: Mutex<Preparing>
  private let renewal = Mutex<Task<RunContext?, Never>?>(nil)

  init(_ preparation: RunPreparation) {
    self.preparation = preparation
    current = Mutex(Task.detached { await preparation.context() })
  }

  var value: Result<RunContext, PageError> {
    get async { await current.withLock { $0 }.value }
  }

  /// The context with other credentials than the refused one's; nil when there are none. However many pages
  /// were refused, the work is done once.
  func renewed(after refused: RunContext) async -> RunContext? {
    let renewing = renewal.withLock { renewal in
      let task = renewal ?? Task.detached { [preparation] in await preparation.renewed(refused) }
      renewal = task
      return task
    }
    guard let context = await renewing.value, context.credentials != refused.credentials else { return nil }
    current.withLock { $0 = Task { .success(context) } }
    return context
  }
}

/// The effects of a system, from their start until their task has ended and their query has been left.
@usableFromInline
struct EffectTable: Sendable {
  /// What the engine has to know of an effect whose event it processes.
  @usableFromInline
  struct Cause: Sendable {
    /// The index of the feedback that started it.
    @usableFromInline let feedback: Int
    /// The causal depth of the state that requested it.
    @usableFromInline let depth: Int
    @usableFromInline fileprivate(set) var isAnswered = false
    @usableFromInline fileprivate(set) var hasReturned = false
  }

  struct Entry: Sendable {
    fileprivate(set) var cause: Cause
    let query: any Sendable
    fileprivate(set) var task: Task<Void, Never>?
    /// Whether its query has been left, so that it cannot deliver events any more.
    fileprivate(set) var isLeaving = false
  }

  private var entries = LifetimeMap<Entry>()
  /// The number of effects whose task has not ended, including canceled ones.
  private var running = 0

  /// An effect whose query is still wanted. Only these may deliver events.
  @usableFromInline
  subscript(lifetime: Lifetime) -> Cause? {
    guard let position = entries.position(of: lifetime), !entries.values[position].isLeaving else {
      return nil
    }
    return entries.values[position].cause
  }

  /// Whether no task is left, including canceled ones.
  var isQuiet: Bool { running == 0 }

  /// All effects whose task has not ended, oldest first.
  var unended: [(lifetime: Lifetime, entry: Entry)] {
    zip(entries.lifetimes, entries.values).filter { !$1.cause.hasReturned }.sorted { $0.0 < $1.0 }
      .map { (lifetime: $0, entry: $1) }
  }

  /// The description of the query of an effect.
  @usableFromInline
  func query(_ lifetime: Lifetime) -> String {
    entries.position(of: lifetime).map { String(describing: entries.values[$0].query) } ?? ""
  }

  /// Registers an effect, which can deliver events from now on.
  ///
  /// - Parameter task: `nil` for an effect that was refused, which has no task.
  @usableFromInline
  mutating func register(
    _ lifetime: Lifetime, feedback: Int, depth: Int, query: any Sendable, task: Task<Void, Never>?
  ) {
    var cause = Cause(feedback: feedback, depth: depth)
    if task == nil { cause.hasReturned = true } else { running += 1 }
    entries.insert(Entry(cause: cause, query: query, task: task), for: lifetime)
  }

  /// Marks an effect as having answered its query.
  @usableFromInline
  mutating func markAnswered(_ lifetime: Lifetime) {
    if let position = entries.position(of: lifetime) { entries.values[position].cause.isAnswered = true }
  }

  /// Records that a task ended. Its lifetime stays registered while its query is wanted.
  @usableFromInline
  mutating func markReturned(_ lifetime: Lifetime) {
    guard let position = entries.position(of: lifetime) else { return }
    running -= 1
    if entries.values[position].isLeaving {
      entries.removeValue(for: lifetime)
    } else {
      entries.values[position].cause.hasReturned = true
      entries.values[position].task = nil
    }
  }

  /// Prevents the effect from delivering events from now on.
  @usableFromInline
  mutating func cancel(_ lifetime: Lifetime) {
    guard let position = entries.position(of: lifetime), !entries.values[position].isLeaving else { return }
    if entries.values[position].cause.hasReturned {
      entries.removeValue(for: lifetime)
    } else {
      entries.values[position].isLeaving = true
      entries.values[position].task?.cancel()
    }
  }

  mutating func cancelAll() {
    for lifetime in entries.lifetimes.sorted() { cancel(lifetime) }
  }
}

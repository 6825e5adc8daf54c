/// The effects of a system, from their start until their task has ended and their query has been left.
@usableFromInline
struct EffectTable: Sendable {
  @usableFromInline
  struct Entry: Sendable {
    /// The index of the feedback that started it.
    @usableFromInline let feedback: Int
    /// The causal depth of the state that requested it.
    @usableFromInline let depth: Int
    @usableFromInline let query: @Sendable () -> String
    fileprivate(set) var task: Task<Void, Never>?
    fileprivate(set) var isAnswered = false
    @usableFromInline fileprivate(set) var hasReturned = false
  }

  /// The effects whose query is still wanted. Only these may deliver events.
  private var live: [Lifetime: Entry] = [:]
  /// The canceled effects whose task has not ended yet.
  private var leaving: [Lifetime: Entry] = [:]

  @usableFromInline
  subscript(lifetime: Lifetime) -> Entry? { live[lifetime] }

  /// Whether no task is left, including canceled ones. O(live effects).
  var isQuiet: Bool { leaving.isEmpty && live.values.allSatisfy(\.hasReturned) }

  /// All effects whose task has not ended, oldest first.
  var unended: [(lifetime: Lifetime, entry: Entry)] {
    let running = live.filter { !$0.value.hasReturned }.merging(leaving) { live, _ in live }
    return running.map { (lifetime: $0.key, entry: $0.value) }.sorted { $0.lifetime < $1.lifetime }
  }

  /// Registers an effect, which can deliver events from now on. Called before its task exists.
  @usableFromInline
  mutating func register(
    _ lifetime: Lifetime, feedback: Int, depth: Int, query: @escaping @Sendable () -> String
  ) {
    live[lifetime] = Entry(feedback: feedback, depth: depth, query: query)
  }

  @usableFromInline
  mutating func attach(_ task: Task<Void, Never>, to lifetime: Lifetime) { live[lifetime]?.task = task }

  /// Marks an effect as having answered its query; returns whether this is its first answer.
  @usableFromInline
  mutating func markAnswered(_ lifetime: Lifetime) -> Bool {
    guard let index = live.index(forKey: lifetime), !live.values[index].isAnswered else { return false }
    live.values[index].isAnswered = true
    return true
  }

  /// Records that a task ended. Its lifetime stays registered while its query is wanted.
  @usableFromInline
  mutating func markReturned(_ lifetime: Lifetime) {
    guard let index = live.index(forKey: lifetime) else {
      leaving[lifetime] = nil
      return
    }
    live.values[index].hasReturned = true
    live.values[index].task = nil
  }

  /// Prevents the effect from delivering events from now on.
  @usableFromInline
  mutating func cancel(_ lifetime: Lifetime) {
    guard let entry = live.removeValue(forKey: lifetime), !entry.hasReturned else { return }
    leaving[lifetime] = entry
    entry.task?.cancel()
  }

  mutating func cancelAll() {
    for lifetime in live.keys.sorted() { cancel(lifetime) }
  }
}

/// The effects of a system, from their start until their task has ended and their query has been left.
@usableFromInline
struct EffectTable: Sendable {
  @usableFromInline
  struct Entry: Sendable {
    /// The index of the feedback that started the effect.
    @usableFromInline let feedback: Int
    /// The causal depth of the state that requested it.
    @usableFromInline let depth: Int
    @usableFromInline let query: any Sendable
    @usableFromInline var task: Task<Void, Never>?
    /// Whether its task has ended, or was never created because the guard refused the effect.
    @usableFromInline var hasReturned = false
    @usableFromInline var isRefused = false
    /// Whether its query has been left, so that its events are dropped.
    @usableFromInline var isLeaving = false
    /// When its start is due, if the guard delays it.
    @usableFromInline var due: Duration?

    @inlinable
    init(feedback: Int, depth: Int, query: any Sendable) {
      self.feedback = feedback
      self.depth = depth
      self.query = query
    }
  }

  @usableFromInline var entries: [Lifetime: Entry] = [:]
  /// The number of effects whose task has not ended, including canceled ones.
  @usableFromInline var running = 0

  @inlinable
  init() {}

  /// An effect whose query is still wanted. Only these may deliver events.
  @inlinable
  subscript(lifetime: Lifetime) -> Entry? {
    guard let entry = entries[lifetime], !entry.isLeaving else { return nil }
    return entry
  }

  /// Records that a task ended. Its lifetime stays registered while its query is wanted.
  @usableFromInline
  mutating func markReturned(_ lifetime: Lifetime) {
    guard let entry = entries.index(forKey: lifetime) else { return }
    running -= 1
    if entries.values[entry].isLeaving {
      entries.remove(at: entry)
    } else {
      entries.values[entry].hasReturned = true
      entries.values[entry].task = nil
    }
  }

  /// Prevents the effect from delivering events from now on.
  @usableFromInline
  mutating func cancel(_ lifetime: Lifetime) {
    guard let entry = entries.index(forKey: lifetime), !entries.values[entry].isLeaving else { return }
    if entries.values[entry].hasReturned {
      entries.remove(at: entry)
    } else {
      entries.values[entry].isLeaving = true
      entries.values[entry].task?.cancel()
    }
  }

  mutating func cancelAll() {
    for lifetime in entries.keys.sorted() { cancel(lifetime) }
  }
}

/// A react to at most one query: the effect of the latest query runs, and no other.
struct SingleReact<State: Sendable, Event: Sendable, Query: Equatable & Sendable>: FeedbackInstance {
  private let query: @Sendable (State) -> Query?
  private let effect: @Sendable (Query, Emit<Event>) async -> Event?
  private var current: Query?
  private var lifetime: Lifetime?
  private var lastAnswered: (query: Query, count: Int, epoch: UInt64)?

  init(
    query: @escaping @Sendable (State) -> Query?,
    effect: @escaping @Sendable (Query, Emit<Event>) async -> Event?
  ) {
    self.query = query
    self.effect = effect
  }

  mutating func step(_ state: State, _ context: inout StepContext) -> Step<Event>? {
    let wanted = query(state)
    guard wanted != current else { return nil }
    var step = Step<Event>()
    if let lifetime { step.cancellations = [lifetime] }
    current = wanted
    lifetime = nil
    if let wanted { step.starts = [start(wanted, &context)] }
    return step
  }

  mutating func answered(_ lifetime: Lifetime, epoch: UInt64) {
    guard lifetime == self.lifetime, let current else { return }
    lastAnswered = (current, repeats(of: current, in: epoch) + 1, epoch)
  }

  private mutating func start(_ query: Query, _ context: inout StepContext) -> Start<Event> {
    let lifetime = context.newLifetime()
    self.lifetime = lifetime
    return Start(
      lifetime: lifetime, depth: context.depth, repeats: repeats(of: query, in: context.epoch),
      query: { String(describing: query) }, run: { [effect] emit in await effect(query, emit) })
  }

  private func repeats(of query: Query, in epoch: UInt64) -> Int {
    guard let lastAnswered, lastAnswered.epoch == epoch, lastAnswered.query == query else { return 0 }
    return lastAnswered.count
  }
}

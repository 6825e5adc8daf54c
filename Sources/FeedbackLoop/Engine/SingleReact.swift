/// A react to at most one query: only the effect of the latest query runs.
struct SingleReact<State: Sendable, Event: Sendable, Query: Equatable & Sendable>: FeedbackInstance {
  private let query: @Sendable (State) -> Query?
  private let effect: @Sendable (Query, Emit<Event>) async -> Event?
  private var current: Query?
  private var lifetime: Lifetime?
  private var repeats = Repeats<Query>()

  init(
    query: @escaping @Sendable (State) -> Query?,
    effect: @escaping @Sendable (Query, Emit<Event>) async -> Event?
  ) {
    self.query = query
    self.effect = effect
  }

  mutating func step(_ state: State, _ context: inout StepContext) -> Step<Event>? {
    let wanted = query(state)
    if isCurrent(wanted) { return nil }
    var step = Step<Event>()
    if let lifetime { step.cancellations = [lifetime] }
    current = wanted
    lifetime = nil
    if let wanted { step.starts = [start(wanted, &context)] }
    return step
  }

  mutating func answered(_ lifetime: Lifetime, epoch: UInt64) {
    guard lifetime == self.lifetime, let current else { return }
    repeats.add(current, epoch: epoch)
  }

  /// `wanted == current`, without the conformance of `Optional`, whose lookup costs more than the rest of a step.
  private func isCurrent(_ wanted: Query?) -> Bool {
    guard let wanted else { return current == nil }
    guard let current else { return false }
    return wanted == current
  }

  private mutating func start(_ query: Query, _ context: inout StepContext) -> Start<Event> {
    let lifetime = context.newLifetime()
    self.lifetime = lifetime
    return Start(
      lifetime: lifetime, depth: context.depth, repeats: repeats.count(of: query, epoch: context.epoch),
      query: { String(describing: query) }, run: { [effect] emit in await effect(query, emit) })
  }
}

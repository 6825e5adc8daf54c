extension Feedback {
  /// A feedback with a lifetime and a memory of its own, for what no other form can express.
  ///
  /// `start` is called when the system starts, `step` for each state, and `stop` when the system stops, all on the
  /// draining thread without a lock. They must be fast and must not block.
  ///
  /// ```swift
  /// // Restarts the heartbeat after every tenth state.
  /// .make(
  ///   name: "heartbeat", start: { (count: 0, effect: EffectID?.none) },
  ///   step: { memory, state, effects in
  ///     memory.count += 1
  ///     guard memory.count % 10 == 1 else { return }
  ///     if let effect = memory.effect { effects.cancel(effect) }
  ///     memory.effect = effects.start("beat") { emit in
  ///       while (try? await clock.sleep(for: .seconds(1))) != nil { emit(.beat) }
  ///     }
  ///   })
  /// ```
  ///
  /// Effects obey the rules of all effects: their events count until they are canceled, cancellations happen before all
  /// starts for the same state, and the system cancels what runs when it stops. An effect that has returned should be
  /// canceled, too; it is kept until then. Of the limits of a ``LoopGuard``, depth and rate apply.
  ///
  /// - Parameters:
  ///   - name: The name of the feedback in trips, recordings and tests; by default its kind and its index.
  ///   - progress: Whether an event counts as progress for the ``LoopGuard``.
  ///   - start: Creates the memory, once per system.
  ///   - step: Examines a state, and starts and cancels effects.
  ///   - stop: Called when the system has stopped and canceled all effects.
  public static func make<Memory: Sendable>(
    name: String? = nil,
    progress: @escaping @Sendable (Event, State) -> Bool = { _, _ in false },
    start: @escaping @Sendable () -> Memory,
    step: @escaping @Sendable (inout Memory, State, inout Effects<Event>) -> Void,
    stop: @escaping @Sendable (inout Memory) -> Void = { _ in }
  ) -> Self {
    Feedback(name: name, kind: .make) { _ in
      CustomFeedback(memory: start(), progress: progress, decide: step, stop: stop)
    }
  }
}

/// Identifies an effect that a feedback of ``Feedback/make(name:progress:start:step:stop:)`` has started.
public struct EffectID: Hashable, Sendable {
  let lifetime: Lifetime
}

/// Starts and cancels effects for one state. See ``Feedback/make(name:progress:start:step:stop:)``.
public struct Effects<Event: Sendable> {
  fileprivate var lastLifetime: Lifetime
  fileprivate let running: Set<Lifetime>
  fileprivate var cancellations: [Lifetime] = []
  fileprivate var starts:
    [(lifetime: Lifetime, query: any Sendable, effect: @Sendable (Emit<Event>) async -> Void)] = []

  /// Starts an effect, after all cancellations for this state.
  ///
  /// - Parameters:
  ///   - query: What the effect is for, in trips and in the list of running effects.
  ///   - effect: Sends any number of events until it returns or is canceled.
  @discardableResult
  public mutating func start(
    _ query: some Sendable, effect: @escaping @Sendable (Emit<Event>) async -> Void
  ) -> EffectID {
    lastLifetime += 1
    starts.append((lastLifetime, query, effect))
    return EffectID(lifetime: lastLifetime)
  }

  /// Cancels an effect: no event of it counts from now on. Has no effect if it was canceled before.
  public mutating func cancel(_ effect: EffectID) {
    cancellations.append(effect.lifetime)
    starts.removeAll { $0.lifetime == effect.lifetime }
  }

  /// Whether an effect has neither returned nor been canceled before this state, and was not refused.
  public func isRunning(_ effect: EffectID) -> Bool { running.contains(effect.lifetime) }
}

private struct CustomFeedback<State: Sendable, Event: Sendable, Memory: Sendable>: FeedbackInstance {
  var memory: Memory
  let progress: @Sendable (Event, State) -> Bool
  let decide: @Sendable (inout Memory, State, inout Effects<Event>) -> Void
  let stop: @Sendable (inout Memory) -> Void
  var running: Set<Lifetime> = []
  /// The effects that were started and not canceled.
  var live: Set<Lifetime> = []

  mutating func step(_ state: State, _ steps: inout Steps<State, Event>) {
    var effects = Effects<Event>(lastLifetime: steps.lastLifetime, running: running)
    decide(&memory, state, &effects)
    let cancellations = effects.cancellations.filter { live.remove($0) != nil }
    running.subtract(cancellations)
    steps.cancellations += cancellations
    for (lifetime, query, effect) in effects.starts {
      live.insert(lifetime)
      running.insert(lifetime)
      steps.lastLifetime = lifetime - 1
      _ = steps.start(query) { [progress] post in await effect(Emit(post, progress: progress)) }
    }
    steps.lastLifetime = effects.lastLifetime
  }

  mutating func ended(_ lifetime: Lifetime, _ steps: inout Steps<State, Event>) { running.remove(lifetime) }

  mutating func finish() { stop(&memory) }
}

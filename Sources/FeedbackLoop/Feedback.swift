/// Fulfills the requests of a state, or connects the loop to the outside.
///
/// A feedback examines every state and decides what should be running now. It is a description: the same value can be
/// used in any number of systems.
///
/// ```swift
/// let load = Feedback<State, Event>.react(to: \.request, name: "load") { request in
///   .loaded(await fetch(request), for: request)
/// }
/// ```
///
/// The closures that compute queries are called once for every state, on the draining thread, without a lock. They must
/// be fast and must not block.
public struct Feedback<State: Sendable, Event: Sendable>: Sendable {
  @usableFromInline let name: String?
  /// The form of the feedback; also used as its name if it has none.
  @usableFromInline let kind: FeedbackKind
  @usableFromInline let makeInstance: @Sendable (StateSource<State>) -> FeedbackInstance<State, Event>

  @inlinable
  init(
    _ kind: FeedbackKind, name: String?,
    makeInstance: @escaping @Sendable (StateSource<State>) -> FeedbackInstance<State, Event>
  ) {
    self.name = name
    self.kind = kind
    self.makeInstance = makeInstance
  }
}

/// The form of a feedback.
@usableFromInline
enum FeedbackKind: String, Sendable {
  case react, reactToEach, bind, observe
}

/// Sends events of one effect into its system.
///
/// It may be called from any thread, any number of times, until the effect returns. An event counts only if the
/// effect's query is still wanted when the event is *reduced*: a canceled effect cannot deliver, even if its event was
/// already queued. Events from one thread keep their order.
///
/// Calling it after the effect returned sends nothing, and is reported as
/// ``Diagnostic/emittedAfterReturn(feedback:query:)``.
public struct Emit<Event: Sendable>: Sendable {
  @usableFromInline let post: @Sendable (Event) -> Void

  @inlinable
  init(_ post: @escaping @Sendable (Event) -> Void) { self.post = post }

  @inlinable
  init<State>(_ post: @escaping Post<State, Event>, progress: (@Sendable (Event, State) -> Bool)?) {
    if let progress {
      self.init { event in post(event) { progress(event, $0) } }
    } else {
      self.init { post($0, nil) }
    }
  }

  /// Queues an event. Returns immediately in O(1), unless this thread is the one that drains the queue.
  @inlinable
  public func callAsFunction(_ event: Event) { post(event) }
}

/// What a feedback does within one system. Its memory is a lock that its closures capture and that nobody waits for,
/// because only the draining thread calls them.
///
/// An instance only decides; it never starts or cancels anything itself. See ``Engine`` for the order in which the
/// decisions of all instances are carried out.
@usableFromInline
struct FeedbackInstance<State: Sendable, Event: Sendable>: Sendable {
  /// Decides what a state requests.
  @usableFromInline let step: @Sendable (State, inout Steps<State, Event>) -> Void
  /// Decides again when an effect returned, or was refused by the guard, while its query was still wanted.
  @usableFromInline let ended: (@Sendable (Lifetime, inout Steps<State, Event>) -> Void)?
  /// Called when the system has stopped.
  @usableFromInline let finish: (@Sendable () -> Void)?

  @inlinable
  init(
    ended: (@Sendable (Lifetime, inout Steps<State, Event>) -> Void)? = nil,
    finish: (@Sendable () -> Void)? = nil,
    step: @escaping @Sendable (State, inout Steps<State, Event>) -> Void
  ) {
    self.step = step
    self.ended = ended
    self.finish = finish
  }
}

/// The decisions of all feedbacks for one state.
@usableFromInline
struct Steps<State: Sendable, Event: Sendable>: Sendable {
  /// The causal depth of the state.
  @usableFromInline var depth = 0
  /// The index of the feedback that decides.
  @usableFromInline var feedback = 0
  @usableFromInline var lastLifetime: Lifetime = 0
  @usableFromInline var cancellations: [Lifetime] = []
  @usableFromInline var starts: [Start<State, Event>] = []
  /// Called in the observer phase, after all cancellations and starts.
  @usableFromInline var observations: [@Sendable () -> Void] = []

  @inlinable
  init() {}

  @inlinable
  mutating func cancel(_ lifetime: Lifetime) { cancellations.append(lifetime) }

  /// Starts an effect, after all cancellations.
  ///
  /// - Parameters:
  ///   - query: What the effect is for; it is described in trips and in the list of running effects.
  ///   - depth: The causal depth of the state that requested it; nil for this one.
  ///   - run: The effect, given what posts its events.
  @inlinable
  mutating func start(
    _ query: any Sendable, depth: Int? = nil,
    run: @escaping @Sendable (@escaping Post<State, Event>) async -> Void
  ) -> Lifetime {
    lastLifetime += 1
    let effect = EffectTable.Entry(feedback: feedback, depth: depth ?? self.depth, query: query)
    starts.append(Start(lifetime: lastLifetime, effect: effect, run: run))
    return lastLifetime
  }
}

/// An effect to start; see ``Steps/start(_:depth:run:)``.
@usableFromInline
struct Start<State: Sendable, Event: Sendable>: Sendable {
  @usableFromInline let lifetime: Lifetime
  @usableFromInline let effect: EffectTable.Entry
  @usableFromInline let run: @Sendable (@escaping Post<State, Event>) async -> Void

  @inlinable
  init(
    lifetime: Lifetime, effect: EffectTable.Entry,
    run: @escaping @Sendable (@escaping Post<State, Event>) async -> Void
  ) {
    self.lifetime = lifetime
    self.effect = effect
    self.run = run
  }
}

/// Posts an event of an effect. The second argument decides whether the event is progress in the state that it leads
/// to; `nil` means that it is not.
@usableFromInline
typealias Post<State, Event> = @Sendable (Event, (@Sendable (State) -> Bool)?) -> Void

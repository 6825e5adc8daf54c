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
  @usableFromInline
  enum Kind: String, Sendable {
    case react, reactToEach, bind, observe
  }

  @usableFromInline let name: String?
  /// Used as the name if there is none.
  @usableFromInline let kind: Kind
  @usableFromInline let isProgress: @Sendable (Event, State) -> Bool
  @usableFromInline let makeInstance: @Sendable () -> any FeedbackInstance<State, Event>
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
  @usableFromInline let send: @Sendable (Event) -> Void

  @inlinable
  init(_ send: @escaping @Sendable (Event) -> Void) { self.send = send }

  /// Queues an event. Returns without waiting, unless this thread is the one that drains the queue. O(1) otherwise.
  @inlinable
  public func callAsFunction(_ event: Event) { send(event) }
}

extension Feedback {
  /// Calls a function with every settled state.
  ///
  /// ```swift
  /// .observe(name: "screen") { _ in screen.wake() }
  /// ```
  ///
  /// The function is called on the draining thread in the observer phase: after all feedbacks have canceled and started
  /// effects for this state, before the next event is reduced. The first call is for the initial state. No lock is
  /// held, so it may send events, which are queued.
  ///
  /// - Warning: The whole loop waits for it, so it must not block. For slow output, use ``bind(name:delivery:_:)`` or
  ///   wake another thread.
  ///
  /// - Parameters:
  ///   - name: The name of the feedback; by default its kind and its index.
  ///   - body: Called with each state.
  public static func observe(name: String? = nil, _ body: @escaping @Sendable (State) -> Void) -> Self {
    Feedback(name: name, kind: .observe, isProgress: { _, _ in false }) { Observation(body: body) }
  }
}

extension Feedback {
  /// Sends the elements of an asynchronous sequence as events from outside.
  ///
  /// ```swift
  /// .bind(socket.messages.map { Event.received($0) }, name: "socket")
  /// ```
  ///
  /// The sequence is iterated from the start of the system until it ends or the system stops. The end of the sequence
  /// has no effect; events it produced before still count.
  ///
  /// - Parameters:
  ///   - source: Creates the sequence, once per system.
  ///   - name: The name of the feedback in recordings and tests; by default its kind and its index.
  public static func bind<Source: AsyncSequence & SendableMetatype>(
    _ source: @autoclosure @escaping @Sendable () -> Source, name: String? = nil
  ) -> Self
  where Source.Element == Event, Source.Failure == Never, Source.AsyncIterator: SendableMetatype {
    outside(name) { emit in
      for await event in source() { emit(event) }
      return nil
    }
  }

  /// Sends the elements of an asynchronous sequence that may fail as events from outside.
  ///
  /// - Parameters:
  ///   - source: Creates the sequence, once per system.
  ///   - name: The name of the feedback in recordings and tests; by default its kind and its index.
  ///   - failure: Converts the error that ended the sequence to an event; a `CancellationError` sends nothing.
  public static func bind<Source: AsyncSequence & SendableMetatype>(
    _ source: @autoclosure @escaping @Sendable () -> Source, name: String? = nil,
    failure: @escaping @Sendable (any Error) -> Event
  ) -> Self where Source.Element == Event, Source.AsyncIterator: SendableMetatype {
    outside(name) { emit in
      do {
        for try await event in source() { emit(event) }
        return nil
      } catch is CancellationError {
        return nil
      } catch {
        return failure(error)
      }
    }
  }

  /// Connects the loop to something outside that displays states and produces events, such as a screen.
  ///
  /// ```swift
  /// .bind(name: "screen") { states, emit in
  ///   async let keys: Void = { for await key in screen.keys { emit(.pressed(key)) } }()
  ///   for await state in states { await screen.show(state) }
  ///   await keys
  /// }
  /// ```
  ///
  /// `body` runs from the start of the system until it returns or the system stops, which cancels it. Its events are
  /// events from outside, so the loop guard does not stop it from answering states with events endlessly.
  ///
  /// - Parameters:
  ///   - name: The name of the feedback in recordings and tests; by default its kind and its index.
  ///   - delivery: Which states `body` sees; the first is the initial one or, with ``Delivery/latest``, a later one.
  ///   - body: Consumes states and emits events.
  public static func bind(
    name: String? = nil, delivery: Delivery = .latest,
    _ body: @escaping @Sendable (_ states: AsyncStream<State>, _ emit: Emit<Event>) async -> Void
  ) -> Self {
    Feedback(name: name, kind: .bind, isProgress: { _, _ in true }) {
      Binding(delivery: delivery, body: body)
    }
  }

  private static func outside(
    _ name: String?, _ body: @escaping @Sendable (Emit<Event>) async -> Event?
  ) -> Self {
    Feedback(name: name, kind: .bind, isProgress: { _, _ in true }) {
      SingleReact(query: { _ in Always() }, effect: { _, emit in await body(emit) })
    }
  }
}

/// The query of a feedback that runs from start to stop.
struct Always: Hashable, Sendable, CustomStringConvertible {
  var description: String { "always" }
}

/// A feedback's state within one system. It is only accessed by the draining thread.
///
/// An instance only decides; it never starts or cancels anything itself. See ``Engine`` for the order in which the
/// decisions of all instances are carried out.
@usableFromInline
protocol FeedbackInstance<State, Event>: Sendable {
  associatedtype State: Sendable
  associatedtype Event: Sendable

  /// What the feedback requests for a state; `nil` if nothing changes.
  mutating func step(_ state: State, _ context: inout StepContext) -> Step<Event>?

  /// Called in the observer phase of the same state, after the cancellations and starts of all feedbacks.
  mutating func observe(_ state: State)

  /// Called when an effect delivered its first event, or returned without one, while its query was still current.
  mutating func answered(_ lifetime: Lifetime, epoch: UInt64)

  /// Called when an effect returned, or the guard refused to start it, while its query was still current. Returns the
  /// effects that take its place.
  mutating func ended(_ lifetime: Lifetime, _ context: inout StepContext) -> [Start<Event>]

  /// Called when the system stops.
  func finish()
}

extension FeedbackInstance {
  @usableFromInline
  mutating func observe(_ state: State) {}

  @usableFromInline
  mutating func answered(_ lifetime: Lifetime, epoch: UInt64) {}

  @usableFromInline
  mutating func ended(_ lifetime: Lifetime, _ context: inout StepContext) -> [Start<Event>] { [] }

  @usableFromInline
  func finish() {}
}

/// What a feedback requests for one state.
@usableFromInline
struct Step<Event: Sendable>: Sendable {
  @usableFromInline var cancellations: [Lifetime] = []
  @usableFromInline var starts: [Start<Event>] = []
}

/// An effect to start.
@usableFromInline
struct Start<Event: Sendable>: Sendable {
  @usableFromInline let lifetime: Lifetime
  /// The causal depth of the state that requested it.
  @usableFromInline let depth: Int
  /// The number of consecutive answers to an equal query without progress.
  @usableFromInline let repeats: Int
  @usableFromInline let query: @Sendable () -> String
  /// The effect; its result is its last event.
  @usableFromInline let run: @Sendable (Emit<Event>) async -> Event?
}

/// The information available to an instance when it decides.
@usableFromInline
struct StepContext {
  /// The causal depth of the state.
  let depth: Int
  /// Increases whenever an event from outside or progress is reduced.
  let epoch: UInt64
  @usableFromInline private(set) var lastLifetime: Lifetime

  @usableFromInline
  init(depth: Int, epoch: UInt64, lastLifetime: Lifetime) {
    self.depth = depth
    self.epoch = epoch
    self.lastLifetime = lastLifetime
  }

  mutating func newLifetime() -> Lifetime {
    lastLifetime += 1
    return lastLifetime
  }
}

/// A two-way binding: one effect from start to stop, which receives the states as a sequence.
struct Binding<State: Sendable, Event: Sendable>: FeedbackInstance {
  let delivery: Delivery
  let body: @Sendable (AsyncStream<State>, Emit<Event>) async -> Void
  private(set) var continuation: AsyncStream<State>.Continuation?

  mutating func step(_ state: State, _ context: inout StepContext) -> Step<Event>? {
    guard continuation == nil else { return nil }
    let (states, continuation) = AsyncStream.makeStream(of: State.self, bufferingPolicy: delivery.buffering())
    self.continuation = continuation
    let start = Start<Event>(
      lifetime: context.newLifetime(), depth: context.depth, repeats: 0,
      query: { Always().description },
      run: { [body] emit in
        await body(states, emit)
        return nil
      })
    return Step(starts: [start])
  }

  mutating func observe(_ state: State) { continuation?.yield(state) }

  func finish() { continuation?.finish() }
}

/// A feedback that only observes states.
struct Observation<State: Sendable, Event: Sendable>: FeedbackInstance {
  let body: @Sendable (State) -> Void

  mutating func step(_ state: State, _ context: inout StepContext) -> Step<Event>? { nil }

  mutating func observe(_ state: State) { body(state) }
}

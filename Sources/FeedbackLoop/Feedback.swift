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
  /// Used as the name if there is none.
  @usableFromInline let kind: FeedbackKind
  @usableFromInline let makeInstance: @Sendable (StateSource<State>) -> any FeedbackInstance<State, Event>
  @usableFromInline var tasks = TaskOptions()

  @inlinable
  init(
    name: String?, kind: FeedbackKind,
    makeInstance: @escaping @Sendable (StateSource<State>) -> any FeedbackInstance<State, Event>
  ) {
    self.name = name
    self.kind = kind
    self.makeInstance = makeInstance
  }

  /// The same feedback, whose effects run in tasks with a priority and a name.
  ///
  /// ```swift
  /// .react(toEach: \.pictures, maxConcurrent: 4, effect: load).tasks(priority: .utility, name: "picture")
  /// ```
  ///
  /// - Parameters:
  ///   - priority: The priority of the tasks; `nil` for the default one.
  ///   - name: The name of the tasks in debuggers and profilers; `nil` for none.
  public func tasks(priority: TaskPriority? = nil, name: String? = nil) -> Self {
    var feedback = self
    feedback.tasks = TaskOptions(priority: priority, name: name)
    return feedback
  }
}

/// The form of a feedback.
@usableFromInline
enum FeedbackKind: String, Sendable {
  case react, reactToEach, bind, observe, make
}

/// How the tasks of a feedback's effects are created.
@usableFromInline
struct TaskOptions: Sendable {
  @usableFromInline var priority: TaskPriority?
  @usableFromInline var name: String?

  @inlinable
  init(priority: TaskPriority? = nil, name: String? = nil) {
    self.priority = priority
    self.name = name
  }
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
  init<State>(
    _ post: @escaping Post<State, Event>, progress: @escaping @Sendable (Event, State) -> Bool
  ) {
    self.init { event in post(event) { progress(event, $0) } }
  }

  /// Queues an event. Returns without waiting, unless this thread is the one that drains the queue. O(1) otherwise.
  @inlinable
  public func callAsFunction(_ event: Event) { post(event) }
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
    Feedback(name: name, kind: .observe) { _ in Observation(body: body) }
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
      } catch is CancellationError {
      } catch {
        emit(failure(error))
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
    Feedback(name: name, kind: .bind) {
      Binding(source: $0, delivery: delivery, body: body)
    }
  }

  private static func outside(
    _ name: String?, _ body: @escaping @Sendable (Emit<Event>) async -> Void
  ) -> Self {
    Feedback(name: name, kind: .bind) { _ in
      SingleReact(query: { _ in Always() }) { _, post in await body(Emit { post($0) { _ in true } }) }
    }
  }
}

/// The query of a feedback that runs from start to stop.
struct Always: Hashable, Sendable, CustomStringConvertible {
  var description: String { "always" }
}

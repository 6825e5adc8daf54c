internal import Locking

extension FeedbackSystem {
  /// The states from now on, starting with the current one.
  ///
  /// ```swift
  /// for await state in system.states() { draw(state) }
  /// ```
  ///
  /// Each call creates a separate subscriber, which is attached immediately: no state is missed or seen twice, however
  /// late the iteration begins. The sequence ends when the system stops or is released, and is empty if it has stopped
  /// already. Dropping the sequence, or canceling the task that iterates it, detaches the subscriber.
  ///
  /// - Parameter delivery: ``Delivery/latest`` for a screen, ``Delivery/every`` for a log.
  public func states(_ delivery: Delivery = .latest) -> AsyncStream<State> {
    observers.states(delivery)
  }

  /// The values of a part of the state from now on, starting with the current one, without repeats.
  ///
  /// The part is computed for every state on the draining thread, and *then* repeats are dropped, compared to the last
  /// value this subscriber received. A change to `nil` is a change. Attaching and ending are as with ``states(_:)``.
  ///
  /// ```swift
  /// for await title in system.select(\.title) { show(title) }
  /// ```
  ///
  /// - Parameters:
  ///   - value: Computes the part. It must be fast and must not block.
  ///   - delivery: Which of the changes are delivered.
  public func select<Value: Equatable & Sendable>(
    _ value: @escaping @Sendable (State) -> Value, _ delivery: Delivery = .latest
  ) -> AsyncStream<Value> {
    observers.select(value, delivery) { $0 == $1 }
  }

  /// The values of a part of the state from now on, without repeats as defined by `isEqual`.
  ///
  /// Useful if comparing whole values is too expensive, or if comparing the identity of a component is sufficient.
  ///
  /// - Parameters:
  ///   - value: Computes the part. It must be fast and must not block.
  ///   - delivery: Which of the changes are delivered.
  ///   - isEqual: Whether the second value is a repeat of the first.
  public func select<Value: Sendable>(
    _ value: @escaping @Sendable (State) -> Value, _ delivery: Delivery = .latest,
    by isEqual: @escaping @Sendable (Value, Value) -> Bool
  ) -> AsyncStream<Value> {
    observers.select(value, delivery, by: isEqual)
  }

  var observers: Observers<State> {
    Observers(source: cell.source, listeners: cell.listeners) { [cell, inbox] in
      cell.assertNotReducing()
      let ticket = inbox.newTicket()
      return (
        attach: { inbox.post(.subscribe(ticket, $0)) },
        detach: { [weak inbox] in inbox?.post(.unsubscribe(ticket)) }
      )
    }
  }
}

/// The attachment point for observers of a state, or of a part of it.
struct Observers<State: Sendable>: Sendable {
  let source: StateSource<State>
  let listeners: Flag
  /// Creates the functions that attach and detach one more observer.
  let newPlace: @Sendable () -> (attach: @Sendable (Subscriber<State>) -> Void, detach: @Sendable () -> Void)

  func map<Part: Sendable>(_ part: @escaping @Sendable (State) -> Part) -> Observers<Part> {
    Observers<Part>(source: source.map(part), listeners: listeners) { [newPlace] in
      let (attach, detach) = newPlace()
      return ({ attach($0.lifted(part)) }, detach)
    }
  }

  func states(_ delivery: Delivery) -> AsyncStream<State> {
    let (attach, detach) = newPlace()
    let (states, subscriber) = Subscriber.make(
      delivery, from: source, listeners: listeners, onTermination: detach)
    attach(subscriber)
    return states
  }

  func select<Value: Sendable>(
    _ value: @escaping @Sendable (State) -> Value, _ delivery: Delivery,
    by isEqual: @escaping @Sendable (Value, Value) -> Bool
  ) -> AsyncStream<Value> {
    let values: AsyncStream<Value> = subscribe(delivery) { continuation in
      let last = Lock<Value?>(nil)
      return { state in
        let value = value(state)
        // Only the draining thread delivers, so nothing changes in between.
        if let last = last.withLock({ $0 }), isEqual(last, value) { return }
        last.withLock { $0 = value }
        continuation.yield(value)
      }
    }
    let last = Lock<Value?>(nil)
    return AsyncStream {
      for await value in values {
        // It may have returned to the last one received while those in between were skipped.
        let isRepeat = last.withLock { last in
          defer { last = value }
          return last.map { isEqual($0, value) } ?? false
        }
        if !isRepeat { return value }
      }
      return nil
    }
  }

  /// - Parameter makeDeliver: Makes the function that is called with each state and fills the sequence.
  func subscribe<Element: Sendable>(
    _ delivery: Delivery, _ makeDeliver: (AsyncStream<Element>.Continuation) -> @Sendable (State) -> Void
  ) -> AsyncStream<Element> {
    let (stream, continuation) = AsyncStream.makeStream(
      of: Element.self, bufferingPolicy: delivery == .latest ? .bufferingNewest(1) : .unbounded)
    let (attach, detach) = newPlace()
    continuation.onTermination = { _ in detach() }
    attach(Subscriber(deliver: makeDeliver(continuation), finish: { continuation.finish() }))
    return stream
  }
}

/// Signals to an observer that there is a new state, which it reads when it is ready.
///
/// At most one signal is pending per observer. All subscribers of a system share a flag that records whether any of
/// them has read the state since the last signal, so idle observers cost an event only one check of that flag.
@usableFromInline
final class StateSignal: Sendable {
  private let isSignaled = Flag()
  private let listeners: Flag?
  private let continuation: AsyncStream<Void>.Continuation

  init(_ continuation: AsyncStream<Void>.Continuation, listeners: Flag? = nil) {
    self.continuation = continuation
    self.listeners = listeners
  }

  func notify() {
    if !isSignaled.isSet, isSignaled.set() { continuation.yield() }
  }

  /// The observer calls this before it reads the state. Reading and reducing both take the lock of the state, so the
  /// next state either finds the flags reset or is the one that is read.
  func reset() {
    isSignaled.reset()
    listeners?.set()
  }

  func finish() { continuation.finish() }
}

/// An observer outside the loop. It holds closures because the compiler knows their size: for a continuation of states,
/// the runtime would look up the type for each state.
@usableFromInline
struct Subscriber<State: Sendable>: Sendable {
  /// The signal to send instead of calling `deliver`, if the observer reads the state itself.
  var signal: StateSignal?
  @usableFromInline let deliver: @Sendable (State) -> Void
  let finish: @Sendable () -> Void

  /// The same observer, for a part of a larger state.
  func lifted<Whole>(_ part: @escaping @Sendable (Whole) -> State) -> Subscriber<Whole> {
    Subscriber<Whole>(signal: signal, deliver: { deliver(part($0)) }, finish: finish)
  }

  /// The sequence for an observer, and the subscriber that fills it. `onTermination` is called when the sequence is
  /// dropped, or the task that iterates it is canceled.
  static func make(
    _ delivery: Delivery, from source: StateSource<State>, listeners: Flag? = nil,
    onTermination: (@Sendable () -> Void)? = nil
  ) -> (AsyncStream<State>, Subscriber) {
    switch delivery {
    case .every:
      let (stream, continuation) = AsyncStream.makeStream(of: State.self)
      if let onTermination { continuation.onTermination = { _ in onTermination() } }
      return (
        stream, Subscriber(deliver: { continuation.yield($0) }, finish: { continuation.finish() })
      )
    case .latest:
      let (signals, continuation) = AsyncStream.makeStream(
        of: Void.self, bufferingPolicy: .bufferingNewest(1))
      if let onTermination { continuation.onTermination = { _ in onTermination() } }
      let signal = StateSignal(continuation, listeners: listeners)
      let seen = Lock<UInt64?>(nil)
      let stream = AsyncStream<State> {
        for await _ in signals {
          signal.reset()
          guard let version = source.current() else { continue }
          // The state may have been read at an earlier signal.
          let isNew = seen.withLock { seen in
            defer { seen = version.number }
            return seen != version.number
          }
          if isNew { return version.state }
        }
        return nil
      }
      return (
        stream,
        Subscriber(signal: signal, deliver: { _ in signal.notify() }, finish: { signal.finish() })
      )
    }
  }
}

/// Which states an observer sees.
public enum Delivery: Sendable, Hashable {
  /// The latest state whenever the observer is ready for one. Intermediate states may be skipped; the last one never
  /// is. Sequences of whole states buffer none, so an idle observer does not cause a change to copy the collections in
  /// the state.
  case latest
  /// Every state, once, in order. Buffers all states the observer has not consumed yet, without a limit.
  case every
}

/// A value for which every assignment counts, even of an equal value.
///
/// A state describes a situation; showing the same message a second time is an *occurrence*. A pulse is a value with a
/// counter that increases whenever the value is assigned or mutated, so that observers can detect it.
///
/// ```swift
/// struct State {
///   @Pulse var notice: String?
/// }
/// for await notice in system.pulses(\.$notice) { show(notice) }
/// ```
///
/// Pulses are equal if their values are equal and they were assigned the same number of times. So a pulse can also be a
/// query that runs an effect for each assignment: `react(to: { $0.notice == nil ? nil : $0.$notice }, …)`.
@propertyWrapper
public struct Pulse<Value> {
  /// The value. Assigning it increases the counter.
  public var wrappedValue: Value { didSet { assignments &+= 1 } }

  /// Increases by 1 with every assignment; wraps around.
  public private(set) var assignments: UInt64

  /// Creates a pulse that was never assigned.
  public init(wrappedValue: Value) { self.init(wrappedValue: wrappedValue, assignments: 0) }

  package init(wrappedValue: Value, assignments: UInt64) {
    self.wrappedValue = wrappedValue
    self.assignments = assignments
  }

  /// The pulse itself: `$notice` of a property `notice`.
  public var projectedValue: Pulse<Value> { self }
}

extension Pulse: Sendable where Value: Sendable {}
extension Pulse: Equatable where Value: Equatable {}
extension Pulse: Hashable where Value: Hashable {}

extension FeedbackSystem {
  /// The values assigned to a pulse from now on.
  ///
  /// The current value is not included, because it was assigned before. Attaching and ending are as with
  /// ``states(_:)``.
  ///
  /// - Parameters:
  ///   - pulse: Returns the pulse. Called for every state on the draining thread.
  ///   - delivery: With ``Delivery/every``, each event that assigned the pulse delivers its value; with
  ///     ``Delivery/latest``, values the observer was not ready for are replaced by later ones. An event that assigns
  ///     the pulse more than once delivers the last value.
  public func pulses<Value: Sendable>(
    _ pulse: @escaping @Sendable (State) -> Pulse<Value>, _ delivery: Delivery = .every
  ) -> AsyncStream<Value> {
    observers.subscribe(delivery) { continuation in
      let seen = Lock<UInt64?>(nil)
      return { state in
        let pulse = pulse(state)
        let last = seen.withLock { seen in
          defer { seen = pulse.assignments }
          return seen
        }
        if let last, last != pulse.assignments { continuation.yield(pulse.wrappedValue) }
      }
    }
  }
}

/// A value for which every assignment counts, even of an equal value.
///
/// A state describes what is; showing the same message a second time is something that *happens*. A pulse is a value
/// with a counter that increases whenever the value is assigned or mutated, so that observers can detect it.
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
  public var wrappedValue: Value {
    didSet { assignments &+= 1 }
  }

  /// Increases by 1 with every assignment; wraps around.
  public private(set) var assignments: UInt64

  /// Creates a pulse that was never assigned.
  public init(wrappedValue: Value) {
    self.init(wrappedValue: wrappedValue, assignments: 0)
  }

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
    subscribe(delivery) { PulseSubscriber(pulse: pulse, continuation: $0) }
  }
}

/// Delivers a pulse's value whenever its counter has changed.
struct PulseSubscriber<State: Sendable, Value: Sendable>: Subscriber {
  private let pulse: @Sendable (State) -> Pulse<Value>
  private let continuation: AsyncStream<Value>.Continuation
  private var seen: UInt64?

  init(pulse: @escaping @Sendable (State) -> Pulse<Value>, continuation: AsyncStream<Value>.Continuation) {
    self.pulse = pulse
    self.continuation = continuation
  }

  mutating func deliver(_ state: State) {
    let pulse = pulse(state)
    defer { seen = pulse.assignments }
    guard let seen, seen != pulse.assignments else { return }
    continuation.yield(pulse.wrappedValue)
  }

  func finish() {
    continuation.finish()
  }
}

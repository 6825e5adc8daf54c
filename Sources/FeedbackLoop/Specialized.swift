/// An instance whose decisions were specialized for the application's types where its feedback was created.
///
/// The engine holds instances of many types and calls them through a protocol, and what is called through a protocol is
/// generic code, which looks up metadata for almost every operation. A closure is specialized where it is created. So
/// only the call of the closure is generic here.
@usableFromInline
struct Specialized<State: Sendable, Event: Sendable, Instance: FeedbackInstance>: FeedbackInstance
where Instance.State == State, Instance.Event == Event {
  @usableFromInline let decisions: Decisions<State, Event, Instance>
  @usableFromInline var instance: Instance

  @inlinable
  init(_ instance: Instance, _ decisions: Decisions<State, Event, Instance>) {
    self.instance = instance
    self.decisions = decisions
  }

  @usableFromInline var observes: Bool { instance.observes }

  @usableFromInline
  mutating func step(_ state: State, _ context: inout StepContext) -> Step<Event>? {
    decisions.step(&instance, state, &context)
  }

  @usableFromInline
  mutating func observe(_ state: State) { instance.observe(state) }

  @usableFromInline
  mutating func answered(_ lifetime: Lifetime, _ context: StepContext) {
    decisions.answered(&instance, lifetime, context)
  }

  @usableFromInline
  mutating func ended(_ lifetime: Lifetime, _ context: inout StepContext) -> [Start<Event>] {
    decisions.ended(&instance, lifetime, &context)
  }

  @usableFromInline
  mutating func refused(_ lifetime: Lifetime, _ context: inout StepContext) -> [Start<Event>] {
    instance.refused(lifetime, &context)
  }

  @usableFromInline
  mutating func retryRefused(_ context: inout StepContext) -> Step<Event>? {
    instance.retryRefused(&context)
  }

  @usableFromInline
  mutating func finish() { instance.finish() }
}

/// The decisions of one type of instance that are made for every state or every effect.
@usableFromInline
final class Decisions<State: Sendable, Event: Sendable, Instance: FeedbackInstance>: Sendable
where Instance.State == State, Instance.Event == Event {
  @usableFromInline let step: @Sendable (inout Instance, State, inout StepContext) -> Step<Event>?
  @usableFromInline let answered: @Sendable (inout Instance, Lifetime, StepContext) -> Void
  @usableFromInline let ended: @Sendable (inout Instance, Lifetime, inout StepContext) -> [Start<Event>]

  @inlinable
  init(of type: Instance.Type) {
    step = { $0.step($1, &$2) }
    answered = { $0.answered($1, $2) }
    ended = { $0.ended($1, &$2) }
  }
}

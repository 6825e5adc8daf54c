/// An instance whose decisions were specialized for the application's types where its feedback was created.
///
/// The engine holds instances of many types and calls them through a protocol, and what is called through a protocol is
/// generic code, which looks up metadata for almost every operation. A closure is specialized where it is created. So
/// only the call of the closure is generic here.
///
/// The decisions are all that is passed on, so an instance that observes cannot be wrapped. `Instance` is not required to
/// be a feedback instance: the runtime would have to look that up when a system starts.
@usableFromInline
struct Specialized<State: Sendable, Event: Sendable, Instance: Sendable>: FeedbackInstance {
  @usableFromInline let decisions: Decisions<State, Event, Instance>
  @usableFromInline var instance: Instance

  @inlinable
  init(_ instance: Instance, _ decisions: Decisions<State, Event, Instance>) {
    self.instance = instance
    self.decisions = decisions
  }

  @usableFromInline
  mutating func step(_ state: State, _ context: inout StepContext) -> Step<Event>? {
    decisions.step(&instance, state, &context)
  }

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
    decisions.refused(&instance, lifetime, &context)
  }

  @usableFromInline
  mutating func retryRefused(_ context: inout StepContext) -> Step<Event>? {
    decisions.retryRefused(&instance, &context)
  }
}

/// The decisions of one type of instance.
@usableFromInline
final class Decisions<State: Sendable, Event: Sendable, Instance: Sendable>: Sendable {
  @usableFromInline let step: @Sendable (inout Instance, State, inout StepContext) -> Step<Event>?
  @usableFromInline let answered: @Sendable (inout Instance, Lifetime, StepContext) -> Void
  @usableFromInline let ended: @Sendable (inout Instance, Lifetime, inout StepContext) -> [Start<Event>]
  @usableFromInline let refused: @Sendable (inout Instance, Lifetime, inout StepContext) -> [Start<Event>]
  @usableFromInline let retryRefused: @Sendable (inout Instance, inout StepContext) -> Step<Event>?

  @inlinable
  init(of type: Instance.Type) where Instance: FeedbackInstance<State, Event> {
    step = { $0.step($1, &$2) }
    answered = { $0.answered($1, $2) }
    ended = { $0.ended($1, &$2) }
    refused = { $0.refused($1, &$2) }
    retryRefused = { $0.retryRefused(&$1) }
  }
}

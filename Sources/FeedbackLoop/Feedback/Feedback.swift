/// Fulfils what a state asks for, or connects the loop with the world outside.
///
/// A feedback looks at every state and decides what should be running now. It is a description: the same value can be
/// given to any number of systems.
///
/// ```swift
/// let load = Feedback<State, Event>.react(to: \.request, name: "load") { request in
///   .loaded(await fetch(request), for: request)
/// }
/// ```
///
/// The closures that compute queries are called once for every state, on the draining thread, outside all locks. They
/// must be fast and must not block.
public struct Feedback<State: Sendable, Event: Sendable>: Sendable {
  @usableFromInline
  enum Kind: String, Sendable {
    case react, reactToEach, bind, observe
  }

  @usableFromInline let name: String?
  /// What stands in for a missing name.
  @usableFromInline let kind: Kind
  @usableFromInline let isProgress: @Sendable (Event, State) -> Bool
  @usableFromInline let makeInstance: @Sendable () -> any FeedbackInstance<State, Event>

  init(
    name: String?, kind: Kind, progress: @escaping @Sendable (Event, State) -> Bool,
    makeInstance: @escaping @Sendable () -> any FeedbackInstance<State, Event>
  ) {
    self.name = name
    self.kind = kind
    isProgress = progress
    self.makeInstance = makeInstance
  }
}

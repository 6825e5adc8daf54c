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

/// Which states an observer sees.
public enum Delivery: Sendable, Hashable {
  /// The latest state whenever the observer is ready for one. States in between may be skipped; the last one never is.
  /// Holds at most one state.
  case latest
  /// Every state, once, in order. Holds every state the observer has not taken yet, without limit.
  case every

  func buffering<Element>() -> AsyncStream<Element>.Continuation.BufferingPolicy {
    switch self {
    case .latest: .bufferingNewest(1)
    case .every: .unbounded
    }
  }
}

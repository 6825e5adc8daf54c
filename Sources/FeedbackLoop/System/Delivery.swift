/// Which states an observer sees.
public enum Delivery: Sendable, Hashable {
  /// The latest state whenever the observer is ready for one. Intermediate states may be skipped; the last one never
  /// is. Buffers at most one state.
  case latest
  /// Every state, once, in order. Buffers all states the observer has not consumed yet, without a limit.
  case every

  func buffering<Element>() -> AsyncStream<Element>.Continuation.BufferingPolicy {
    switch self {
    case .latest: .bufferingNewest(1)
    case .every: .unbounded
    }
  }
}

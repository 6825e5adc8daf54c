internal import Synchronization

/// Whether something has happened, for any number of threads.
///
/// It orders nothing: what a thread did before ``set()`` is seen by others only if a lock says so.
@usableFromInline
final class Flag: Sendable {
  private let value = Atomic(false)

  init() {}

  @usableFromInline var isSet: Bool { value.load(ordering: .relaxed) }

  /// Returns whether it was not set before.
  @usableFromInline
  @discardableResult
  func set() -> Bool { !value.exchange(true, ordering: .relaxed) }

  func reset() { value.store(false, ordering: .relaxed) }
}

internal import Synchronization

/// A thread-safe flag: whether something has happened.
@usableFromInline
final class Flag: Sendable {
  private let value = Atomic(false)

  init() {}

  /// A relaxed read. It does not order memory: only a lock or ``reset()`` makes visible what a thread did before
  /// ``set()``.
  @usableFromInline var isSet: Bool { value.load(ordering: .relaxed) }

  /// Returns whether it was not set before.
  @usableFromInline
  @discardableResult
  func set() -> Bool { !value.exchange(true, ordering: .acquiringAndReleasing) }

  /// Afterwards, this thread sees what others did before they called ``set()``.
  func reset() { _ = value.exchange(false, ordering: .acquiringAndReleasing) }
}

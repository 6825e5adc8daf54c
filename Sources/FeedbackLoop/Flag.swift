internal import Synchronization

/// Whether something has happened, for any number of threads.
@usableFromInline
final class Flag: Sendable {
  private let value = Atomic(false)

  init() {}

  /// A look that costs nothing, and orders nothing: what a thread did before ``set()`` is seen only if a lock or
  /// ``reset()`` says so.
  @usableFromInline var isSet: Bool { value.load(ordering: .relaxed) }

  /// Returns whether it was not set before.
  @usableFromInline
  @discardableResult
  func set() -> Bool { !value.exchange(true, ordering: .acquiringAndReleasing) }

  /// Afterwards, this thread sees what others did before they called ``set()``.
  func reset() { _ = value.exchange(false, ordering: .acquiringAndReleasing) }
}

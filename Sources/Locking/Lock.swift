#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A value protected by a mutex.
///
/// It wraps a POSIX mutex because `Synchronization.Mutex` makes ThreadSanitizer report false positives on Linux, and
/// the tests must pass that tool. It is `@unchecked Sendable` because the value is only accessible through
/// ``withLock(_:)``, which the mutex serializes.
///
/// ``withLock(_:)`` must not call client code, except for a reducer and closures that read a state in place.
public final class Lock<Value: ~Copyable>: @unchecked Sendable {
  private let mutex: UnsafeMutablePointer<pthread_mutex_t>
  /// The value, which may only be accessed between ``lock()`` and ``unlock()``. The mutex, which cannot be locked
  /// twice, makes the checks of exclusive access superfluous.
  @exclusivity(unchecked)
  @usableFromInline var unprotectedValue: Value

  /// Creates a lock around a value.
  public init(_ value: consuming sending Value) {
    mutex = .allocate(capacity: 1)
    unprotectedValue = value
    var attributes = pthread_mutexattr_t()
    pthread_mutexattr_init(&attributes)
    // The mutex checks for errors, so that recursive locking is an error rather than a silent deadlock.
    pthread_mutexattr_settype(&attributes, CInt(PTHREAD_MUTEX_ERRORCHECK))
    pthread_mutex_init(mutex, &attributes)
    pthread_mutexattr_destroy(&attributes)
  }

  deinit {
    pthread_mutex_destroy(mutex)
    mutex.deallocate()
  }

  /// Runs `body` with exclusive access to the value and returns its result.
  ///
  /// - Precondition: The calling thread does not hold this lock already.
  @inlinable
  public func withLock<Result: ~Copyable, Failure: Error>(
    _ body: (inout sending Value) throws(Failure) -> sending Result
  ) throws(Failure) -> sending Result {
    lock()
    defer { unlock() }
    return try body(&unprotectedValue)
  }

  /// Whether the calling thread is inside ``withLock(_:)`` of this lock. Blocks while another thread is.
  public var isHeldByCurrentThread: Bool {
    guard pthread_mutex_lock(mutex) == 0 else { return true }
    pthread_mutex_unlock(mutex)
    return false
  }

  @usableFromInline
  func lock() {
    let status = pthread_mutex_lock(mutex)
    precondition(status == 0, "A lock was taken twice on one thread (error \(status))")
  }

  @usableFromInline
  func unlock() { pthread_mutex_unlock(mutex) }
}

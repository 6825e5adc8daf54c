import FeedbackLoop
import Locking

/// A weak reference that is set after the closures that use it are made.
final class DeferredReference<Value: AnyObject & Sendable>: Sendable {
  private struct Reference: Sendable {
    weak var value: Value?
  }

  private let reference = Lock(Reference())

  var value: Value? {
    get { reference.withLock { $0.value } }
    set { reference.withLock { $0.value = newValue } }
  }
}

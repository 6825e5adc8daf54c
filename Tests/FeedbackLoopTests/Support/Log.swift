import FeedbackLoop
import Locking

/// A list that any thread may append to.
final class Log<Element: Sendable>: Sendable {
  private let elements = Lock<[Element]>([])

  func add(_ element: Element) {
    elements.withLock { $0.append(element) }
  }

  var all: [Element] {
    elements.withLock { $0 }
  }
}

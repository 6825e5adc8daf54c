/// A first-in, first-out queue that also takes urgent elements at its front.
///
/// Every operation is O(1) amortised, and a removed element is released at once.
@usableFromInline
struct Queue<Element: Sendable>: Sendable {
  @usableFromInline var incoming: [Element] = []
  /// The front of the queue, last element first.
  @usableFromInline var outgoing: [Element] = []

  @inlinable
  init() {}

  @inlinable
  mutating func append(_ element: Element) {
    incoming.append(element)
  }

  @inlinable
  mutating func prepend(_ element: Element) {
    outgoing.append(element)
  }

  @inlinable
  mutating func popFirst() -> Element? {
    if outgoing.isEmpty {
      swap(&incoming, &outgoing)
      outgoing.reverse()
    }
    return outgoing.popLast()
  }
}

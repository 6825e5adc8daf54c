/// A first-in, first-out queue that also accepts urgent elements at its front.
///
/// Every operation is amortized O(1), and a removed element is released immediately.
@usableFromInline
struct Queue<Element: Sendable>: Sendable {
  @usableFromInline var incoming: [Element] = []
  /// The front of the queue, in reverse order.
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

/// A first-in, first-out queue that also takes urgent elements at its front.
///
/// Every operation is O(1) amortised, and a removed element is released at once.
struct Queue<Element: Sendable>: Sendable {
  private var incoming: [Element] = []
  /// The front of the queue, last element first.
  private var outgoing: [Element] = []

  var isEmpty: Bool { incoming.isEmpty && outgoing.isEmpty }

  mutating func append(_ element: Element) {
    incoming.append(element)
  }

  mutating func prepend(_ element: Element) {
    outgoing.append(element)
  }

  mutating func popFirst() -> Element? {
    if outgoing.isEmpty {
      swap(&incoming, &outgoing)
      outgoing.reverse()
    }
    return outgoing.popLast()
  }
}

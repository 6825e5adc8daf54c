import Synchronization

/// Counts the connections that were opened, to tell whether a request went over one that was there before.
final class OpenedConnections: Sendable {
  private let opened = Atomic(0)

  var count: Int { opened.load(ordering: .relaxed) }

  func add() { opened.add(1, ordering: .relaxed) }
}

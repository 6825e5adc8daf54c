import Synchronization

/// A port that becomes known only after the server that refers to it has started.
package final class PortNumber: Sendable {
  private let number = Atomic(0)

  package init() {}

  package var value: Int { number.load(ordering: .relaxed) }

  package func set(_ port: Int) { number.store(port, ordering: .relaxed) }
}

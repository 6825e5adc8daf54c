import Synchronization

/// A port that becomes known only after the server that refers to it has started.
final class PortNumber: Sendable {
  private let number = Atomic(0)

  var value: Int { number.load(ordering: .relaxed) }

  func set(_ port: Int) { number.store(port, ordering: .relaxed) }
}

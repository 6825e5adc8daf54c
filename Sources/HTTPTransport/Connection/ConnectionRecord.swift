import Search
import Synchronization

/// What is known of the connections a transport has opened.
final class ConnectionRecord: Sendable {
  private let state = Mutex(State())

  private struct State {
    var count = 0
    var classes: [Origin: Set<HostClass>] = [:]
  }

  /// How many were opened, to tell whether a request went over one that was there before.
  var count: Int { state.withLock { $0.count } }

  func add() { state.withLock { $0.count += 1 } }

  /// An origin was found at an address of that class.
  func add(_ hostClass: HostClass, of origin: Origin) {
    state.withLock { state in _ = state.classes[origin, default: []].insert(hostClass) }
  }

  /// The parts of the network an origin belongs to: by its name, and by the addresses it was found at.
  func classes(of origin: Origin) -> Set<HostClass> {
    state.withLock { $0.classes[origin, default: []] }.union([origin.hostClass])
  }
}

import NIOCore
import Search
import Synchronization

/// Looks where the connections to an origin have come out, before the first request is written to one.
///
/// A name can resolve to any address, and to another one each time it is looked up: so the address that counts is
/// the one the connection has. A name of this machine (`localhost`, RFC 6761) must lead there. A host that the user has
/// named may be anywhere, but one whose first address was public may not move into a private network (DNS rebinding). A
/// host that only a reply has named (a redirect or a next link) must have a public address, or one of the kind that the
/// source's own origin has.
///
/// What such an address still gets is a connection and, with https, the greeting of TLS. Where a proxy leads is the
/// proxy's to decide, so proxied connections have no gate.
struct ConnectionGate: Sendable {
  let origin: Origin
  let reach: Reach
  let record: ConnectionRecord
  /// The part of the network that an address belongs to.
  let hostClass: @Sendable (_ address: String) -> HostClass

  /// Where connections may come out.
  enum Reach: Sendable, Hashable {
    /// The user has named the host.
    case named
    /// In the public network and in these parts.
    case publicNetwork(and: Set<HostClass>)
  }

  /// Lets a connection that stands pass, or fails with a `TransportFailure` and closes it.
  func admission(of channel: any Channel) -> EventLoopFuture<Void> {
    guard let address = channel.remoteAddress?.ipAddress else {
      return channel.eventLoop.makeFailedFuture(ChannelError.ioOnClosedChannel)
    }
    guard let refusal = refusal(of: address) else { return channel.eventLoop.makeSucceededVoidFuture() }
    // In the next turn: the pool must hear of the failure before it hears that the connection is closed.
    channel.eventLoop.execute { channel.close(promise: nil) }
    return channel.eventLoop.makeFailedFuture(TransportFailure(refusal, origin: origin.description))
  }

  private func refusal(of address: String) -> TransportFailure.Kind? {
    let hostClass = hostClass(address)
    switch reach {
    case .named where origin.hostClass == .loopback:
      if hostClass != .loopback { return .notThisMachine(address) }
    case .named:
      if record.firstClass(of: origin.host, now: hostClass) == .global, hostClass != .global {
        return .reboundAddress(address)
      }
    case .publicNetwork(let others):
      if hostClass != .global, !others.contains(hostClass) { return .privateAddress(address) }
    }
    record.add(hostClass, of: origin)
    return nil
  }
}

extension HostClass {
  /// - Parameter address: As the system writes it: `10.0.0.1`, `fe80::1`.
  package init(address: String) {
    self.init(host: address.contains(":") ? "[\(address)]" : address)
  }
}

/// Where the connections of a transport have come out so far.
final class ConnectionRecord: Sendable {
  private let state = Mutex(State())

  private struct State {
    var first: [String: HostClass] = [:]
    var classes: [Origin: Set<HostClass>] = [:]
  }

  /// The class of the first address a host was found at; it is the one given when there was none before.
  func firstClass(of host: String, now hostClass: HostClass) -> HostClass {
    state.withLock { state in
      let first = state.first[host] ?? hostClass
      state.first[host] = first
      return first
    }
  }

  /// An origin was found at an address of that class.
  func add(_ hostClass: HostClass, of origin: Origin) {
    state.withLock { state in _ = state.classes[origin, default: []].insert(hostClass) }
  }

  /// The parts of the network an origin belongs to: by its name, and by the addresses it was found at.
  func classes(of origin: Origin) -> Set<HostClass> {
    state.withLock { $0.classes[origin, default: []] }.union([origin.hostClass])
  }
}

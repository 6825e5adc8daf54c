import HTTPValues
import Locking
import NIOCore

/// Checks the address a connection was made to, before the first request is written to it.
///
/// A name can resolve to any address, and to a different one each time, so the gate checks the address of the
/// connection. A name of this machine (`localhost`, RFC 6761) must resolve to it. A host named by the user may be
/// anywhere, but one whose first address was public may not move into a private network (DNS rebinding). A host named
/// only by a response (a redirect or a next link) must have a public address, or one of the same class as the source's
/// own origin.
///
/// A rejected address has still received a connection and, with https, a TLS handshake. Proxied connections
/// have no gate, because the proxy decides where they lead.
struct ConnectionGate: Sendable {
  let origin: Origin
  let allowedNetworks: AllowedNetworks
  let record: ConnectionRecord
  /// The class of network that an address belongs to.
  let hostClass: @Sendable (_ address: String) -> HostClass

  /// The networks that connections may lead to.
  enum AllowedNetworks: Sendable, Hashable {
    /// Any network, because the user named the host.
    case named
    /// The public network and these classes.
    case publicNetwork(and: Set<HostClass>)
  }

  /// Succeeds for an allowed connection, else fails with a `TransportError` and closes it.
  func admission(of channel: any Channel) -> EventLoopFuture<Void> {
    guard let address = channel.remoteAddress?.ipAddress else {
      return channel.eventLoop.makeFailedFuture(ChannelError.ioOnClosedChannel)
    }
    guard let refusal = refusal(of: address) else { return channel.eventLoop.makeSucceededVoidFuture() }
    // The close is deferred, so that the pool learns of the failure before the connection closes.
    channel.eventLoop.execute { channel.close(promise: nil) }
    return channel.eventLoop.makeFailedFuture(TransportError(refusal, origin: origin.description))
  }

  private func refusal(of address: String) -> TransportError.Kind? {
    let hostClass = hostClass(address)
    switch allowedNetworks {
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
  /// - Parameter address: The address as formatted by the system: `10.0.0.1`, `fe80::1`.
  package init(address: String) { self.init(host: address.contains(":") ? "[\(address)]" : address) }
}

/// Records the classes of addresses that a transport has connected to.
final class ConnectionRecord: Sendable {
  private let state = Lock(State())

  private struct State {
    var first: [String: HostClass] = [:]
    var classes: [Origin: Set<HostClass>] = [:]
  }

  /// The class of the first known address of a host; records `hostClass` if there is none.
  func firstClass(of host: String, now hostClass: HostClass) -> HostClass {
    state.withLock { state in
      let first = state.first[host] ?? hostClass
      state.first[host] = first
      return first
    }
  }

  /// Records the class of an address of an origin.
  func add(_ hostClass: HostClass, of origin: Origin) {
    state.withLock { state in _ = state.classes[origin, default: []].insert(hostClass) }
  }

  /// The classes of an origin, determined by its name and by the addresses it was connected at.
  func classes(of origin: Origin) -> Set<HostClass> {
    state.withLock { $0.classes[origin, default: []] }.union([origin.hostClass])
  }
}

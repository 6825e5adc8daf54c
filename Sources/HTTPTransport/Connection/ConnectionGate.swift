import NIOCore
import Search

/// Looks where the connections to an origin have come out, before the first request is written to one.
///
/// A name can resolve to any address, and to another one each time it is looked up: so the address that counts is
/// the one the connection has. A host that only a reply has named (a redirect or a next link) must have a public
/// address, or one of the kind that the source's own origin has.
///
/// What such an address still gets is a connection and, with https, the greeting of TLS. Where a proxy leads is the
/// proxy's to decide, so proxied connections have no gate.
struct ConnectionGate: Sendable {
  let origin: Origin
  let reach: Reach
  let record: ConnectionRecord

  /// Where connections may come out.
  enum Reach: Sendable, Hashable {
    /// Anywhere: the user has named the host.
    case anywhere
    /// In the public network and in these parts.
    case publicNetwork(and: Set<HostClass>)
  }

  /// Lets a connection that stands pass, or fails with a `TransportFailure` and closes it.
  func admission(of channel: any Channel) -> EventLoopFuture<Void> {
    guard let address = channel.remoteAddress?.ipAddress else {
      return channel.eventLoop.makeFailedFuture(ChannelError.ioOnClosedChannel)
    }
    let hostClass = HostClass(address: address)
    if reach.includes(hostClass) {
      record.add(hostClass, of: origin)
      return channel.eventLoop.makeSucceededVoidFuture()
    }
    // In the next turn: the pool must hear of the failure before it hears that the connection is closed.
    channel.eventLoop.execute { channel.close(promise: nil) }
    let failure = TransportFailure(.privateAddress(address), origin: origin.description)
    return channel.eventLoop.makeFailedFuture(failure)
  }
}

extension HostClass {
  /// - Parameter address: As the system writes it: `10.0.0.1`, `fe80::1`.
  init(address: String) {
    self.init(host: address.contains(":") ? "[\(address)]" : address)
  }
}

extension ConnectionGate.Reach {
  fileprivate func includes(_ hostClass: HostClass) -> Bool {
    switch self {
    case .anywhere: true
    case .publicNetwork(let others): hostClass == .global || others.contains(hostClass)
    }
  }
}

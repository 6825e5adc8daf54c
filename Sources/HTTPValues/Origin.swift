/// Scheme, host, and effective port (RFC 6454). Credentials are bound to an origin.
package struct Origin: Sendable, Hashable {
  package let scheme: WebURL.Scheme
  /// In lower case; a literal address in its canonical notation, with IPv6 in brackets.
  package let host: String
  /// The effective port, explicit or the default.
  package let port: Int

  /// The part of the network that the host belongs to.
  package var hostClass: HostClass { HostClass(host: host) }

  /// Whether one of the entries matches the host: `host` (on the scheme's default port) or `host:port`.
  package func isListed(in hosts: [String]) -> Bool {
    hosts.contains { entry in
      let entry = entry.lowercased()
      return entry == "\(host):\(port)" || (entry == host && port == scheme.defaultPort)
    }
  }
}

extension Origin: CustomStringConvertible {
  /// `https://api.example.org`, followed by `:8080` if the port is not the scheme's default.
  package var description: String {
    "\(scheme.rawValue)://\(host)\(port == scheme.defaultPort ? "" : ":\(port)")"
  }
}

/// The part of the network that a host name or literal address belongs to, without a DNS lookup.
package enum HostClass: Sendable, Hashable {
  /// The local machine: `localhost` and its subdomains (RFC 6761), 127.0.0.0/8, ::1.
  case loopback
  /// 169.254.0.0/16 (used by cloud metadata services) and fe80::/10.
  case linkLocal
  /// RFC 1918, RFC 6598 (carrier NAT), and RFC 4193 addresses, and fec0::/10.
  case privateNetwork
  /// 0.0.0.0/8 and ::, which reach the local machine.
  case unspecified
  /// Every other address, and every other name regardless of what it resolves to.
  case global

  /// - Parameter host: The canonical host of an `Origin`.
  package init(host: String) {
    let name = host.hasSuffix(".") ? String(host.dropLast()) : host
    if name == "localhost" || name.hasSuffix(".localhost") {
      self = .loopback
    } else if let address = IPv4Address(host) {
      self.init(address)
    } else if let address = IPv6Address(String(host.dropFirst().dropLast())) {
      self.init(address)
    } else {
      self = .global
    }
  }

  private init(_ address: IPv4Address) {
    switch (address.value >> 24, address.value >> 16 & 0xFF) {
    case (127, _): self = .loopback
    case (169, 254): self = .linkLocal
    case (10, _), (172, 16...31), (192, 168), (100, 64...127): self = .privateNetwork
    case (0, _): self = .unspecified
    default: self = .global
    }
  }

  private init(_ address: IPv6Address) {
    if let embedded = address.embeddedIPv4 {
      self.init(embedded)
      return
    }
    switch address.groups[0] {
    case 0 where address.groups == [0, 0, 0, 0, 0, 0, 0, 1]: self = .loopback
    case 0 where address.groups.allSatisfy { $0 == 0 }: self = .unspecified
    case 0xFE80...0xFEBF: self = .linkLocal
    case 0xFEC0...0xFEFF, 0xFC00...0xFDFF: self = .privateNetwork
    default: self = .global
    }
  }
}

/// The URLs that a reply may lead to by a redirect or a next link: its own origin, an upgrade from http to
/// https on the same host, and the hosts that a source allows. A URL with a user name, a downgrade from https
/// to http, and a private network as the target of a public reply are refused, because a reply is hostile
/// input.
package struct FollowRule: Sendable {
  private let base: Origin
  private let hosts: [String]

  /// - Parameters:
  ///   - base: The requested origin.
  ///   - hosts: Other allowed hosts, as `host` (on the scheme's default port) or `host:port`.
  package init(base: Origin, hosts: [String]) {
    self.base = base
    self.hosts = hosts
  }

  /// Why `target`, found in a reply from `source`, is not followed; nil if it is.
  package func refusal(of target: WebURL, from source: Origin) -> FollowRefusal? {
    let origin = target.origin
    if target.hasUserinfo { return .userinfo }
    if origin.scheme == .http, source.scheme == .https { return .downgrade("\(origin)") }
    if isHome(origin) { return nil }
    guard origin.isListed(in: hosts) else { return .otherOrigin("\(origin)") }
    let isReachable = origin.hostClass == .global || origin.hostClass == base.hostClass
    return isReachable ? nil : .privateAddress(origin.host)
  }

  /// Whether an origin is the requested one, or its upgrade to https.
  package func isHome(_ origin: Origin) -> Bool { origin == base || isUpgrade(to: origin) }

  /// The port is unchanged, or changes from 80 to 443.
  private func isUpgrade(to origin: Origin) -> Bool {
    guard base.scheme == .http, origin.scheme == .https, origin.host == base.host else { return false }
    return origin.port == base.port || (base.port == 80 && origin.port == 443)
  }
}

/// Why a URL in a reply is not followed; reads as the end of "a link that …".
package enum FollowRefusal: Error, Sendable, Hashable, CustomStringConvertible {
  case otherOrigin(String)
  case downgrade(String)
  case userinfo
  case privateAddress(String)

  package var description: String {
    switch self {
    case .otherOrigin(let origin):
      "leads to another origin, \(origin). To allow it, list its host in pagination.hosts"
    case .downgrade(let origin): "leads from https to \(origin), which is not allowed"
    case .userinfo: "contains a user name, which is not allowed"
    case .privateAddress(let host): "leads to a private address, \(host), which is not allowed"
    }
  }
}

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

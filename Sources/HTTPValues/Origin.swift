/// The scheme, host, and effective port of a URL (RFC 6454). Credentials are bound to an origin.
package struct Origin: Sendable, Hashable, Codable, CustomStringConvertible {
  package let scheme: WebURL.Scheme
  /// The host in lower case; a literal address in its canonical notation, with IPv6 in brackets.
  package let host: String
  /// The effective port, explicit or the default.
  package let port: Int

  /// The part of the network that the host belongs to.
  package var hostClass: HostClass { HostClass(host: host) }

  /// Whether requests cannot be read in transit: the origin uses https or is this machine.
  package var isProtected: Bool { scheme == .https || hostClass == .loopback }

  /// Whether one of the entries matches the host: `host` (on the scheme's default port) or `host:port`.
  package func isListed(in hosts: [String]) -> Bool {
    hosts.contains { entry in
      let entry = entry.lowercased()
      return entry == "\(host):\(port)" || (entry == host && port == scheme.defaultPort)
    }
  }

  /// `api.example.org`, followed by `:8080` if the port is not the scheme's default.
  package var hostWithPort: String { "\(host)\(port == scheme.defaultPort ? "" : ":\(port)")" }

  /// `https://api.example.org`, followed by `:8080` if the port is not the scheme's default.
  package var description: String { "\(scheme.rawValue)://\(hostWithPort)" }
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
    } else {
      let address = IPAddress(looseIPv4: host) ?? IPAddress(host: host)
      let reached = address?.embeddedIPv4 ?? address
      self = Self.networks.first { reached.map($0.network.contains) ?? false }?.hostClass ?? .global
    }
  }

  private static let networks =
    ([
      "127.0.0.0/8": .loopback, "::1": .loopback,
      "169.254.0.0/16": .linkLocal, "fe80::/10": .linkLocal,
      "10.0.0.0/8": .privateNetwork, "172.16.0.0/12": .privateNetwork, "192.168.0.0/16": .privateNetwork,
      "100.64.0.0/10": .privateNetwork, "fc00::/7": .privateNetwork, "fec0::/10": .privateNetwork,
      "0.0.0.0/8": .unspecified, "::": .unspecified,
    ] as KeyValuePairs<String, HostClass>).compactMap { text, hostClass in
      IPNetwork(text).map { (network: $0, hostClass: hostClass) }
    }
}

/// The URLs that a response may lead to by a redirect or a next link: its own origin, an upgrade from http to
/// https on the same host, and the hosts that a source allows. A URL with a user name, a downgrade from https
/// to http, and a private network as the target of a public response are refused, because a response is hostile
/// input.
package struct FollowRule: Sendable {
  private let base: Origin
  private let hosts: [String]

  /// - Parameter hosts: Other allowed hosts, as `host` (on the scheme's default port) or `host:port`.
  package init(base: Origin, hosts: [String]) {
    self.base = base
    self.hosts = hosts
  }

  /// The reason why `target`, found in a response from `source`, is not followed; nil if it is.
  package func refusal(of target: WebURL, from source: Origin) -> FollowError? {
    let origin = target.origin
    if target.hasUserinfo { return .userinfo }
    if origin.scheme == .http, source.scheme == .https { return .downgrade("\(origin)") }
    if isHome(origin) { return nil }
    // Listing such a host would not help, so this comes first.
    let isReachable = origin.hostClass == .global || origin.hostClass == base.hostClass
    guard isReachable else { return .privateAddress(origin.host) }
    return origin.isListed(in: hosts) ? nil : .otherOrigin("\(origin)")
  }

  /// Whether an origin is the requested one, or its upgrade to https.
  package func isHome(_ origin: Origin) -> Bool { origin == base || isUpgrade(to: origin) }

  /// Whether the origin is the https version of the base: the port is unchanged, or changes from 80 to 443.
  private func isUpgrade(to origin: Origin) -> Bool {
    guard base.scheme == .http, origin.scheme == .https, origin.host == base.host else { return false }
    return origin.port == base.port || (base.port == 80 && origin.port == 443)
  }
}

/// The reason why a URL in a response is not followed, as the end of "a link that …".
package enum FollowError: Error, Sendable, Hashable, Codable, CustomStringConvertible {
  case otherOrigin(String)
  case downgrade(String)
  case userinfo
  case privateAddress(String)

  package var description: String {
    switch self {
    case .otherOrigin(let origin): "leads to another origin, \(origin)"
    case .downgrade(let origin): "leads from https to \(origin), which is not allowed"
    case .userinfo: "contains a user name, which is not allowed"
    case .privateAddress(let host): "leads to a private address, \(host), which is not allowed"
    }
  }
}

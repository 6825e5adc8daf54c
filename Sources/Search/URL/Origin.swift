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

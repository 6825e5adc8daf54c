/// Scheme, host and effective port: what credentials are bound to (RFC 6454).
package struct Origin: Sendable, Hashable {
  package let scheme: WebURL.Scheme
  /// In lower case; a literal address in its canonical notation, IPv6 in brackets.
  package let host: String
  /// The port in use, stated or not.
  package let port: Int

  /// What part of the network the host's name or literal address belongs to.
  package var hostClass: HostClass { HostClass(host: host) }

  /// Whether one of the entries means its host: `host` (on the scheme's own port) or `host:port`.
  package func isListed(in hosts: [String]) -> Bool {
    hosts.contains { entry in
      let entry = entry.lowercased()
      return entry == "\(host):\(port)" || (entry == host && port == scheme.defaultPort)
    }
  }
}

extension Origin: CustomStringConvertible {
  /// `https://api.example.org`, and `:8080` behind it when the port is not the scheme's own.
  package var description: String {
    "\(scheme.rawValue)://\(host)\(port == scheme.defaultPort ? "" : ":\(port)")"
  }
}

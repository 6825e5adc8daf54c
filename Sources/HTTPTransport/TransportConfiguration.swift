package import Search

/// The configuration of a transport.
package struct TransportConfiguration: Sendable {
  package var limits = TransportLimits()
  package var trust = ServerTrust.systemRoots
  /// Addresses of host names; any other name is resolved.
  package var addresses: [String: String] = [:]
  /// The class of network that the address of a connection belongs to.
  package var hostClass: @Sendable (_ address: String) -> HostClass = { HostClass(address: $0) }
  /// The clock for sleeping until a timeout could have expired; whether it has is decided by the continuous
  /// clock.
  package var clock: any Clock<Duration> = ContinuousClock()
  /// The environment, for proxy variables and `SSL_CERT_FILE`.
  package var environment: [String: String]
  /// The time of day in seconds since 1970.
  package var now: @Sendable () -> Double

  package init(
    environment: [String: String], now: @escaping @Sendable () -> Double = TransportConfiguration.timeOfDay
  ) {
    self.environment = environment
    self.now = now
  }
}

/// Which server certificates are accepted.
package enum ServerTrust: Sendable, Hashable {
  /// Certificates issued by the system's roots, or by those in `SSL_CERT_FILE` if that is set.
  case systemRoots
  /// Certificates issued by a root in this PEM file, which replaces the system's.
  case roots(file: String)
  /// Any certificate; an attacker on the network can read and change everything.
  case anything
}

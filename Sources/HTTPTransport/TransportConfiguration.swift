package import Search

/// What a transport is told when it is made.
package struct TransportConfiguration: Sendable {
  package var limits = TransportLimits()
  package var trust = ServerTrust.systemRoots
  /// Names with the address that stands for them; any other name is looked up.
  package var addresses: [String: String] = [:]
  /// The part of the network that the address of a connection belongs to.
  package var hostClass: @Sendable (_ address: String) -> HostClass = { HostClass(address: $0) }
  /// By which it sleeps until a limit could be over; the continuous clock says whether it is.
  package var clock: any Clock<Duration> = ContinuousClock()
  /// Read for the proxy variables and `SSL_CERT_FILE`.
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

/// Which certificates a server may show.
package enum ServerTrust: Sendable, Hashable {
  /// One that leads to the system's roots, or to those in `SSL_CERT_FILE` when that is set.
  case systemRoots
  /// One that leads to a root in this PEM file, which takes the place of the system's.
  case roots(file: String)
  /// Any; whoever sits on the way can read and change everything.
  case anything
}

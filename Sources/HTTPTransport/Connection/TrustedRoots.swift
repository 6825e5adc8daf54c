private import Glibc
private import NIOSSL

/// The root certificates used to verify servers.
package struct TrustedRoots: Sendable, Hashable {
  /// The PEM file; nil if the system has none in the known locations.
  package let file: String?
  /// The number of certificates; nil if the file is not a readable certificate file.
  package let count: Int?

  /// - Returns: Nil if any certificate is accepted.
  package init?(_ configuration: TransportConfiguration) {
    switch configuration.trust {
    case .anything: return nil
    case .roots(let file): self.file = file
    case .systemRoots:
      let named = configuration.environment["SSL_CERT_FILE"] ?? ""
      file = named.isEmpty ? Self.systemFiles.first { access($0, R_OK) == 0 } : named
    }
    count = file.flatMap { try? NIOSSLCertificate.fromPEMFile($0).count }.flatMap { $0 > 0 ? $0 : nil }
  }

  /// The locations that NIOSSL tries (LinuxCABundle.swift).
  private static let systemFiles = [
    "/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt",
  ]
}

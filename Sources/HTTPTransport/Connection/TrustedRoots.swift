private import Glibc
private import NIOSSL

/// The root certificates that servers are judged by.
package struct TrustedRoots: Sendable, Hashable {
  /// The PEM file; nil when the system has none where it is looked for.
  package let file: String?
  /// Nil when the file cannot be read as one of certificates.
  package let count: Int?

  /// - Returns: nil where any certificate is taken.
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

  /// Where NIOSSL looks (LinuxCABundle.swift).
  private static let systemFiles = [
    "/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt",
  ]
}

private import Glibc
import NIOSSL

extension TLSConfiguration {
  /// Creates a client configuration with the trust of a transport; reads the certificate files. The minimum
  /// version is TLS 1.2 (RFC 8996).
  init(_ configuration: TransportConfiguration) throws(RootsError) {
    self = .makeClientConfiguration()
    minimumTLSVersion = .tlsv12
    switch configuration.trust {
    case .systemRoots:
      if let file = configuration.environment["SSL_CERT_FILE"], !file.isEmpty {
        trustRoots = try Self.roots(file: file)
      }
    case .roots(let file): trustRoots = try Self.roots(file: file)
    case .anything: certificateVerification = .none
    }
  }

  private static func roots(file: String) throws(RootsError) -> NIOSSLTrustRoots {
    do {
      let certificates = try NIOSSLCertificate.fromPEMFile(file)
      if certificates.isEmpty { throw RootsError(file: file) }
      return .certificates(certificates)
    } catch {
      throw RootsError(file: file)
    }
  }
}

/// A file of root certificates that cannot be used.
struct RootsError: Error, CustomStringConvertible {
  var file: String

  var description: String { "cannot read '\(file)' as a PEM file of root certificates" }
}

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

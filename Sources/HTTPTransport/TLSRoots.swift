private import Glibc
import NIOSSL

/// Which server certificates are accepted.
package enum ServerTrust: Sendable, Hashable {
  /// Certificates issued by the system's roots, or by those in `SSL_CERT_FILE` if that is set.
  case systemRoots
  /// Certificates issued by a root in this PEM file, which replaces the system's.
  case roots(file: String)
  /// Any certificate. An attacker on the network can then read and change everything.
  case anything
}

extension TLSConfiguration {
  /// Creates a client configuration with the trust of a transport; reads the certificate files. The minimum
  /// version is TLS 1.2 (RFC 8996).
  init(_ configuration: TransportConfiguration) throws(RootsError) {
    self = .makeClientConfiguration()
    minimumTLSVersion = .tlsv12
    if configuration.trust == .anything {
      certificateVerification = .none
    } else if let file = configuration.rootsFile {
      guard let certificates = try? NIOSSLCertificate.fromPEMFile(file), !certificates.isEmpty
      else { throw RootsError(file: file) }
      trustRoots = .certificates(certificates)
    }
  }
}

extension TransportConfiguration {
  /// The file of root certificates that replaces the system's; nil if there is none.
  fileprivate var rootsFile: String? {
    if case .roots(let file) = trust { return file }
    return environment["SSL_CERT_FILE"].flatMap { $0.isEmpty ? nil : $0 }
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
    if configuration.trust == .anything { return nil }
    file = configuration.rootsFile ?? Self.systemFiles.first { access($0, R_OK) == 0 }
    count = file.flatMap { try? NIOSSLCertificate.fromPEMFile($0).count }.flatMap { $0 > 0 ? $0 : nil }
  }

  /// The locations that NIOSSL tries (LinuxCABundle.swift).
  private static let systemFiles = [
    "/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt",
  ]
}

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
      trustRoots = .certificates(try file.certificates())
    }
  }
}

extension TransportConfiguration {
  /// The file of root certificates that replaces the system's; nil if there is none.
  fileprivate var rootsFile: RootsFile? {
    if case .roots(let path) = trust { return RootsFile(path: path, setting: "tls.ca_file") }
    let variable = "SSL_CERT_FILE"
    return environment[variable].flatMap { $0.isEmpty ? nil : RootsFile(path: $0, setting: variable) }
  }
}

/// A PEM file of root certificates, and the setting or environment variable that names it; nil for that of the system.
private struct RootsFile {
  let path: String
  let setting: String?

  /// The certificates, at least one.
  func certificates() throws(RootsError) -> [NIOSSLCertificate] {
    if access(path, R_OK) != 0 { throw error(String(cString: strerror(errno))) }
    guard let certificates = try? NIOSSLCertificate.fromPEMFile(path), !certificates.isEmpty
    else { throw error("not a PEM file of certificates") }
    return certificates
  }

  private func error(_ reason: String) -> RootsError {
    let place = setting.map { " (\($0))" } ?? ""
    return RootsError(setting: setting, description: "cannot read \(path)\(place): \(reason)")
  }
}

/// A file of root certificates that cannot be used.
package struct RootsError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The setting or environment variable that names the file; nil for that of the system.
  package let setting: String?
  package let description: String
}

/// The root certificates used to verify servers.
package struct TrustedRoots: Sendable, Hashable {
  /// The PEM file; nil if the system has none in the known locations.
  package let file: String?
  /// The number of certificates.
  package let count: Int

  /// - Returns: Nil if any certificate is accepted.
  /// - Throws: If the file has no certificates.
  package init?(_ configuration: TransportConfiguration) throws(RootsError) {
    if configuration.trust == .anything { return nil }
    let system = Self.systemFiles.first { access($0, R_OK) == 0 }
      .map { RootsFile(path: $0, setting: nil) }
    let roots = configuration.rootsFile ?? system
    file = roots?.path
    count = try roots?.certificates().count ?? 0
  }

  /// The locations that NIOSSL tries (LinuxCABundle.swift).
  private static let systemFiles = [
    "/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt",
  ]
}

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

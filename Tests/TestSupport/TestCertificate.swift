import NIOCore
package import NIOSSL

/// A self-signed certificate for `localhost`, and its key.
package enum TestCertificate {
  fileprivate static func context(_ change: (inout TLSConfiguration) -> Void) throws -> NIOSSLContext {
    let certificates = try NIOSSLCertificate.fromPEMBytes(Array(text.utf8))
    let key = try NIOSSLPrivateKey(bytes: Array(key.utf8), format: .pem)
    var configuration = TLSConfiguration.makeServerConfiguration(
      certificateChain: certificates.map { .certificate($0) }, privateKey: .privateKey(key))
    change(&configuration)
    return try NIOSSLContext(configuration: configuration)
  }

  package static let text = """
    -----BEGIN CERTIFICATE-----
    MIIBZDCCAQugAwIBAgIBAjAKBggqhkjOPQQDAjAWMRQwEgYDVQQDDAtyaWZmbGUg
    dGVzdDAgFw0yMDAxMDEwMDAwMDBaGA8yMTIwMDEwMTAwMDAwMFowFjEUMBIGA1UE
    AwwLcmlmZmxlIHRlc3QwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAATv6X6vcci6
    w1NvZPSzruLpTgWlyq73sNDD0m3jo7oqw6QcdsXYUkNM90FYSZe5Z8y3l7mGiDEH
    KQQ4N/z/yCe6o0gwRjAPBgNVHRMBAf8EBTADAQH/MBQGA1UdEQQNMAuCCWxvY2Fs
    aG9zdDAdBgNVHQ4EFgQUgPqDnszxKOOagKZh4y9i+It+xrQwCgYIKoZIzj0EAwID
    RwAwRAIgIgXYYme6xMxDTCIPTUDM5DytD8nneuC1Fumr09kyJCsCICK3hfV2ZDrP
    N7ky32/EEXKiBnjqj38VGiDG8BXM+RQu
    -----END CERTIFICATE-----
    """

  /// Made for tests. It protects nothing.
  private static let key = """
    -----BEGIN PRIVATE KEY-----
    MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgWAdMaaMcRndCFdAW
    1qrVGGNI8h+x6+kLWOb3ZuDqyJOhRANCAATv6X6vcci6w1NvZPSzruLpTgWlyq73
    sNDD0m3jo7oqw6QcdsXYUkNM90FYSZe5Z8y3l7mGiDEHKQQ4N/z/yCe6
    -----END PRIVATE KEY-----
    """
}

extension RawServer {
  /// A server that uses TLS with the test certificate if it is secure.
  package static func start(
    isSecure: Bool, tls: (inout TLSConfiguration) -> Void = { _ in }, _ script: @escaping Script
  ) async throws -> RawServer {
    guard isSecure else { return try await start(script) }
    let context = try TestCertificate.context(tls)
    return try await start(
      wrap: { try $0.pipeline.syncOperations.addHandler(NIOSSLServerHandler(context: context)) }, script)
  }
}

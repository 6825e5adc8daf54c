import DemoTesting
import FoundationEssentials
import HTTPTransport
import HTTPValues
import NIOSSL
import Search
import TestSupport
import Testing
import TransportTesting

@Suite(.takesTurns) struct TLSTests {
  /// A server that speaks TLS only as `localhost`, with a certificate that no authority has signed.
  private func server() async throws -> RawServer {
    try await RawServer.start(isSecure: true) { _, _ in [.ok("secure")] }
  }

  /// The outcome of a request to the server by this name.
  private func outcome(
    _ host: String, trust: ServerTrust, environment: [String: String] = [:]
  ) async throws -> Result<HTTPResponse, TransportError> {
    let server = try await server()
    return try await withTransport(trust: trust, environment: environment) {
      await $0.outcome(of: try HTTPRequest(get: "https://\(host):\(server.port)/"))
    }
  }

  /// Runs `body` with the path of a file that contains the server's certificate.
  private func withRoots(_ body: (String) async throws -> Void) async throws {
    let path = FileManager.default.temporaryDirectory.path + "/riffle-roots-\(UUID()).pem"
    try Data(TestCertificate.text.utf8).write(to: URL(filePath: path))
    defer { try? FileManager.default.removeItem(atPath: path) }
    try await body(path)
  }

  @Test(arguments: [[:], ["SSL_CERT_FILE": ""]])
  func `A certificate that the system does not know is refused.`(environment: [String: String]) async throws {
    let failure = try await outcome("localhost", trust: .systemRoots, environment: environment).failure
    #expect(failure?.kind == .tls)
    #expect(failure?.detail.contains("CERTIFICATE_VERIFY_FAILED") == true)
  }

  @Test func `A root certificate in a file is trusted, by option or by variable.`() async throws {
    try await withRoots { path in
      try await #expect(outcome("localhost", trust: .roots(file: path)).picture == "200 secure")
      let environment = ["SSL_CERT_FILE": path]
      #expect(
        try await outcome("localhost", trust: .systemRoots, environment: environment).picture == "200 secure")
    }
  }

  @Test func `A certificate for another name is refused.`() async throws {
    try await withRoots { path in
      let failure = try await outcome("127.0.0.1", trust: .roots(file: path)).failure
      #expect(failure?.kind == .tls)
    }
  }

  @Test func `Every certificate is accepted on request.`() async throws {
    try await #expect(outcome("localhost", trust: .anything).picture == "200 secure")
  }

  @Test func `A missing file of root certificates is an error that names it.`() async throws {
    let failure = try await outcome("localhost", trust: .roots(file: "/nonexistent.pem")).failure
    #expect(failure?.kind == .noRoots(setting: "tls.ca_file"))
    #expect(failure?.detail == "cannot read /nonexistent.pem (tls.ca_file): No such file or directory")
  }

  @Test func `A server that does not speak TLS is a TLS failure.`() async throws {
    let server = try await TestServer.start()
    let request = try HTTPRequest(get: "https://127.0.0.1:\(server.port)/")
    let failure = try await withTransport { await $0.outcome(of: request).failure }
    try await server.stop()
    #expect(failure?.kind == .tls)
    #expect(server.requestLog.isEmpty)
  }

  @Test(
    arguments: [
      (TLSVersion.tlsv1, TLSVersion.tlsv1, false), (.tlsv1, .tlsv11, false), (.tlsv1, .tlsv12, true),
      (.tlsv12, .tlsv12, true), (.tlsv13, .tlsv13, true),
    ])
  func `[D54] TLS 1.2 is the minimum version.`(
    least: TLSVersion, most: TLSVersion, isSpoken: Bool
  ) async throws {
    let server = try await RawServer.start(isSecure: true) {
      $0.minimumTLSVersion = least
      $0.maximumTLSVersion = most
    } _: { _, _ in
      [.ok("secure")]
    }
    let outcome = try await withTransport(trust: .anything) {
      await $0.outcome(of: try HTTPRequest(get: "https://localhost:\(server.port)/"))
    }
    #expect(outcome.picture == (isSpoken ? "200 secure" : "tls"))
    #expect(
      outcome.failure?.detail ?? "no support for TLS 1.2 or later" == "no support for TLS 1.2 or later")
  }

  @Test func `Only HTTP/1.1 is offered, whatever else a server speaks.`() async throws {
    let server = try await RawServer.start(isSecure: true) {
      $0.applicationProtocols = ["h2", "http/1.1"]
    } _: { _, _ in
      [.ok("secure")]
    }
    let outcome = try await withTransport(trust: .anything) {
      await $0.outcome(of: try HTTPRequest(get: "https://localhost:\(server.port)/"))
    }
    #expect(outcome.picture == "200 secure")
  }

  @Test func `A stalled handshake ends at the limit for connecting.`() async throws {
    let server = try await RawServer.start { _, _ in [] }
    var limits = TransportLimits.patient
    limits.connect = .milliseconds(50)
    let request = try HTTPRequest(get: "https://127.0.0.1:\(server.port)/")
    let outcome = try await withTransport(limits: limits) { await $0.outcome(of: request) }
    #expect(outcome.picture == "connectTimeout(seconds: 0.05)")
  }
}

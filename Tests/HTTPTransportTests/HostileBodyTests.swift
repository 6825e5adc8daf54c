import DemoTesting
import HTTPTransport
import HTTPValues
import JSON
import Search
import TestSupport
import Testing
import TransportTesting

/// Tests bodies that try to exhaust a reader: each one ends in a clear error, and no more than the limit is read.
@Suite(.takesTurns) struct HostileBodyTests {
  private static let limit = TransportLimits().bodyBytes
  /// The most that the system may buffer between the two ends of a connection.
  private static let buffers = 16 << 20
  private static let piece = [UInt8](repeating: 0x20, count: 1 << 20)

  /// The outcome, and how many bytes the server could send before the connection was closed.
  private func outcome(_ head: String) async throws -> (picture: String, sentBytes: Int) {
    let server = try await RawServer.start { _, _ in
      [.send("HTTP/1.1 200 OK\n\(head)\n"), .drip(Self.piece, milliseconds: 1)]
    }
    return try await withTransport { transport in
      let request = try HTTPRequest(get: "http://127.0.0.1:\(server.port)/")
      let picture = await transport.outcome(of: request).picture
      try await once { server.closed > 0 }
      return (picture, server.sentBytes)
    }
  }

  @Test func `Two gibibytes are refused because of their announced length.`() async throws {
    let (picture, sentBytes) = try await outcome("Content-Length: \(2 << 30)\n")
    #expect(picture == "bodyTooLarge(limit: 33554432)")
    #expect(sentBytes <= Self.buffers)
  }

  @Test(arguments: ["", "Content-Encoding: identity\n"])
  func `A body without an end is read only up to the limit.`(head: String) async throws {
    let (picture, sentBytes) = try await outcome(head)
    #expect(picture == "bodyTooLarge(limit: 33554432)")
    #expect(sentBytes <= Self.limit + Self.buffers)
  }

  @Test(arguments: [
    ("huge", "bodyTooLarge(limit: 33554432)"), ("endless", "bodyTooLarge(limit: 33554432)"),
    ("gzipbomb", "bodyTooLarge(limit: 33554432)"),
  ])
  func `The demo server's huge and endless bodies are refused as too large.`(
    fault: String, expected: String
  ) async throws {
    let server = try await TestServer.start()
    let request = try HTTPRequest(get: server.baseURL + "/none?q=x&fault=" + fault)
    let picture = try await withTransport { await $0.outcome(of: request).picture }
    try await server.stop()
    #expect(picture == expected)
  }

  @Test func `A long body within the limit arrives whole.`() async throws {
    let server = try await TestServer.start()
    let request = try HTTPRequest(get: server.baseURL + "/none?q=x&fault=huge&mebibytes=31")
    let response = try await withTransport { try await $0.response(to: request) }
    try await server.stop()
    #expect(response.body.count == (31 << 20) + 3)
  }

  @Test func `Nested brackets are received, and then refused by the JSON parser.`() async throws {
    let server = try await TestServer.start()
    let request = try HTTPRequest(get: server.baseURL + "/none?q=x&fault=deep")
    let response = try await withTransport { try await $0.response(to: request) }
    try await server.stop()
    #expect(response.body.count == 200_000)
    let error = #expect(throws: JSONError.self) { try JSONDocument(response.body) }
    #expect(error.map { "\($0)" }?.contains("at most 64 levels of nesting") == true)
  }
}

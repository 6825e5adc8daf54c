import AsyncHTTPClient
import Glibc
import HTTPValues
import NIOCore
import NIOHTTP1
import NIOSSL
import Search
import Testing

@testable import HTTPTransport

/// Tests library errors that no loopback server can cause.
struct LibraryErrorTests {
  @Test func `[U28] The library has no time limit of its own that --timeout could not raise.`() {
    let ours = TransportConfiguration(environment: [:])
    let configuration = HTTPClient.Configuration(ours, tls: nil, proxy: nil)
    #expect(configuration.timeout.read == nil)
  }

  @Test(
    arguments: [
      (CancellationError(), "cancelled"),
      (HTTPClientError.cancelled, "cancelled"),
      (HTTPClientError.alreadyShutdown, "cancelled"),
      (HTTPClientError.uncleanShutdown, "lostInBody(received: 7)"),
      (HTTPClientError.deadlineExceeded, "deadline(seconds: 60.0)"),
      (
        HTTPClientError.getConnectionFromPoolTimeout,
        "connectTimeout(seconds: 10.0): Get connection from pool timeout"
      ),
      (HTTPClientError.socksHandshakeTimeout, "connectTimeout(seconds: 10.0): SOCKS handshake timeout"),
      (HTTPClientError.invalidHeaderFieldValues(["s3cret"]), "other: Invalid header field values"),
      (HTTPClientError.unsupportedScheme("s3cret"), "other: Unsupported scheme"),
      (HTTPParserError.closedConnection, "lostInBody(received: 7)"),
      (HTTPParserError.invalidHeaderToken, "malformed: invalid character in header"),
      (ChannelError.connectTimeout(.seconds(1)), "connectTimeout(seconds: 10.0)"),
      (ChannelError.ioOnClosedChannel, "lostInBody(received: 7)"),
      (IOError(errnoCode: ECONNREFUSED, reason: "connect"), "refused"),
      (IOError(errnoCode: ETIMEDOUT, reason: "connect"), "connectTimeout(seconds: 10.0)"),
      (IOError(errnoCode: EPIPE, reason: "write"), "lostInBody(received: 7)"),
      (IOError(errnoCode: ENETUNREACH, reason: "connect"), "other: Network is unreachable"),
      (NIOSSLError.uncleanShutdown, "lostInBody(received: 7)"),
      (NIOSSLError.unableToValidateCertificate, "tls: unableToValidateCertificate"),
      (HTTPParserError.invalidStatus, "invalidStatusLine"),
      (TransportError(.refused, origin: "b"), "refused"),
      (Unknown(text: "s3cret"), "other: Unknown"),
    ] as [(any Error, String)])
  func `Every error has a kind and a detail that contains nothing from the request.`(
    error: any Error, expected: String
  ) {
    let failure = TransportError(
      error, while: .receivingBody(bytes: 7), limits: TransportLimits(), origin: "http://a.example")
    #expect("\(failure.kind)" + (failure.detail.isEmpty ? "" : ": \(failure.detail)") == expected)
  }

  private struct Unknown: Error { var text: String }
}

import HTTPTransport
import HTTPValues
import Search
import TestSupport
import Testing
import TransportTesting

/// Tests invalid heads of responses: each one is a response or a failure, and none ends the process.
@Suite(.takesTurns) struct HostileHeadTests {
  private static let body = "Content-Length: 2\n\n[]"

  @Test(arguments: [
    ("HTTP/1.1 000 X\n" + body, "invalidStatusLine"),
    ("HTTP/1.1 001 X\nContent-Length: 0\n\n", "invalidStatusLine"),
    ("HTTP/1.1 000 X\n\nto the end", "invalidStatusLine"),
    ("HTTP/1.1 099 X\nTransfer-Encoding: chunked\n\n2\n[]\n0\n\n", "invalidStatusLine"),
    ("HTTP/1.1 99 X\n" + body, "invalidStatusLine"),
    ("HTTP/1.1 -1 X\n" + body, "invalidStatusLine"),
    ("HTTP/1.1 1000 X\n" + body, "invalidStatusLine"),
    ("HTTP/1.1 abc X\n" + body, "invalidStatusLine"),
    ("HTTP/1.1 100 Continue\n\nHTTP/1.1 000 X\n" + body, "invalidStatusLine"),
    ("HTTP/1.1 200 OK\n" + body + "HTTP/1.1 000 X\n" + body, "200 []"),
    ("HTTP/1.1 999 X\n" + body, "999 []"),
    ("HTTP/1.1 200\n" + body, "200 []"),
  ])
  func `[D47] A status line without a status from 100 to 999 is refused.`(
    response: String, expected: String
  ) async throws {
    let outcome = try await outcome { _, _ in [.send(response), .close] }
    #expect(outcome.picture == expected)
    let message = outcome.failure.map { PageError($0, isSafe: true).message } ?? ""
    #expect(expected != "invalidStatusLine" || message.hasSuffix("sent an invalid HTTP status line"))
  }

  @Test(arguments: [
    // RFC 9110, section 15.2: any number of interim responses, without content.
    ("HTTP/1.1 100 Continue\n\nHTTP/1.1 103 Early Hints\nLink: <a>\n\nHTTP/1.1 200 OK\n" + body, "200 []"),
    ("HTTP/1.1 103 X\nContent-Encoding: gzip\n\nHTTP/1.1 200 OK\n" + body, "200 []"),
    ("HTTP/1.1 100 Continue\n" + body + "HTTP/1.1 200 OK\n" + body, "malformed"),
    (String(repeating: "HTTP/1.1 102 X\n\n", count: 100) + "HTTP/1.1 200 OK\n" + body, "200 []"),
    (String(repeating: "HTTP/1.1 102 X\n\n", count: 101) + "HTTP/1.1 200 OK\n" + body, "malformed"),
    ("HTTP/1.1 101 Switching Protocols\nUpgrade: x\nConnection: upgrade\n\nnot HTTP any more", "101 "),
    ("HTTP/1.1 200 OK\nUpgrade: h2c\nConnection: upgrade\n" + body, "200 []"),
    ("HTTP/1.1 204 No Content\n" + body, "204 "), ("HTTP/1.1 304 Not Modified\n" + body, "304 "),
    // Lengths that contradict each other, or that no page has.
    ("HTTP/1.1 200 OK\nContent-Length: 2\nTransfer-Encoding: chunked\n\n2\n[]\n0\n\n", "malformed"),
    ("HTTP/1.1 200 OK\nTransfer-Encoding: chunked\n\nffffffffffffffff\n[]", "lostInBody(received: 2)"),
    ("HTTP/1.1 200 OK\nTransfer-Encoding: chunked\n\nfffffffffffffffff\n[]", "malformed"),
    ("HTTP/1.1 200 OK\nContent-Length: 18446744073709551615\n\n[]", "lostInBody(received: 2)"),
    ("HTTP/1.1 200 OK\nContent-Length: 9223372036854775807\n\n[]", "bodyTooLarge(limit: 33554432)"),
    ("HTTP/1.1 200 OK\nContent-Length: 99999999999999999999999\n\n[]", "malformed"),
    ("HTTP/1.1 200 OK\nContent-Length: -1\n\n[]", "malformed"),
    // Other protocols.
    ("[]", "malformed"), ("<html>HTTP/0.9</html>", "malformed"), ("HTTP/0.9 200 OK\n" + body, "malformed"),
    ("HTTP/2.0 200 OK\n" + body, "malformed"), ("GET / HTTP/1.1\n\n", "malformed"),
    ("\n\n\nHTTP/1.1 200 OK\n" + body, "200 []"),
  ])
  func `[D47] Any response head gives a response or an error, never a crash.`(
    response: String, expected: String
  )
    async throws
  {
    let outcome = try await outcome { _, _ in [.send(response), .close] }
    #expect(outcome.picture == expected)
  }

  @Test(arguments: ["HTTP/1.1 000 X\n\n", "HTTP/1.1 101 X\n\nrest", "HTTP/1.1 200 OK\n\nmore", "x"])
  func `[D47] An invalid answer from a proxy is a failure, whatever it is.`(response: String) async throws {
    let proxy = try await RawServer.start { _, _ in [.send(response), .close] }
    let failure = try await withTransport(environment: ["http_proxy": "http://127.0.0.1:\(proxy.port)"]) {
      await $0.outcome(of: try HTTPRequest(get: "http://a.example/")).failure
    }
    #expect(failure != nil)
  }
}

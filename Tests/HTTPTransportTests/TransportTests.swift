import Demo
import HTTPValues
import NIOCore
import NIOPosix
import Search
import TestSupport
import Testing
import TransportTesting

@testable import HTTPTransport

@Suite(.takesTurns) struct TransportTests {
  @Test func `A response has its status, header fields, body and address.`()
    async throws
  {
    let server = try await DemoServer.start()
    let url = server.baseURL + "/characters?q=U%2B2192"
    let response = try await withTransport { try await $0.response(to: HTTPRequest(get: url)) }
    try await server.stop()
    #expect(response.status == 200)
    #expect(response.headers.first("x-total-count") == "1")
    #expect(
      String(decoding: response.body, as: UTF8.self).hasPrefix(
        "{\"total_count\":1,\"items\":[{\"code_point\""))
    #expect(response.url.description == url)
    #expect(response.sentAt > 1_700_000_000 && response.arrivedAt >= response.sentAt)
  }

  @Test func `A request is sent with its own fields, except reserved ones, and accepts gzip.`() async throws {
    let server = try await RawServer.start { _, _ in [.ok("[]")] }
    try await withTransport { transport in
      var request = try HTTPRequest(get: "http://127.0.0.1:\(server.port)/a?b=c")
      for field in [
        "Accept: application/json", "Host: evil.example", "Accept-Encoding: br", "Connection: close",
      ] {
        let parts = field.split(separator: ": ").map(String.init)
        request.headers.append(try HTTPField(name: parts[0], value: parts[1]))
      }
      _ = try await transport.response(to: request)
    }
    #expect(
      server.requests == [
        """
        GET /a?b=c HTTP/1.1
        User-Agent: riffle/1
        Accept: application/json
        Accept-Encoding: gzip
        host: 127.0.0.1:\(server.port)


        """
      ])
  }

  @Test(arguments: [
    "/a%2Fb/%E6%97%A5?q=c%2B%2B%20%26%20x&y=%5B1%5D", "/?q=a+b&&c", "/?filter[name]={x|y}^`\"<>",
    "//double///slash",
    "/%zz?%", "/a;b=c:d@e!$&'()*,?/?x=/?:@", "/日本語?q=日本語", "/?",
  ])
  func `The request target is sent as in the URL.`(path: String) async throws {
    let server = try await RawServer.start { _, _ in [.ok("")] }
    let request = try HTTPRequest(get: "http://127.0.0.1:\(server.port)\(path)")
    _ = try await withTransport { try await $0.response(to: request) }
    #expect(
      server.requests.first?.split(separator: "\n").first == "GET \(request.url.requestTarget) HTTP/1.1")
  }

  @Test func `Requests share a connection.`() async throws {
    let server = try await RawServer.start { number, _ in [.ok("\(number)")] }
    let request = try HTTPRequest(get: "http://127.0.0.1:\(server.port)/")
    let bodies = try await withTransport { transport in
      var bodies: [String] = []
      for _ in 0..<3 { bodies.append(await transport.outcome(of: request).picture) }
      return bodies
    }
    #expect(bodies == ["200 0", "200 1", "200 2"])
    #expect(server.connections == 1)
  }

  @Test func `HEAD receives only the head and does not request gzip.`() async throws {
    let server = try await RawServer.start { _, _ in
      [.send("HTTP/1.1 200 OK\nContent-Length: 99999999999\nContent-Encoding: gzip\n\n")]
    }
    var request = try HTTPRequest(get: "http://127.0.0.1:\(server.port)/")
    request.method = .head
    let requestToSend = request
    let outcome = try await withTransport { await $0.outcome(of: requestToSend).picture }
    #expect(outcome == "200 ")
    #expect(server.requests.first?.contains("Accept-Encoding: identity\n") == true)
  }

  @Test func `A POST carries its body.`() async throws {
    let server = try await RawServer.start { _, _ in [.ok("")] }
    var request = try HTTPRequest(get: "http://127.0.0.1:\(server.port)/")
    request.method = .post
    request.body = Array("{\"q\":1}".utf8)
    let requestToSend = request
    _ = try await withTransport { try await $0.response(to: requestToSend) }
    #expect(server.requests.first?.contains("Content-Length: 7\n") == true)
    #expect(server.requests.first?.hasSuffix("\n\n{\"q\":1}") == true)
  }

  @Test func `Informational responses are skipped.`() async throws {
    let outcome = try await outcome { _, _ in
      [.send("HTTP/1.1 103 Early Hints\nLink: <x>\n\n"), .ok("done")]
    }
    #expect(outcome.picture == "200 done")
  }

  @Test(arguments: [204, 304, 300, 404, 500])
  func `A response with any status is returned.`(status: Int) async throws {
    let outcome = try await outcome { _, _ in
      [
        .send(
          "HTTP/1.1 \(status) X\nLocation: /elsewhere\n\(status == 204 || status == 304 ? "" : "Content-Length: 0\n")\n"
        )
      ]
    }
    #expect(outcome.picture == "\(status) ")
  }

  @Test(arguments: ["200 OK\nContent-Length: 0", "204 No Content", "304 Not Modified"])
  func `A head that announces gzip without a body is an empty response.`(head: String) async throws {
    let outcome = try await outcome { _, _ in [.send("HTTP/1.1 \(head)\nContent-Encoding: gzip\n\n")] }
    #expect(outcome.picture == "\(head.prefix(3)) ")
  }

  @Test func `A transport that is closed sends nothing.`() async throws {
    let server = try await RawServer.start { _, _ in [.ok("")] }
    let request = try HTTPRequest(get: "http://127.0.0.1:\(server.port)/")
    var configuration = TransportConfiguration(environment: [:])
    configuration.limits = .patient
    let connections = HTTPConnections(configuration)
    let transport = Transport(over: connections)
    let before = await transport.outcome(of: request)
    connections.close()
    connections.close()
    let after = await transport.outcome(of: request)
    #expect([before, after].map(\.picture) == ["200 ", "cancelled"])
    #expect(server.requests.count == 1)
  }

  @Test func `[D37] Closing does not wait for connections that are being established.`() async throws {
    // The TLS greeting of this connection is never answered.
    let server = try await RawServer.start { _, _ in [] }
    let request = try HTTPRequest(get: "https://127.0.0.1:\(server.port)/")
    var configuration = TransportConfiguration(environment: [:])
    configuration.limits = .patient
    let connections = HTTPConnections(configuration)
    let transport = Transport(over: connections)
    async let outcome = transport.outcome(of: request)
    try await once { server.connections > 0 }
    connections.close()
    #expect(await outcome.picture == "cancelled")
    #expect(await transport.outcome(of: request).picture == "cancelled")
    server.closeConnections()
  }

  @Test func `[D40] The thread of connections outlives them, so late work still has a thread.`()
    async throws
  {
    let outcome = try await outcome { _, _ in [.ok("")] }
    #expect(outcome.picture == "200 ")
    let isDone = try await HTTPConnections.group.next().submit { true }.get()
    #expect(isDone)
  }
}

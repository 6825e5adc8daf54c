import DemoTesting
import NIOCore
import NIOPosix
import TestSupport
import Testing

@testable import Demo

@Suite(.takesTurns) struct DemoServerTests {
  /// Sends bytes and returns the response, read until the server closes.
  private func exchange(_ request: String, with server: TestServer) async throws -> String {
    let port = server.port
    let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .connect(host: "127.0.0.1", port: port) { channel in
        channel.eventLoop.makeCompletedFuture {
          try NIOAsyncChannel<ByteBuffer, ByteBuffer>(wrappingChannelSynchronously: channel)
        }
      }
    return try await channel.executeThenClose { inbound, outbound in
      try await outbound.write(ByteBuffer(string: request.replacing("\n", with: "\r\n")))
      var response = ByteBuffer()
      for try await bytes in inbound { response.writeImmutableBuffer(bytes) }
      return String(buffer: response).replacing("\r\n", with: "\n")
    }
  }

  private func withServer(
    budget: RequestBudget = RequestBudget(), _ body: (TestServer) async throws -> Void
  ) async throws {
    let server = try await TestServer.start(budget: budget, clock: { 1000 })
    do { try await body(server) } catch {
      try await server.stop()
      throw error
    }
    try await server.stop()
  }

  @Test func `A response over the network is that of the API, with its rate limit.`() async throws {
    try await withServer { server in
      let response = try await exchange(
        "GET /characters?q=U%2B2192 HTTP/1.1\nHost: 127.0.0.1:\(server.port)\nConnection: close\n\n",
        with: server)
      #expect(
        response == """
          HTTP/1.1 200 OK
          Content-Type: application/json; charset=utf-8
          X-Total-Count: 1
          X-RateLimit-Limit: 10000
          X-RateLimit-Remaining: 9999
          X-RateLimit-Reset: 1060
          Content-Length: 234
          Connection: close

          {"total_count":1,"items":[{"code_point":"U+2192","character":"→","name":"RIGHTWARDS ARROW",\
          "category":"Math Symbol","category_code":"Sm","age":"1.1","numeric":null,\
          "url":"https://util.unicode.org/UnicodeJsps/character.jsp?a=2192"}]}
          """)
      #expect(server.requestLog == ["/characters?q=U%2B2192"])
    }
  }

  @Test func `Pipelined requests are answered in order over one connection.`() async throws {
    try await withServer { server in
      let host = "Host: localhost:\(server.port)"
      let responses = try await exchange(
        """
        HEAD /?delay=20 HTTP/1.1
        \(host)

        GET /a HTTP/1.1
        \(host)

        POST /b HTTP/1.1
        \(host)
        Content-Length: 5

        12345GET /c HTTP/1.1
        \(host)
        Connection: close


        """, with: server)
      let statuses = responses.split(separator: "HTTP/1.1 ").map { $0.prefix(3) }
      #expect(statuses == ["200", "404", "404", "404"])
      #expect(!responses.contains("\"routes\""))
      #expect(server.requestLog == ["/?delay=20", "/a", "/b", "/c"])
    }
  }

  @Test func `A request for another host name is refused.`() async throws {
    try await withServer { server in
      let response = try await exchange(
        "GET / HTTP/1.1\nHost: evil.example\nConnection: close\n\n", with: server)
      #expect(response.hasPrefix("HTTP/1.1 400 Bad Request\n"))
      #expect(!response.contains("routes"))
    }
  }

  @Test func `An exhausted budget gives status 429 with the time to wait.`() async throws {
    try await withServer(budget: RequestBudget(limit: 1, window: 60)) { server in
      let request = "GET / HTTP/1.1\nHost: 127.0.0.1:\(server.port)\nConnection: close\n\n"
      _ = try await exchange(request, with: server)
      let response = try await exchange(request, with: server)
      #expect(response.hasPrefix("HTTP/1.1 429 Too Many Requests\n"))
      #expect(response.contains("\nRetry-After: 60\n"))
    }
  }

  @Test func `A truncated response announces more bytes than it sends.`() async throws {
    try await withServer { server in
      let request = "GET /?fault=truncate HTTP/1.1\nHost: 127.0.0.1:\(server.port)\n\n"
      let response = try await exchange(request, with: server)
      let announced = response.split(separator: "\n").first { $0.hasPrefix("Content-Length: ") }
      let length = try #require(announced.flatMap { Int($0.dropFirst(16)) })
      let body = try #require(response.firstRange(of: "\n\n")).upperBound
      #expect(response[body...].utf8.count == length / 2)
    }
  }

  @Test func `A huge response has the length it announces.`() async throws {
    try await withServer { server in
      let request = """
        GET /?fault=huge&mebibytes=3 HTTP/1.1
        Host: 127.0.0.1:\(server.port)
        Connection: close


        """
      let response = try await exchange(request, with: server)
      #expect(response.contains("\nContent-Length: 3145731\n"))
      let body = try #require(response.firstRange(of: "\n\n")).upperBound
      #expect(response[body...].utf8.count == 3_145_731)
      #expect(response.hasSuffix(",0,0]"))
    }
  }

  @Test func `A route that accepts a body reads it, up to a limit.`() async throws {
    try await withServer { server in
      func response(to body: String) async throws -> String {
        try await exchange(
          """
          POST /graphql HTTP/1.1
          Host: 127.0.0.1:\(server.port)
          Connection: close
          Content-Length: \(body.utf8.count)

          \(body)
          """, with: server)
      }
      let query = "{\"query\":\"{characters}\",\"variables\":{\"q\":\"U+2192\"}"
      try await #expect(response(to: query + "}").contains("\"totalCount\":1"))
      let most = 65_536 - query.utf8.count - 1
      try await #expect(
        response(to: query + String(repeating: " ", count: most) + "}").contains("totalCount"))
      let long = try await response(to: query + String(repeating: " ", count: most + 1) + "}")
      #expect(long.hasPrefix("HTTP/1.1 413 "))
    }
  }

  @Test func `A fault that occurs once is gone when the request is repeated.`() async throws {
    try await withServer { server in
      let request = """
        GET /none?q=x&fault=500&times=1 HTTP/1.1
        Host: 127.0.0.1:\(server.port)
        Connection: close


        """
      try await #expect(exchange(request, with: server).hasPrefix("HTTP/1.1 500 "))
      try await #expect(exchange(request, with: server).hasPrefix("HTTP/1.1 200 "))
    }
  }

  @Test(arguments: ["GET /\u{1} HTTP/1.1\n\n", "nonsense\n\n", "GET / HTTP/9.9\nHost: x\n\n"])
  func `Input that is not HTTP is refused, and the connection is closed.`(text: String) async throws {
    try await withServer { server in
      let response = try await exchange(text, with: server)
      #expect(response.hasPrefix("HTTP/1.1 400 Bad Request\n"))
    }
  }

  @Test func `Stopping the server ends a hanging response.`() async throws {
    let server = try await TestServer.start()
    let request = "GET /?fault=hang HTTP/1.1\nHost: 127.0.0.1:\(server.port)\n\n"
    async let response = exchange(request, with: server)
    try await once { !server.requestLog.isEmpty }
    try await server.stop()
    _ = try? await response
    await #expect(throws: (any Error).self) { try await exchange(request, with: server) }
  }

  @Test func `A port in use is an error that names it.`() async throws {
    try await withServer { server in
      let failure = await #expect(throws: DemoServerError.self) {
        try await TestServer.start(port: server.port)
      }
      let message = try #require(failure).description
      #expect(message.hasPrefix("cannot listen on 127.0.0.1:\(server.port): "))
      await #expect(throws: DemoServerError.self) { try await TestServer.start(port: 70_000) }
    }
  }
}

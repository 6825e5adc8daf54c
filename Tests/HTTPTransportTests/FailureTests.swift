import DemoTesting
import HTTPTransport
import HTTPValues
import Search
import TestSupport
import Testing
import TransportTesting

/// Tests real servers that fail, and how the transport reports them.
@Suite(.takesTurns) struct FailureTests {
  @Test func `A closed port is reported as refused.`() async throws {
    let server = try await RawServer.start { _, _ in [] }
    try await server.stop()
    let origin = "http://127.0.0.1:\(server.port)"
    let failure = try await withTransport {
      await $0.outcome(of: try HTTPRequest(get: origin + "/x?secret=1")).failure
    }
    #expect(failure == TransportError(.refused, origin: origin))
  }

  @Test func `A name that does not exist is reported as not found.`() async throws {
    // No resolver looks up a label of more than 63 bytes, so this needs no network.
    let url = "http://" + String(repeating: "x", count: 64) + ".example/"
    let outcome = try await withTransport { await $0.outcome(of: try HTTPRequest(get: url)) }
    #expect(outcome.picture == "hostNotFound")
  }

  @Test(
    arguments: [
      ([.close], "lostBeforeHead"),
      ([.reset], "lostBeforeHead"),
      ([.send("HTTP/1.1 200 OK\nContent-Le"), .close], "lostBeforeHead"),
      ([.send("HTTP/1.1 200 OK\nContent-Length: 10\n\n12345"), .close], "lostInBody(received: "),
      (
        [.send("HTTP/1.1 200 OK\nTransfer-Encoding: chunked\n\n3\n123\n"), .close], "lostInBody(received: "
      ),
      ([.send("HTTP/1.1 200 OK\n\nto the end"), .close], "200 to the end"),
      ([.send("SSH-2.0-OpenSSH_9.2\n"), .close], "malformed"),
      ([.send("HTTP/1.1 200 OK\nContent-Length: x\n\n")], "malformed"),
      ([.send("HTTP/1.1 200 OK\nContent-Length: 1\nContent-Length: 2\n\n12")], "malformed"),
      ([.send("HTTP/1.1 200 OK\nBad Name: x\n\n"), .close], "malformed"),
      ([.send("HTTP/1.1 200 OK\nTransfer-Encoding: chunked\n\nxyz\n")], "malformed"),
    ] as [([RawServer.Action], String)])
  func `Connections that end early and invalid responses are distinguished.`(
    actions: [RawServer.Action], expected: String
  ) async throws {
    let picture = try await outcome { _, _ in actions }.picture
    #expect(picture.hasPrefix(expected))
  }

  @Test(arguments: [
    ("Content-Type: application/json; charset=utf-8\n", "lost after 3 bytes of application/json"),
    ("Content-Type: text/html\n", "lost after 3 bytes of text/html"), ("", "lost after 3 bytes"),
  ])
  func `[D45] A body that is cut off is reported with its size and type.`(field: String, words: String)
    async throws
  {
    let failure = try await outcome { _, _ in
      [.send("HTTP/1.1 200 OK\nContent-Length: 9\n\(field)\n123"), .close]
    }.failure
    let message = PageError(try #require(failure), isSafe: true).message
    #expect(message.hasSuffix(words), "\(message)")
  }

  @Test func `The demo server's faults do what their names say.`() async throws {
    let server = try await TestServer.start()
    let url = server.baseURL + "/?fault="
    let pictures = try await withTransport { transport in
      var pictures: [String] = []
      for fault in ["500", "429&retry_after=7", "html", "truncate"] {
        pictures.append(
          String(await transport.outcome(of: try HTTPRequest(get: url + fault)).picture.prefix(12)))
      }
      return pictures
    }
    try await server.stop()
    #expect(pictures == ["500 {\"messag", "429 {\"messag", "200 <!doctyp", "lostInBody(r"])
  }

  // MARK: Time

  private func limits(_ change: (inout TransportLimits) -> Void) -> TransportLimits {
    var limits = TransportLimits.patient
    change(&limits)
    return limits
  }

  @Test func `[U28] Waiting for a response ends at the time limit of the exchange, and at no other.`()
    async throws
  {
    let limits = limits { $0.total = .milliseconds(100) }
    #expect(try await outcome(limits: limits) { _, _ in [] }.picture == "deadlineBeforeHead(seconds: 0.1)")
    let head = try await outcome(limits: limits) { _, _ in [.send("HTTP/1.1 200 OK\nX: ")] }
    #expect(head.picture == "deadlineBeforeHead(seconds: 0.1)")
    let body = try await outcome(limits: limits) { _, _ in
      [.send("HTTP/1.1 200 OK\nContent-Length: 9\n\n123")]
    }
    #expect(body.picture == "deadline(seconds: 0.1)")
  }

  @Test func `A slow drip ends at the total time limit.`() async throws {
    let limits = limits { $0.total = .milliseconds(100) }
    let body = try await outcome(limits: limits) { _, _ in
      [.send("HTTP/1.1 200 OK\nContent-Length: 99999\n\n"), .drip([0x31], milliseconds: 2)]
    }
    // On a busy machine, even the head may not have arrived by then.
    #expect(["deadline(seconds: 0.1)", "deadlineBeforeHead(seconds: 0.1)"].contains(body.picture))
    let head = try await outcome(limits: limits) { _, _ in
      [.send("HTTP/1.1 200 OK\nX: "), .drip([0x31], milliseconds: 2)]
    }
    #expect(head.picture == "deadlineBeforeHead(seconds: 0.1)")
  }

  @Test func `The total time limit can be set for one request.`() async throws {
    let server = try await RawServer.start { _, _ in [] }
    let request = try HTTPRequest(get: "http://127.0.0.1:\(server.port)/")
    let outcome = try await withTransport { await $0.outcome(of: request, within: .milliseconds(20)) }
    #expect(outcome.picture == "deadlineBeforeHead(seconds: 0.02)")
  }

  @Test(arguments: [[], [.send("HTTP/1.1 200 OK\nContent-Length: 9\n\n123")]] as [[RawServer.Action]])
  func `Canceling ends the wait for a head or a body.`(actions: [RawServer.Action]) async throws {
    let server = try await RawServer.start { _, _ in actions }
    let request = try HTTPRequest(get: "http://127.0.0.1:\(server.port)/")
    let outcome = try await withTransport { transport in
      let task = Task { await transport.outcome(of: request) }
      try await once { !server.requests.isEmpty }
      task.cancel()
      return await task.value
    }
    #expect(outcome.picture == "cancelled")
  }

  // MARK: Size

  @Test(
    arguments: [
      ([.send("HTTP/1.1 200 OK\nContent-Length: 1000001\n\n")], "bodyTooLarge(limit: 1000000)"),
      (
        [.send("HTTP/1.1 200 OK\n\n"), .drip(Array(repeating: 0x20, count: 65536), milliseconds: 1)],
        "bodyTooLarge(limit: 1000000)"
      ),
      ([.gzip(FailureTests.bomb)], "bodyTooLarge(limit: 1000000)"),
      (
        [.send("HTTP/1.1 200 OK\n" + String(repeating: "X: 1234567\n", count: 7000) + "\n")],
        "headTooLarge(limit: 65536)"
      ),
      (
        [.send("HTTP/1.1 200 OK\nX: " + String(repeating: "x", count: 66000) + "\n\n")],
        "headTooLarge(limit: 65536)"
      ),
      (
        [.send("HTTP/1.1 200 OK\nX: " + String(repeating: "x", count: 99000) + "\n\n")],
        "headTooLarge(limit: 65536)"
      ),
      (
        [.send("HTTP/1.1 200 OK\nX: "), .drip(Array(repeating: 0x78, count: 9999), milliseconds: 1)],
        "headTooLarge(limit: 65536)"
      ),
    ] as [([RawServer.Action], String)])
  func `A response beyond its limits is refused.`(actions: [RawServer.Action], expected: String) async throws
  {
    let limits = limits { $0.bodyBytes = 1_000_000 }
    let picture = try await outcome(limits: limits) { _, _ in actions }.picture
    #expect(picture.hasPrefix(expected))
  }

  // MARK: Compression

  @Test(
    arguments: [
      (FailureTests.list, "200 [1,2,3]"),
      (FailureTests.list.dropLast(12) + [0xFF] + FailureTests.list.suffix(11), "brokenEncoding(received: "),
      (FailureTests.list.dropLast(4), "brokenEncoding(received: "),
      (Array("not gzip".utf8), "brokenEncoding(received: 0)"),
    ] as [([UInt8], String)])
  func `A gzip body is decoded, and damage is detected.`(bytes: [UInt8], expected: String) async throws {
    let picture = try await outcome { _, _ in [.gzip(bytes)] }.picture
    #expect(picture.hasPrefix(expected))
  }

  @Test(
    arguments: [
      ("x-gzip", FailureTests.list, "200 [1,2,3]"), ("GZIP", FailureTests.list, "200 [1,2,3]"),
      ("gzip", FailureTests.list + FailureTests.list, "200 [1,2,3][1,2,3]"),
      ("gzip", FailureTests.list + FailureTests.empty + FailureTests.list, "200 [1,2,3][1,2,3]"),
      ("gzip", FailureTests.list + FailureTests.list.dropLast(4), "brokenEncoding(received: 14)"),
      ("gzip", FailureTests.list + Array("garbage".utf8), "brokenEncoding(received: 7)"),
      ("gzip", FailureTests.list + FailureTests.bomb, "bodyTooLarge(limit: 1000000)"), ("gzip", [], "200 "),
    ] as [(String, [UInt8], String)])
  func `[D46] Gzip with several members is read, also by its old name.`(
    coding: String, bytes: [UInt8], expected: String
  ) async throws {
    let limits = limits { $0.bodyBytes = 1_000_000 }
    let head = "HTTP/1.1 200 OK\nContent-Encoding: \(coding)\nTransfer-Encoding: chunked\n\n"
    // Each byte is in its own chunk, so that members begin and end anywhere.
    let chunks = bytes.count < 200 ? bytes.map { [$0] } : [bytes]
    let parts = chunks.map {
      RawServer.Action.send(Array("\(String($0.count, radix: 16))\r\n".utf8) + $0 + [13, 10])
    }
    let outcome = try await outcome(limits: limits) { _, _ in [.send(head)] + parts + [.send("0\n\n")] }
    #expect(outcome.picture == expected)
  }

  @Test func `Gzip that decodes to nothing is limited too.`() async throws {
    let limits = limits { $0.bodyBytes = 1_000 }
    let members = Array(repeatElement(FailureTests.empty, count: 110).joined())
    let outcome = try await outcome(limits: limits) { _, _ in
      [
        .send("HTTP/1.1 200 OK\nContent-Encoding: gzip\nTransfer-Encoding: chunked\n\n"),
        .send(Array("\(String(members.count, radix: 16))\r\n".utf8) + members + [13, 10]), .send("0\n\n"),
      ]
    }
    #expect(outcome.picture == "bodyTooLarge(limit: 1000)")
  }

  @Test func `A content coding that was not requested is an error that names it.`() async throws {
    let failure = try await outcome { _, _ in [.ok("…", "Content-Encoding: br")] }.failure
    #expect(failure?.kind == .unrequestedEncoding("br"))
  }

  /// Gzip of `[1,2,3]`.
  private static let list: [UInt8] = [
    0x1f, 0x8b, 0x08, 0, 0, 0, 0, 0, 0x02, 0x03, 0x8b, 0x36, 0xd4, 0x31, 0xd2, 0x31, 0x8e, 0x05, 0, 0xe9,
    0xb3, 0x6d,
    0xfd, 0x07, 0, 0, 0,
  ]

  /// Gzip of an empty text.
  private static let empty: [UInt8] =
    [0x1f, 0x8b, 0x08, 0, 0, 0, 0, 0, 0x02, 0x03, 0x03, 0] + Array(repeating: 0, count: 8)

  /// Gzip of a mebibyte of zeros.
  private static let bomb: [UInt8] =
    [
      0x1f, 0x8b, 0x08, 0, 0, 0, 0, 0, 0x02, 0x03, 0xed, 0xc1, 0x31, 0x01, 0, 0, 0, 0xc2, 0xa0, 0xf5, 0x4f,
      0x6d, 0x08,
    ]
    + [0x5f, 0xa0] + Array(repeating: 0, count: 1016) + [0x3e, 0x03, 0x1c, 0xea, 0x38, 0xa7, 0, 0, 0x10, 0]

  // MARK: Reused connections

  @Test func `A reused connection that turns out to be closed is replaced once for a safe request.`()
    async throws
  {
    let server = try await RawServer.start { number, _ in number == 1 ? [.close] : [.ok("\(number)")] }
    let request = try HTTPRequest(get: "http://127.0.0.1:\(server.port)/")
    let pictures = try await withTransport { transport in
      [await transport.outcome(of: request).picture, await transport.outcome(of: request).picture]
    }
    #expect(pictures == ["200 0", "200 2"])
    #expect(server.connections == 2)
  }

  @Test
  func `[D34] A new connection to another origin does not hide that this one was reused.`()
    async throws
  {
    let other = try await RawServer.start { _, _ in [.ok("other")] }
    let (isAsked, asked) = AsyncStream<Void>.makeStream()
    let server = try await RawServer.start { number, _ in
      if number == 1 { asked.finish() }
      return number == 1 ? [] : [.ok("\(number)")]
    }
    let request = try HTTPRequest(get: "http://127.0.0.1:\(server.port)/")
    let picture = try await withTransport { transport in
      #expect(await transport.outcome(of: request).picture == "200 0")
      async let second = transport.outcome(of: request).picture
      for await _ in isAsked {}
      let elsewhere = await transport.outcome(of: try HTTPRequest(get: "http://127.0.0.1:\(other.port)/"))
      #expect(elsewhere.picture == "200 other")
      server.closeConnections()
      return await second
    }
    #expect(picture == "200 2")
  }

  @Test func `[D34] A connection that closes while it is given the next request is replaced.`() async throws {
    // The surplus after the response closes the connection once the client has taken it back.
    let server = try await RawServer.start { _, _ in
      [.send("HTTP/1.1 200 OK\nContent-Length: 2\n\n[]surplus"), .close]
    }
    let request = try HTTPRequest(get: "http://127.0.0.1:\(server.port)/")
    let pictures = try await withTransport { transport in
      var pictures: Set<String> = []
      for _ in 0..<50 { pictures.insert(await transport.outcome(of: request).picture) }
      return pictures
    }
    #expect(pictures == ["200 []"])
  }

  @Test func `A request that is not safe is never sent twice.`() async throws {
    let server = try await RawServer.start { number, _ in number == 1 ? [.close] : [.ok("\(number)")] }
    var request = try HTTPRequest(get: "http://127.0.0.1:\(server.port)/")
    request.method = .post
    request.isSafe = false
    let requestToSend = request
    let pictures = try await withTransport { transport in
      [
        await transport.outcome(of: requestToSend).picture,
        await transport.outcome(of: requestToSend).picture,
      ]
    }
    #expect(pictures == ["200 0", "lostBeforeHead"])
    #expect(server.requests.count == 2)
  }

  @Test func `A new connection that fails is not replaced.`() async throws {
    let server = try await RawServer.start { _, _ in [.close] }
    let request = try HTTPRequest(get: "http://127.0.0.1:\(server.port)/")
    #expect(try await withTransport { await $0.outcome(of: request).picture } == "lostBeforeHead")
    #expect(server.requests.count == 1)
  }
}

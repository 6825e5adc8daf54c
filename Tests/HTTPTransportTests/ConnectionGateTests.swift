import HTTPValues
import Locking
import Search
import TestSupport
import Testing
import TransportTesting

@testable import HTTPTransport

/// Tests names in responses and the addresses they resolve to. Here all names lead to this machine.
@Suite(.takesTurns, .timeLimit(.minutes(3))) struct ConnectionGateTests {
  private let addresses = ["api.example": "127.0.0.1", "files.example": "127.0.0.1"]

  private func origin(_ url: String) throws -> Origin { try WebURL(url).origin }

  @Test(arguments: [
    ("127.0.0.1", HostClass.loopback), ("::1", .loopback), ("::ffff:127.0.0.1", .loopback),
    ("10.1.2.3", .privateNetwork), ("fd00::1", .privateNetwork), ("::ffff:192.168.0.1", .privateNetwork),
    ("169.254.169.254", .linkLocal), ("fe80::1", .linkLocal), ("0.0.0.0", .unspecified), ("::", .unspecified),
    ("93.184.215.14", .global), ("2606:2800:21f::1", .global),
  ])
  func `An address has the class of its network.`(address: String, hostClass: HostClass) {
    #expect(HostClass(address: address) == hostClass)
  }

  @Test func `A next link to a name with a private address is refused before anything is sent.`() async throws
  {
    let server = try await RawServer.start { _, _ in [.ok("inside")] }
    let request = try HTTPRequest(
      get: "http://files.example:\(server.port)/", home: origin("https://api.example"))
    let failures = try await withTransport(addresses: addresses) { transport in
      [await transport.outcome(of: request).failure, await transport.outcome(of: request).failure]
    }
    let expected = TransportError(
      .privateAddress("127.0.0.1"), origin: "http://files.example:\(server.port)")
    #expect(failures == [expected, expected])
    // The server may accept a connection after the client has closed it.
    try await once { server.closed == 2 }
    #expect(server.connections == 2)
    #expect(server.requests.isEmpty)
    #expect(
      PageError(expected, isSafe: true).message
        == "request blocked: a response points to http://files.example:\(server.port), which has the private address 127.0.0.1"
    )
  }

  @Test func `A host named by the user is requested regardless of its address.`() async throws {
    let server = try await RawServer.start { _, _ in [.ok("inside")] }
    let outcome = try await withTransport(addresses: addresses) {
      await $0.outcome(of: try HTTPRequest(get: "http://api.example:\(server.port)/"))
    }
    #expect(outcome.picture == "200 inside")
  }

  @Test func `An origin on this machine may lead to listed hosts there.`() async throws {
    let other = try await RawServer.start { _, _ in [.ok("other")] }
    let server = try await RawServer.start { _, _ in
      [.redirect(302, to: "http://files.example:\(other.port)/")]
    }
    let outcome = try await withTransport(addresses: addresses) {
      await $0.outcome(
        of: try HTTPRequest(
          get: "http://api.example:\(server.port)/", allowedHosts: ["files.example:\(other.port)"]))
    }
    #expect(outcome.picture == "200 other")
  }

  @Test func `A redirect from outside to a name with a private address is refused.`() async throws {
    let inside = try await RawServer.start { _, _ in [.ok("inside")] }
    // The proxy represents the outside: the addresses of its connections are unknown.
    let proxy = try await RawServer.start { number, _ in
      number == 0
        ? [.send("HTTP/1.1 200 OK\n\n")] : [.redirect(302, to: "http://files.example:\(inside.port)/")]
    }
    let environment = ["http_proxy": "http://127.0.0.1:\(proxy.port)", "no_proxy": "files.example"]
    let outcome = try await withTransport(environment: environment, addresses: addresses) {
      await $0.outcome(
        of: try HTTPRequest(
          get: "http://public.example/", allowedHosts: ["files.example:\(inside.port)"]))
    }
    #expect(outcome.failure?.kind == .privateAddress("127.0.0.1"))
    #expect(inside.requests.isEmpty)
  }

  @Test func `A name that was requested directly is still checked when a response leads to it.`() async throws
  {
    let server = try await RawServer.start { _, _ in [.ok("inside")] }
    let url = "http://files.example:\(server.port)/"
    let pictures = try await withTransport(addresses: addresses) { transport in
      let led = try HTTPRequest(get: url, home: origin("https://api.example"))
      return [
        await transport.outcome(of: try HTTPRequest(get: url)).picture,
        await transport.outcome(of: led).picture,
      ]
    }
    #expect(pictures == ["200 inside", "privateAddress(\"127.0.0.1\")"])
  }

  // MARK: Names whose addresses change

  /// The outcomes of requests to a name whose successive connections have addresses of these classes.
  private func pictures(_ url: String, _ classes: [HostClass]) async throws -> (said: [String], asked: Int) {
    let server = try await RawServer.start { _, _ in [.ok("inside", "Connection: close")] }
    let places = Lock(classes[...])
    let said = try await withTransport(
      addresses: ["api.example": "127.0.0.1", "x.localhost": "127.0.0.1"],
      hostClass: { _ in places.withLock { $0.popFirst() ?? .global } }
    ) { transport in
      var said: [String] = []
      for _ in classes {
        said.append(await transport.outcome(of: try HTTPRequest(get: "\(url):\(server.port)/")).picture)
      }
      return said
    }
    return (said, server.requests.count)
  }

  @Test(
    arguments: [
      ([.global, .global], ["200 inside", "200 inside"]),
      ([.global, .loopback, .global], ["200 inside", "moved", "200 inside"]),
      ([.global, .privateNetwork], ["200 inside", "moved"]),
      ([.global, .linkLocal], ["200 inside", "moved"]),
      ([.loopback, .loopback], ["200 inside", "200 inside"]),
      // A machine that returns to its home network.
      ([.privateNetwork, .global, .privateNetwork], ["200 inside", "200 inside", "200 inside"]),
    ] as [([HostClass], [String])])
  func `[D53] A host seen at a public address gets no request at a private one.`(
    classes: [HostClass], expected: [String]
  ) async throws {
    let (said, asked) = try await pictures("http://api.example", classes)
    let moved = "reboundAddress(\"127.0.0.1\")"
    #expect(said == expected.map { $0 == "moved" ? moved : $0 })
    #expect(asked == expected.count { $0 != "moved" })
  }

  @Test(
    arguments: [
      (.loopback, "200 inside"), (.global, "elsewhere"), (.privateNetwork, "elsewhere"),
    ] as [(HostClass, String)])
  func `[D53] A name of this machine is requested only on this machine.`(
    hostClass: HostClass, expected: String
  ) async throws {
    for name in ["http://x.localhost", "http://localhost"] {
      let (said, asked) = try await pictures(name, [hostClass])
      #expect(said == [expected == "elsewhere" ? "notThisMachine(\"127.0.0.1\")" : expected])
      #expect(asked == (expected == "elsewhere" ? 0 : 1))
    }
  }

  @Test func `[D53] A request refused for its address is reported with name and address.`() {
    func message(_ kind: TransportError.Kind) -> String {
      PageError(TransportError(kind, origin: "http://a.example"), isSafe: true).message
    }
    #expect(
      message(.reboundAddress("10.0.0.1"))
        == "request blocked: http://a.example had a public address and now resolves to the private address 10.0.0.1"
    )
    #expect(
      message(.notThisMachine("1.1.1.1"))
        == "request blocked: http://a.example resolves to 1.1.1.1, which is not this machine")
  }
}

import Search
import TestSupport
import Testing

@testable import HTTPTransport

/// Names that a reply gives, and the addresses they turn out to have. Here all of them lead to this machine.
@Suite(.takesTurns) struct ConnectionGateTests {
  private let addresses = ["api.example": "127.0.0.1", "files.example": "127.0.0.1"]

  private func origin(_ url: String) throws -> Origin { try WebURL(url).origin }

  @Test(arguments: [
    ("127.0.0.1", HostClass.loopback), ("::1", .loopback), ("::ffff:127.0.0.1", .loopback),
    ("10.1.2.3", .privateNetwork), ("fd00::1", .privateNetwork), ("::ffff:192.168.0.1", .privateNetwork),
    ("169.254.169.254", .linkLocal), ("fe80::1", .linkLocal), ("0.0.0.0", .unspecified), ("::", .unspecified),
    ("93.184.215.14", .global), ("2606:2800:21f::1", .global),
  ])
  func `An address belongs to a part of the network.`(address: String, hostClass: HostClass) {
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
    let expected = TransportFailure(
      .privateAddress("127.0.0.1"), origin: "http://files.example:\(server.port)")
    #expect(failures == [expected, expected])
    while server.closed < server.connections { await Task.yield() }
    #expect(server.connections == 2)
    #expect(server.requests.isEmpty)
    #expect(
      PageError(expected, isSafe: true).message
        == "a reply led to http://files.example:\(server.port), whose address 127.0.0.1 is private: not asked"
    )
  }

  @Test func `A name that the user gave is asked wherever it leads.`() async throws {
    let server = try await RawServer.start { _, _ in [.ok("inside")] }
    let outcome = try await withTransport(addresses: addresses) {
      await $0.outcome(of: try HTTPRequest(get: "http://api.example:\(server.port)/"))
    }
    #expect(outcome.picture == "200 inside")
  }

  @Test func `An origin that lies inside itself may lead to others there.`() async throws {
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
    // The proxy stands for the outside: where its connections lead is unknown.
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

  @Test func `A name that was led to before is still looked at after it was asked for itself.`() async throws
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
}

import HTTPTransport
import HTTPValues
import Search
import TestSupport
import Testing
import TransportTesting

/// Tests redirects and credentials over real connections.
@Suite(.takesTurns) struct RedirectingTests {
  private let credential = PlacedCredential(
    place: .header("Authorization"), secret: Secret("Bearer s3cret"), provenance: "TOKEN")

  @Test func `A redirect loop ends after five redirects.`() async throws {
    let server = try await RawServer.start { _, _ in [.redirect(302, to: "/again")] }
    let request = try HTTPRequest(get: "http://127.0.0.1:\(server.port)/")
    let outcome = try await withTransport { await $0.outcome(of: request) }
    #expect(outcome.failure?.kind == .redirect(.tooMany(limit: 5)))
    #expect(server.requests.count == 6)
    #expect(server.connections == 1)
  }

  @Test func `A response has its final address, and a redirect to the same origin carries the credential.`()
    async throws
  {
    let server = try await RawServer.start { number, _ in
      number == 0 ? [.redirect(301, to: "/b?c")] : [.ok("x")]
    }
    let request = try HTTPRequest(get: "http://127.0.0.1:\(server.port)/a", credential: credential)
    let response = try await withTransport { try await $0.response(to: request) }
    #expect(response.url.requestTarget == "/b?c")
    #expect(server.requests.map { $0.contains("\nAuthorization: Bearer s3cret\n") } == [true, true])
  }

  @Test func `Another origin gets no request unless it is listed, and then without the credential.`()
    async throws
  {
    let other = try await RawServer.start { _, _ in [.ok("other")] }
    let server = try await RawServer.start { _, _ in [.redirect(302, to: "http://127.0.0.1:\(other.port)/x")]
    }
    let url = "http://127.0.0.1:\(server.port)/"
    let hosts = ["127.0.0.1:\(other.port)"]
    try await withTransport { transport in
      let refused = await transport.outcome(of: try HTTPRequest(get: url, credential: credential))
      #expect(refused.failure?.kind == .redirect(.target(.otherOrigin("http://127.0.0.1:\(other.port)"))))
      #expect(other.requests.isEmpty)
      let allowed = try HTTPRequest(get: url, credential: credential, allowedHosts: hosts)
      #expect(await transport.outcome(of: allowed).picture == "200 other")
    }
    #expect(other.requests.count == 1)
    #expect(!other.requests.joined().contains("s3cret"))
  }

  @Test func `A safe POST is repeated with its body on 307.`() async throws {
    let server = try await RawServer.start { number, _ in
      number == 0 ? [.redirect(307, to: "/b")] : [.ok("x")]
    }
    var request = try HTTPRequest(get: "http://127.0.0.1:\(server.port)/a")
    request.method = .post
    request.body = Array("body".utf8)
    let requestToSend = request
    #expect(try await withTransport { await $0.outcome(of: requestToSend).picture } == "200 x")
    #expect(server.requests.last?.hasPrefix("POST /b HTTP/1.1\n") == true)
    #expect(server.requests.last?.hasSuffix("\n\nbody") == true)
  }

  @Test func `A credential in the query is added if it is missing, and is not in the response's address.`()
    async throws
  {
    let server = try await RawServer.start { _, _ in [.ok("x")] }
    let secret = Secret("a&b")
    let credential = PlacedCredential(place: .query("key"), secret: secret, provenance: "KEY")
    let url = "http://127.0.0.1:\(server.port)/"
    try await withTransport { transport in
      let added = try await transport.response(to: HTTPRequest(get: url + "?q=1", credential: credential))
      #expect(added.url.requestTarget == "/?q=1")
      _ = try await transport.response(to: HTTPRequest(get: url + "?key=own", credential: credential))
    }
    #expect(
      server.requests.map { $0.prefix { $0 != "\n" } } == [
        "GET /?q=1&key=a%26b HTTP/1.1", "GET /?key=own HTTP/1.1",
      ])
  }
}

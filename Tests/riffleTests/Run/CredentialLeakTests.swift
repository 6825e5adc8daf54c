import HTTPTransport
import HTTPValues
import JSON
import TestSupport
import Testing
import TransportTesting

@testable import App
@testable import Search
@testable import riffle

/// Tests the requests to other origins, for every way of sending a credential: they contain no trace of it.
@Suite(.takesTurns) struct CredentialLeakTests {
  static let secret = "s3cret/s3cret=="
  static let credentials: [PlacedCredential] = [
    PlacedCredential(
      place: .header("Authorization"), secret: Secret("Bearer \(secret)"), provenance: "env:TOKEN"),
    PlacedCredential(
      // user:s3cret/s3cret==
      place: .header("Authorization"), secret: Secret("Basic dXNlcjpzM2NyZXQvczNjcmV0PT0="),
      provenance: "env:TOKEN"),
    PlacedCredential(place: .header("X-Api-Key"), secret: Secret(secret), provenance: "env:KEY"),
    PlacedCredential(place: .header("PRIVATE-TOKEN"), secret: Secret(secret), provenance: "env:KEY"),
    PlacedCredential(place: .header("Cookie"), secret: Secret("session=\(secret)"), provenance: "env:KEY"),
    PlacedCredential(place: .query("api_key"), secret: Secret(secret), provenance: "env:KEY"),
  ]

  /// Whether the requests to a server contain the secret, in any form in which it is sent.
  private func knows(_ server: RawServer) -> Bool {
    let text = server.requests.joined()
    return ["s3cret", "dXNlcjpz", "api_key"].contains { text.contains($0) }
  }

  @Test(arguments: credentials, [301, 302, 303, 307, 308])
  func `A redirect to a listed host carries no credential, nor does a redirect back.`(
    credential: PlacedCredential, status: Int
  ) async throws {
    let port = PortNumber()
    let other = try await RawServer.start { _, _ in
      [.redirect(status, to: "http://127.0.0.1:\(port.value)/back")]
    }
    let home = try await RawServer.start { number, request in
      // The service repeats the target it received, including a credential in the query.
      let target = request.split(separator: " ").dropFirst().first ?? ""
      return number == 0
        ? [.redirect(status, to: "http://127.0.0.1:\(other.port)\(target)")] : [.ok("home")]
    }
    port.set(home.port)
    let request = try HTTPRequest(
      get: "http://127.0.0.1:\(home.port)/x?q=1", credential: credential,
      allowedHosts: ["127.0.0.1:\(other.port)"])
    #expect(try await withTransport { await $0.outcome(of: request).picture } == "200 home")
    #expect(knows(home))
    #expect(other.requests.count == 1)
    #expect(!knows(other))
    #expect(home.requests.count == 2)
    #expect(["s3cret", "dXNlcjpz"].allSatisfy { !home.requests[1].contains($0) })
  }

  @Test(arguments: credentials)
  func `A redirect to a host that is not listed is not followed.`(credential: PlacedCredential) async throws {
    let other = try await RawServer.start { _, _ in [.ok("other")] }
    let home = try await RawServer.start { _, _ in [.redirect(302, to: "http://127.0.0.1:\(other.port)/")] }
    let request = try HTTPRequest(get: "http://127.0.0.1:\(home.port)/", credential: credential)
    let outcome = try await withTransport { await $0.outcome(of: request) }
    #expect(outcome.failure?.kind == .redirect(.target(.otherOrigin("http://127.0.0.1:\(other.port)"))))
    #expect(other.connections == 0)
  }

  @Test(arguments: credentials)
  func `Plain http carries no credential except to this machine.`(credential: PlacedCredential) async throws {
    let server = try await RawServer.start { _, _ in [.ok("x")] }
    try await withTransport(addresses: ["api.example": "127.0.0.1"]) { transport in
      let request = try HTTPRequest(get: "http://api.example:\(server.port)/?q=1", credential: credential)
      #expect(await transport.outcome(of: request).picture == "200 x")
    }
    #expect(server.requests.count == 1)
    #expect(!knows(server))
  }

  @Test(arguments: credentials)
  func `A next link to a listed host carries no credential.`(credential: PlacedCredential) async throws {
    let other = try await RawServer.start { _, _ in [.ok("{\"items\": [{}]}")] }
    let home = try await RawServer.start { _, _ in
      [.ok("{\"items\": [{}], \"next\": \"http://127.0.0.1:\(other.port)/2\"}")]
    }
    let source = try Self.source(home: home, hosts: ["127.0.0.1:\(other.port)"])
    try await withTransport { transport in
      let loader = PageLoader(
        source: source, transport: transport,
        credentials: CredentialProvider(prepare: {
          .success(RunContext(credentials: ResolvedCredentials(authorization: credential)))
        }))
      var position: Position? = source.pagination.style.first
      while let current = position {
        let request = PageRequest(query: Query("x"), position: current, generation: 1)
        let page = try await loader.page(for: request, makeContent: { .document($0) }).get()
        if case .next(let next, _) = page.continuation { position = next } else { position = nil }
      }
    }
    #expect(knows(home))
    #expect(home.requests.count == 1)
    #expect(other.requests.count == 1)
    #expect(!knows(other))
  }

  private static func source(home: RawServer, hosts: [String]) throws -> Source {
    let settings = PaginationSettings(next: try ValueExpression(parsing: "next"), hosts: hosts)
    return Source(
      id: "test", title: "Test",
      endpoint: Endpoint(url: try Template("http://127.0.0.1:\(home.port)/")),
      pagination: try Pagination(LinkPagination.self, settings), rows: RowShape(path: try JSONPath("items")))
  }
}

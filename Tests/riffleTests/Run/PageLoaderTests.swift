import HTTPTransport
import HTTPValues
import JSON
import Locking
import TestSupport
import Testing
import TransportTesting

@testable import App
@testable import Search
@testable import riffle

/// Tests the work of the loader other than sending one request.
@Suite(.takesTurns) struct PageLoaderTests {
  private func source(port: Int) throws -> Source {
    Source(
      id: "test", title: "Test", endpoint: Endpoint(url: try Template("http://127.0.0.1:\(port)/")),
      pagination: try Pagination(SinglePage.self, PaginationSettings()),
      rows: RowShape(
        path: try JSONPath("items"),
        totalRequest: TotalRequest(
          endpoint: Endpoint(url: try Template("http://127.0.0.1:\(port)/count")),
          total: try ValueExpression(parsing: "count"))))
  }

  private func run(token: String) -> RunContext {
    RunContext(
      credentials: ResolvedCredentials(
        authorization: PlacedCredential(
          place: .header("Authorization"), secret: Secret(literal: "Bearer ") + Secret(token),
          provenance: "cmd:token")))
  }

  private let request = PageRequest(
    query: Query("x"), position: Position(ordinal: 0, value: .start), generation: 1)

  /// The tokens that the server received, followed by the outcome of the page.
  private func tokens(renewedTo token: String?, refusal: Int = 401) async throws -> [String] {
    let server = try await RawServer.start { _, request in
      request.contains("fresh-token")
        ? [.ok("{\"items\": [{}]}")] : [.send("HTTP/1.1 \(refusal) No\nContent-Length: 0\n\n")]
    }
    let source = try source(port: server.port)
    let result = try await withTransport { transport in
      let loader = PageLoader(
        source: source, transport: transport,
        credentials: CredentialProvider(
          prepare: { .success(self.run(token: "stale-token")) },
          renew: { _ in token.map { self.run(token: $0) } }))
      return await loader.page(for: request, makeContent: { .document($0) })
    }
    let said =
      switch result {
      case .success(let page): "\(page.rowCount) rows"
      case .failure(let error): "\(error.kind)"
      }
    return server.requests.map {
      $0.contains("fresh-token") ? "fresh" : $0.contains("stale-token") ? "stale" : "none"
    }
      + [said]
  }

  @Test func `A refused credential is renewed once, and the page is requested again with the new one.`()
    async throws
  {
    #expect(try await tokens(renewedTo: "fresh-token") == ["stale", "fresh", "1 rows"])
    #expect(try await tokens(renewedTo: "stale-token-2") == ["stale", "stale", "unauthorized"])
    #expect(try await tokens(renewedTo: nil) == ["stale", "unauthorized"])
  }

  @Test func `[D7] A 403 means that the credential is known but not allowed, so it is not renewed.`()
    async throws
  {
    #expect(try await tokens(renewedTo: "fresh-token", refusal: 403) == ["stale", "unauthorized"])
  }

  @Test func `[D7] Totals and details are requested again with renewed credentials.`() async throws {
    let server = try await RawServer.start { _, request in
      guard request.contains("fresh-token") else { return [.send("HTTP/1.1 401 No\nContent-Length: 0\n\n")] }
      return [.ok(request.hasPrefix("GET /count") ? "{\"count\": 42}" : "{\"items\": [{\"id\": 1}]}")]
    }
    var source = try source(port: server.port)
    source.detail.request = DetailRequest(url: try ValueExpression(parsing: "url"))
    let address = "http://127.0.0.1:\(server.port)/one"
    let row = try JSONDocument(Array("{\"url\": \"\(address)\"}".utf8))
    let rows = DocumentRows(
      response: ResponseValues(document: row, headers: [], url: try WebURL(address), options: [:]),
      nodes: [row.rootNode])
    let renewals = Lock(0)
    func credentials() -> CredentialProvider {
      CredentialProvider(
        prepare: { .success(self.run(token: "stale-token")) },
        renew: { _ in
          renewals.withLock { $0 += 1 }
          return self.run(token: "fresh-token")
        })
    }
    try await withTransport { [source] transport in
      let accepted = credentials()
      let loader = PageLoader(source: source, transport: transport, credentials: accepted)
      let total = try await loader.total(for: TotalQuery(query: Query("x"), generation: 0)).get()
      #expect(total.total == .exact(42) && total.exchange?.requests == 2)
      let other = PageLoader(source: source, transport: transport, credentials: credentials())
      let detail = try await other.detail(of: rows, query: Query("x")).get()
      #expect(detail?.nodes.count == 1)
      #expect(renewals.withLock { $0 } == 2)
      // Credentials that were accepted may be renewed again.
      _ = try await accepted.renewed(after: self.run(token: "fresh-token"))
      #expect(renewals.withLock { $0 } == 3)
    }
    #expect(server.requests.count == 4)
  }

  @Test func `[D46] Redirects and a request that was refused first count as requests of the page.`()
    async throws
  {
    let server = try await RawServer.start { number, _ in
      switch number {
      case 0: [.redirect(302, to: "/a")]
      case 1: [.send("HTTP/1.1 401 No\nContent-Length: 0\n\n")]
      case 2: [.redirect(302, to: "/b")]
      case 3: [.redirect(302, to: "/c")]
      default: number == 4 ? [.ok("{\"items\": [{}]}")] : [.redirect(302, to: "/again")]
      }
    }
    let source = try source(port: server.port)
    let requests: [Int?] = try await withTransport { transport in
      let loader = PageLoader(
        source: source, transport: transport,
        credentials: CredentialProvider(
          prepare: { .success(RunContext()) }, renew: { _ in self.run(token: "fresh-token") }))
      let page = try await loader.page(for: request, makeContent: { .document($0) }).get()
      guard case .failure(let error) = await loader.page(for: request, makeContent: { .document($0) }) else {
        return [page.exchange.requests]
      }
      return [page.exchange.requests, error.exchange?.requests]
    }
    #expect(requests == [5, 6])
    #expect(server.requests.count == 11)
  }

  @Test func `[D54] A secret that a service puts into the host of a redirect is in no message.`() async throws
  {
    let server = try await RawServer.start { _, _ in
      [.redirect(302, to: "https://Token-Of-Mine.example/?key=Token-Of-Mine")]
    }
    let source = try source(port: server.port)
    let result = try await withTransport { transport in
      await PageLoader(
        source: source, transport: transport,
        credentials: CredentialProvider(prepare: { .success(self.run(token: "Token-Of-Mine")) })
      ).page(for: request, makeContent: { .document($0) })
    }
    guard case .failure(let error) = result else { throw Failure() }
    let message = error.fullMessage
    #expect(message.contains("leads to another origin, https://<secret>.example. "), "\(message)")
  }

  @Test(
    arguments: [
      (nil, [], "set search.timeout to allow more. Then start riffle again"),
      (nil, [.timeout], "use a longer --timeout. Then start riffle again"),
      (1, [], "set a longer request.timeout in source test. Then start riffle again"),
    ] as [(Int?, Set<LimitOption>, String)])
  func `The remedy for a time limit names where the limit was set.`(
    own: Int?, options: Set<LimitOption>, remedy: String
  ) async throws {
    var source = try source(port: 1)
    source.endpoint.timeout = own.map { .seconds($0) }
    let transport = Transport { _, _ throws(TransportError) in
      throw TransportError(.deadline(seconds: 1), origin: "http://127.0.0.1:1")
    }
    let loader = PageLoader(
      source: source, transport: transport,
      credentials: CredentialProvider(prepare: { .success(RunContext()) }), limitOptions: options)
    guard case .failure(let error) = await loader.page(for: request, makeContent: { .document($0) }) else {
      throw Failure()
    }
    #expect(error.remedy == remedy)
    #expect(error.advice == "use --timeout to allow more")
  }

  private struct Failure: Error {}

  @Test func `The total is requested at its own address, with the run's credentials.`() async throws {
    let server = try await RawServer.start { _, _ in [.ok("{\"count\": 42}")] }
    let source = try source(port: server.port)
    let total = try await withTransport { transport in
      let loader = PageLoader(
        source: source, transport: transport,
        credentials: CredentialProvider(prepare: { .success(self.run(token: "token-of-mine")) }))
      return await loader.total(for: TotalQuery(query: Query("x"), generation: 1))
    }
    #expect(try total.get().total == .exact(42))
    #expect(try total.get().exchange?.status == 200)
    #expect(
      server.requests.map { $0.hasPrefix("GET /count HTTP/1.1") && $0.contains("token-of-mine") } == [true])
  }

  @Test(arguments: [
    (401, "{\"message\": \"bad token-of-mine\"}", PageError.Kind.unauthorized, "bad <secret>"),
    (403, "{}", .unauthorized, "403"), (404, "{\"message\": \"none\"}", .rejected, "none"),
    (429, "{}", .rateLimited, "429"),
    (500, "{}", .server, "500"), (200, "no JSON", .unreadable, "invalid JSON"),
  ]) func `[D44] A refused total fails like a page, with the service's message.`(
    status: Int, body: String, kind: PageError.Kind, words: String
  ) async throws {
    let server = try await RawServer.start { _, _ in
      [.send("HTTP/1.1 \(status) Answer\nContent-Length: \(body.utf8.count)\n\n\(body)")]
    }
    let source = try source(port: server.port)
    let total = try await withTransport { transport in
      let loader = PageLoader(
        source: source, transport: transport,
        credentials: CredentialProvider(prepare: { .success(self.run(token: "token-of-mine")) }))
      return await loader.total(for: TotalQuery(query: Query("x"), generation: 1))
    }
    let error = try #require(throws: PageError.self) { try total.get() }
    #expect(error.kind == kind)
    #expect(error.message.contains(words), "\(error.message)")
    #expect(error.exchange?.address.hasSuffix("/count") == true)
  }

  @Test func `A total at another origin is not requested.`() async throws {
    let server = try await RawServer.start { _, _ in [.ok("{\"count\": 42}")] }
    var source = try source(port: 1)
    source.rows.totalRequest?.endpoint = Endpoint(url: try Template("http://127.0.0.1:\(server.port)/count"))
    let total = try await withTransport { [source] transport in
      let loader = PageLoader(
        source: source, transport: transport,
        credentials: CredentialProvider(prepare: { .success(RunContext()) }))
      return await loader.total(for: TotalQuery(query: Query("x"), generation: 1))
    }
    #expect(throws: PageError.self) { try total.get() }
    #expect(server.requests.isEmpty)
  }

  @Test func `A secret that a service puts into its links is in no log and no record.`() async throws {
    let server = try await RawServer.start { _, _ in
      [.ok("{\"items\": [{}], \"next\": \"?page=2&access=token-of-mine&b=x\"}")]
    }
    var source = try source(port: server.port)
    source.pagination = try Pagination(
      LinkPagination.self, PaginationSettings(next: try ValueExpression(parsing: "next")))
    let page = try await withTransport { [source] transport in
      let loader = PageLoader(
        source: source, transport: transport,
        credentials: CredentialProvider(prepare: { .success(self.run(token: "token-of-mine")) }))
      let first = try await loader.page(for: request, makeContent: { .document($0) }).get()
      guard case .next(let next, _) = first.continuation else { return first }
      #expect(next.texts[0].contains("access=token-of-mine"), "the link is followed as it came")
      #expect(first.storedNext?.texts[0].contains("page=2&b=x") == true)
      #expect(first.storedNext?.texts[0].contains("token-of-mine") == false)
      let second = PageRequest(query: Query("x"), position: next, generation: 1)
      return try await loader.page(for: second, makeContent: { .document($0) }).get()
    }
    #expect(page.exchange.address == "http://127.0.0.1:\(server.port)/?page=2&access=<secret>&b=x")
  }

  @Test func `A secret that a service repeats in a note or a refused link is redacted.`()
    async throws
  {
    let server = try await RawServer.start { _, _ in
      [
        .ok(
          """
          {"data": {"items": [{}], "next": "https://token-of-mine.example/?page=2"}, \
          "errors": [{"message": "token-of-mine is about to expire"}]}
          """)
      ]
    }
    var source = try source(port: server.port)
    source.rows.path = try JSONPath("data.items")
    source.pagination = try Pagination(
      LinkPagination.self, PaginationSettings(next: try ValueExpression(parsing: "data.next")))
    let page = try await withTransport { [source] transport in
      let loader = PageLoader(
        source: source, transport: transport,
        credentials: CredentialProvider(prepare: { .success(self.run(token: "token-of-mine")) }))
      return try await loader.page(for: request, makeContent: { .document($0) }).get()
    }
    #expect(page.doubt == "the service reported an error along with the rows: <secret> is about to expire")
    guard case .end(.refusedNext(let why)) = page.continuation else { throw Failure() }
    #expect(why.contains("https://<secret>.example"), "\(why)")
    #expect(!why.contains("token-of-mine"))
  }

  @Test func `A source's timeout replaces the default one.`()
    async throws
  {
    let times = Lock<[Duration?]>([])
    let transport = Transport { _, total throws(TransportError) in
      times.withLock { $0.append(total) }
      throw TransportError(.cancelled, origin: "")
    }
    for named in [nil, Duration.seconds(90)] {
      var source = try source(port: 1)
      source.endpoint.timeout = named
      let loader = PageLoader(
        source: source, transport: transport, timeout: .seconds(60),
        credentials: CredentialProvider(prepare: { .success(RunContext()) }))
      _ = await loader.page(for: request, makeContent: { .document($0) })
    }
    #expect(times.withLock { $0 } == [.seconds(60), .seconds(90)])
  }
}

import Testing

@testable import Demo
@testable import DemoTesting

extension ListedRoute: CustomTestStringConvertible {
  /// The path.
  public var testDescription: String { path }
}

/// Every route, used as its own document describes it.
struct RouteTests {
  private static let query = "greek small letter with"
  private static let found = UnicodeCatalog.standard.scalars(matching: query).compactMap(NamedCharacter.init)

  /// The keys of all rows of a route.
  private func expected(_ route: ListedRoute) -> [String] {
    Self.found.map(route.path == "/rows/scalars" ? \.name : \.codePoint)
  }

  @Test(arguments: ListedRoute.listed)
  func `Every route returns the same characters, each once and in order.`(route: ListedRoute) throws {
    var pages = try TinyClient(route).pages(Self.query, size: 50)
    if route.path == "/none" {
      #expect(pages == [Array(expected(route).prefix(50))])
      return
    }
    if route.path == "/keyset/inclusive" {
      let edges = zip(pages, pages.dropFirst())
      #expect(edges.allSatisfy { $0.last == $1.first })
      pages = pages.prefix(1) + pages.dropFirst().map { Array($0.dropFirst()) }
    }
    #expect(pages.count > 2)
    #expect(pages.flatMap(\.self) == expected(route))
  }

  @Test(arguments: [ListedRoute.pages, .offset, .keyset, .searchAfter, .link, .merge, .graphQL, .columnRows])
  func `A query without a match returns one page without rows.`(route: ListedRoute) throws {
    #expect(try TinyClient(route).pages("no such name", size: 30) == [[]])
  }

  @Test(arguments: ListedRoute.listed)
  func `The example of every route returns at least five rows.`(route: ListedRoute) throws {
    let response = FaultyAPI().response(
      to: try Request(
        method: route.route.methods[0], target: route.path + route.example.query,
        baseURL: "http://127.0.0.1:8080", body: Array((route.example.body ?? "").utf8)))
    let text = String(decoding: response.body, as: UTF8.self)
    #expect(response.status == 200)
    #expect(text.split(separator: "ARROW").count >= 5)
  }

  @Test(arguments: ListedRoute.listed.filter { $0.route.paths.count > 1 })
  func `Earlier paths of a route still work.`(route: ListedRoute) throws {
    let responses = try route.route.paths.map { path in
      try FaultyAPI().response(to: Request(target: path + "?q=U%2B2192", baseURL: "http://127.0.0.1:8080"))
    }
    #expect(responses.allSatisfy { $0.status == 200 && $0.body == responses[0].body })
  }

  @Test func `The start page lists every route with a source document, and every fault.`() throws {
    let start = try picture("GET /")
    for route in ListedRoute.listed {
      #expect(start.contains("\"http://127.0.0.1:8080\(route.path)\(route.example.query)\""))
      #expect(start.contains("\"url = 'http://127.0.0.1:8080\(route.path)'\""))
    }
    for fault in Fault.all { #expect(start.contains("&fault=\(fault.name)\(fault.example)\"")) }
    #expect(
      ListedRoute.keyset.document(baseURL: "http://127.0.0.1:8080").joined(separator: "\n") == """
        schema = 1
        id = 'demo-keyset'
        [request]
        url = 'http://127.0.0.1:8080/keyset'
        params = { q = '{query}' }
        [pagination]
        type = 'cursor'
        size = { param = 'limit', default = 30, max = 100 }
        into = 'query:starting_after'
        next = 'data[-1].code_point'
        more = 'has_more'
        [rows]
        path = 'data'
        id = 'code_point'
        """)
  }

  // MARK: Shapes

  /// A respond with each character reduced to its code point.
  private func shape(_ line: String, body: String = "") throws -> String {
    let item = /\{"code_point":"(U\+[0-9A-F]+)","character.*?\?a=[0-9A-F]+"\}/
    return try picture(line, body: body).replacing(item) { $0.1 }
  }

  @Test func `Each route has the shape of the service it is modeled on.`() throws {
    let query = "q=tibetan+digit+half"
    let base = "http://127.0.0.1:8080"
    try #expect(
      shape("GET /pages/zero?\(query)&page=1&hitsPerPage=2").hasSuffix(
        #"{"hits":[U+0F2C,U+0F2D],"nbHits":10,"page":1,"nbPages":5,"hitsPerPage":2}"#))
    try #expect(
      shape("GET /offset?\(query)&limit=2&offset=2").hasSuffix(
        "{\"count\":10,\"next\":\"\(base)/offset?q=tibetan+digit+half&limit=2&offset=4\","
          + "\"previous\":\"\(base)/offset?q=tibetan+digit+half&limit=2&offset=0\","
          + "\"results\":[U+0F2C,U+0F2D]}"))
    try #expect(
      shape("GET /cursor/header?\(query)&limit=2") == "200\nX-Next-Cursor: 2-1bn1ov2\n\n[U+0F2A,U+0F2B]")
    try #expect(
      shape("GET /keyset?\(query)&limit=1&starting_after=U%2B0F2B").hasSuffix(
        #"{"object":"list","has_more":true,"data":[U+0F2C]}"#))
    try #expect(
      shape("GET /keyset/inclusive?\(query)&limit=2&start_at=U%2B0F32").hasSuffix(
        #"{"items":[U+0F32,U+0F33],"more":false}"#))
    try #expect(
      shape("GET /link?\(query)&per_page=1")
        == "200\nLink: <\(base)/link?q=tibetan+digit+half&per_page=1&page=2>; rel=\"next\"\n\n[U+0F2A]")
    try #expect(
      shape("GET /link/relative?\(query)&per_page=1").hasSuffix(
        #""next":"/link/relative?q=tibetan+digit+half&per_page=1&page=2"}"#))
    try #expect(
      shape("GET /link/query?\(query)&per_page=1").hasSuffix(
        #""next":"?q=tibetan+digit+half&per_page=1&page=2"}"#))
    try #expect(
      shape("GET /merge?\(query)&limit=1").hasSuffix(
        #"{"continue":{"offset":1,"continue":"-||"},"query":{"totalhits":10,"search":[U+0F2A]}}"#))
    try #expect(
      shape("GET /rows/map?\(query)&per_page=1").hasSuffix(#"{"total":10,"characters":{"U+0F2A":U+0F2A}}"#))
    try #expect(
      shape("GET /rows/columns?\(query)&limit=1").hasSuffix(
        #"{"columns":["code_point","character","name"],"#
          + #""rows":[["U+0F2A","༪","TIBETAN DIGIT HALF ONE"]],"total":10,"next":"1-jwvhl5"}"#))
    try #expect(shape("GET /rows/scalars?\(query)&per_page=1").hasSuffix("\n[\"TIBETAN DIGIT HALF ONE\"]"))
    try #expect(shape("GET /none?\(query)&limit=1").hasSuffix("{\"items\":[U+0F2A]}"))
    try #expect(
      shape(
        "POST /search-after", body: #"{"query":"tibetan digit half","size":1,"search_after":[3883,"U+0F2B"]}"#
      )
      .hasSuffix(
        #"{"hits":{"total":{"value":10,"relation":"eq"},"#
          + #""hits":[{"_id":"U+0F2C","_source":U+0F2C,"sort":[3884,"U+0F2C"]}]}}"#))
  }

  @Test(arguments: [
    (
      #"{"query":"{characters}","variables":{"q":"tibetan digit half","first":1}}"#,
      #"{"data":{"characters":{"totalCount":10,"nodes":[U+0F2A],"#
        + #""pageInfo":{"hasNextPage":true,"endCursor":"1-jwvhl5"}}}}"#
    ),
    (
      #"{"query":"{people}"}"#,
      #"{"data":null,"errors":[{"message":"the query must select characters"}]}"#
    ),
    (
      #"{"query":"{characters}","variables":{"after":"x"}}"#,
      #"{"data":null,"errors":[{"message":"cursor 'x' does not belong to this query"}]}"#
    ),
  ])
  func `GraphQL reports errors with status 200.`(body: String, expected: String) throws {
    try #expect(shape("POST /graphql", body: body) == "200\n\n" + expected)
  }

  @Test(arguments: [
    "", "{", "[]", "{\"search_after\":[1]}", "{\"search_after\":{}}", "{\"size\":1e99}",
    String(repeating: "[", count: 60_000), "{\"search_after\":[8594,\"U+2193\"]}",
    "{\"search_after\":[4294967295,\"U+FFFFFFFF\"]}",
  ])
  func `A body that the route cannot read is refused.`(body: String) throws {
    try #expect(picture("POST /search-after", body: body).hasPrefix("400\n"))
  }
}

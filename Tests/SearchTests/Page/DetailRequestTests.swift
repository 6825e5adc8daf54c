import HTTPValues
import JSON
import Testing

@testable import Search

@Suite struct DetailRequestTests {
  private func source(_ url: String, _ parameters: [(String, String)] = []) throws -> Source {
    var source = Source(
      id: "things", title: "Things",
      endpoint: Endpoint(
        method: .post, url: try Template("https://api.example.org/search"),
        headers: [Endpoint.Field(name: "X-Version", value: try Template("3"))]),
      pagination: try Pagination(SinglePage.self, PaginationSettings()))
    var request = DetailRequest(url: try ValueExpression(parsing: url))
    request.parameters = try parameters.map { .init(name: $0, value: try ValueTemplate($1)) }
    source.detail.request = request
    return source
  }

  private func row(_ text: String) throws -> DocumentRows {
    let document = try JSONDocument(Array(text.utf8))
    let response = ResponseValues(
      document: document, headers: [], url: try WebURL("https://api.example.org/search?page=2"))
    return DocumentRows(response: response, nodes: [document.rootNode])
  }

  @Test func `A row is requested by its address with its own parameters, with GET and no body.`() throws {
    let source = try source("url", [("id", "{id}"), ("fields", "all"), ("lang", "{language}")])
    let request = try #require(
      try source.detailRequest(
        for: try row(#"{"url": "/things/7?x=1", "id": "a b"}"#), of: Query("tea"), in: RunContext()))
    #expect(request.method == .get)
    #expect(request.url.description == "https://api.example.org/things/7?x=1&id=a%20b&fields=all")
    #expect(request.headers.first("X-Version") == "3")
    #expect(request.body.isEmpty && request.isSafe)
  }

  @Test func `A key that the row's address repeats is not part of the request's URL.`() throws {
    let source = try source("url")
    let key = PlacedCredential(place: .query("api_key"), secret: Secret("k1"), provenance: "test")
    let run = RunContext(credentials: ResolvedCredentials(authorization: key))
    let request = try #require(
      try source.detailRequest(
        for: try row(#"{"url": "/things/7?api_key=k1&x=1"}"#), of: Query("tea"), in: run))
    #expect(request.url.description == "https://api.example.org/things/7?x=1")
    #expect(request.credentials == [key])
  }

  @Test func `A row without an address makes no request.`() throws {
    let source = try source("url")
    #expect(try source.detailRequest(for: try row("{}"), of: Query(""), in: RunContext()) == nil)
  }

  @Test(arguments: [
    "https://evil.example/x", "http://api.example.org/x", "//evil.example/x", "file:///etc/passwd",
  ])
  func `A detail request never leaves the origin of the source.`(address: String) throws {
    let source = try source("url")
    #expect {
      try source.detailRequest(for: try row("{\"url\": \"\(address)\"}"), of: Query(""), in: RunContext())
    } throws: {
      "\(($0 as? PageError)?.message ?? "")".contains("detail.request of source things: \(address)")
    }
  }

  @Test func `[U9] The row is at its path in the response, and a missing one is reported.`() throws {
    var source = try source("url")
    source.detail.request?.path = try JSONPath("data.item")
    func row(_ body: String) throws -> String {
      let response = HTTPResponse(
        status: 200, headers: [], body: Array(body.utf8), url: try WebURL("https://api.example.org/things/7"))
      do {
        let rows = try source.detailRow(in: response, of: Query(""), in: RunContext())
        return rows.nodes.compactMap { rows.response.document.member(of: $0, named: "id") }
          .compactMap(rows.response.document.text).joined()
      } catch { return error.fullMessage }
    }
    #expect(try row(#"{"ok": true, "data": {"item": {"id": 7}}}"#) == "7")
    #expect(
      try row(#"{"ok": true}"#) == """
        https://api.example.org/things/7 returned no object at data.item. Correct path in detail.request of source \
        things
        """)
  }

  @Test func `The response is the row, and a failure is reported like that of a page.`() throws {
    let source = try source("url")
    func response(_ status: Int, _ body: String) throws -> HTTPResponse {
      HTTPResponse(
        status: status, headers: [], body: Array(body.utf8),
        url: try WebURL("https://api.example.org/things/7"),
        sentAt: 0, arrivedAt: 0)
    }
    let rows = try source.detailRow(in: response(200, #"{"id": 7}"#), of: Query(""), in: RunContext())
    #expect(rows.nodes.count == 1 && rows.response.document.root["id"]?.text == "7")
    for (status, body, message) in [
      (404, "{}", "404 Not Found"), (200, "<html>", "or correct detail.request.url in source things"),
    ] {
      #expect {
        try source.detailRow(in: response(status, body), of: Query(""), in: RunContext())
      } throws: { ($0 as? PageError)?.fullMessage.contains(message) ?? false }
    }
  }
}

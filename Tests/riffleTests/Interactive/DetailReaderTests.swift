import HTTPTransport
import HTTPValues
import JSON
import Locking
import Testing

@testable import App
@testable import Pager
@testable import Search
@testable import riffle

@Suite struct DetailReaderTests {
  private static let row =
    #"{"name": "tea", "stars": 28100, "at": "2023-11-14T22:13:20Z", "url": "/7", "about": "one\ntwo"}"#

  /// - Parameter response: the response of the service when the full row is requested.
  private func content(
    _ change: (inout Source) throws -> Void = { _ in }, row: String = Self.row,
    response: (status: Int, body: String)? = nil,
    isKept: Bool = true, _ part: RowReadingRequest.Part = .row
  ) async throws -> String {
    var source = Source(
      id: "things", title: "Things",
      endpoint: Endpoint(url: try Template("https://api.example.org/search")),
      pagination: try Pagination(SinglePage.self, PaginationSettings()))
    source.columns = [
      Column(name: "name", title: "Name", value: try ValueExpression(parsing: "name")),
      Column(name: "stars", title: "Stars", value: try ValueExpression(parsing: "stars"), format: .number),
      Column(name: "at", title: "Updated", value: try ValueExpression(parsing: "at"), format: .relative),
      Column(name: "none", title: "Nothing", value: try ValueExpression(parsing: "none")),
    ]
    try change(&source)
    let bytes = Lock<[UInt8]>([])
    let archive = RowArchive(
      keep: { more in
        bytes.withLock { $0 += more }
        return isKept ? 0 : nil
      }, read: { range in bytes.withLock { Array($0[range]) } })
    let document = try JSONDocument(Array("[\(row)]".utf8))
    let rows = DocumentRows(
      response: ResponseValues(
        document: document, headers: [], url: try WebURL("https://api.example.org/search")),
      nodes: Array(document.elements(of: document.rootNode)))
    let cells = CellTable(
      rows, columns: source.columns, link: nil, context: FormatContext(now: 0),
      archived: ArchivedRows(rows, in: archive))
    let transport = Transport { request, _ in
      HTTPResponse(
        status: response?.status ?? 500, headers: [], body: Array((response?.body ?? "").utf8),
        url: request.url)
    }
    let reader = DetailReader(
      source: source, reader: RowReader(archive: archive),
      loader: PageLoader(
        source: source, transport: transport,
        credentials: CredentialProvider(prepare: { .success(RunContext()) })),
      columns: RunColumns(source.columns), context: { FormatContext(now: 1_700_003_600) })
    return picture(await reader.content(of: RowReference(content: .cells(cells), row: 0, key: nil), part))
  }

  private func picture(_ content: RowDetail.Content) -> String {
    switch content {
    case .failed(let why): "failed: \(why)"
    case .read(let fields, let others, let body, let json):
      (fields.map { "\($0.title): \($0.text)" } + (body.map { ["body: \($0)"] } ?? [])
        + others.map { "+ \($0.title): \($0.text)" } + [json.lines.joined(separator: "")])
        .joined(separator: "\n")
    }
  }

  @Test func `A row is shown as its columns, exact where their formatted values are short, and its JSON.`()
    async throws
  {
    #expect(
      try await content() == """
        Name: tea
        Stars: 28.1k (28100)
        Updated: 1 h ago (2023-11-14T22:13:20Z)
        + url: /7
        + about: one
        two
        {  "name": "tea",  "stars": 28100,  "at": "2023-11-14T22:13:20Z",  "url": "/7",  "about": "one\\ntwo"}
        """)
  }

  @Test func `A source may choose the fields, a longer text and the link.`() async throws {
    let text = try await content { source in
      source.detail.fields = [
        Column(name: "stars", title: "Stars", value: try ValueExpression(parsing: "stars"))
      ]
      source.detail.body = Column(name: "about", value: try ValueExpression(parsing: "about"))
      source.rows.link = try ValueExpression(parsing: "=https://example.org/{+url}")
    }
    #expect(text.hasPrefix("Stars: 28100\nLink: https://example.org/7\nbody: one\ntwo\n+ name: tea\n+ at: "))
  }

  @Test func `[D13] Fields of a row without a column are shown by path.`() async throws {
    let row = #"""
      {"name": "\u8336", "stars": 1, "owner": {"login": "ann", "plan": {"name": "free", "seats": {"used": 3}}},
      "tags": ["a", "b"], "none2": null, "empty": "", "log": [{"at": 1}], "is_open": true, "size": 12345678901234567890}
      """#
    #expect(
      try await content(row: row) == """
        Name: 茶
        Stars: 1
        + owner.login: ann
        + owner.plan.name: free
        + owner.plan.seats: { "used": 3 }
        + tags: a, b
        + log: [ { "at": 1 } ]
        + is_open: true
        + size: 12345678901234567890
        {  "name": "茶",  "stars": 1,  "owner": {    "login": "ann",    "plan": {      "name": "free",      "seats": {        "used": 3      }    }  },  "tags": [    "a",    "b"  ],  "none2": null,  "empty": "",  "log": [    {      "at": 1    }  ],  "is_open": true,  "size": 12345678901234567890}
        """)
  }

  @Test func `A source may request the full row.`() async throws {
    func ask(_ source: inout Source) throws {
      source.detail.request = DetailRequest(url: try ValueExpression(parsing: "url"))
    }
    #expect(
      try await content(ask, response: (200, #"{"name": "green tea"}"#), .response)
        == "Name: green tea\n{  \"name\": \"green tea\"}")
    #expect(try await content(ask, response: (404, "{}")).hasPrefix("Name: tea\n"))
    #expect(
      try await content(ask, response: (404, "{}"), .response).contains(" returned 404 Not Found"))
  }

  @Test func `[U9] The full row may be inside an envelope, and each of its fields is shown once.`()
    async throws
  {
    func ask(_ source: inout Source) throws {
      var request = DetailRequest(url: try ValueExpression(parsing: "url"))
      request.path = try JSONPath("data.item")
      source.detail.request = request
    }
    #expect(
      try await content(ask, response: (200, #"{"data": {"item": {"name": "green tea"}}}"#), .response)
        == "Name: green tea\n{  \"name\": \"green tea\"}")
    #expect(
      try await content(ask, response: (200, #"{"data": []}"#), .response) == """
        failed: https://api.example.org/7 returned no object at data.item. Correct path in detail.request of source things
        """)
  }

  @Test func `A row that could not be stored is reported with a remedy.`() async throws {
    #expect(
      try await content(isKept: false)
        == "failed: cannot read the row's JSON: no space for a temporary file. Set TMPDIR to another directory"
    )
  }

  @Test func `[H22] The title of a field is its path, as --columns takes it.`() async throws {
    let row = #"{"name": "tea", "c[0]": 1, "x.y": {"z": 2}, "": 3, "plain": {"in": "Reykjav\u00edk"}}"#
    let fields = try await content(row: row).split(separator: "\n").filter { $0.hasPrefix("+") }
    #expect(
      fields == [
        #"+ ["c[0]"]: 1"#, #"+ ["x.y"].z: 2"#, #"+ [""]: 3"#, "+ plain.in: Reykjavík",
      ])
  }

  @Test func `[H12] Objects in cells show characters in place of their escapes.`() async throws {
    let row = #"{"name": {"city": "Reykjav\u00edk"}}"#
    #expect(try await content(row: row).hasPrefix(#"Name: {"city": "Reykjavík"}"#))
  }
}

import HTTPValues
import JSON
import Testing
import Text

@testable import Search

/// A service that cannot search: `[input] filter = "client"`.
@Suite struct ClientFilterTests {
  private static let body =
    #"{"total": 4, "repositories": ["alpine", "library/Redis", "redis-exporter", "Ubuntu"]}"#

  private func picture(_ query: String, filter: SearchInput.Filter = .client) throws -> ResponsePicture {
    ResponsePicture(
      rows: RowShape(path: try JSONPath("repositories"), total: try ValueExpression(parsing: "total")),
      columns: try columns("$"), input: SearchInput(filter: filter), query: Query(query))
  }

  @Test(arguments: [
    ("redis", "library/Redis\nredis-exporter"), ("REDIS  exp", "redis-exporter"), ("nothing", ""),
    ("  ", "alpine\nlibrary/Redis\nredis-exporter\nUbuntu"),
  ])
  func `A row is kept if every word of the query occurs in it, ignoring case.`(query: String, rows: String)
    throws
  {
    #expect(try picture(query).text(Self.body) == rows)
  }

  @Test
  func `All rows count as received, and the total is dropped because it counts other rows than those shown.`()
    throws
  {
    let page = try picture("redis").page(Self.body)
    #expect(page.rowCount == 2)
    #expect(page.received == 4)
    #expect(page.total == nil)
    #expect(try picture("redis", filter: .server).page(Self.body).total == .exact(4))
    #expect(try picture("redis", filter: .server).page(Self.body).rowCount == 4)
  }

  @Test func `The filter searches what cells show, in any column.`() throws {
    let columns = [
      Column(
        name: "a", title: "a", value: try ValueExpression(parsing: "a"), markup: .stripped,
        alignment: .leading),
      Column(name: "n", value: try ValueExpression(parsing: "n"), format: .number),
    ]
    var picture = ResponsePicture(
      columns: columns, input: SearchInput(filter: .client), query: Query("bold 12345"))
    let body = #"[{"a": "<b>Bo</b>ld", "n": 12345}, {"a": "bold", "n": 1}, {"x": "bold 12345"}]"#
    #expect(try picture.text(body) == "Bold | 12.3k")
    picture.columns = []
    picture.query = Query("12345")
    #expect(try picture.page(body).rowCount == 2)
  }

  @Test func `A page without matches is not the end, and a service that repeats pages is noticed.`() throws {
    var session = Session(rules: .plain)
    session.reduce(.searched(Query("x"), .everything))
    func answer(_ fingerprint: UInt64, _ ordinal: Int) throws {
      let rows = DocumentRows(
        response: ResponseValues(
          document: try JSONDocument(Array("[]".utf8)), headers: [], url: try WebURL("http://127.0.0.1/")),
        nodes: [])
      let request = try #require(session.requests.first)
      var page = Page(content: .document(rows), continuation: .more(ordinal, .none))
      page.fingerprint = fingerprint
      page.mark = fingerprint
      page.received = 5
      session.reduce(.loaded(page, for: request))
    }
    try answer(1, 1)
    #expect(session.picture == "rows · loading first · asks p2")
    try answer(2, 2)
    #expect(session.picture == "rows · loading first · asks p3")
    try answer(2, 3)
    try answer(2, 4)
    #expect(session.picture == "rows · end repeats")
  }
}

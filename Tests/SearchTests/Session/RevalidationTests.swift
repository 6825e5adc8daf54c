import HTTPValues
import JSON
import Testing

@testable import Search

/// Tests refreshing of unchanged pages: the retained pages, the conditions that are sent, and the meaning of a 304.
@Suite struct RevalidationTests {
  private static let url = "https://api.example.org/items"

  private func source(_ change: (inout Source) throws -> Void = { _ in }) throws -> Source {
    var source = Source(
      id: "test", title: "Test", endpoint: Endpoint(url: try Template(Self.url)),
      pagination: try Pagination(PagePagination.self, PaginationSettings(into: .query("page"))),
      rows: RowShape(path: try JSONPath("items"), key: try ValueExpression(parsing: "id")))
    try change(&source)
    return source
  }

  private func response(
    _ status: Int, _ fields: [(String, String)], _ body: String = #"{"items": [{"id": 1}]}"#,
    requests: Int = 1
  ) throws -> HTTPResponse {
    HTTPResponse(
      status: status, headers: HTTPFields(fields.map { HTTPField(received: $0.0, value: $0.1) }),
      body: Array(body.utf8), url: try WebURL(Self.url), arrivedAt: 1_800_000_000, requests: requests)
  }

  private func request(_ validators: Validators? = nil) -> PageRequest {
    PageRequest(query: Query("x"), position: .number(0), generation: 1, validators: validators)
  }

  /// The condition that a refresh sends after a response: `If-None-Match: "a"`, or `none`.
  private func condition(after response: HTTPResponse, of source: Source) throws -> String {
    let page = try source.page(from: response, for: request(), in: RunContext()) { .document($0) }
    let message = try source.request(for: request(page.validators), in: RunContext())
    let names = ["If-None-Match", "If-Modified-Since"]
    let sent = names.compactMap { name in message.headers.first(name).map { "\(name): \($0)" } }
    return sent.isEmpty ? "none" : sent.joined(separator: ", ")
  }

  @Test(arguments: [
    ([], "none"), ([("ETag", #""a""#)], #"If-None-Match: "a""#),
    ([("etag", #"W/"weak""#)], #"If-None-Match: W/"weak""#), ([("ETag", "")], "none"),
    ([("ETag", "a\u{1}b")], "none"), ([("ETag", String(repeating: "x", count: 1_025))], "none"),
    (
      [("Last-Modified", "Fri, 01 Jan 2027 00:00:00 GMT")],
      "If-Modified-Since: Fri, 01 Jan 2027 00:00:00 GMT"
    ),
    ([("ETag", "\"a\""), ("Last-Modified", "Fri, 01 Jan 2027 00:00:00 GMT")], "If-None-Match: \"a\""),
    // The list may change again in the same second.
    (
      [("Last-Modified", "Fri, 01 Jan 2027 00:00:00 GMT"), ("Date", "Fri, 01 Jan 2027 00:00:00 GMT")], "none"
    ),
    (
      [("Last-Modified", "Fri, 01 Jan 2027 00:00:00 GMT"), ("Date", "Fri, 01 Jan 2027 00:00:01 GMT")],
      "If-Modified-Since: Fri, 01 Jan 2027 00:00:00 GMT"
    ), ([("Last-Modified", "yesterday")], "none"),
  ]) func `The version of a response is sent back as it was received, if it can be trusted.`(
    fields: [(String, String)], expected: String
  ) throws {
    #expect(try condition(after: response(200, fields), of: source()) == expected)
  }

  @Test func `No condition is sent after a POST, a redirect, or a response that reports an error.`()
    throws
  {
    let tag = [("ETag", "\"a\"")]
    let post = try source { $0.endpoint.method = .post }
    #expect(try condition(after: response(200, tag), of: post) == "none")
    #expect(try condition(after: response(200, tag, requests: 2), of: source()) == "none")
    let partial = #"{"data": {"items": [{"id": 1}]}, "errors": [{"message": "slow"}]}"#
    let graph = try source { $0.rows.path = try JSONPath("data.items") }
    #expect(try condition(after: response(200, tag, partial), of: graph) == "none")
    #expect(try condition(after: response(204, tag, ""), of: source()) == "If-None-Match: \"a\"")
  }

  @Test func `A 304 is a page without rows if a condition was sent, and an error otherwise.`() throws {
    let (source, answer) = (try source(), try response(304, [("ETag", "\"a\"")], ""))
    let validators = try #require(Validators(answer.headers, now: 0))
    let page = try source.page(from: answer, for: request(validators), in: RunContext()) { .document($0) }
    #expect(page.isNotModified && page.rowCount == 0 && page.validators == validators)
    #expect {
      try source.page(from: answer, for: request(), in: RunContext()) { .document($0) }
    } throws: {
      "\(($0 as? PageError)?.message ?? "")" == "https://api.example.org/items returned 304 Not Modified"
    }
  }

  @Test func `The rate limit is that of the 304.`() throws {
    let limited = try source { $0.limits.remaining = try ValueExpression(parsing: "header:x-left") }
    let answer = try response(304, [("x-left", "7")], "")
    let validators = try #require(Validators([try HTTPField(name: "ETag", value: "\"a\"")], now: 0))
    let page = try limited.page(from: answer, for: request(validators), in: RunContext()) { .document($0) }
    #expect(page.budget?.remaining == 7)
  }

  // MARK: Sessions

  private func validators(_ tag: String) throws -> Validators {
    try #require(Validators([try HTTPField(name: "ETag", value: "\"\(tag)\"")], now: 0))
  }

  private func answer(
    _ session: inout Session, _ ids: [Int], _ continuation: Continuation, _ tag: String? = nil
  ) throws {
    var page = page(ids, continuation)
    page.validators = try tag.map(validators)
    session.reduce(.loaded(page, for: try #require(session.requests.first)))
  }

  private func confirm(_ session: inout Session, at time: Double = 0) throws {
    var page = Page.notModified
    page.exchange = Exchange(status: 304, bytes: 0, sentAt: time, arrivedAt: time)
    session.reduce(.loaded(page, for: try #require(session.requests.first)))
  }

  /// `p1 if "a"`: the requests with their conditions.
  private func asked(_ session: Session) -> String {
    session.requests.map { request in
      "p\(request.position.ordinal + 1)" + (request.validators?.entityTag.map { " if \($0)" } ?? "")
    }.joined(separator: ", ")
  }

  /// A session with two pages; the first has a version.
  private func loaded(_ tags: [String?] = ["a", nil], _ rules: Session.Rules = .plain) throws -> Session {
    var session = Session(rules: rules)
    session.reduce(.searched(Query("x"), .pages(2)))
    #expect(asked(session) == "p1")
    try answer(&session, [1, 2], .more(1), tags[0])
    try answer(&session, [3, 4], .more(2), tags[1])
    return session
  }

  @Test func `A refresh keeps the pages that the service confirms, and continues after them.`() throws {
    var session = try loaded(["a", "b"])
    session.reduce(.refreshed(rows: 4))
    #expect(asked(session) == "p1 if \"a\"")
    try confirm(&session, at: 50)
    #expect(session.picture == "rows 1 2 3 4 · loading refresh · asks p2")
    #expect(asked(session) == "p2 if \"b\"")
    try answer(&session, [3, 5], .more(2), "c")
    #expect(session.picture == "rows 1 2 3 5 · idle")
    #expect(session.rows.blocks.map(\.arrivedAt) == [50, 0])
    #expect(
      session.log.suffix(2).map(\.text) == [
        "page 1: not sent · 304 · not modified · 0 B · 0 ms · 2 rows", "page 2: not sent · 2 rows",
      ])
    session.reduce(.refreshed(rows: 4))
    try confirm(&session)
    #expect(asked(session) == "p2 if \"c\"")
    try confirm(&session)
    #expect(session.picture == "rows 1 2 3 5 · idle")
    session.reduce(.wanted(.pages(1)))
    #expect(asked(session) == "p3")
  }

  @Test func `A page at a different position is requested without a condition.`() throws {
    var session = try loaded(["a", "b"])
    session.reduce(.refreshed(rows: 4))
    let moved = Position(ordinal: 1, value: .number(7))
    try answer(&session, [9, 1], .next(moved, .value))
    #expect(asked(session) == "p2")
  }

  @Test func `A page loaded later, another query, or a retry at the start has no condition.`() throws {
    var session = try loaded(["a", "b"])
    session.reduce(.refreshed(rows: 2))
    try confirm(&session)
    session.reduce(.wanted(.pages(1)))
    #expect(asked(session) == "p2")
    session = try loaded(["a", "b"])
    session.reduce(.searched(Query("x"), .pages(1)))
    #expect(asked(session) == "p1")
  }

  @Test func `After a page that could not be loaded, the pages before it are requested as a whole.`() throws {
    var session = try loaded(["a", "b"])
    session.reduce(.refreshed(rows: 4))
    try confirm(&session)
    session.failFirst(PageError(.rejected, message: "no such cursor"))
    session.reduce(.refreshed(rows: 4))
    #expect(asked(session) == "p1")
  }

  @Test func `A refresh that was stopped keeps what is known of the pages that it did not reach.`() throws {
    var session = try loaded(["a", "b"])
    session.reduce(.refreshed(rows: 4))
    try answer(&session, [1, 9], .more(1), "c")
    session.reduce(.stopped)
    session.reduce(.refreshed(rows: 4))
    #expect(asked(session) == "p1 if \"c\"")
    try confirm(&session)
    #expect(asked(session) == "p2 if \"b\"")
    try confirm(&session)
    #expect(session.picture == "rows 1 9 3 4 · idle")
  }

  @Test
  func
    `Rule 28: growth of a list whose end only headers indicate is found although its last page is unchanged.`()
    throws
  {
    var count = 20
    let source = try listSource(PagePagination.self, PaginationSettings(into: .query("p"))) {
      $0.rows.total = try expression("header:X-Total")
    }
    var requested: [String] = []
    var run = PagingRun(source, size: 10) { request in
      let number = request.number("p") ?? 1
      let rows = Array((number * 10 - 10)..<min(number * 10, count))
      let isKnown = request.headers.first("If-None-Match") == "\"\(rows)\""
      requested.append("\(number)\(isKnown ? "=" : "")")
      var answer = PagingRun.Answer(rows)
      if isKnown { answer = PagingRun.Answer(status: 304, body: "") }
      answer.headers = [("ETag", "\"\(rows)\""), ("X-Total", "\(count)")]
      return answer
    }
    try run.load()
    #expect(run.ids == Array(0..<20))
    count = 25
    try run.reduce(.refreshed(rows: 20))
    try run.reduce(.wanted(.everything))
    #expect(run.ids == Array(0..<25))
    #expect(requested == ["1", "2", "1=", "2", "3"])
    // A list that shrinks is also complete.
    count = 15
    try run.reduce(.refreshed(rows: 25))
    #expect(run.session.completeness == .complete)
  }
}

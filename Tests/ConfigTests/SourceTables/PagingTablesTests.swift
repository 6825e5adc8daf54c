import Config
import HTTPValues
import JSON
import Testing

@testable import Search

/// `[pagination]`, `[limits]` and `[errors]` with all their keys.
@Suite struct PagingTablesTests {
  private func decoded(_ text: String) throws -> Source {
    try source("schema = 1\nid = \"mine\"\nrequest.url = \"https://api.example.org/search\"\n\(text)")
  }

  @Test func `A keyset in the body is read, with the values it carries along.`() throws {
    let settings = try decoded(
      """
      [pagination]
      type = "cursor"
      next = "hits.hits[-1].sort"
      into = "body:search_after"
      first = 0
      size = { body = "page.size", default = 50, max = 10000, actual = "size" }
      end_on = ["empty"]
      carry = [
        { from = "pit_id", into = "body:pit.id" },
        { from = "header:X-Session", into = "header:X-Session" },
      ]
      expired_status = [404, 410]
      repeat = "progress"
      overlap = 1
      cap = { offset = 10000, rule = "end", unless = "auth" }
      """
    ).pagination.settings
    #expect(settings.into == .body(["search_after"]))
    #expect(settings.first == JSONToken(0))
    #expect(settings.size.slot == .body(["page", "size"]))
    #expect(try settings.size.actual == ValueExpression(parsing: "size"))
    #expect(settings.endConditions == [.empty])
    #expect(settings.carry.map(\.into) == [.body(["pit", "id"]), .header("X-Session")])
    #expect(settings.expiredStatuses == [404, 410])
    #expect(settings.repetition == .progress && settings.overlap == 1)
    #expect(settings.cap == .init(unit: .offset, count: 10_000, rule: .end, unless: .authorization))
  }

  @Test func `Merged members may go into the query or the body.`() throws {
    let query = try decoded(
      """
      [pagination]
      type = "merge"
      next = "continue"
      size = { param = "srlimit", default = 10, max = 500 }
      cap = { rows = 10000, unless = "secret:key" }
      """)
    #expect(query.pagination.name == "merge")
    #expect(query.pagination.settings.into == nil)
    #expect(query.pagination.settings.cap?.unless == .secret("key"))
    for (text, slot) in [("body:$", Slot.body([])), ("body:a.\"b c\"", .body(["a", "b c"]))] {
      let body = try decoded(
        "[pagination]\ntype = \"merge\"\nnext = \"continue\"\ninto = '\(text.replacing(".\"b c\"", with: "[\"b c\"]"))'"
      )
      #expect(body.pagination.settings.into == slot)
    }
  }

  @Test(arguments: [
    (
      "params = { range = \"{offset}-{last}\" }", "type = \"offset\"\nsize = { default = 20 }",
      "GET /list?range=40-59"
    ),
    (
      "params = { _start = \"{offset}\", _end = \"{end}\" }", "type = \"offset\"\nsize = { default = 20 }",
      "GET /list?_start=40&_end=60"
    ),
    (
      "params = { limit = \"{offset},{page_size}\" }", "type = \"offset\"\nsize = { default = 20 }",
      "GET /list?limit=40%2C20"
    ),
    (
      "params = { filter = '{{\"limit\": {page_size}, \"skip\": {offset}}}' }",
      "type = \"offset\"\nsize = { default = 20 }",
      "GET /list?filter=%7B%22limit%22%3A+20%2C+%22skip%22%3A+40%7D"
    ),
    (
      "headers = { Range = \"rows={offset}-{last}\" }",
      "type = \"offset\"\nfirst = 1\nsize = { default = 20 }",
      "GET /list Range: rows=40-59"
    ),
    (
      "headers = { Prefer = \"odata.maxpagesize={page_size}\" }",
      "type = \"page\"\nparam = \"p\"\nsize = { default = 20 }", "GET /list?p=40 Prefer: odata.maxpagesize=20"
    ),
    ("url = \"https://api.example.org/list/{page}/all\"", "type = \"page\"", "GET /list/40/all"),
    (
      "body = { from = \"{offset}\", sql = \"… STARTPOSITION {offset}\" }", "type = \"offset\"",
      "POST /list {\"from\":40,\"sql\":\"… STARTPOSITION 40\"}"
    ),
  ])
  func `A position may be a part of any string of the request.`(
    request: String, pagination: String, sent: String
  ) throws {
    let address = request.hasPrefix("url") ? "" : "url = \"https://api.example.org/list\"\n"
    let source = try SourceDecoder.source(
      TOMLDocument(
        "schema = 1\nid = \"mine\"\n[request]\n\(address)\(request)\n[pagination]\n\(pagination)",
        file: "mine.toml"))
    var page = PageRequest(first: source, Query())
    page.position.value = .number(40)
    let built = try source.request(
      for: page, in: RunContext(pageSize: source.pagination.settings.size.standard, version: "0"))
    let headers = built.headers.filter { ["Range", "Prefer"].contains($0.name) }
    let query = built.url.queryItems.map {
      "\(PercentEncoding.encodedForm($0.name))=\(PercentEncoding.encodedForm($0.value ?? ""))"
    }
    #expect(
      "\(built.method.rawValue) \(built.url.path)\(query.isEmpty ? "" : "?")\(query.joined(separator: "&"))"
        + headers.map { " \($0.name): \($0.value)" }.joined()
        + (built.body.isEmpty ? "" : " " + String(decoding: built.body, as: UTF8.self)) == sent)
  }

  @Test func `A cursor may be a part of a string, which is omitted for the first page.`() throws {
    let source = try SourceDecoder.source(
      TOMLDocument(
        """
        schema = 1
        id = "mine"
        [request]
        url = "https://api.example.org/list"
        params = { page = "after:{cursor?}" }
        [pagination]
        type = "cursor"
        next = "next"
        """, file: "mine.toml"))
    func address(_ value: Position.Value) throws -> String {
      var page = PageRequest(first: source, Query())
      page.position.value = value
      return try source.request(for: page, in: RunContext(pageSize: nil, version: "0")).url.description
    }
    #expect(try address(.start) == "https://api.example.org/list")
    #expect(try address(.token(JSONToken("x/y"))) == "https://api.example.org/list?page=after%3Ax%2Fy")
  }

  @Test(arguments: [
    (
      "params.a = \"{offset}\"", "type = \"page\"",
      "5:12: [request.params] a: {offset} is the position of a page, which needs pagination.type = \"offset\" without param or into"
    ),
    (
      "params.a = \"{offset}\"", "type = \"offset\"\nparam = \"b\"",
      "5:12: [request.params] a: {offset} is the position of a page, which needs pagination.type = \"offset\" without param or into"
    ),
    (
      "params.a = \"{offset}-{last}\"", "type = \"offset\"\nsize = { param = \"n\" }",
      "5:12: [request.params] a: {last} needs a number. Set pagination.size.default"
    ),
    (
      "params.a = \"{offset}{offse}\"", "type = \"offset\"",
      "5:12: [request.params] a: unknown placeholder {offse}. Did you mean \"offset\"?"
    ),
    (
      "params.a = \"b\"", "type = \"offset\"\nempty_next = \"value\"\nparam = \"c\"",
      "8:1: [pagination] empty_next: not allowed with type = \"offset\""
    ),
  ])
  func `A string with a position has the placeholders of its style.`(
    request: String, pagination: String, problem: String
  ) {
    #expect(
      problems(
        "schema = 1\nid = \"mine\"\n[request]\nurl = \"https://api.example.org/search\"\n\(request)\n[pagination]\n\(pagination)"
      ).split(separator: "\n").first.map(String.init) == "mine.toml:\(problem)")
  }

  @Test func `All kinds of error rules are read.`() throws {
    let errors = try decoded(
      """
      [errors]
      message = ["errors[*].message", "message"]
      [[errors.when]]
      match = { path = "errors", exists = true }
      unless = "data.search"
      [[errors.rate_limited]]
      status = 400
      match = { path = "error_id", equals = 502 }
      wait_from = { path = "error_message", number_after = "in " }
      wait_at_least = "1m"
      [[errors.retry]]
      match = { header = "MediaWiki-API-Error", equals = "maxlag" }
      unless = ["query", "parse"]
      wait_from = { header = "X-Wait" }
      [[errors.fatal]]
      status = [429, 503]
      """
    ).errors
    #expect(errors.inside.count == 1 && errors.inside[0].condition?.test == .exists(true))
    #expect(try errors.inside[0].unless == ValueExpression(parsing: "data.search"))
    #expect(errors.rateLimited[0].statuses == [400])
    #expect(errors.rateLimited[0].waitFrom?.seconds(in: "available in 77 seconds") == 77)
    #expect(errors.rateLimited[0].waitAtLeast == 60)
    #expect(errors.retry[0].waitFrom?.value == ValueExpression([.header("X-Wait")]))
    #expect(errors.retry[0].unless?.alternatives.count == 2)
    #expect(errors.fatal.map(\.statuses) == [[429, 503]])
  }

  @Test func `A bucket separates rate budgets.`() throws {
    let limits = try decoded("[limits]\nbucket = \"header:X-RateLimit-Resource\"").limits
    #expect(limits.bucket == ValueExpression([.header("X-RateLimit-Resource")]))
  }

  /// The pagination of real services, as an author of a source would write it.
  @Test(arguments: [
    "type = \"cursor\"\nnext = \"data[-1].id\"\ninto = \"query:starting_after\"\nmore = \"has_more\"",
    "type = \"cursor\"\nnext = \"nextPageToken\"\ndone = \"isLast\"\ninto = \"query:nextPageToken\"",
    "type = \"offset\"\nparam = \"startAt\"\nfirst = 0\nsize = { param = \"maxResults\", actual = \"maxResults\" }",
    "type = \"cursor\"\nnext = \"metadata.continue\"\ninto = \"query:continue\"\nexpired_status = [410]",
    "type = \"cursor\"\nnext = \"NextToken\"\ninto = \"body:NextToken\"\nsize = { body = \"MaxItems\", default = 50 }",
    "type = \"page\"\nparam = \"page\"\nmore = \"has_more\"\ncap = { page = 25, unless = \"secret:key\" }",
    "type = \"cursor\"\nfirst = \"*\"\nnext = 'message[\"next-cursor\"]'\ninto = \"query:cursor\"\nrepeat = \"progress\"",
  ]) func `Pagination of well-known services is read.`(text: String) {
    #expect(problems(after: "[pagination]\n\(text)") == "fine")
  }
}

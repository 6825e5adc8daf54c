import HTTPValues
import JSON
import Testing

@testable import Search

/// Tests rules 17 to 22: the start and restart of a run, and its knowledge of the pages ahead.
@Suite struct RunRuleTests {
  @Test func `Rule 17: a first request carries its sentinel, or no parameter at all.`() throws {
    func first(_ token: JSONToken?, _ slot: Slot) throws -> RequestDraft {
      let style = try CursorPagination(
        PaginationSettings(into: slot, first: token, next: expression("next")))
      var draft = RequestDraft()
      style.apply(style.first, to: &draft)
      return draft
    }
    #expect(try first(JSONToken("*"), .query("c")).parameters == [.init(name: "c", value: "*")])
    #expect(try first(nil, .query("c")) == RequestDraft())
    #expect(try first(JSONToken(0), .body(["c"])).body.map(\.value.json) == ["0"])
    #expect(try first(JSONToken("0"), .body(["c"])).body.map(\.value.json) == ["\"0\""])
    #expect(try first(JSONToken(0), .header("X-Cursor")).headers == [.init(name: "X-Cursor", value: "0")])
  }

  @Test
  func `Rule 18: after an expired cursor, the run restarts and skips the rows it already has.`()
    throws
  {
    let rows = Array(1...9)
    var settings = PaginationSettings(into: .query("after"), next: try expression("items[-1].id"))
    settings.expiredStatuses = [410]
    var expires = true
    var pagingRun = PagingRun(try listSource(CursorPagination.self, settings)) { request in
      let after = request.number("after") ?? 0
      if after == 6, expires {
        expires = false
        return .init(status: 410, body: "{\"message\": \"cursor too old\"}")
      }
      return .init(Array(rows.drop { $0 <= after }.prefix(2)))
    }
    try pagingRun.load()
    #expect(
      pagingRun.picture
        == "asks - after=2 after=4 after=6 · rows 1 2 3 4 5 6 · failed: "
        + "https://api.example.org/list no longer accepts this position (410 Gone): cursor too old")
    guard case .failed(_, let error) = pagingRun.session.phase else { return }
    #expect(error.canRepeat == .afterRestart)
    #expect(error.remedy == "load again from the first page")
    pagingRun.requested = []
    try pagingRun.reduce(.retried)
    #expect(
      pagingRun.picture
        == "asks - after=2 after=4 after=6 after=8 after=9 · rows 1 2 3 4 5 6 7 8 9 · end last")
    #expect(pagingRun.session.duplicates == 0)
  }

  @Test func `Rule 18: an expired_status on the first page is an ordinary error.`() throws {
    var settings = PaginationSettings(into: .query("c"), next: try expression("next"))
    settings.expiredStatuses = [410]
    var pagingRun = PagingRun(
      try listSource(CursorPagination.self, settings), answers: [.init(status: 410, body: "{}")])
    try pagingRun.load()
    #expect(pagingRun.picture == "asks - · rows  · failed: https://api.example.org/list returned 410 Gone")
  }

  @Test func `Rule 18: after an expired cursor, rows without a key are loaded again.`() throws {
    var settings = PaginationSettings(into: .query("after"), next: try expression("items[-1].id"))
    settings.expiredStatuses = [410]
    var source = try listSource(CursorPagination.self, settings)
    source.rows.key = nil
    var expires = true
    var pagingRun = PagingRun(source) { request in
      let after = request.number("after") ?? 0
      if after == 2, expires {
        expires = false
        return .init(status: 410, body: "{}")
      }
      return .init(after < 4 ? [after + 1, after + 2] : [])
    }
    try pagingRun.load()
    try pagingRun.reduce(.retried)
    #expect(pagingRun.ids == [1, 2, 3, 4], "all rows are still wanted")
  }

  @Test func `Rule 19: a changed query starts a new run, and late responses to the old one are dropped.`()
    throws
  {
    let source = try listSource(PagePagination.self, PaginationSettings(into: .query("p")))
    var pagingRun = PagingRun(source, answers: [.init([7])])
    pagingRun.session.reduce(.searched(Query("old"), .pages(1)))
    let late = try #require(pagingRun.session.requests.first)
    pagingRun.session.reduce(.searched(Query("new"), .pages(1)))
    pagingRun.session.reduce(.loaded(page([1, 2], .more(1)), for: late))
    pagingRun.session.reduce(.failed(PageError(.server, message: "late"), for: late, at: RetryTiming(now: 0)))
    try pagingRun.settle()
    #expect(pagingRun.ids == [7])
    #expect(pagingRun.session.query == Query("new"))
  }

  @Test func `Rule 21: a page count and the number of the last page are different things.`() throws {
    let style = try PagePagination(
      PaginationSettings(into: .query("p"), first: JSONToken(0), pages: expression("pages")))
    let url = try WebURL("https://api.example.org/list?p=0")
    func count(_ body: String, _ link: String) throws -> Int? {
      let response = ResponseValues(
        document: try JSONDocument(Array(body.utf8)), headers: [HTTPField(received: "Link", value: link)],
        url: url)
      return style.pageCount(in: PageFacts(rowCount: 1, pageSize: nil, response: response))
    }
    #expect(try count("{\"pages\": 5}", "<?p=9>; rel=last") == 5)
    #expect(try count("{}", "<?q=a&p=9>; rel=last") == 10)
    #expect(try count("{}", "<?p=-3>; rel=last") == nil)
    #expect(try count("{}", "<?p=9223372036854775807>; rel=last") == nil)
    #expect(try count("{}", "<?page=9>; rel=last") == nil)
  }

  /// With a concurrency of five, the page count limits how many pages are requested at once.
  @Test(
    arguments: [
      ("\"pages\": 3", nil, ["p=1", "p=2", "p=3"]), ("\"total\": 6", nil, ["p=1", "p=2", "p=3"]),
      ("", "<?p=3>; rel=last", ["p=1", "p=2", "p=3"]), ("", nil, ["p=1", "p=2"]),
    ] as [(String, String?, [String])])
  func `Rule 21: pages known to exist are requested at once, and others one by one.`(
    rest: String, link: String?, requested: [String]
  ) throws {
    let settings = PaginationSettings(
      into: .query("p"), next: try expression("next"), pages: try expression("pages"))
    let source = try listSource(PagePagination.self, settings)
    let pagingRun = PagingRun(source, size: 2, rules: { $0.concurrency = 5 }) { _ in .init([]) }
    var session = pagingRun.session
    session.reduce(.searched(Query("x"), .everything))
    let request = try #require(session.requests.first)
    let response = HTTPResponse(
      status: 200, headers: HTTPFields(link.map { [HTTPField(received: "Link", value: $0)] } ?? []),
      body: Array(
        PagingRun.Answer([1, 2], ["\"next\": 1", rest].filter { !$0.isEmpty }.joined(separator: ", "))
          .body.utf8),
      url: try pagingRun.message(for: request).url)
    session.reduce(
      .loaded(
        try source.page(from: response, for: request, in: pagingRun.context) { .document($0) }, for: request))
    let queries = try session.requests.map { try pagingRun.message(for: $0).url.query ?? "-" }
    #expect(["p=1"] + queries == requested)
  }

  @Test func `Rule 22: rows that come with errors are shown with a warning, and errors alone are an error.`()
    throws
  {
    var settings = PaginationSettings(into: .query("c"), next: try expression("next"))
    settings.endStatuses = []
    let source = try listSource(CursorPagination.self, settings) {
      $0.errors.message = try expression("errors[*].message")
      $0.errors.inside = [
        ErrorRule(
          condition: Condition(value: try expression("errors"), test: .exists(true)),
          unless: try expression("items"))
      ]
    }
    var both = PagingRun(
      source, answers: [.init([1], "\"errors\": [{\"message\": \"part is missing\"}]")])
    try both.load()
    #expect(both.picture == "asks - · rows 1 · end last")
    #expect(
      both.session.completeness
        == .unconfirmed(reason: "the service reported an error along with the rows: part is missing"))
    var alone = PagingRun(
      source, answers: [.init(body: "{\"items\": null, \"errors\": [{\"message\": \"no\"}]}")])
    try alone.load()
    #expect(
      alone.picture == "asks - · rows  · failed: https://api.example.org/list reported an error: no")
    var none = PagingRun(source, answers: [.init([1], "\"errors\": []")])
    try none.load()
    #expect(none.session.completeness == .complete)
  }
}

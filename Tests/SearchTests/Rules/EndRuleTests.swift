import HTTPValues
import JSON
import Testing

@testable import Search

/// Rules 1 to 8 of the schema: when a list ends.
@Suite struct EndRuleTests {
  private func paged(_ change: (inout PaginationSettings) throws -> Void = { _ in }) throws -> Source {
    var settings = PaginationSettings(into: .query("p"))
    try change(&settings)
    return try listSource(PagePagination.self, settings)
  }

  private func cursor(_ change: (inout PaginationSettings) throws -> Void = { _ in }) throws -> Source {
    var settings = PaginationSettings(into: .query("c"), next: try expression("next"))
    try change(&settings)
    return try listSource(CursorPagination.self, settings)
  }

  @Test func `Rule 1: of flag, next, pages, total, empty and short, only the first one declared decides.`()
    throws
  {
    var flag = PagingRun(
      try paged {
        $0.more = try expression("more")
        $0.next = try expression("next")
      },
      answers: [.init([1], "\"more\": true, \"next\": null"), .init([2], "\"more\": false, \"next\": \"n\"")])
    try flag.load()
    #expect(flag.picture == "asks p=1 p=2 · rows 1 2 · end last")

    var next = PagingRun(
      try paged {
        $0.next = try expression("next")
        $0.pages = try expression("pages")
      }, answers: [.init([1], "\"next\": 7, \"pages\": 1"), .init([2], "\"pages\": 9")])
    try next.load()
    #expect(next.picture == "asks p=1 p=2 · rows 1 2 · end last")

    var pages = PagingRun(
      try paged { $0.pages = try expression("pages") },
      answers: [.init([1], "\"pages\": 2, \"total\": 1"), .init([2], "\"pages\": 2, \"total\": 1")])
    try pages.load()
    #expect(pages.picture == "asks p=1 p=2 · rows 1 2 · end last")

    var total = PagingRun(
      try paged { $0.endConditions = [.short] }, size: 2, answers: [.init([1], "\"total\": 2"), .init([2])])
    try total.load()
    #expect(total.picture == "asks p=1 p=2 · rows 1 2 · end total")

    var empty = PagingRun(try paged(), answers: [.init([1]), .init([])])
    try empty.load()
    #expect(empty.picture == "asks p=1 p=2 · rows 1 · end empty-page")
  }

  @Test(arguments: ["\"\"", "null", "false", "{}", "[]", nil])
  func `Rule 2: a next that is "", null, false, absent, {} or [] means no next page.`(next: String?) throws {
    var pagingRun = PagingRun(try cursor(), answers: [.init([1], next.map { "\"next\": \($0)" } ?? "")])
    try pagingRun.load()
    #expect(pagingRun.picture == "asks - · rows 1 · end last")
  }

  @Test(arguments: [
    ("true", "a boolean"), ("{\"a\": 1}", "an object"), ("[1]", "an array"),
  ]) func `Rule 2: a next of a type that a query cannot carry is an error, and the rows stay.`(
    next: String, kind: String
  ) throws {
    var pagingRun = PagingRun(try cursor(), answers: [.init([1], "\"next\": \(next)")])
    try pagingRun.load()
    #expect(pagingRun.picture == "asks - · rows 1 · end refused-next")
    #expect(
      pagingRun.session.phase
        == .end(
          .refusedNext(
            "pagination.next of source test returned \(kind), which cannot be sent in a query or header")))
  }

  @Test(arguments: [
    "9007199254740993", "1.50", "1e400", "true", "[\"2021-05-20T05:30:04.832Z\", 4294967298]",
    "{\"b\": 1, \"a\": {\"é\": null}}", "\"a\\\"b\"",
  ]) func `Rule 2: in a body, any value is sent back unchanged, with numbers as their original text.`(
    token: String
  ) throws {
    let style = try CursorPagination(
      PaginationSettings(into: .body(["page", "after"]), next: expression("next")))
    let response = ResponseValues(
      document: try JSONDocument(Array("{\"next\": \(token)}".utf8)), headers: [],
      url: try WebURL("https://api.example.org/"))
    let facts = PageFacts(rowCount: 1, pageSize: nil, response: response)
    guard case .next(let next, _) = try style.continuation(after: facts, at: style.first) else {
      Issue.record("it ends")
      return
    }
    var draft = RequestDraft()
    style.apply(next, to: &draft)
    #expect(draft.body.map(\.path) == [["page", "after"]])
    #expect(
      try JSONDocument(Array(draft.body[0].value.json.utf8)).root.text == response.document.root["next"]?.text
    )
    #expect(draft.body[0].value.json == token)
  }

  @Test func `Rule 3: a short page is not the end unless the source says so.`() throws {
    let answers = [PagingRun.Answer([1, 2]), .init([3]), .init([4, 5]), .init([])]
    var silent = PagingRun(try paged(), size: 2, answers: answers)
    try silent.load()
    #expect(silent.picture == "asks p=1 p=2 p=3 p=4 · rows 1 2 3 4 5 · end empty-page")
    var short = PagingRun(try paged { $0.endConditions = [.short] }, size: 2, answers: answers)
    try short.load()
    #expect(short.picture == "asks p=1 p=2 · rows 1 2 3 · end last")
  }

  @Test func `Rule 3: a page is short compared with the page size that the service reports.`() throws {
    let source = try paged {
      $0.endConditions = [.short]
      $0.size.actual = try expression("size")
    }
    var pagingRun = PagingRun(
      source, size: 100, answers: [.init([1, 2], "\"size\": 2"), .init([3], "\"size\": 2")])
    try pagingRun.load()
    #expect(pagingRun.picture == "asks p=1 p=2 · rows 1 2 3 · end last")
  }

  @Test func `Rule 4: an empty page ends the list only if it has no cursor.`() throws {
    var pagingRun = PagingRun(
      try cursor(),
      answers: [.init([1], "\"next\": \"a\""), .init([], "\"next\": \"b\""), .init([2]), .init([])])
    try pagingRun.load()
    #expect(pagingRun.picture == "asks - c=a c=b · rows 1 2 · end last")
  }

  @Test func `Rule 4: an empty page ends a list whose total has arrived, whatever follows it.`() throws {
    for (total, picture) in [
      (2, "asks - c=a c=b · rows 1 2 · end total"), (3, "asks - c=a c=b c=c · rows 1 2 3 · end last"),
    ] {
      var pagingRun = PagingRun(
        try cursor(),
        answers: [
          .init([1], "\"next\": \"a\", \"total\": \(total)"), .init([2], "\"next\": \"b\""),
          .init([], "\"next\": \"c\""), .init([3]),
        ])
      try pagingRun.load()
      #expect(pagingRun.picture == picture)
    }
  }

  @Test
  func `Rule 4: a list that promises rows but sends none ends after max_empty_pages, with that reason.`()
    throws
  {
    let source = try cursor { $0.maxEmptyPages = 2 }
    var pagingRun = PagingRun(
      source, rules: { $0.awaitsWriting = true },
      answers: ["a", "b", "c", "d"].map { .init([], "\"next\": \"\($0)\"") })
    #expect(try pagingRun.loadAll() == [])
    #expect(pagingRun.picture == "asks - c=a c=b · rows  · end empty-pages")
    #expect(pagingRun.session.phase == .end(.emptyPages(3)))
  }

  @Test func `Rule 4: a response without a body is an empty page whose headers may lead to the next page.`()
    throws
  {
    let source = try cursor { $0.next = try expression("header:X-Next") }
    var pagingRun = PagingRun(
      source,
      answers: [
        .init(status: 204, body: "", headers: [("X-Next", "a")]), .init([1]),
      ])
    try pagingRun.load()
    #expect(pagingRun.picture == "asks - c=a · rows 1 · end last")
  }

  @Test func `Rule 4: if a source ends on empty pages, no cursor or flag continues the list.`() throws {
    let source = try cursor { $0.endConditions = [.empty] }
    var pagingRun = PagingRun(source, answers: [.init([1], "\"next\": \"a\""), .init([], "\"next\": \"b\"")])
    try pagingRun.load()
    #expect(pagingRun.picture == "asks - c=a · rows 1 · end last")
    let flagged = try paged {
      $0.endConditions = [.empty]
      $0.more = try expression("more")
    }
    var pages = PagingRun(flagged, answers: [.init([1], "\"more\": true"), .init([], "\"more\": true")])
    try pages.load()
    #expect(pages.picture == "asks p=1 p=2 · rows 1 · end empty-page")
  }

  @Test func `Rule 4: a page of null entries is not empty.`() throws {
    var pagingRun = PagingRun(
      try listSource(OffsetPagination.self, PaginationSettings(into: .query("o"))),
      answers: [.init([1]), .init(body: "{\"items\": [null, null]}"), .init([2]), .init([])])
    try pagingRun.load()
    #expect(pagingRun.picture == "asks o=0 o=1 o=3 o=4 · rows 1 2 · end empty-page")
  }

  @Test
  func `Rule 6: a repeated cursor is not proof of a loop, but a page that comes again is.`() throws {
    let source = try cursor { $0.repetition = .progress }
    var progress = PagingRun(
      source,
      answers: (1...9).map { .init([2 * $0, 2 * $0 + 1], "\"next\": \"same\"") } + [
        .init([], "\"next\": \"same\"")
      ])
    try progress.load()
    #expect(progress.ids == Array(2...19))
    #expect(progress.requested == ["-"] + Array(repeating: "c=same", count: 9))
    #expect(progress.session.phase == .end(.emptyPage))

    var loop = PagingRun(
      source,
      answers: [.init([1], "\"next\": \"a\""), .init([1], "\"next\": \"b\""), .init([1], "\"next\": \"c\"")])
    try loop.load()
    #expect(loop.picture == "asks - c=a · rows 1 · end repeats")
    #expect(loop.session.completeness == .partial(reason: "the service returned page 1 again"))
  }

  @Test func `Rule 6: the same request is not sent again after an idle page.`() throws {
    for repetition in PaginationSettings.Repetition.allCases {
      let source = try cursor { $0.repetition = repetition }
      var pagingRun = PagingRun(
        source, answers: [.init([1], "\"next\": \"a\""), .init([1], "\"next\": \"a\"")])
      try pagingRun.load()
      #expect(pagingRun.picture == "asks - c=a · rows 1 · end repeats")
    }
  }

  @Test
  func `Rule 6: while rows are new, the same request is sent again once, always or never, as configured.`()
    throws
  {
    let answers = (1...6).map { PagingRun.Answer([$0], $0 < 6 ? "\"next\": \"a\"" : "") }
    func picture(_ repetition: PaginationSettings.Repetition) throws -> String {
      var pagingRun = PagingRun(try cursor { $0.repetition = repetition }, answers: answers)
      try pagingRun.load()
      return pagingRun.picture
    }
    #expect(try picture(.stop) == "asks - c=a c=a · rows 1 2 3 · end repeats")
    #expect(try picture(.progress) == "asks - c=a c=a c=a c=a c=a · rows 1 2 3 4 5 6 · end last")
    #expect(try picture(.end) == "asks - c=a · rows 1 2 · end last")
  }

  @Test func `Rule 6: a page without rows that leads to the same request is the end.`() throws {
    var pagingRun = PagingRun(
      try cursor { $0.repetition = .progress },
      answers: [.init([1], "\"next\": \"a\""), .init([], "\"next\": \"a\"")])
    try pagingRun.load()
    #expect(pagingRun.picture == "asks - c=a · rows 1 · end empty-page")
  }

  @Test
  func `Rule 1: a flag that promises more without a next position is reported, and rows are missing.`()
    throws
  {
    let source = try cursor { $0.more = try expression("more") }
    var pagingRun = PagingRun(
      source,
      answers: [
        .init([1], "\"more\": true, \"next\": \"a\""), .init([2], "\"more\": true, \"next\": null"),
      ])
    try pagingRun.load()
    #expect(pagingRun.picture == "asks - c=a · rows 1 2 · end refused-next")
    #expect(
      pagingRun.session.phase
        == .end(
          .refusedNext(
            "pagination.next of source test is missing, although the response says that there are more rows"))
    )
  }

  @Test func `Rule 6: alternating idle and empty pages also end the list.`() throws {
    var count = 0
    let pages = [[1, 2], [], [2, 1], [], [2]]
    var pagingRun = PagingRun(try cursor()) { _ in
      count += 1
      return .init(pages[min(count, pages.count) - 1], "\"next\": \"\(count)\"")
    }
    try pagingRun.load()
    #expect(pagingRun.picture == "asks - c=1 c=2 c=3 c=4 · rows 1 2 · end repeats")
  }

  @Test func `Rule 6: pages of a source without a key are compared as a whole.`() throws {
    var source = try cursor()
    source.rows.key = nil
    var pagingRun = PagingRun(source) { request in
      .init([1, 2], "\"next\": \"\((request.text("c") ?? "") + "x")\"")
    }
    try pagingRun.load()
    #expect(pagingRun.requested == ["-", "c=x"])
    #expect(pagingRun.session.phase == .end(.returned(page: 1)))
    // A loop of two pages is detected too.
    var loop = PagingRun(source) { request in
      let turn = request.text("c")?.count ?? 0
      return .init([turn % 2], "\"next\": \"\(String(repeating: "x", count: turn + 1))\"")
    }
    try loop.load()
    #expect(loop.requested.count == 3)
  }

  @Test func `[D64] A page without keys that repeats the rows of an earlier page adds none.`() throws {
    var source = try cursor()
    source.rows.key = nil
    var pagingRun = PagingRun(source) { request in
      .init(request.text("c") == nil ? [1, 2] : [3], "\"next\": \"b\"")
    }
    try pagingRun.load()
    #expect(pagingRun.picture == "asks - c=b c=b · rows 1 2 3 · end repeats")
    #expect(pagingRun.session.duplicates == 1)
    // So does one that repeats an earlier page.
    var apart = PagingRun(
      source, answers: [.init([5], "\"next\": \"a\""), .init([6], "\"next\": \"b\""), .init([5])])
    try apart.load()
    #expect(apart.picture == "asks - c=a c=b · rows 5 6 · end repeats")
  }

  @Test func `Rule 6: a filter hides neither that a list continues nor that it loops.`() throws {
    var source = try cursor()
    source.input.filter = .client
    source.columns = [Column(name: "id", value: try expression("id"))]
    // Each page repeats a row that matches, and its new rows do not match.
    var long = PagingRun(source) { request in
      let turn = request.text("c")?.count ?? 0
      return .init(
        [1, 20 + turn], turn < 6 ? "\"next\": \"\(String(repeating: "x", count: turn + 1))\"" : "")
    }
    try long.load(query: "1")
    #expect(long.requested.count == 7)
    #expect(long.ids == [1, 21])
    var circle = PagingRun(source) { request in
      .init([2, 3], "\"next\": \"\((request.text("c") ?? "") + "x")\"")
    }
    try circle.load(query: "1")
    #expect(circle.requested.count == 2)
    #expect(circle.session.phase == .end(.returned(page: 1)))
  }

  @Test func `Rule 6: a row without a key does not keep a loop going.`() throws {
    var pagingRun = PagingRun(try paged()) { _ in
      .init(body: "{\"items\": [{\"id\": 1}, {\"advertisement\": true}]}")
    }
    try pagingRun.load()
    #expect(pagingRun.requested == ["p=1", "p=2", "p=3"])
    #expect(pagingRun.session.phase == .end(.repeats))
  }

  @Test func `Rule 7: an endlessly repeated last page and an ignored page number both end the list.`() throws
  {
    var past = PagingRun(try paged()) { .init($0.number("p") == 1 ? [1, 2] : [3, 4]) }
    try past.load()
    #expect(past.picture == "asks p=1 p=2 p=3 p=4 · rows 1 2 3 4 · end repeats")
    #expect(past.session.completeness == .complete)
    var ignored = PagingRun(try paged()) { _ in .init([1, 2]) }
    try ignored.load()
    #expect(ignored.picture == "asks p=1 p=2 p=3 · rows 1 2 · end repeats")
    #expect(ignored.session.duplicates == 4)
    #expect(ignored.session.completeness == .complete)
  }

  @Test func `Rule 8: an end_status is a quiet end after a page and an error on the first page.`() throws {
    let source = try paged { $0.endStatuses = [422] }
    let refusal = PagingRun.Answer(status: 422, body: "{\"message\": \"Only the first 1000\"}")
    var pagingRun = PagingRun(source, answers: [.init([1]), refusal])
    try pagingRun.load()
    #expect(pagingRun.picture == "asks p=1 p=2 · rows 1 · end status")
    #expect(pagingRun.session.notes == ["the service ended this list with status 422"])
    var first = PagingRun(source, answers: [refusal])
    try first.load()
    #expect(
      first.picture
        == "asks p=1 · rows  · failed: https://api.example.org/list returned 422 Unprocessable Content: Only the first 1000"
    )
  }
}

import Config
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

  @Test func `A page size may be part of the text of a header.`() throws {
    let size = try decoded(
      """
      [pagination]
      type = "link"
      next = '["@odata.nextLink"]'
      size = { header = "Prefer", template = "odata.maxpagesize={page_size}", default = 50 }
      """
    ).pagination.settings.size
    #expect(size.slot == .header("Prefer"))
    #expect(size.template?.text == "odata.maxpagesize={page_size}")
  }

  @Test(arguments: [
    (
      "template = \"p{page}\"",
      "6:12: [pagination] template: expected a string with {offset}, found \"p{page}\""
    ),
    (
      "template = \"{offset},{size}\"",
      "6:12: [pagination] template: unknown placeholder {size}. Expected one of page, offset, cursor, page_size"
    ),
    (
      "template = \"{offset},{page_size}\"",
      "6:12: [pagination] template: {page_size} needs a number. Set size.default"
    ),
    ("empty_next = \"value\"", "6:1: [pagination] empty_next: not allowed with type = \"offset\""),
  ])
  func `A text with the position names the position of its style.`(line: String, problem: String) {
    #expect(
      problems(
        "schema = 1\nid = \"mine\"\nrequest.url = \"https://api.example.org/search\"\n[pagination]\ntype = \"offset\"\n\(line)\nparam = \"limit\""
      ) == "mine.toml:\(problem)")
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

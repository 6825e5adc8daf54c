import HTTPValues
import JSON
import Testing

@testable import Search

/// Tests for each style the contents of a response and the resulting next page.
@Suite struct PaginationStyleTests {
  private func expression(_ text: String) throws -> ValueExpression { try ValueExpression(parsing: text) }

  private func response(_ body: String, _ headers: HTTPFields = []) throws -> ResponseValues {
    ResponseValues(
      document: try JSONDocument(Array(body.utf8)), headers: headers,
      url: try WebURL("https://api.example.org/v1/items?q=x&page=1"))
  }

  /// `next 2 (value)`, `end last`, or the problem.
  private func picture(
    _ style: any PaginationStyle, _ response: ResponseValues, rows: Int = 30, size: Int? = 30,
    at position: Position? = nil
  ) -> String {
    do {
      let facts = PageFacts(rowCount: rows, pageSize: size, response: response)
      switch try style.continuation(after: facts, at: position ?? style.first) {
      case .end(let reason): return "end \(reason.name)"
      case .next(let next, let evidence): return "next \(text(of: next)) (\(evidence))"
      }
    } catch {
      return "\(error.key) \(error.problem)"
    }
  }

  private func text(of position: Position) -> String {
    switch position.value {
    case .start: "start"
    case .number(let number): "\(number)"
    case .token(let token): token.json
    case .link(let url): "\(url)"
    case .members(let members): members.map { "\($0.name)=\($0.value.json)" }.joined(separator: "&")
    }
  }

  @Test(arguments: [
    (#"{"next": "x"}"#, "next 2 (value)"), (#"{"next": null}"#, "end last"), (#"{"next": ""}"#, "end last"),
    (#"{"next": false}"#, "end last"), (#"{"next": {}}"#, "end last"), (#"{"next": []}"#, "end last"),
    (#"{}"#, "end last"),
  ]) func `With numbered pages, a declared next is only a flag.`(body: String, expected: String) throws {
    let style = try PagePagination(PaginationSettings(into: .query("page"), next: expression("next")))
    #expect(picture(style, try response(body)) == expected)
  }

  @Test func `An explicit flag takes precedence over the next value, and both over the page count.`() throws {
    let flagged = try PagePagination(
      PaginationSettings(into: .query("page"), next: expression("next"), more: expression("more")))
    #expect(picture(flagged, try response(#"{"next": "x", "more": false}"#)) == "end last")
    #expect(picture(flagged, try response(#"{"next": null, "more": true}"#)) == "next 2 (flag)")
    let done = try PagePagination(PaginationSettings(into: .query("page"), done: expression("isLast")))
    #expect(picture(done, try response(#"{"isLast": true}"#)) == "end last")
    let counted = try PagePagination(
      PaginationSettings(into: .query("page"), first: JSONToken("0"), pages: expression("nbPages")))
    #expect(picture(counted, try response(#"{"nbPages": 2}"#)) == "next 1 (pageCount)")
    #expect(picture(counted, try response(#"{"nbPages": 1}"#), size: 100) == "end last")
    // One full page may be all that is counted; fewer pages than there are cannot be their number.
    #expect(picture(counted, try response(#"{"nbPages": 1}"#)) == "next 1 (none)")
    #expect(picture(counted, try response(#"{"nbPages": 0}"#), size: 100) == "next 1 (none)")
  }

  @Test(arguments: [
    (#"{"next": ""}"#, "end last", #"next "" (value)"#),
    (#"{"next": "a"}"#, #"next "a" (value)"#, #"next "a" (value)"#),
    (#"{"next": null}"#, "end last", "end last"), (#"{}"#, "end last", "end last"),
  ])
  func `An empty string is a cursor only if the source says so.`(
    body: String, ending: String, value: String
  ) throws {
    var settings = PaginationSettings(into: .query("cursor"), next: try expression("next"))
    #expect(picture(try CursorPagination(settings), try response(body)) == ending)
    settings.own["empty_next"] = .word("value")
    #expect(picture(try CursorPagination(settings), try response(body)) == value)
  }

  @Test(arguments: [
    ("3", 2, "next 3 (value)"), ("1", 2, "end last"), ("0", 2, "end last"), ("0", 1, "end last"),
    ("-1", 2, "end last"),
    // After the first page, it may be counted from 0.
    ("1", 1, "next 2 (value)"),
  ])
  func `A next page that is the first one again, or comes before it, is the end.`(
    next: String, number: Int, expected: String
  ) throws {
    let style = try PagePagination(
      PaginationSettings(into: .query("page"), next: try expression("header:X-Next-Page")))
    let values = try response("[]", [HTTPField(received: "X-Next-Page", value: next)])
    let position = Position(ordinal: number - 1, value: .number(number))
    #expect(picture(style, values, at: position) == expected)
  }

  @Test func `A short page can end numbered pages only if the source says so.`() throws {
    let silent = try PagePagination(PaginationSettings(into: .query("page")))
    #expect(picture(silent, try response("{}"), rows: 3) == "next 2 (none)")
    let short = try PagePagination(PaginationSettings(into: .query("page"), endConditions: [.short]))
    #expect(picture(short, try response("{}"), rows: 3) == "next 2 (shortPage)")
    #expect(picture(short, try response("{}"), rows: 30) == "next 2 (none)")
  }

  @Test func `An offset advances by the rows received, or by the rows requested if the source says so.`()
    throws
  {
    let received = try OffsetPagination(PaginationSettings(into: .query("start")))
    let third = Position(ordinal: 2, value: .number(60))
    #expect(picture(received, try response("{}"), rows: 12, at: third) == "next 72 (none)")
    let requested = try OffsetPagination(
      PaginationSettings(
        into: .query("start"), size: .init(standard: 30), own: ["advance": .word("asked")]))
    #expect(picture(requested, try response("{}"), rows: 12, at: third) == "next 90 (none)")
    let flagged = try OffsetPagination(PaginationSettings(into: .query("start"), next: expression("next")))
    #expect(picture(flagged, try response(#"{"next": null}"#), rows: 12, at: third) == "end last")
    #expect(throws: PaginationError.self) {
      try OffsetPagination(PaginationSettings(into: .query("start"), own: ["advance": .word("asked")]))
    }
  }

  @Test(arguments: [
    (#"{"next": "abc"}"#, "next \"abc\" (value)"),
    (#"{"next": 9007199254740993}"#, "next 9007199254740993 (value)"),
    (#"{"next": null}"#, "end last"), (#"{"next": ""}"#, "end last"),
    (#"{"next": {"a": 1}}"#, "next returned an object, which cannot be sent in a query or header"),
  ]) func `A cursor is sent back unchanged, with exact numbers.`(body: String, expected: String) throws {
    let style = try CursorPagination(PaginationSettings(into: .query("cursor"), next: expression("next")))
    #expect(picture(style, try response(body)) == expected)
  }

  @Test func `A cursor may come from the last row or a header and may start with a sentinel.`() throws {
    let keyset = try CursorPagination(
      PaginationSettings(into: .query("after"), next: expression("data[-1].id")))
    #expect(picture(keyset, try response(#"{"data": [{"id": "a"}, {"id": "b"}]}"#)) == "next \"b\" (value)")
    let header = try CursorPagination(
      PaginationSettings(into: .query("cursor"), first: JSONToken("*"), next: expression("header:X-Next")))
    #expect(
      picture(header, try response("{}", [HTTPField(received: "x-next", value: "t2")]))
        == "next \"t2\" (value)")
    var draft = RequestDraft()
    header.apply(header.first, to: &draft)
    #expect(draft.parameters == [RequestDraft.Item(name: "cursor", value: "*")])
  }

  @Test(arguments: [
    (
      #"{"next": "https://api.example.org/v1/items?page=2"}"#,
      "next https://api.example.org/v1/items?page=2 (value)"
    ),
    (#"{"next": "?page=2"}"#, "next https://api.example.org/v1/items?page=2 (value)"),
    (#"{"next": "/v2/more?c=a b"}"#, "next https://api.example.org/v2/more?c=a%20b (value)"),
    (#"{"next": null}"#, "end last"), (#"{"next": 7}"#, "next returned a number instead of a link"),
    (
      #"{"next": "https://evil.example/x"}"#,
      "next returned a link that leads to another origin, https://evil.example. If that is the same service behind a proxy, set pagination.next_origin = \"source\""
    ),
    (#"{"next": "http://api.example.org/x"}"#, "next https://api.example.org/x (value)"),
    (#"{"next": "http://api.example.org:80/x"}"#, "next https://api.example.org/x (value)"),
    (
      #"{"next": "http://api.example.org:8000/x"}"#,
      "next returned a link that leads from https to http://api.example.org:8000, which is not allowed"
    ),
    (
      #"{"next": "https://u:p@api.example.org/x"}"#,
      "next returned a link that contains a user name, which is not allowed"
    ),
  ]) func `A link may be relative and must stay on its origin.`(body: String, expected: String) throws {
    let style = try LinkPagination(PaginationSettings(next: expression("next")))
    #expect(picture(style, try response(body)) == expected)
  }

  @Test func `A link to a listed host is followed, but a link into a private network is not.`() throws {
    let style = try LinkPagination(
      PaginationSettings(next: expression("next"), hosts: ["cdn.example.org", "10.0.0.1"]))
    #expect(
      picture(style, try response(#"{"next": "https://cdn.example.org/2"}"#))
        == "next https://cdn.example.org/2 (value)")
    #expect(
      picture(style, try response(#"{"next": "https://10.0.0.1/2"}"#))
        == "next returned a link that leads to a private address, 10.0.0.1. If that is the same service behind a "
        + "proxy, set pagination.next_origin = \"source\"")
  }

  @Test func `The Link header is parsed by its grammar.`() throws {
    let style = try LinkPagination(PaginationSettings(next: expression("link:next")))
    let link = "<https://api.example.org/p?a=1,2;b>; rel=\"prev next\", </last>; rel=last"
    #expect(
      picture(style, try response("[]", [HTTPField(received: "Link", value: link)]))
        == "next https://api.example.org/p?a=1,2;b (value)")
  }

  @Test func `A style without a required setting is an error.`() {
    #expect(throws: PaginationError.self) { try PagePagination(PaginationSettings()) }
    #expect(throws: PaginationError.self) { try CursorPagination(PaginationSettings(into: .query("c"))) }
    #expect(throws: PaginationError.self) { try LinkPagination(PaginationSettings()) }
  }

  @Test func `Every style is found by its name and lists the keys it does not use.`() {
    #expect(PaginationStyles.all.map { $0.name } == ["page", "offset", "link", "cursor", "merge", "none"])
    #expect(
      PaginationStyles.meaninglessKeys(of: LinkPagination.self) == [
        "advance", "carry", "empty_next", "first", "into", "pages", "param",
      ])
  }
}

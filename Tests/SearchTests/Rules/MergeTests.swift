import HTTPValues
import JSON
import Testing

@testable import Search

/// `merge` and `carry`: more than one value continues the list.
@Suite struct MergeTests {
  private func merged(_ into: Slot? = nil) throws -> Source {
    try listSource(MergePagination.self, PaginationSettings(into: into, next: try expression("continue")))
  }

  @Test func `Every member of the object goes into the next request, and previous members are replaced.`()
    throws
  {
    var pagingRun = PagingRun(
      try merged(),
      answers: [
        .init([1], "\"continue\": {\"sroffset\": 10, \"continue\": \"-||\"}"),
        .init([2], "\"continue\": {\"gap from\": \"a&b\"}"), .init([3]),
      ])
    try pagingRun.load()
    #expect(
      pagingRun.picture == "asks - sroffset=10&continue=-%7C%7C gap%20from=a%26b · rows 1 2 3 · end last")
  }

  @Test(arguments: [
    ("\"abc\"", "a string instead of an object"), ("7", "a number instead of an object"),
    ("{\"a\": [1]}", "an array, which cannot be sent in a query or header"),
    ("{\"a\": true}", "a boolean, which cannot be sent in a query or header"),
  ]) func `A value that is not an object of texts and numbers is an error.`(value: String, problem: String)
    throws
  {
    var pagingRun = PagingRun(try merged(), answers: [.init([1], "\"continue\": \(value)")])
    try pagingRun.load()
    #expect(
      pagingRun.session.phase == .end(.refusedNext("pagination.next of source test returned \(problem)")))
  }

  @Test func `An object with too many members is not a position.`() throws {
    let members = (0..<65).map { "\"k\($0)\": 1" }.joined(separator: ",")
    var pagingRun = PagingRun(try merged(), answers: [.init([1], "\"continue\": {\(members)}")])
    try pagingRun.load()
    #expect(
      pagingRun.session.phase
        == .end(
          .refusedNext(
            "pagination.next of source test returned an object with 65 fields, more than the limit of 64")))
  }

  @Test(arguments: [
    (Slot.body([]), [["from"], ["last"]]),
    (.body(["page", "next"]), [["page", "next", "from"], ["page", "next", "last"]]),
  ]) func `Members with any kind of value go into the body.`(slot: Slot, paths: [[String]]) throws {
    let style = try MergePagination(PaginationSettings(into: slot, next: expression("continue")))
    let response = ResponseValues(
      document: try JSONDocument(Array("{\"continue\": {\"from\": [1, null], \"last\": null}}".utf8)),
      headers: [], url: try WebURL("https://api.example.org/"))
    let facts = PageFacts(rowCount: 1, pageSize: nil, response: response)
    guard case .next(let next, _) = try style.continuation(after: facts, at: style.first) else {
      Issue.record("it ends")
      return
    }
    var draft = RequestDraft()
    style.apply(next, to: &draft)
    #expect(draft.body.map(\.path) == paths)
    #expect(draft.body.map(\.value.json) == ["[1, null]", "null"])
  }

  @Test func `The last carried value is sent with each request until a new one arrives.`() throws {
    var settings = PaginationSettings(into: .query("after"), next: try expression("items[-1].id"))
    settings.carry = [
      .init(from: try expression("pit_id"), into: .query("pit")),
      .init(from: try expression("header:X-Session"), into: .query("s")),
    ]
    var pagingRun = PagingRun(
      try listSource(CursorPagination.self, settings),
      answers: [
        .init(body: "{\"items\": [{\"id\": 1}], \"pit_id\": \"a\"}", headers: [("X-Session", "s1")]),
        .init([2]), .init([3], "\"pit_id\": \"b\""), .init([], "\"pit_id\": \"c\""),
      ])
    try pagingRun.load()
    #expect(pagingRun.requested == ["-", "pit=a&s=s1&after=1", "pit=a&s=s1&after=2", "pit=b&s=s1&after=3"])
  }

  @Test func `A carried value that does not fit its place is an error.`() throws {
    var settings = PaginationSettings(into: .query("c"), next: try expression("next"))
    settings.carry = [.init(from: try expression("pit"), into: .query("pit"))]
    var pagingRun = PagingRun(
      try listSource(CursorPagination.self, settings), answers: [.init([1], "\"next\": 1, \"pit\": [1]")])
    try pagingRun.load()
    #expect(pagingRun.picture == "asks - · rows 1 · end refused-next")
  }
}

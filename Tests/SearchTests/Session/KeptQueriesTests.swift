import HTTPValues
import Testing
import Text

@testable import Search

/// Tests the first pages of earlier queries, which are shown while they are checked.
@Suite struct KeptQueriesTests {
  /// A session that has loaded x and then y.
  private func session(_ change: (inout Page) -> Void = { _ in }) throws -> Session {
    var session = Session(rules: .plain)
    session.reduce(.searched(Query("x"), .pages(1)))
    var first = page([1, 2], .more(1), total: .exact(9))
    first.validators = Validators([try HTTPField(name: "ETag", value: "\"a\"")], now: 0)
    change(&first)
    session.reduce(.loaded(first, for: try #require(session.requests.first)))
    session.reduce(.searched(Query("y"), .pages(1)))
    session.answer([7], .end(.last))
    return session
  }

  @Test func `[P1] An earlier query shows its first page at once, which the checked page replaces.`() throws {
    var session = try session()
    session.reduce(.searched(Query("x"), .pages(1)))
    #expect(session.picture == "rows 1 2 · loading first · asks p1")
    #expect(session.freshCount == 0 && session.stale?.cause == .earlier && session.total == .exact(9))
    #expect(session.requests.first?.validators?.entityTag == "\"a\"")
    session.answer([3, 1], .more(1), total: .exact(10))
    #expect(session.picture == "rows 3 1 · idle")
    #expect(session.stale == nil && session.total == .exact(10))
  }

  @Test func `[P1] A page that has not changed is confirmed without its body.`() throws {
    var session = try session()
    session.reduce(.searched(Query("x"), .pages(1)))
    session.reduce(.loaded(.notModified, for: try #require(session.requests.first)))
    #expect(session.picture == "rows 1 2 · idle")
    #expect(session.freshCount == 2)
  }

  @Test func `[P1] A check that fails leaves the rows of the query.`() throws {
    var session = try session()
    session.reduce(.searched(Query("x"), .pages(1)))
    session.failFirst(PageError(.server, message: "502"))
    #expect(session.picture == "rows 1 2 · failed first")
  }

  @Test func `[P1] What the service forbids to store, an empty page, and another option are not kept.`()
    throws
  {
    var forbidden = try session { $0.mayBeKept = false }
    forbidden.reduce(.searched(Query("x"), .pages(1)))
    #expect(forbidden.picture == "rows 7 · loading first · asks p1")
    #expect(forbidden.stale?.cause == .query)
    var other = try session()
    other.reduce(.searched(Query("x", options: ["sort": "stars"]), .pages(1)))
    #expect(other.stale?.cause == .query)
    var empty = try session()
    empty.reduce(.searched(Query("z"), .pages(1)))
    empty.answer([], .end(.emptyPage))
    empty.reduce(.searched(Query("x"), .pages(1)))
    empty.answer([1], .more(1))
    empty.reduce(.searched(Query("z"), .pages(1)))
    #expect(empty.stale?.cause == .query)
  }

  @Test(arguments: [
    ("max-age=60", true), ("no-cache", true), ("no-store", false), ("private, No-Store", false), ("", true),
  ]) func `[P1] A response says whether it may be kept.`(control: String, mayBeKept: Bool) throws {
    let source = try listSource(PagePagination.self, PaginationSettings(into: .query("p")))
    let headers = HTTPFields([HTTPField(received: "Cache-Control", value: control)])
    let response = HTTPResponse(
      status: 200, headers: headers, body: Array(#"{"items": [{"id": 1}]}"#.utf8),
      url: try WebURL("https://api.example.org/list"))
    let request = PageRequest(first: source, Query("x"))
    let page = try source.page(from: response, for: request, in: RunContext()) { .document($0) }
    #expect(page.mayBeKept == mayBeKept)
  }

  @Test func `[P1] The memory of kept pages is bounded, and the latest ones stay.`() throws {
    var kept = KeptQueries()
    for number in 0..<10 {
      let cells = CellTable(withTextOf: 4 << 20)
      kept.keep(Page(content: .cells(cells), continuation: .end(.last)), [0], of: Query("\(number)"))
    }
    #expect((0..<10).filter { kept[Query("\($0)")] != nil } == [7, 8, 9])
  }
}

extension CellTable {
  /// One row with a text of this many bytes.
  fileprivate convenience init(withTextOf bytes: Int) {
    self.init(
      columns: [], rowCount: 1, naturalWidths: [], text: [UInt8](repeating: 65, count: bytes), ends: [],
      sortBits: [], moreSortBits: [], archived: nil)
  }
}

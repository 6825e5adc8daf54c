import JSON
import Testing

@testable import Search

/// Rules 9 to 12: caps, page sizes, offsets, duplicates and totals.
@Suite struct BoundRuleTests {
  /// Cap, rule, page size and first number; the page numbers requested from a service that never ends.
  @Test(
    arguments: [
      (.rows, 1000, .start, 300, 1, [1, 2, 3, 4]), (.rows, 1000, .end, 300, 1, [1, 2, 3]),
      (.rows, 900, .start, 300, 1, [1, 2, 3]), (.rows, 900, .end, 300, 0, [0, 1, 2]),
      (.page, 3, .start, 300, 1, [1, 2, 3]), (.page, 3, .start, 300, 0, [0, 1, 2, 3]),
      (.offset, 600, .start, 300, 1, [1, 2, 3]), (.offset, 600, .end, 300, 1, [1, 2]),
    ] as [(PaginationSettings.Cap.Unit, Int, PaginationSettings.Cap.Rule, Int, Int, [Int])])
  func `Rule 9: caps are not totals, and no page beyond a cap is requested.`(
    unit: PaginationSettings.Cap.Unit, count: Int, rule: PaginationSettings.Cap.Rule, size: Int, first: Int,
    requested: [Int]
  ) throws {
    let settings = PaginationSettings(
      into: .query("p"), first: JSONToken(first), cap: .init(unit: unit, count: count, rule: rule))
    for concurrency in [1, 4] {
      var pagingRun = PagingRun(
        try listSource(PagePagination.self, settings), size: size, rules: { $0.concurrency = concurrency }
      ) {
        .init(Array(($0.number("p") ?? 0) * size..<(($0.number("p") ?? 0) + 1) * size), "\"total\": 52341")
      }
      try pagingRun.load()
      #expect(pagingRun.requested == requested.map { "p=\($0)" })
      #expect(pagingRun.session.phase == .end(.cap))
      #expect(pagingRun.session.total == .exact(52341))
      // The last page may be cut at a number of rows.
      let rows = min(requested.count * size, unit == .rows ? count : .max)
      #expect(pagingRun.source.pagination.pagingCap(pageSize: size)?.rows == rows)
    }
  }

  @Test(
    arguments: [
      (.rows, 10, .start, [0, 4, 8]), (.rows, 10, .end, [0, 4]), (.offset, 8, .start, [0, 4, 8]),
      (.offset, 8, .end, [0, 4]), (.page, 2, .start, [0, 4]),
    ] as [(PaginationSettings.Cap.Unit, Int, PaginationSettings.Cap.Rule, [Int])])
  func `Rule 9: offsets themselves are compared with the cap.`(
    unit: PaginationSettings.Cap.Unit, count: Int, rule: PaginationSettings.Cap.Rule, requested: [Int]
  ) throws {
    let settings = PaginationSettings(into: .query("o"), cap: .init(unit: unit, count: count, rule: rule))
    var pagingRun = PagingRun(
      try listSource(OffsetPagination.self, settings), size: 4, rules: { $0.concurrency = 4 }
    ) { .init(Array(($0.number("o") ?? 0)..<($0.number("o") ?? 0) + 4), "\"total\": 99") }
    try pagingRun.load()
    #expect(pagingRun.requested == requested.map { "o=\($0)" })
    #expect(pagingRun.session.phase == .end(.cap))
  }

  @Test func `Rule 9: a cap does not apply with the credential that lifts it.`() throws {
    let cap = PaginationSettings.Cap(unit: .page, count: 25, unless: .secret("key"))
    let pagination = try Pagination(PagePagination.self, PaginationSettings(into: .query("p"), cap: cap))
    #expect(pagination.pagingCap(pageSize: 30)?.rows == 750)
    #expect(pagination.pagingCap(pageSize: 30, with: [.authorization]) != nil)
    #expect(pagination.pagingCap(pageSize: 30, with: [.secret("key")]) == nil)
  }

  @Test func `Rule 9: a cursor is limited by the number of rows received.`() throws {
    let settings = PaginationSettings(
      into: .query("c"), next: try expression("next"), cap: .init(unit: .rows, count: 5))
    var pagingRun = PagingRun(try listSource(CursorPagination.self, settings)) { request in
      let from = request.number("c") ?? 0
      return .init([from, from + 1], "\"next\": \(from + 2)")
    }
    try pagingRun.load()
    #expect(pagingRun.picture == "asks - c=2 c=4 · rows 0 1 2 3 4 5 · end cap")
  }

  @Test func `Rule 10: the page size never changes within a run, and extra rows are cut off at the end.`()
    throws
  {
    let settings = PaginationSettings(into: .query("p"), size: .init(slot: .query("n"), maximum: 100))
    var pagingRun = PagingRun(
      try listSource(PagePagination.self, settings), size: 4,
      rules: { $0.awaitsWriting = true }
    ) { request in
      let first = ((request.number("p") ?? 1) - 1) * 4
      return .init(Array(first..<first + 4))
    }
    try pagingRun.load(.rows(10))
    try pagingRun.reduce(.written(0, generation: 1))
    #expect(pagingRun.requested == ["p=1&n=4", "p=2&n=4", "p=3&n=4"])
    #expect(pagingRun.session.rows.count == 10)
    #expect(pagingRun.session.phase == .end(.limit))
  }

  @Test func `Rule 10: a page size goes into the query, a header or the body.`() {
    func draft(_ size: PaginationSettings.PageSize) -> RequestDraft {
      var draft = RequestDraft()
      size.apply(50, to: &draft)
      return draft
    }
    #expect(draft(.init(slot: .query("n"))).parameters == [.init(name: "n", value: "50")])
    #expect(draft(.init(slot: .body(["a", "b"]))).body == [.init(path: ["a", "b"], value: JSONToken(50))])
    #expect(draft(.init(slot: .header("X-Size"))).headers == [.init(name: "X-Size", value: "50")])
    #expect(draft(.init()) == RequestDraft())
  }

  @Test func `Rule 11: offsets advance by the rows received, and repeated rows are dropped and counted.`()
    throws
  {
    let source = try listSource(OffsetPagination.self, PaginationSettings(into: .query("o")))
    var pagingRun = PagingRun(
      source, answers: [.init([1, 2, 3]), .init([3, 4]), .init([5, 6, 6]), .init([])])
    try pagingRun.load()
    #expect(pagingRun.picture == "asks o=0 o=3 o=5 o=8 · rows 1 2 3 4 5 6 · end empty-page")
    #expect(pagingRun.session.duplicates == 2)
  }

  @Test
  func
    `Rule 11: offsets requested ahead are requested again after a short page, with no row lost or doubled.`()
    throws
  {
    // The service returns at most four rows, and sometimes fewer.
    let rows = Array(0..<30)
    let source = try listSource(OffsetPagination.self, PaginationSettings(into: .query("o")))
    var pagingRun = PagingRun(source, size: 4, rules: { $0.concurrency = 3 }) { request in
      let from = request.number("o") ?? 0
      return .init(Array(rows.dropFirst(from).prefix(from == 8 ? 3 : 4)), "\"total\": 30")
    }
    try pagingRun.load()
    #expect(pagingRun.ids == rows)
    #expect(pagingRun.session.duplicates == 0)
    // The request for 16 was in vain.
    #expect(
      pagingRun.requested == ["o=0", "o=4", "o=8", "o=12", "o=16", "o=11", "o=15", "o=19", "o=23", "o=27"])
    #expect(pagingRun.session.phase == .end(.total))
  }

  @Test func `Rule 11: an offset that counts requested rows advances by the page size the service used.`()
    throws
  {
    var settings = PaginationSettings(
      into: .query("o"), size: .init(standard: 50), own: ["advance": .word("asked")])
    settings.size.actual = try expression("max")
    var pagingRun = PagingRun(
      try listSource(OffsetPagination.self, settings), size: 50,
      answers: [.init([1], "\"max\": 20"), .init([2], "\"max\": 20"), .init([], "\"max\": 20")])
    try pagingRun.load()
    #expect(pagingRun.picture == "asks o=0 o=20 o=40 · rows 1 2 · end empty-page")
  }

  @Test func `Rule 11: the last row repeated by an inclusive keyset is not counted.`() throws {
    let rows = Array(1...7)
    var settings = PaginationSettings(into: .query("from"), next: try expression("items[-1].id"))
    settings.overlap = 1
    var pagingRun = PagingRun(try listSource(CursorPagination.self, settings)) { request in
      let from = request.number("from") ?? 1
      return .init(Array(rows.drop { $0 < from }.prefix(3)))
    }
    try pagingRun.load()
    #expect(pagingRun.picture == "asks - from=3 from=5 from=7 · rows 1 2 3 4 5 6 7 · end empty-page")
    #expect(pagingRun.session.duplicates == 0)
  }

  @Test func `Rule 11: a list of one row ends where an inclusive keyset repeats it.`() throws {
    var settings = PaginationSettings(into: .query("from"), next: try expression("items[-1].id"))
    settings.overlap = 1
    var pagingRun = PagingRun(try listSource(CursorPagination.self, settings)) { _ in .init([4]) }
    try pagingRun.load()
    #expect(pagingRun.picture == "asks - from=4 · rows 4 · end empty-page")
    #expect(pagingRun.session.completeness == .complete)
  }

  @Test(
    arguments: [
      (["9", "10"], Total.exact(10)), (["10", "9"], .exact(10)), (["\"7\"", "0"], .exact(7)),
      (["3", "3"], .atLeast(4)), (["-1", "null"], nil), (["9007199254740993"], .exact(9_007_199_254_740_993)),
    ] as [([String], Total?)])
  func `Rule 12: the first total wins unless it grows, and is never below the rows received.`(
    totals: [String], total: Total?
  ) throws {
    let settings = PaginationSettings(into: .query("p"), more: try expression("more"))
    var pagingRun = PagingRun(
      try listSource(PagePagination.self, settings),
      answers: totals.enumerated().map { index, total in
        .init([2 * index, 2 * index + 1], "\"total\": \(total), \"more\": \(index + 1 < totals.count)")
      })
    try pagingRun.load()
    #expect(pagingRun.session.total == total)
  }

  @Test func `Rule 12: a total that shrinks loses no rows.`() throws {
    let source = try listSource(PagePagination.self, PaginationSettings(into: .query("p")))
    var pagingRun = PagingRun(
      source, rules: { $0.concurrency = 3 },
      answers: [.init([1, 2], "\"total\": 3"), .init([3, 4], "\"total\": 1"), .init([5]), .init([])])
    try pagingRun.load()
    #expect(pagingRun.ids == [1, 2, 3, 4, 5])
  }
}

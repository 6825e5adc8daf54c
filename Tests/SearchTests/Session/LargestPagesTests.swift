import HTTPValues
import Testing

@testable import Search

/// Tests loading everything in pages of the largest size.
@Suite struct LargestPagesTests {
  /// A service with rows 0, 1, …, numbered pages of `n` rows, and perhaps a total.
  private func run(
    _ count: Int, tellsTotal: Bool = true, cap: PaginationSettings.Cap? = nil, hasIDs: Bool = true
  ) throws -> PagingRun {
    var settings = PaginationSettings(into: .query("p"))
    settings.size = PaginationSettings.PageSize(slot: .query("n"), standard: 3, maximum: 10)
    settings.cap = cap
    let source = try listSource(PagePagination.self, settings) { if !hasIDs { $0.rows.key = nil } }
    return PagingRun(source, size: 3, rules: { $0.largestPage = 10 }) { request in
      let (page, size) = (request.number("p") ?? 1, request.number("n") ?? 0)
      let ids = Array(((page - 1) * size)..<(page * size)).filter { $0 < count }
      return .init(ids, tellsTotal ? "\"total\": \(count)" : "")
    }
  }

  @Test func `[P2] Loading everything starts over in the largest pages, and loses and doubles no row.`()
    throws
  {
    var run = try run(25)
    try run.load(.pages(2))
    #expect(run.requested == ["p=1&n=3", "p=2&n=3"])
    try run.reduce(.wanted(.everything))
    #expect(run.requested.dropFirst(2) == ["p=1&n=10", "p=2&n=10", "p=3&n=10"])
    #expect(run.ids == Array(0..<25))
    #expect(run.session.duplicates == 0 && run.session.completeness == .complete)
    try run.reduce(.refreshed(rows: 25))
    #expect(run.requested.dropFirst(5) == ["p=1&n=10", "p=2&n=10", "p=3&n=10"])
    #expect(run.ids == Array(0..<25))
    try run.load(.pages(1), query: "z")
    #expect(run.requested.last == "p=1&n=3", "another query begins with a small page")
  }

  @Test(
    arguments: [
      // Few rows are left; a row has no id; the service would serve fewer rows in larger pages.
      (8, 2, true, nil, true), (25, 1, true, nil, false),
      (25, 1, true, PaginationSettings.Cap(unit: .rows, count: 9, rule: .end), true),
      // How many rows there are is unknown, and more are loaded than one large page has.
      (40, 4, false, nil, true),
    ] as [(Int, Int, Bool, PaginationSettings.Cap?, Bool)])
  func `[P2] Loading goes on in the usual pages where larger ones save nothing or are unsafe.`(
    count: Int, pages: Int, tellsTotal: Bool, cap: PaginationSettings.Cap?, hasIDs: Bool
  ) throws {
    var run = try run(count, tellsTotal: tellsTotal, cap: cap, hasIDs: hasIDs)
    try run.load(.pages(pages))
    try run.reduce(.wanted(.everything))
    #expect(run.requested.allSatisfy { $0.hasSuffix("&n=3") }, "\(run.requested)")
    #expect(run.ids == Array(0..<(cap?.count ?? count)))
  }

  @Test func `[P2] Where the length of the list is unknown, a first page is loaded again in a large one.`()
    throws
  {
    var run = try run(25, tellsTotal: false)
    try run.load(.pages(1))
    try run.reduce(.wanted(.everything))
    #expect(run.requested.dropFirst().prefix(3) == ["p=1&n=10", "p=2&n=10", "p=3&n=10"])
    #expect(run.ids == Array(0..<25))
  }

  @Test func `[P2] A page that is on its way arrives before the large pages are requested.`() throws {
    var run = try run(25)
    try run.load(.pages(1))
    run.session.reduce(.wanted(.pages(1)))
    run.session.reduce(.wanted(.everything))
    #expect(run.session.requests.map(\.position.ordinal) == [1])
    try run.settle()
    #expect(run.requested == ["p=1&n=3", "p=2&n=3", "p=1&n=10", "p=2&n=10", "p=3&n=10"])
    #expect(run.ids == Array(0..<25))
  }
}

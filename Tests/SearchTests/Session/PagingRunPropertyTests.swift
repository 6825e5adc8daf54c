import TestSupport
import Testing

@testable import Search

/// Services of every kind, with everything services do: for any page size, order of answers and number of
/// concurrent requests, the session has exactly the rows, once and in order, with no more requests than
/// necessary.
@Suite struct PagingRunPropertyTests {
  @Test(arguments: Seeds.first(40))
  func
    `Numbered pages give exactly their rows and are requested once each, one more after a single full page.`(
      seed: UInt64
    )
    throws
  {
    var random = SeededGenerator(seed: seed)
    let service = List(&random)
    let settings = PaginationSettings(into: .query("p"), pages: try expression("pages"))
    var pagingRun = PagingRun(
      try listSource(PagePagination.self, settings), size: service.size,
      rules: { $0.concurrency = 1 + Int(seed % 4) }
    ) { service.page(at: (($0.number("p") ?? 1) - 1) * service.size, "\"pages\": \(service.pageCount)") }
    try pagingRun.load(in: &random)
    #expect(pagingRun.ids == service.rows, "\(pagingRun.picture)")
    // The service may mean just this page (rule 29).
    let isDoubtful = service.rows.count == service.size
    let last = isDoubtful ? 2 : max(service.pageCount, 1)
    #expect(pagingRun.requested.sorted() == (1...last).map { "p=\($0)" }.sorted())
  }

  @Test(arguments: Seeds.first(40)) func `Offsets give exactly their rows, even if pages are short.`(
    seed: UInt64
  )
    throws
  {
    var random = SeededGenerator(seed: seed)
    let service = List(&random)
    let isRegular = seed % 2 == 0
    let concurrency = 1 + Int(seed % 5)
    let source = try listSource(OffsetPagination.self, PaginationSettings(into: .query("o")))
    var pagingRun = PagingRun(source, size: service.size, rules: { $0.concurrency = concurrency }) {
      request in
      let offset = request.number("o") ?? 0
      // Some services return fewer rows than requested at certain offsets, always the same number.
      let most = isRegular || offset % 3 != 1 ? service.size : max(1, service.size / 2)
      return service.page(at: offset, most: most, "\"total\": \(service.rows.count)")
    }
    try pagingRun.load(in: &random)
    #expect(pagingRun.ids == service.rows, "\(pagingRun.picture)")
    #expect(pagingRun.session.duplicates == 0)
    // After a short page, offsets are requested one by one, so only the requests in flight were in vain.
    let needed = pagingRun.session.fresh.blocks.count
    #expect(pagingRun.requested.count <= needed + (isRegular ? 0 : concurrency - 1), "\(pagingRun.picture)")
  }

  @Test(arguments: Seeds.first(40)) func `A keyset, inclusive or not, gives exactly its rows.`(seed: UInt64)
    throws
  {
    var random = SeededGenerator(seed: seed)
    let service = List(&random)
    let overlap = Int(seed % 2)
    let size = service.size + overlap
    var settings = PaginationSettings(into: .query("k"), next: try expression("items[-1].id"))
    settings.overlap = overlap
    var pagingRun = PagingRun(try listSource(CursorPagination.self, settings), size: size) { request in
      let from = request.number("k").map { $0 + 1 - overlap } ?? 0
      return .init(Array(service.rows.dropFirst(from).prefix(size)))
    }
    try pagingRun.load(in: &random)
    #expect(pagingRun.ids == service.rows, "\(pagingRun.picture)")
    #expect(pagingRun.session.duplicates == 0)
    // The new rows of each page, and one request that finds no more.
    let new = size - overlap
    let rest = max(service.rows.count - size, 0)
    let pages = service.rows.isEmpty ? 1 : 1 + rest / new + (rest % new > 0 ? 1 : 0) + 1
    #expect(pagingRun.requested.count == pages, "\(pagingRun.picture)")
  }

  @Test(arguments: Seeds.first(40)) func `Cursors with empty pages in between give exactly their rows.`(
    seed: UInt64
  )
    throws
  {
    var random = SeededGenerator(seed: seed)
    let service = List(&random)
    var settings = PaginationSettings(into: .query("c"), next: try expression("next"))
    // On some services the cursor is the same on every page, and the service keeps track of the position.
    let isConstant = seed % 2 == 0
    settings.repetition = isConstant ? .progress : .stop
    let places = service.places(withGaps: !isConstant, &random)
    var turn = 0
    var pagingRun = PagingRun(try listSource(CursorPagination.self, settings), size: service.size) {
      request in
      let index = isConstant ? turn : request.number("c") ?? 0
      turn += 1
      guard index < places.count else { return .init([], "\"next\": \(isConstant ? 7 : index + 1)") }
      let isLast = index == places.count - 1
      return .init(
        Array(service.rows[places[index]]),
        isLast && !isConstant ? "" : "\"next\": \(isConstant ? 7 : index + 1)")
    }
    try pagingRun.load(in: &random)
    #expect(pagingRun.ids == service.rows, "\(pagingRun.picture)")
    // With a constant cursor, only an empty page is the end.
    #expect(pagingRun.requested.count == places.count + (isConstant ? 1 : 0), "\(pagingRun.picture)")
  }

  @Test(arguments: Seeds.first(40))
  func `Paging stops when a service returns to an earlier page, and the list is partial.`(
    seed: UInt64
  ) throws {
    var random = SeededGenerator(seed: seed)
    let service = List(&random, least: 1)
    let pages = service.places(withGaps: false, &random)
    // Past the end, the service repeats the last page, the first one, or all of them in turn.
    let again: (Int) -> Int =
      switch seed % 3 {
      case 0: { _ in pages.count - 1 }
      case 1: { _ in 0 }
      default: { $0 % pages.count }
      }
    let settings = PaginationSettings(into: .query("c"), next: try expression("next"))
    var pagingRun = PagingRun(try listSource(CursorPagination.self, settings), size: service.size) {
      request in
      let turn = request.number("c") ?? 0
      return .init(
        Array(service.rows[pages[turn < pages.count ? turn : again(turn)]]), "\"next\": \(turn + 1)")
    }
    try pagingRun.load(in: &random)
    #expect(pagingRun.ids == service.rows, "\(pagingRun.picture)")
    #expect(pagingRun.requested.count == pages.count + 1, "\(pagingRun.picture)")
    #expect(pagingRun.session.completeness?.isComplete == false)
  }

  @Test(arguments: Seeds.first(40)) func `A total that shrinks or grows neither loses nor duplicates a row.`(
    seed: UInt64
  )
    throws
  {
    var random = SeededGenerator(seed: seed)
    let service = List(&random, least: 1)
    let wrong = Int(random.next() % 60)
    let source = try listSource(PagePagination.self, PaginationSettings(into: .query("p")))
    var pagingRun = PagingRun(source, size: service.size, rules: { $0.concurrency = 1 + Int(seed % 4) }) {
      request in
      let page = (request.number("p") ?? 1) - 1
      let total = page % 2 == 0 ? service.rows.count : max(service.rows.count - wrong, 0)
      return service.page(at: page * service.size, "\"total\": \(total)")
    }
    try pagingRun.load(in: &random)
    #expect(pagingRun.ids == service.rows, "\(pagingRun.picture)")
    // A total of as many rows as are on one full page may count just that page.
    let isOneFullPage = service.rows.count == service.size
    #expect(pagingRun.requested.count == service.pageCount + (isOneFullPage ? 1 : 0), "\(pagingRun.picture)")
  }

  /// Rows are sent again at the start of each page, and a filter hides some rows.
  @Test(arguments: Seeds.first(40))
  func `[D4] A cursor that expires anywhere neither loses nor doubles a row.`(
    seed: UInt64
  )
    throws
  {
    var random = SeededGenerator(seed: seed)
    let service = List(&random, least: 1)
    var expiries = Set((0..<3).map { _ in Int(random.next() % 12) + 1 })
    var settings = PaginationSettings(into: .query("k"), next: try expression("items[-1].id"))
    settings.expiredStatuses = [410]
    let repeated = Int(seed % 4)
    let isFiltered = seed % 3 == 0
    let source = try listSource(CursorPagination.self, settings) {
      if isFiltered { $0.input.filter = .client }
      $0.columns = [Column(name: "id", value: try expression("id"))]
    }
    var answers = 0
    var pagingRun = PagingRun(source, size: service.size) { request in
      answers += 1
      if expiries.remove(answers) != nil, request.number("k") != nil { return .init(status: 410, body: "{}") }
      let start = request.number("k").map { $0 + 1 } ?? 0
      let new = service.rows.dropFirst(start).prefix(service.size)
      return .init(new.isEmpty ? [] : Array(service.rows[max(0, start - repeated)..<start]) + new)
    }
    try pagingRun.load(in: &random, query: isFiltered ? "1" : "x")
    while pagingRun.session.phase.isFailed { try pagingRun.reduce(.retried) }
    let wanted = service.rows.filter { !isFiltered || String($0).contains("1") }
    #expect(pagingRun.ids == wanted, "\(pagingRun.picture)")
    #expect(pagingRun.session.phase == .end(.last), "\(pagingRun.picture)")
  }
}

/// The rows 0, 1, 2 … of a list, and the page size.
private struct List {
  let rows: [Int]
  let size: Int

  init(_ random: inout SeededGenerator, least: Int = 0) {
    rows = Array(0..<least + Int(random.next() % 40))
    size = 1 + Int(random.next() % 6)
  }

  var pageCount: Int { (rows.count + size - 1) / size }

  func page(at offset: Int, most: Int? = nil, _ rest: String = "") -> PagingRun.Answer {
    .init(Array(rows.dropFirst(offset).prefix(most ?? size)), rest)
  }

  /// The rows of each page: as full as possible, or shorter, with up to two empty pages in a row.
  func places(withGaps: Bool, _ random: inout SeededGenerator) -> [Range<Int>] {
    var places: [Range<Int>] = []
    var start = 0
    var gaps = 0
    while start < rows.count {
      if withGaps, gaps < 2, random.next() % 3 == 0 {
        places.append(start..<start)
        gaps += 1
        continue
      }
      gaps = 0
      let end = min(rows.count, start + (withGaps ? 1 + Int(random.next() % UInt64(size)) : size))
      places.append(start..<end)
      start = end
    }
    return places.isEmpty ? [0..<0] : places
  }
}

extension PagingRun {
  /// Loads everything, with answers in random order.
  fileprivate mutating func load(in random: inout SeededGenerator, query: String = "x") throws {
    tellsBudget = Bool.random(using: &random)
    session.reduce(.searched(Query(query), .everything))
    try settle { Int(random.next() % UInt64($0)) }
  }
}

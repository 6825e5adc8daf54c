import Testing

@testable import Search

@Suite struct SessionTests {
  private let refused = PageError(.server, status: 502, message: "bad gateway", canRepeat: .freely)

  private func started(_ rules: Session.Rules = .plain, _ demand: Demand = .pages(1)) -> Session {
    var session = Session(rules: rules)
    session.reduce(.searched(Query("x"), demand))
    return session
  }

  @Test func `An empty query shows no rows and makes no request.`() {
    var session = started()
    session.answer([1], .more(1))
    session.reduce(.searched(Query("  "), .pages(1)))
    #expect(session.picture == "rows · idle")
  }

  @Test func `The first page loads at once, and the next one only when it is wanted.`() {
    var session = started()
    #expect(session.picture == "rows · loading first · asks p1")
    session.answer([1, 2], .more(1))
    #expect(session.picture == "rows 1 2 · idle")
    session.reduce(.wanted(.pages(1)))
    #expect(session.picture == "rows 1 2 · loading more · asks p2")
    session.answer([3], .end(.last))
    #expect(session.picture == "rows 1 2 3 · end last")
    session.reduce(.wanted(.pages(1)))
    #expect(session.picture == "rows 1 2 3 · end last")
  }

  @Test func `A new query keeps the old rows until its first page arrives, and drops late responses.`() throws
  {
    var session = started()
    session.answer([1], .more(1))
    session.reduce(.wanted(.pages(1)))
    let late = try #require(session.requests.first)
    session.reduce(.searched(Query("y"), .pages(1)))
    #expect(session.picture == "rows 1 · loading first · asks p1")
    #expect(session.freshCount == 0)
    session.reduce(.loaded(page([2], .end(.last)), for: late))
    #expect(session.picture == "rows 1 · loading first · asks p1")
    session.answer([7], .end(.last))
    #expect(session.picture == "rows 7 · end last")
  }

  @Test func `An answer to another generation is dropped even if it is for the same page.`() throws {
    var session = started()
    let late = try #require(session.requests.first)
    session.reduce(.searched(Query("x"), .pages(1)))
    session.reduce(.loaded(page([1], .end(.last)), for: late))
    #expect(session.picture == "rows · loading first · asks p1")
  }

  @Test func `A failure keeps the rows and the failed page, and a retry is the next attempt.`() {
    var session = started()
    session.answer([1], .more(1))
    session.reduce(.wanted(.pages(1)))
    session.failFirst(refused)
    #expect(session.picture == "rows 1 · failed more")
    session.reduce(.retried)
    #expect(session.picture == "rows 1 · loading more · asks p2'")
    session.answer([2], .end(.last))
    #expect(session.picture == "rows 1 2 · end last")
  }

  @Test func `A repeatable failure waits and is then retried automatically.`() throws {
    var session = started(.plain.with { $0.retry.attempts = 1 })
    session.failFirst(refused, at: RetryTiming(now: 100, jitter: 1))
    #expect(session.picture == "rows · waiting first · waits p1'")
    let wait = try #require(session.waits.first)
    #expect(wait.until == 100.5)
    session.reduce(.reached(wait.until))
    #expect(session.picture == "rows · loading first · asks p1'")
    session.failFirst(refused, at: RetryTiming(now: 101))
    #expect(session.picture == "rows · failed first")
  }

  @Test func `A wait that the user does not allow is a failure that contains the length of the wait.`() {
    var session = started(.plain.with { $0.retry.attempts = 3 })
    session.failFirst(PageError(.rateLimited, message: "slow down", canRepeat: .freely, wait: 60))
    guard case .failed(.first, let error) = session.phase else {
      Issue.record("\(session.picture)")
      return
    }
    #expect(error.wait == 60)
  }

  @Test func `After a stop, nothing loads until the user requests it.`() {
    var session = started()
    session.answer([1], .more(1))
    session.reduce(.wanted(.pages(1)))
    session.reduce(.stopped)
    #expect(session.picture == "rows 1 · stopped more")
    session.reduce(.wanted(.pages(1)))
    #expect(session.picture == "rows 1 · loading more · asks p2")
    session.answer([2], .end(.last))
    #expect(session.picture == "rows 1 2 · end last")
  }

  @Test(arguments: [
    (Demand.everything, Demand.pages(1), Demand.everything), (.pages(3), .pages(1), .pages(3)),
    (.pages(1), .nothing, .pages(1)), (.rows(5), .rows(9), .rows(9)), (.rows(50), .pages(2), .pages(2)),
  ]) func `[D2] Merging two demands gives the one that reaches farther, in either order.`(
    a: Demand, b: Demand, both: Demand
  ) {
    #expect(a.merged(with: b) == both)
    #expect(b.merged(with: a) == both)
    #expect(both.merged(with: a) == both)
  }

  @Test func `A refresh replaces rows page by page and ends when the screen is covered.`() {
    var session = started(.plain, .pages(2))
    session.answer([1, 2], .more(1))
    session.answer([3, 4], .more(2))
    session.reduce(.refreshed(rows: 3))
    #expect(session.picture == "rows 1 2 3 4 · loading refresh · asks p1")
    session.answer([9, 1], .more(1))
    #expect(session.picture == "rows 9 1 2 3 4 · loading refresh · asks p2")
    session.answer([2, 3], .more(2))
    #expect(session.picture == "rows 9 1 2 3 · idle")
  }

  @Test func `A refresh requests at most as many pages as were loaded.`() {
    var session = started()
    session.answer([1, 2], .more(1))
    session.reduce(.refreshed(rows: 50))
    session.answer([1], .more(1))
    #expect(session.picture == "rows 1 · idle")
  }

  @Test func `A stopped refresh keeps the old rows and resumes where it stopped.`() {
    var session = started(.plain, .pages(2))
    session.answer([1], .more(1))
    session.answer([2], .more(2))
    session.reduce(.refreshed(rows: 2))
    session.answer([8], .more(1))
    session.reduce(.stopped)
    #expect(session.picture == "rows 8 1 2 · stopped refresh")
    session.reduce(.retried)
    session.answer([9], .more(2))
    #expect(session.picture == "rows 8 9 · idle")
  }

  /// Three pages of two rows, and a refresh of all of them whose first page has arrived with a new row.
  private func refreshing() -> Session {
    var session = started(.plain, .pages(3))
    session.answer([1, 2], .more(1))
    session.answer([3, 4], .more(2))
    session.answer([5, 6], .more(3))
    session.reduce(.refreshed(rows: 6))
    session.answer([9, 1], .more(1))
    return session
  }

  @Test(arguments: [true, false])
  func `[D3] A refresh that stops or fails shows all old rows, and loading more replaces all of them.`(
    isStopped: Bool
  ) {
    var session = refreshing()
    if isStopped { session.reduce(.stopped) } else { session.failFirst(refused) }
    let word = isStopped ? "stopped" : "failed"
    #expect(session.picture == "rows 9 1 2 3 4 5 6 · \(word) refresh")
    session.reduce(.wanted(.pages(1)))
    for rows in [[2, 3], [4, 5], [6, 7]] { session.answer(rows, .more(session.pageCount + 1)) }
    #expect(session.picture == "rows 9 1 2 3 4 5 6 7 · idle")
    #expect(session.stale == nil)
  }

  @Test func `[D3] Rows that moved up are not shown twice.`() {
    var session = started(.plain, .pages(3))
    session.answer([1, 2], .more(1))
    session.answer([3, 4], .more(2))
    session.answer([5, 6], .more(3))
    session.reduce(.refreshed(rows: 6))
    session.answer([5, 1], .more(1))
    #expect(session.picture == "rows 5 1 2 3 4 6 · loading refresh · asks p2")
    session.answer([3, 2], .more(2))
    #expect(session.picture == "rows 5 1 3 2 4 6 · loading refresh · asks p3")
  }

  @Test func `[D3] Refreshing after a stopped refresh keeps the rows of both.`() {
    var session = refreshing()
    session.reduce(.stopped)
    session.reduce(.refreshed(rows: 2))
    #expect(session.picture == "rows 9 1 2 3 4 5 6 · loading refresh · asks p1")
    session.answer([8, 9], .more(1))
    #expect(session.picture == "rows 8 9 · idle")
    session.reduce(.refreshed(rows: 6))
    session.reduce(.stopped)
    #expect(session.picture == "rows 8 9 · stopped refresh")
  }

  @Test func `[D3] Rows of the generation before the last are replaced as well, and none is shown twice.`() {
    var session = refreshing()
    session.reduce(.stopped)
    session.reduce(.refreshed(rows: 6))
    session.answer([8, 3], .more(1))
    #expect(session.picture == "rows 8 3 9 1 2 4 5 6 · loading refresh · asks p2")
  }

  @Test func `[D3] After a longer first page, a refresh goes through as many pages as there were.`() {
    var session = started(.plain, .pages(3))
    for (place, rows) in [[1, 2], [3, 4], [5, 6]].enumerated() { session.answer(rows, .more(place + 1)) }
    session.reduce(.refreshed(rows: 6))
    session.answer([1, 2, 3, 4, 5], .more(1))
    session.reduce(.stopped)
    session.reduce(.refreshed(rows: 6))
    for (place, rows) in [[1, 2], [3, 4], [5, 6]].enumerated() { session.answer(rows, .more(place + 1)) }
    #expect(session.picture == "rows 1 2 3 4 5 6 · idle")
  }

  @Test func `[D3] Rows without a key are replaced page by page.`() {
    func plain(_ ids: [Int], _ ordinal: Int) -> Page {
      var page = page(ids, .more(ordinal))
      page.keys = []
      page.fingerprint = UInt64(truncatingIfNeeded: ids.reduce(7) { $0 &* 31 &+ $1 })
      return page
    }
    var session = started(.plain, .pages(3))
    func answer(_ page: Page) { session.requests.first.map { session.reduce(.loaded(page, for: $0)) } }
    for page in [plain([1, 2], 1), plain([3, 4], 2), plain([5, 6], 3)] { answer(page) }
    session.reduce(.refreshed(rows: 6))
    answer(plain([9, 1], 1))
    session.reduce(.stopped)
    #expect(session.picture == "rows 9 1 3 4 5 6 · stopped refresh")
  }

  @Test func `[D3] A load requested during a refresh continues after the old rows.`() {
    var session = refreshing()
    session.reduce(.wanted(.everything))
    for rows in [[2, 3], [4, 5], [6, 7], [8]] {
      #expect(session.rows.count >= 7)
      let ordinal = session.pageCount
      session.answer(rows, rows == [8] ? .end(.last) : .more(ordinal + 1))
    }
    #expect(session.picture == "rows 9 1 2 3 4 5 6 7 8 · end last")
  }

  private let expired = PageError(.rejected, message: "gone", canRepeat: .afterRestart)

  @Test func `[D4] A restart skips as many rows as were received, including duplicates and hidden ones.`() {
    var session = started(.plain, .everything)
    // Three of the ten rows received in three pages are kept.
    var pages = [page([1, 1], .more(1)), page([1, 2, 2], .more(2)), page([3, 3, 3], .more(3))]
    pages[0].received = 3
    pages[1].received = 4
    for page in pages { session.requests.first.map { session.reduce(.loaded(page, for: $0)) } }
    #expect(session.ids(in: session.rows) == [1, 2, 3])
    session.failFirst(expired)
    session.reduce(.retried)
    #expect(session.picture == "rows 1 2 3 · loading first · asks p1")
    for page in pages { session.requests.first.map { session.reduce(.loaded(page, for: $0)) } }
    #expect(
      session.picture == "rows 1 2 3 · loading first · asks p4", "pages without a new row were expected")
    session.answer([4], .end(.last))
    #expect(session.picture == "rows 1 2 3 4 · end last")
    #expect(session.duplicates == 5, "those of the first time only")
  }

  @Test func `[D4] Rows added in the meantime extend what a restart skips.`() {
    var session = started(.plain, .everything)
    for number in 1...4 { session.answer([number], .more(number)) }
    session.failFirst(expired)
    session.reduce(.retried)
    let rows = [[11], [12], [13], [14], [1], [2], [3], [4]]
    for (place, row) in rows.enumerated() { session.answer(row, .more(place + 1)) }
    #expect(session.picture == "rows 1 2 3 4 11 12 13 14 · loading first · asks p9")
  }

  @Test func `[D4] A second expiry while rows are being skipped loses none.`() {
    var session = started(.plain, .everything)
    for number in 1...3 { session.answer([number], .more(number)) }
    session.failFirst(expired)
    session.reduce(.retried)
    session.answer([1], .more(1))
    session.failFirst(expired)
    session.reduce(.retried)
    for number in 1...3 { session.answer([number], .more(number)) }
    session.answer([4], .end(.last))
    #expect(session.picture == "rows 1 2 3 4 · end last")
  }

  @Test func `[D4] A restart of rows without a key is a refresh that still loads everything wanted.`() {
    var session = started(.plain, .everything)
    func answer(_ ids: [Int], _ ordinal: Int) {
      var page = page(ids, .more(ordinal))
      page.keys = []
      session.requests.first.map { session.reduce(.loaded(page, for: $0)) }
    }
    answer([1], 1)
    answer([2], 2)
    session.failFirst(expired)
    session.reduce(.retried)
    #expect(session.picture == "rows 1 2 · loading refresh · asks p1")
    for number in 1...3 { answer([number], number) }
    #expect(session.picture == "rows 1 2 3 · loading refresh · asks p4")
  }

  @Test func `A restart of rows without a key counts the rows that were kept, not those received.`() {
    var session = started(.plain, .pages(1))
    func answer(_ id: Int) {
      var page = page([id], .more(id))
      page.keys = []
      page.received = 3
      session.requests.first.map { session.reduce(.loaded(page, for: $0)) }
    }
    for id in 1...3 {
      answer(id)
      if id < 3 { session.reduce(.wanted(.pages(1))) }
    }
    session.reduce(.refreshed(rows: 2))
    answer(1)
    session.failFirst(expired)
    session.reduce(.retried)
    answer(1)
    #expect(session.requests.map(\.position.ordinal) == [1])
    answer(2)
    #expect(session.requests.isEmpty)
    #expect(session.isIdle)
  }

  @Test func `[D56] No more than max_rows rows are loaded.`() {
    var session = started(.plain.with { $0.maxRows = 3 }, .everything)
    session.answer([1, 2], .more(1))
    session.answer([3, 4], .more(2))
    #expect(session.picture == "rows 1 2 3 · end max-rows")
    var whole = started(.plain.with { $0.maxRows = 3 }, .everything)
    whole.answer([1, 2, 3, 4], .end(.last))
    #expect(whole.picture == "rows 1 2 3 · end max-rows", "a row is left out")
    var exact = started(.plain.with { $0.maxRows = 2 }, .everything)
    exact.answer([1, 2], .end(.last))
    #expect(exact.picture == "rows 1 2 · end last")
  }

  @Test func `On the first page nothing overlaps, so a row that the run already has is a duplicate.`() {
    var session = started(
      .plain.with {
        $0.overlap = 1
        $0.resumePoint = ResumePoint(next: .number(0), received: 0, keys: [RowKey.hash("1")])
      })
    session.answer([1, 2], .more(1))
    #expect(session.picture == "rows 2 · idle")
    #expect(session.duplicates == 1)
    #expect(session.receivedCount == 2)
  }

  @Test func `A total ends the list when that many rows have arrived, including duplicates.`() {
    var session = started(.plain, .everything)
    session.answer([1, 2], .more(1, .none), total: .exact(4))
    session.answer([2, 3], .more(2, .none), total: .exact(4))
    #expect(session.picture == "rows 1 2 3 · end total")
  }

  @Test func `A page written for the previous query does not count for the new one.`() {
    var session = started(.plain.with { $0.awaitsWriting = true }, .everything)
    session.answer([1], .more(1))
    session.reduce(.searched(Query("y"), .everything))
    session.answer([2], .more(1))
    session.reduce(.written(0, generation: 1))
    #expect(session.writtenRowCount == 0)
    session.reduce(.written(0, generation: 2))
    #expect(session.writtenRowCount == 1)
  }

  @Test func `Rows that were already loaded are dropped and counted.`() {
    var session = started(.plain, .pages(2))
    session.answer([1, 2, 2], .more(1))
    session.answer([2, 3], .end(.last))
    #expect(session.picture == "rows 1 2 3 · end last")
    #expect(session.duplicates == 2)
  }

  @Test func `An empty page ends the list unless it has a cursor.`() {
    var guessing = started(.plain, .everything)
    guessing.answer([1], .more(1, .none))
    guessing.answer([], .more(2, .none))
    #expect(guessing.picture == "rows 1 · end empty-page")

    var promising = started(.plain, .everything)
    promising.answer([], .more(1))
    #expect(promising.picture == "rows · loading first · asks p2")
  }

  @Test func `A list that promises rows but sends none ends after max_empty_pages.`() {
    var session = started(
      .plain.with {
        $0.maxEmptyPages = 2
        $0.awaitsWriting = true
      }, .everything)
    for ordinal in 0..<3 {
      session.answer([], .more(ordinal + 1))
      session.reduce(.written(ordinal, generation: 1))
    }
    #expect(session.picture == "rows · end empty-pages")
    #expect(session.completeness == .partial(reason: "the service sent 3 empty pages in a row"))
  }

  @Test func `In the pager, empty pages with a next page pause the load until the user continues.`() {
    var session = started(.plain.with { $0.maxEmptyPages = 2 }, .pages(1))
    for ordinal in 1...3 { session.answer([], .more(ordinal)) }
    #expect(session.picture == "rows · idle")
    #expect(session.emptyPagesSoFar == 3)
    session.reduce(.wanted(.pages(1)))
    #expect(session.picture == "rows · loading more · asks p4")
    session.answer([1], .more(4))
    #expect(session.picture == "rows 1 · idle")
    #expect(session.emptyPagesSoFar == 0)
  }

  @Test func `The second page in a row without a new row ends a list that repeats itself.`() {
    var session = started(.plain, .everything)
    session.answer([1, 2], .more(1))
    session.answer([1, 2], .more(2))
    #expect(session.picture == "rows 1 2 · loading first · asks p3")
    session.answer([1, 2], .more(3))
    #expect(session.picture == "rows 1 2 · end repeats")
  }

  @Test func `A total ends a list that declares no better sign.`() {
    var session = started(.plain, .everything)
    session.answer([1, 2], .more(1, .none), total: .exact(3))
    session.answer([3], .more(2, .none), total: .exact(3))
    #expect(session.picture == "rows 1 2 3 · end total")
  }

  @Test func `A total smaller than the number of rows received becomes at least that number.`() {
    var session = started(.plain, .pages(1))
    session.answer([1, 2, 3], .more(1), total: .exact(2))
    #expect(session.total == .atLeast(3))
  }

  @Test func `Duplicate rows do not exceed the total.`() {
    var session = started(.plain, .everything)
    session.answer([1, 2, 3], .more(1), total: .exact(4))
    session.answer([2, 3, 4], .more(2), total: .exact(4))
    #expect(session.total == .exact(4))
  }

  @Test func `A total ends the list when that many different rows have arrived.`() {
    var session = started(.plain, .everything)
    session.answer([1, 2], .more(1, .none), total: .exact(4))
    session.answer([1, 2, 3], .more(2, .none), total: .exact(4))
    #expect(session.picture == "rows 1 2 3 · loading first · asks p3")
    session.answer([3, 4], .more(3, .none), total: .exact(4))
    #expect(session.picture == "rows 1 2 3 4 · end total")
  }

  @Test func `No page beyond the cap is requested.`() {
    var session = started(
      .plain.with {
        $0.pagingCap = PagingCap(
          cap: PaginationSettings.Cap(unit: .page, count: 2), pageSize: nil, numbering: .pages(from: 1))
      }, .everything)
    session.answer([1], .more(1))
    session.answer([2], .more(2))
    #expect(session.picture == "rows 1 2 · end cap")
  }

  /// Pages of three rows, of which the service returns five rows.
  @Test(
    arguments: [
      (6, [4, 5], "end cap", .partial(reason: "the service returns at most 5 of 6 rows")),
      (6, [4, 5, 6], "end last", .complete), (5, [4, 5], "end last", .complete),
      (5, [4], "end last", .unconfirmed(reason: "the service reports 5 rows but returned 4")),
    ] as [(Int, [Int], String, Completeness)])
  func `A list that is cut in the page of the cap is partial.`(
    total: Int, last: [Int], end: String, completeness: Completeness
  ) {
    var session = started(
      .plain.with {
        $0.pagingCap = PagingCap(
          cap: PaginationSettings.Cap(unit: .rows, count: 5, rule: .start), pageSize: 3,
          numbering: .pages(from: 1))
      }, .everything)
    session.answer([1, 2, 3], .more(1), total: .exact(total))
    session.answer(last, .end(.last), total: .exact(total))
    #expect(session.picture.hasSuffix(" · \(end)"))
    #expect(session.completeness == completeness)
  }

  @Test func `A limit cuts at the row and requests no extra page.`() {
    var session = started(.plain.with { $0.awaitsWriting = true }, .rows(3))
    session.answer([1, 2], .more(1))
    session.reduce(.written(0, generation: 1))
    session.answer([3, 4], .more(2))
    #expect(session.picture == "rows 3 · end limit")
    #expect(session.rows.count == 3)
  }

  @Test func `A run resumes after a written page, but repeats a page that the limit has cut.`() {
    var session = started(.plain.with { $0.awaitsWriting = true }, .rows(3))
    session.answer([1, 2], .more(1))
    #expect(
      session.unwritten?.block.resumePoint == ResumePoint(next: .number(1), received: 2, largestPage: 2))
    session.reduce(.written(0, generation: 1))
    session.answer([3, 4], .more(2))
    #expect(session.unwritten?.block.kept == [0])
    #expect(session.unwritten?.block.resumePoint == nil)
    var whole = started(.plain.with { $0.awaitsWriting = true }, .rows(2))
    whole.answer([1, 2], .more(1))
    #expect(whole.unwritten?.block.resumePoint == ResumePoint(next: .number(1), received: 2, largestPage: 2))
  }

  @Test func `Numbered pages with a known total are requested several at a time and merged in order.`() {
    var session = started(.plain.with { $0.concurrency = 3 }, .everything)
    session.answer([1, 2], .more(1), total: .exact(7))
    #expect(session.picture == "rows 1 2 · loading first · asks p2 p3 p4")
    let requests = session.requests
    session.reduce(.loaded(page([5, 6], .more(3)), for: requests[1]))
    #expect(session.picture == "rows 1 2 · loading first · asks p2 p4")
    session.reduce(.loaded(page([3, 4], .more(2)), for: requests[0]))
    #expect(session.picture == "rows 1 2 3 4 5 6 · loading first · asks p4")
    session.reduce(.loaded(page([7], .end(.last)), for: requests[2]))
    #expect(session.picture == "rows 1 2 3 4 5 6 7 · end last")
  }

  @Test func `A refused next page matters only if more was wanted.`() {
    var all = started(.plain, .everything)
    all.answer([1], .end(.refusedNext("no")))
    #expect(all.picture == "rows 1 · end refused-next")
    #expect(all.isWantingMore)
    var one = started()
    one.answer([1], .end(.refusedNext("no")))
    #expect(!one.isWantingMore)
  }

  @Test func `Unwritten pages count toward the concurrency.`() {
    var session = started(.plain.with { $0.awaitsWriting = true }, .everything)
    session.answer([1], .more(1))
    #expect(session.picture == "rows 1 · loading first · asks p2")
    session.answer([2], .more(2))
    #expect(session.picture == "rows 1 2 · loading first")
    session.reduce(.written(0, generation: 1))
    #expect(session.picture == "rows 2 · loading first · asks p3")
  }

  @Test func `Bulk loading keeps the minimum interval of the source between two requests.`() throws {
    var session = started(.plain.with { $0.minInterval = 2 }, .everything)
    session.answer([1], .more(1), at: 100)
    #expect(session.picture == "rows 1 · waiting first · waits p2")
    let wait = try #require(session.waits.first)
    #expect(wait.until == 102)
    session.reduce(.reached(wait.until))
    #expect(session.picture == "rows 1 · loading first · asks p2")
  }

  @Test func `A refusal keeps its end time, however late the page before it arrives.`() {
    var session = started(.plain.with { $0.concurrency = 3 }, .everything)
    session.answer([1], .more(1), total: .exact(9))
    let requests = session.requests
    let busy = PageError(.rateLimited, message: "busy", wait: 3_600)
    session.reduce(.failed(busy, for: requests[1], at: RetryTiming(now: 1_000)))
    #expect(session.refusedUntil == nil, "a page before it may still come")
    session.reduce(.loaded(page([2], .more(2), at: 1_100), for: requests[0]))
    #expect(session.picture == "rows 1 2 · failed first")
    #expect(session.refusedUntil == 4_600)
    session.reduce(.retried)
    #expect(session.refusedUntil == nil)
  }

  @Test func `No page after a failed one is requested, but pages before it still arrive.`() {
    var session = started(.plain.with { $0.concurrency = 3 }, .everything)
    session.answer([1], .more(1), total: .exact(9))
    let requests = session.requests
    session.reduce(.failed(refused, for: requests[1], at: RetryTiming(now: 0)))
    #expect(session.picture == "rows 1 · loading first · asks p2")
    session.reduce(.loaded(page([2], .more(2)), for: requests[0]))
    #expect(session.picture == "rows 1 2 · failed first")
    session.reduce(.retried)
    #expect(session.picture == "rows 1 2 · loading first · asks p3' p4 p5")
  }
}

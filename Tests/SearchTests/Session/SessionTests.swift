import Testing

@testable import Search

@Suite struct SessionTests {
  private let refused = PageError(.server, status: 502, message: "bad gateway", canRepeat: .freely)

  private func started(_ rules: Session.Rules = .plain, _ demand: Demand = .pages(1)) -> Session {
    var session = Session(rules: rules)
    session.reduce(.searched(Query("x"), demand))
    return session
  }

  @Test func `An empty query shows nothing and asks nothing.`() {
    var session = started()
    session.answer([1], .more(1))
    session.reduce(.searched(Query("  "), .pages(1)))
    #expect(session.picture == "rows · idle")
  }

  @Test func `The first page loads, and the next only when it is wanted.`() {
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

  @Test func `A new query keeps old rows until its first page, and drops late replies.`() throws {
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

  @Test func `An answer of another generation is dropped even when it asks for the same page.`() throws {
    var session = started()
    let late = try #require(session.requests.first)
    session.reduce(.searched(Query("x"), .pages(1)))
    session.reduce(.loaded(page([1], .end(.last)), for: late))
    #expect(session.picture == "rows · loading first · asks p1")
  }

  @Test func `A failure keeps the rows and what failed; asking again is the next attempt.`() {
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

  @Test func `A repeatable failure waits, then asks again by itself.`() throws {
    var session = started(.plain.with { $0.retry.attempts = 1 })
    session.failFirst(refused, at: Moment(now: 100, chance: 1))
    #expect(session.picture == "rows · waiting first · waits p1'")
    let wait = try #require(session.waits.first)
    #expect(wait.until == 100.5)
    session.reduce(.reached(wait.until))
    #expect(session.picture == "rows · loading first · asks p1'")
    session.failFirst(refused, at: Moment(now: 101))
    #expect(session.picture == "rows · failed first")
  }

  @Test func `A wait the user does not allow is a failure that says how long it would be.`() {
    var session = started(.plain.with { $0.retry.attempts = 3 })
    session.failFirst(PageError(.rateLimited, message: "slow down", canRepeat: .freely, wait: 60))
    guard case .failed(.first, let error) = session.phase else {
      Issue.record("\(session.picture)")
      return
    }
    #expect(error.wait == 60)
  }

  @Test func `Stopped means nothing loads until the user asks.`() {
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
  ]) func `[D2] Two demands come to the one that reaches farther, in either order.`(
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

  @Test func `A refresh asks at most as many pages as were loaded.`() {
    var session = started()
    session.answer([1, 2], .more(1))
    session.reduce(.refreshed(rows: 50))
    session.answer([1], .more(1))
    #expect(session.picture == "rows 1 · idle")
  }

  @Test func `A stopped refresh keeps the old rows and goes on where it was.`() {
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

  /// Three pages of two rows, and a refresh of all of them whose first page has come with a new row.
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
  func `[D3] A refresh that stops or fails shows all old rows, and loading more goes through all of them.`(
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

  @Test func `[D3] Rows that have moved up are not shown twice.`() {
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

  @Test func `[D3] A refresh of a refresh that was stopped keeps the rows of both.`() {
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

  @Test func `[D3] Rows without a key give way page by page.`() {
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

  @Test func `[D3] A load that is asked for during a refresh goes on behind the old rows.`() {
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

  @Test func `[D4] A restart passes over as many rows as were received, duplicates and hidden ones too.`() {
    var session = started(.plain, .everything)
    // Of ten rows received in three pages, three are kept.
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

  @Test func `[D4] Rows that have come in meanwhile move what is passed over.`() {
    var session = started(.plain, .everything)
    for number in 1...4 { session.answer([number], .more(number)) }
    session.failFirst(expired)
    session.reduce(.retried)
    let rows = [[11], [12], [13], [14], [1], [2], [3], [4]]
    for (place, row) in rows.enumerated() { session.answer(row, .more(place + 1)) }
    #expect(session.picture == "rows 1 2 3 4 11 12 13 14 · loading first · asks p9")
  }

  @Test func `[D4] A place that is forgotten once more while rows are passed over costs none.`() {
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

  @Test func `[D4] A restart of rows without a key is a refresh that still loads all that was wanted.`() {
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

  @Test func `[D56] No more rows are kept than max_rows says.`() {
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

  @Test func `On the first page nothing overlaps: a row that a run has already is a duplicate.`() {
    var session = started(
      .plain.with {
        $0.overlap = 1
        $0.resumption = Resumption(next: .number(0), received: 0, keys: [RowKey.hash("1")])
      })
    session.answer([1, 2], .more(1))
    #expect(session.picture == "rows 2 · idle")
    #expect(session.duplicates == 1)
    #expect(session.receivedCount == 2)
  }

  @Test func `A total ends a list when so many rows have come, though some came twice.`() {
    var session = started(.plain, .everything)
    session.answer([1, 2], .more(1, .none), total: .exact(4))
    session.answer([2, 3], .more(2, .none), total: .exact(4))
    #expect(session.picture == "rows 1 2 3 · end total")
  }

  @Test func `A page written for a query before is none of this one.`() {
    var session = started(.plain.with { $0.awaitsWriting = true }, .everything)
    session.answer([1], .more(1))
    session.reduce(.searched(Query("y"), .everything))
    session.answer([2], .more(1))
    session.reduce(.written(0, generation: 1))
    #expect(session.writtenRowCount == 0)
    session.reduce(.written(0, generation: 2))
    #expect(session.writtenRowCount == 1)
  }

  @Test func `Rows that were seen before are dropped and counted.`() {
    var session = started(.plain, .pages(2))
    session.answer([1, 2, 2], .more(1))
    session.answer([2, 3], .end(.last))
    #expect(session.picture == "rows 1 2 3 · end last")
    #expect(session.duplicates == 2)
  }

  @Test func `An empty page ends the list, unless a cursor came with it.`() {
    var guessing = started(.plain, .everything)
    guessing.answer([1], .more(1, .none))
    guessing.answer([], .more(2, .none))
    #expect(guessing.picture == "rows 1 · end empty-page")

    var promising = started(.plain, .everything)
    promising.answer([], .more(1))
    #expect(promising.picture == "rows · loading first · asks p2")
  }

  @Test func `Promises of rows that never come end after max_empty_pages.`() {
    var session = started(.plain.with { $0.maxEmptyPages = 2 }, .everything)
    for ordinal in 1...3 { session.answer([], .more(ordinal)) }
    #expect(session.picture == "rows · end empty-pages")
  }

  @Test func `The second page in a row without a new row ends a list that repeats itself.`() {
    var session = started(.plain, .everything)
    session.answer([1, 2], .more(1))
    session.answer([1, 2], .more(2))
    #expect(session.picture == "rows 1 2 · loading first · asks p3")
    session.answer([1, 2], .more(3))
    #expect(session.picture == "rows 1 2 · end repeats")
  }

  @Test func `A total ends a list that declares nothing better.`() {
    var session = started(.plain, .everything)
    session.answer([1, 2], .more(1, .none), total: .exact(3))
    session.answer([3], .more(2, .none), total: .exact(3))
    #expect(session.picture == "rows 1 2 3 · end total")
  }

  @Test func `A total smaller than what was received becomes at least that number.`() {
    var session = started(.plain, .pages(1))
    session.answer([1, 2, 3], .more(1), total: .exact(2))
    #expect(session.total == .atLeast(3))
  }

  @Test func `Rows that came twice are not more than the total.`() {
    var session = started(.plain, .everything)
    session.answer([1, 2, 3], .more(1), total: .exact(4))
    session.answer([2, 3, 4], .more(2), total: .exact(4))
    #expect(session.total == .exact(4))
  }

  @Test func `A total ends a list when so many different rows have come.`() {
    var session = started(.plain, .everything)
    session.answer([1, 2], .more(1, .none), total: .exact(4))
    session.answer([1, 2, 3], .more(2, .none), total: .exact(4))
    #expect(session.picture == "rows 1 2 3 · loading first · asks p3")
    session.answer([3, 4], .more(3, .none), total: .exact(4))
    #expect(session.picture == "rows 1 2 3 4 · end total")
  }

  @Test func `No page beyond the cap is asked.`() {
    var session = started(
      .plain.with {
        $0.reach = Reach(
          PaginationSettings.Cap(unit: .page, count: 2), pageSize: nil, numbering: .pages(from: 1))
      }, .everything)
    session.answer([1], .more(1))
    session.answer([2], .more(2))
    #expect(session.picture == "rows 1 2 · end cap")
  }

  @Test func `A limit cuts at the row and asks no page too many.`() {
    var session = started(.plain.with { $0.awaitsWriting = true }, .rows(3))
    session.answer([1, 2], .more(1))
    session.reduce(.written(0, generation: 1))
    session.answer([3, 4], .more(2))
    #expect(session.picture == "rows 3 · end limit")
    #expect(session.rows.count == 3)
  }

  @Test func `A run goes on behind a page, but with the page that a limit has cut.`() {
    var session = started(.plain.with { $0.awaitsWriting = true }, .rows(3))
    session.answer([1, 2], .more(1))
    #expect(session.unwritten?.block.resumption == Resumption(next: .number(1), received: 2))
    session.reduce(.written(0, generation: 1))
    session.answer([3, 4], .more(2))
    #expect(session.unwritten?.block.kept == [0])
    #expect(session.unwritten?.block.resumption == nil)
    var whole = started(.plain.with { $0.awaitsWriting = true }, .rows(2))
    whole.answer([1, 2], .more(1))
    #expect(whole.unwritten?.block.resumption == Resumption(next: .number(1), received: 2))
  }

  @Test func `Numbered pages of a known total are asked several at a time and merged in order.`() {
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

  @Test func `A refused next page matters only when more was wanted.`() {
    var all = started(.plain, .everything)
    all.answer([1], .end(.refusedNext("no")))
    #expect(all.picture == "rows 1 · end refused-next")
    #expect(all.isWantingMore)
    var one = started()
    one.answer([1], .end(.refusedNext("no")))
    #expect(!one.isWantingMore)
  }

  @Test func `Unwritten pages count against concurrency.`() {
    var session = started(.plain.with { $0.awaitsWriting = true }, .everything)
    session.answer([1], .more(1))
    #expect(session.picture == "rows 1 · loading first · asks p2")
    session.answer([2], .more(2))
    #expect(session.picture == "rows 1 2 · loading first")
    session.reduce(.written(0, generation: 1))
    #expect(session.picture == "rows 2 · loading first · asks p3")
  }

  @Test func `Bulk loading leaves the pause a source asks for between two requests.`() throws {
    var session = started(.plain.with { $0.minInterval = 2 }, .everything)
    session.answer([1], .more(1), at: 100)
    #expect(session.picture == "rows 1 · waiting first · waits p2")
    let wait = try #require(session.waits.first)
    #expect(wait.until == 102)
    session.reduce(.reached(wait.until))
    #expect(session.picture == "rows 1 · loading first · asks p2")
  }

  @Test func `What is refused for a time says until when, however much later the page before it comes.`() {
    var session = started(.plain.with { $0.concurrency = 3 }, .everything)
    session.answer([1], .more(1), total: .exact(9))
    let requests = session.requests
    let busy = PageError(.rateLimited, message: "busy", wait: 3_600)
    session.reduce(.failed(busy, for: requests[1], at: Moment(now: 1_000)))
    #expect(session.refusedUntil == nil, "a page before it may still come")
    session.reduce(.loaded(page([2], .more(2), at: 1_100), for: requests[0]))
    #expect(session.picture == "rows 1 2 · failed first")
    #expect(session.refusedUntil == 4_600)
    session.reduce(.retried)
    #expect(session.refusedUntil == nil)
  }

  @Test func `Behind a failed page nothing is asked; pages before it still come.`() {
    var session = started(.plain.with { $0.concurrency = 3 }, .everything)
    session.answer([1], .more(1), total: .exact(9))
    let requests = session.requests
    session.reduce(.failed(refused, for: requests[1], at: Moment(now: 0)))
    #expect(session.picture == "rows 1 · loading first · asks p2")
    session.reduce(.loaded(page([2], .more(2)), for: requests[0]))
    #expect(session.picture == "rows 1 2 · failed first")
    session.reduce(.retried)
    #expect(session.picture == "rows 1 2 · loading first · asks p3' p4 p5")
  }
}

import HTTPValues
import JSON
import Testing

@testable import Search

@Suite struct ShardTests {
  // MARK: Text

  @Test(arguments: [
    (Shard.pages(PageRange(first: 1, last: 12, size: 100)), "pages:1-12@100"),
    (.pages(PageRange(first: 13, last: nil, size: 1)), "pages:13-@1"),
    (.pages(PageRange(first: 5, last: 5, size: 30)), "pages:5-5@30"),
    (.parents(ParentShare(number: 1, count: 1)), "parents:1/1"),
    (.parents(ParentShare(number: 16, count: 16)), "parents:16/16"),
    (.part(ValueRange(from: 1_704_067_200, to: 1_711_929_599)), "part:1704067200..1711929599"),
    (.part(ValueRange(from: -5, to: -5)), "part:-5..-5"),
  ])
  func `A shard is read back from its text.`(shard: Shard, text: String) {
    #expect(shard.description == text)
    #expect(Shard(text) == shard)
  }

  @Test(arguments: [
    "", "pages", "pages:", "pages:1-2", "pages:0-2@3", "pages:3-2@10", "pages:01-2@3", "pages:1-2@0",
    "pages:-2@3", "pages:1-9999999999@1", "pages:1-2@99999999999", "parents:0/4", "parents:5/4",
    "parents:1/0", "parents:1", "parts:1/2", " pages:1-2@3", "pages:1-2@3\n", "Pages:1-2@3",
    "part:5..4", "part:1..", "part:01..2", "part:1..9007199254740993",
  ])
  func `Another text is no shard.`(text: String) { #expect(Shard(text) == nil) }

  @Test func `A share of the limits is read back from its text.`() {
    for runs in [1, 2, 16, 10_000] { #expect(RateShare("1/\(runs)")?.description == "1/\(runs)") }
    for text in ["", "1", "1/0", "2/4", "1/10001", "1/-1", "1/01"] { #expect(RateShare(text) == nil) }
  }

  /// The shards of one plan may run on machines with different versions of riffle.
  @Test func `Every process assigns a parent to the same shard.`() {
    let shards = (0..<12).map { value in
      (1...4).filter { ParentShare(number: $0, count: 4).contains("\(value)") }
    }
    #expect(shards.allSatisfy { $0.count == 1 })
    #expect(shards.joined().map(String.init).joined(separator: " ") == "2 3 2 4 4 4 2 4 3 4 1 2")
    for count in [2, 3, 16] {
      let sizes = (1...count).map { number in
        (0..<1_000).count { ParentShare(number: number, count: count).contains("project-\($0)") }
      }
      #expect(sizes.allSatisfy { $0 > 1_000 / count / 2 }, "\(sizes)")
    }
  }

  // MARK: Ranges of pages

  /// A numbered list of `count` rows, whose service sends at most `most` rows, and two fewer in `gaps`.
  private struct Numbered {
    var count: Int
    var most = 10
    var isOffset = false
    var reportsTotal = true
    /// Pages whose number or offset is a multiple of this are short.
    var gaps = Int.max

    func source() throws -> Source {
      var settings = PaginationSettings.standard
      settings.into = .query("at")
      settings.size.slot = .query("limit")
      settings.size.standard = 10
      return try listSource(isOffset ? OffsetPagination.self : PagePagination.self, settings) {
        if !reportsTotal { $0.rows.total = nil }
      }
    }

    func answer(_ request: HTTPRequest) -> PagingRun.Answer {
      let (at, size) = (request.number("at") ?? 0, min(request.number("limit") ?? most, most))
      let start = isOffset ? at : (at - 1) * size
      let isShort = at > 0 && at % gaps == 0 && size > 2
      let ids = start >= count ? [] : Array(start..<min(count, start + size - (isShort ? 2 : 0)))
      return PagingRun.Answer(ids, "\"total\": \(count)")
    }

    /// The run of a range; nil for all pages.
    func run(_ range: PageRange?, concurrency: Int = 1) throws -> PagingRun {
      let source = try source()
      var run = PagingRun(source, size: 10) { rules in
        rules.range = range
        rules.concurrency = concurrency
        rules.resumePoint = source.pagination.style.numbering.flatMap { range?.start(in: $0) }
      } service: {
        answer($0)
      }
      try run.load()
      return run
    }
  }

  private static func ranges(_ pages: Int, by step: Int, size: Int = 10) -> [PageRange] {
    stride(from: 1, through: max(pages, 1), by: step).map { first in
      PageRange(first: first, last: first + step > pages ? nil : first + step - 1, size: size)
    }
  }

  @Test(arguments: [false, true], [1, 4])
  func `Ranges have all rows of the list, each once.`(isOffset: Bool, concurrency: Int) throws {
    for count in [0, 1, 9, 10, 11, 29, 30, 31, 95, 100] {
      for reportsTotal in [true, false] {
        let list = Numbered(count: count, isOffset: isOffset, reportsTotal: reportsTotal)
        let whole = try list.run(nil, concurrency: concurrency)
        #expect(whole.ids == Array(0..<count))
        for step in 1...4 {
          let runs = try Self.ranges((count + 9) / 10, by: step).map {
            try list.run($0, concurrency: concurrency)
          }
          let place = "\(count) rows, ranges of \(step) pages"
          #expect(runs.flatMap(\.ids) == whole.ids, "\(place)")
          #expect(runs.flatMap(\.requested) == whole.requested, "\(place)")
          #expect(runs.allSatisfy { $0.session.completeness == .complete }, "\(place)")
        }
      }
    }
  }

  @Test func `The last range has the rows that were added, and a range beyond the end has none.`() throws {
    let grown = Numbered(count: 47)
    #expect(try grown.run(PageRange(first: 3, last: nil, size: 10)).ids == Array(20..<47))
    let shrunk = Numbered(count: 15)
    let beyond = try shrunk.run(PageRange(first: 3, last: 4, size: 10))
    #expect(beyond.ids == [])
    #expect(beyond.session.completeness == .complete)
  }

  @Test func `A range of offsets ends at its last row although pages in it are short.`() throws {
    let list = Numbered(count: 64, isOffset: true, gaps: 20)
    let runs = try Self.ranges(7, by: 3).map { try list.run($0) }
    #expect(runs.map(\.ids) == [Array(0..<30), Array(30..<60), Array(60..<64)])
    #expect(runs[0].requested == ["at=0&limit=10", "at=10&limit=10", "at=20&limit=10", "at=28&limit=2"])
  }

  @Test func `A range of offsets ends at its last row although the service ignores the page size.`() throws {
    let list = Numbered(count: 64, isOffset: true, gaps: 20)
    for range in Self.ranges(7, by: 3) {
      var run = try list.run(range)
      run = PagingRun(run.source, size: 10, rules: { $0 = run.session.rules }) { request in
        let at = request.number("at") ?? 0
        return PagingRun.Answer(
          Array(at..<max(at, min(64, at + (at == 20 ? 8 : 10)))), "\"total\": 64")
      }
      try run.load()
      #expect(run.ids == Array((range.first - 1) * 10..<min(64, range.endRow ?? 64)))
    }
  }

  @Test func `A short numbered page makes its range unconfirmed if the service counts more rows.`() throws {
    let list = Numbered(count: 64, gaps: 3)
    let completeness = try Self.ranges(7, by: 2).map { try list.run($0).session.completeness }
    #expect(
      completeness == [
        .complete, .unconfirmed(reason: "pages 3 to 4 have 18 of 20 rows"),
        .unconfirmed(reason: "pages 5 to 6 have 18 of 20 rows"), .complete,
      ])
    var silent = list
    silent.reportsTotal = false
    #expect(try silent.run(PageRange(first: 3, last: 4, size: 10)).session.completeness == .complete)
  }

  @Test func `A range that was stopped resumes inside, and ends where it would have.`() throws {
    let list = Numbered(count: 64)
    let first = try list.run(PageRange(first: 3, last: 5, size: 10))
    let point = try #require(first.session.fresh.blocks.first?.resumePoint)
    var second = PagingRun(
      first.source, size: 10,
      rules: {
        $0 = first.session.rules
        $0.resumePoint = point
      }, service: list.answer)
    try second.load()
    #expect(second.ids == Array(30..<50))
    #expect(second.session.completeness == .complete)
  }

  // MARK: Limits

  @Test func `Runs that share limits wait longer, load fewer pages at once, and spend less of the budget.`() {
    var rules = Session.Rules(first: .number(0))
    rules.minInterval = 0.5
    rules.concurrency = 4
    rules.take(RateShare(runs: 3))
    #expect(rules.minInterval == 1.5)
    #expect(rules.concurrency == 1)
    let budget = RateBudget(limit: 100, remaining: 50, resetsAt: 60)
    #expect(budget.share(RateShare(runs: 16)).remaining == 3)
    #expect(budget.share(nil) == budget)
  }

  // MARK: Parents

  @Test func `Shares of parents have all nested lists, each once.`() {
    let values = (1...9).map { "\($0)" }
    var service: [String: ListWalk.Content] = [
      "top": .parents([Array(values.prefix(4)), Array(values.suffix(5))])
    ]
    for value in values { service[value] = .rows([[Int(value) ?? 0]]) }
    for count in [1, 2, 5, 30] {
      let rows = (1...count).map { number in
        var rules = ParentTraversal.Rules.walk()
        rules.share = ParentShare(number: number, count: count)
        var walk = ListWalk(rules, service)
        walk.settle()
        #expect(walk.lists.completeness == .complete)
        return walk.rows
      }
      #expect(rows.joined().sorted() == Array(1...9), "\(count) shares: \(rows)")
    }
  }

  @Test func `Values of parents are shared as rows are.`() {
    let values = (1...9).map { "\($0)" }
    let service = Dictionary(
      uniqueKeysWithValues: values.map { ($0, ListWalk.Content.rows([[Int($0) ?? 0]])) })
    let rows = (1...3).map { number in
      var rules = ParentTraversal.Rules.walk(values: values)
      rules.share = ParentShare(number: number, count: 3)
      var walk = ListWalk(rules, service)
      walk.settle()
      return walk.rows
    }
    #expect(rows.joined().sorted() == Array(1...9), "\(rows)")
  }
}

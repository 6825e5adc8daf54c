import HTTPValues
import JSON
import TestSupport
import Testing

@testable import Search

/// A service that returns at most `cap` rows of a list, and whose lists can be limited to a range of `created`.
struct CappedService {
  struct Row: Hashable {
    let id: Int
    let created: Int
  }

  /// Sorted as the service sorts them.
  var rows: [Row]
  var cap = 20
  var pageSize = 10
  /// Whether the service treats the end of a range as the first value after it.
  var excludesEnd = false
  /// Whether pages say that none follows, also at the cap.
  var saysEnd = false
  /// The total that the service reports of a number of rows; nil for none.
  var total: @Sendable (Int, Position.Part?) -> Total? = { count, _ in .exact(count) }

  func list(_ part: Position.Part?) -> [Row] {
    guard let part else { return rows }
    return rows.filter { row in
      row.created >= part.from && (excludesEnd ? row.created < part.to : row.created <= part.to)
    }
  }

  func answer(to request: PageRequest, at time: Double) -> Page {
    let list = list(request.position.part)
    let start = request.position.index * pageSize
    let ids = list.dropFirst(start).prefix(max(0, min(pageSize, cap - start))).map(\.id)
    let hasNext = start + ids.count < min(cap, list.count)
    let next = Continuation.next(request.position.next(.number(request.position.index + 2)), .none)
    var answer = page(
      ids, saysEnd && !hasNext ? .end(.last) : next,
      total: total(list.count, request.position.part), at: time)
    (answer.received, answer.pageSize) = (ids.count, pageSize)
    return answer
  }

  func rules(_ order: Split.Order, end: Int = 999, _ change: (inout Session.Rules) -> Void = { _ in })
    -> Session.Rules
  {
    var split = Split.standard
    (split.field, split.unit, split.begin, split.end, split.order) = ("number", .integer, 0, end, order)
    var cap = PaginationSettings.Cap.standard
    cap.count = self.cap
    return .plain.with {
      $0.pagingCap = PagingCap(cap: cap, pageSize: pageSize, numbering: .pages(from: 1))
      $0.split = split
      $0.splitStart = .atOnce
      $0.awaitsWriting = true
      $0.minLength = 0
      change(&$0)
    }
  }
}

/// A run over such a service.
struct PartsRun {
  var session: Session
  let service: CappedService
  /// The rows in the order of writing.
  var ids: [Int] = []
  /// The number of requests.
  var requests = 0
  /// `500-999: 35`: the ranges in the order of their first requests, with the number of their rows.
  var ranges: [String] = []
  /// Where a run resumes after each written page.
  var points: [ResumePoint?] = []

  init(_ service: CappedService, _ rules: Session.Rules, _ demand: Demand = .everything) {
    self.service = service
    session = Session(rules: rules)
    session.reduce(.searched(Query("x"), demand))
  }

  mutating func settle(stopAfter pages: Int = .max) {
    for _ in 0..<100_000 where points.count < pages {
      if let (ordinal, block) = session.unwritten, session.rules.awaitsWriting {
        ids += block.kept.compactMap { service.id(block, Int($0)) }
        points.append(block.resumePoint)
        session.reduce(.written(ordinal, generation: session.generation))
      } else if let request = session.requests.first {
        requests += 1
        if let part = request.position.part, request.position.index == 0 {
          ranges.append("\(part.from)-\(part.to): \(service.list(part).count)")
        }
        session.reduce(.loaded(service.answer(to: request, at: Double(requests)), for: request))
      } else {
        return
      }
    }
  }

  /// The ids of the rows of a session that keeps them.
  var shown: [Int] { session.ids(in: session.rows) }
}

extension CappedService {
  func id(_ block: RowStore.Block, _ row: Int) -> Int? {
    guard case .document(let rows)? = block.content else { return nil }
    return JSONValue(document: rows.response.document, node: rows.nodes[row])["id"]?.numberText
      .flatMap { Int($0) }
  }

  /// Rows with these values, the greatest first.
  init(_ values: [Int]) {
    rows = values.sorted(by: >).enumerated().map { Row(id: $0.offset, created: $0.element) }
  }
}

@Suite struct PartsTests {
  static let shapes: [(name: String, values: [Int])] = [
    ("even", (0..<200).map { $0 * 5 }),
    ("all at the end", (0..<200).map { 800 + $0 }),
    ("all at the beginning", (0..<200).map { $0 }),
    ("two clusters with nothing between", (0..<60).map { $0 } + (0..<60).map { 900 + $0 }),
    ("as many as one list has", (0..<20).map { $0 * 50 }),
    ("one row more than one list has", (0..<21).map { $0 * 47 }),
    ("twenty rows in one value", (0..<10).flatMap { i in Array(repeating: i * 100, count: 20) }),
    ("none", []), ("one", [500]),
  ]

  /// The last page before the end may say that none follows; it is not the last one of the list.
  @Test(arguments: [false, true])
  func `A list that ends at the service's limit is partial.`(saysEnd: Bool) {
    var service = CappedService((0..<35).map { $0 * 5 })
    service.saysEnd = saysEnd
    var run = PartsRun(service, service.rules(.newest) { $0.split = nil })
    run.settle()
    #expect(run.session.completeness == .partial(reason: "the service returns at most 20 of 35 rows"))
  }

  @Test func `A list that ends long before the service's limit is not said to end there.`() {
    var service = CappedService((0..<15).map { $0 * 5 })
    (service.cap, service.saysEnd, service.total) = (30, true, { _, _ in .exact(35) })
    var run = PartsRun(service, service.rules(.newest) { $0.split = nil })
    run.settle()
    let reason = "the service reports 35 rows but returned 15"
    #expect(run.session.completeness == .unconfirmed(reason: reason))
  }

  @Test(arguments: shapes.indices, [Split.Order.newest, .oldest, .none])
  func `A run in parts has every row once, in the order of the list.`(shape: Int, order: Split.Order) {
    for concurrency in 1...4 {
      var service = CappedService(Self.shapes[shape].values)
      if order == .oldest { service.rows.reverse() }
      if order == .none { service.rows.sort { ($0.id * 7_919) % 1_009 < ($1.id * 7_919) % 1_009 } }
      service.saysEnd = concurrency % 2 == 0
      var run = PartsRun(service, service.rules(order) { $0.concurrency = concurrency })
      run.settle()
      #expect(run.ids.count == service.rows.count, "\(Self.shapes[shape].name)")
      #expect(Set(run.ids) == Set(service.rows.map(\.id)))
      if order != .none { #expect(run.ids == service.rows.map(\.id)) }
      #expect(run.session.completeness == .complete)
      #expect(run.session.isSettled && run.session.isListOver)
      #expect(run.session.duplicates == 0)
      let parts = run.session.parts
      let pages = service.cap / service.pageSize
      #expect(run.requests <= 1 + (parts?.doneCount ?? 1) * (1 + pages) + 2 * (parts?.narrowedCount ?? 0))
    }
  }

  @Test func `Parts begin at the end that the list begins with, and have room for uneven ranges.`() {
    let service = CappedService((0..<100).map { $0 * 10 })
    var newest = PartsRun(service, service.rules(.newest))
    newest.settle()
    #expect(
      newest.ranges == [
        "850-999: 15", "700-849: 15", "550-699: 15", "400-549: 15", "250-399: 15", "100-249: 15", "0-99: 10",
      ])
    var reversed = service
    reversed.rows.reverse()
    var oldest = PartsRun(reversed, service.rules(.oldest))
    oldest.settle()
    #expect(oldest.ranges.first == "0-149: 15")
  }

  @Test(arguments: [(200, true), (150, false), (210, false)])
  func `The sum of the parts is compared with the total of the whole.`(total: Int, isComplete: Bool) {
    var service = CappedService((0..<200).map { $0 * 5 })
    service.total = { count, part in .exact(part == nil ? total : count) }
    var run = PartsRun(service, service.rules(.newest))
    run.settle()
    #expect(run.ids.count == 200)
    let parts = run.session.parts?.doneCount ?? 0
    let doubt = "the service reports \(total) rows but \(parts) parts have 200"
    #expect(run.session.completeness == (isComplete ? .complete : .unconfirmed(reason: doubt)))
  }

  @Test func `Limits that the service does not include are found by the sum.`() {
    var service = CappedService((0..<1_000).map { $0 })
    service.excludesEnd = true
    var run = PartsRun(service, service.rules(.newest))
    run.settle()
    #expect(run.ids.count < 1_000)
    guard case .unconfirmed(let reason)? = run.session.completeness else {
      Issue.record("reported as \(String(describing: run.session.completeness))")
      return
    }
    #expect(reason.hasPrefix("the service reports 1,000 rows but"))
  }

  @Test func `Rows that are dropped because two parts have the same id are reported.`() {
    var service = CappedService((0..<200).map { $0 * 5 })
    service.rows = service.rows.map { CappedService.Row(id: $0.id % 150, created: $0.created) }
    var run = PartsRun(service, service.rules(.newest))
    run.settle()
    #expect(run.ids.count == 150)
    #expect(
      run.session.completeness
        == .unconfirmed(reason: "50 rows dropped because their ids are in another part"))
  }

  @Test(arguments: [false, true])
  func `A value with more rows than one list has is named, and the rest is read.`(saysEnd: Bool) {
    var service = CappedService((0..<100).map { $0 * 10 } + Array(repeating: 505, count: 34))
    service.saysEnd = saysEnd
    var run = PartsRun(service, service.rules(.newest))
    run.settle()
    #expect(run.ids.count == 120)
    #expect(
      run.session.completeness
        == .partial(reason: "number 505: the service returns at most 20 of 34 rows"))
    #expect(run.session.isWantingMore)
  }

  @Test func `A service without totals is read in parts, each to its end or to the cap.`() {
    var service = CappedService((0..<90).map { $0 * 10 })
    service.total = { _, _ in nil }
    var run = PartsRun(service, service.rules(.newest))
    run.settle()
    #expect(run.ids == service.rows.map(\.id))
    let reason = run.session.completeness?.reason ?? "none"
    #expect(reason.hasSuffix("parts have 90 rows, and the service reports no exact total"))
  }

  @Test func `A run that resumes after any page has the remaining rows.`() throws {
    var service = CappedService((0..<130).map { $0 * $0 % 997 })
    service.rows.sort { $0.created > $1.created }
    var whole = PartsRun(service, service.rules(.newest))
    whole.settle()
    #expect(whole.ids.count == 130)
    for stop in 1..<whole.points.count {
      var first = PartsRun(service, service.rules(.newest))
      first.settle(stopAfter: stop)
      guard var point = first.points.last ?? nil else { continue }
      point.keys = first.ids.map { RowKey.hash(String($0)) }
      // The file has the point as JSON.
      let text = JSONCoding.text(of: point)
      let read: ResumePoint = try JSONDocument(Array(text.utf8)).root.decoded()
      var second = PartsRun(service, service.rules(.newest) { $0.resumePoint = read })
      second.settle()
      #expect(first.ids + second.ids == service.rows.map(\.id), "stopped after \(stop) pages")
      #expect(second.session.completeness == .complete)
    }
  }

  @Test func `Without the option, the list ends at the cap.`() {
    let service = CappedService((0..<200).map { $0 })
    var run = PartsRun(service, service.rules(.newest) { $0.split = nil })
    run.settle()
    #expect(run.ids.count == 20)
    #expect(
      run.session.completeness == .partial(reason: "the service returns at most 20 of 200 rows"))
  }

  @Test(arguments: [
    (Demand.rows(20), 20, 2), (.rows(15), 15, 2), (.rows(21), 21, 4), (.pages(2), 20, 2), (.rows(45), 45, 7),
  ])
  func `Parts begin only if more rows are wanted than one list has.`(
    demand: Demand, rows: Int, requests: Int
  ) {
    let service = CappedService((0..<200).map { $0 * 5 })
    var run = PartsRun(service, service.rules(.newest), demand)
    run.settle()
    #expect(run.ids == Array(0..<rows))
    #expect(run.requests == requests)
  }

  @Test func `Only totals are requested for the plan of the parts.`() {
    let service = CappedService((0..<100).map { $0 * 10 })
    var run = PartsRun(service, service.rules(.newest) { $0.countsParts = true })
    run.settle()
    let parts = run.session.parts
    #expect(parts?.counted?.map { "\($0.part.from)-\($0.part.to): \($0.rows)" } == run.ranges)
    #expect(run.requests == 1 + run.ranges.count)
    #expect(run.session.completeness == .complete)
  }

  // MARK: The pager

  private func pager(_ service: CappedService, _ order: Split.Order) -> Session.Rules {
    service.rules(order) { ($0.splitStart, $0.awaitsWriting) = (.atCap, false) }
  }

  @Test(arguments: [false, true])
  func `The pager continues a sorted list behind the cap as the user scrolls.`(saysEnd: Bool) {
    var service = CappedService((0..<130).map { $0 * 7 })
    service.saysEnd = saysEnd
    var run = PartsRun(service, pager(service, .newest), .pages(1))
    run.settle()
    #expect(run.shown.count == 10)
    for _ in 0..<100 where run.session.hasMore {
      run.session.reduce(.wanted(.pages(1)))
      run.settle()
    }
    #expect(run.shown == service.rows.map(\.id))
    #expect(run.session.completeness == .complete)
    #expect(run.session.total == .exact(130))
  }

  @Test func `The pager continues a list in another order only if everything is wanted.`() {
    var service = CappedService((0..<130).map { $0 * 7 })
    service.rows.sort { ($0.id * 37) % 130 < ($1.id * 37) % 130 }
    var run = PartsRun(service, pager(service, .none), .pages(1))
    run.settle()
    run.session.reduce(.wanted(.pages(5)))
    run.settle()
    #expect(run.shown.count == 20)
    #expect(run.session.canContinueInParts)
    run.session.reduce(.wanted(.everything))
    run.settle()
    #expect(Set(run.shown) == Set(0..<130) && run.shown.count == 130)
    #expect(run.session.completeness == .complete)
  }

  @Test func `A refresh of a list in parts has the rows of its time.`() {
    var service = CappedService((0..<130).map { $0 * 7 })
    var run = PartsRun(service, pager(service, .newest))
    run.settle()
    #expect(run.shown.count == 130)
    service.rows.insert(CappedService.Row(id: 1_000, created: 950), at: 0)
    run = PartsRun(service, run.session)
    run.session.reduce(.refreshed(rows: 200))
    run.settle()
    #expect(run.shown == service.rows.map(\.id))
  }

  @Test func `Rows are exact, or the run is not reported as complete.`() {
    for seed in Seeds.first(100) {
      var random = SeededGenerator(seed: seed)
      let count = Int(random.next() % 300)
      let width = 1 + Int(random.next() % 1_000)
      var service = CappedService((0..<count).map { _ in Int(random.next() % UInt64(width)) })
      service.cap = 10 + Int(random.next() % 30)
      service.pageSize = 1 + Int(random.next() % 10)
      service.cap -= service.cap % service.pageSize
      let lie = Int(random.next() % 5)
      service.saysEnd = lie != 2 && seed % 3 == 0
      // A total that is too low by the number of rows left out would look right.
      service.excludesEnd = lie != 2 && random.next() % 4 == 0
      service.total = { [cap = service.cap, pageSize = service.pageSize] count, part in
        switch lie {
        case 0: .atLeast(min(count, 2 * cap))
        case 1: .estimate(count + 3)
        // As many rows as a number of full pages have would look right.
        case 2 where part == nil && pageSize > 1:
          .exact(count / 2 + ((count / 2 + 1) % pageSize == 0 ? 2 : 1))
        default: .exact(count)
        }
      }
      let order: Split.Order = seed % 2 == 0 ? .newest : .none
      var run = PartsRun(service, service.rules(order) { $0.concurrency = 1 + Int(seed % 4) })
      run.settle()
      #expect(Set(run.ids).count == run.ids.count, "seed \(seed): a row came twice")
      #expect(run.session.isSettled, "seed \(seed)")
      if run.session.completeness == .complete {
        #expect(run.ids.count == count, "seed \(seed): \(count) rows, \(run.ranges)")
      }
    }
  }
}

extension PartsRun {
  /// Continues a session with another content of the service.
  init(_ service: CappedService, _ session: Session) {
    self.service = service
    self.session = session
  }
}

import HTTPValues
import TestSupport
import Testing

@testable import Search

/// Rule 29 against services that lie, leave holes, repeat themselves and fail, in every style, and a model that knows
/// the rows: they arrive exactly, or the run is not called complete.
@Suite struct CompletenessPropertyTests {
  @Test func `Rows are exact, or the run is not reported as complete.`() throws {
    for seed in Seeds.first(500) {
      var random = SeededGenerator(seed: seed)
      let service = LyingService(&random)
      var run = try service.run(concurrency: 1 + Int(seed % 4), isPipe: seed % 2 == 0)
      let rows = try run.loadAll { Int(random.next() % UInt64($0)) }
      check(rows, of: service, run.session.completeness, "seed \(seed): \(service) · \(run.picture)")
    }
  }

  @Test
  func `A run that resumes after any page has exactly the remaining rows, or is not reported as complete.`()
    throws
  {
    for seed in Seeds.first(100) {
      var random = SeededGenerator(seed: seed)
      let service = LyingService(&random, repeats: false)
      var first = try service.run(concurrency: 1, isPipe: true)
      first.session.reduce(.searched(Query("x"), .everything))
      try first.settle()
      var rows: [Int] = []
      var point: ResumePoint?
      var keys: [UInt64] = []
      for _ in 0...random.next() % 5 {
        guard let page = try first.writePage() else { break }
        rows += page.ids
        keys += page.block.identities
        point = page.block.resumePoint ?? point
      }
      point?.keys = keys
      guard let point else { continue }
      var second = try service.run(concurrency: 1, isPipe: true) { $0.resumePoint = point }
      rows += try second.loadAll()
      check(rows, of: service, second.session.completeness, "seed \(seed): \(service) · \(second.picture)")
    }
  }

  /// Half of the services answer 304 to conditional requests.
  @Test func `A refresh has exactly the rows of its time, or is not reported as complete.`() throws {
    for seed in Seeds.first(100) {
      var random = SeededGenerator(seed: seed)
      let service = LyingService(&random)
      var run = try service.run(concurrency: 1 + Int(seed % 3), isPipe: false)
      _ = try run.loadAll()
      service.grow()
      run.session.reduce(.refreshed(rows: 1_000))
      _ = try run.continueAll()
      run.session.reduce(.wanted(.everything))
      let rows = try run.continueAll()
      check(rows, of: service, run.session.completeness, "seed \(seed): \(service) · \(run.picture)")
    }
  }

  @Test func `A round of a watch ends with all rows of its time or later, or is not reported as complete.`()
    throws
  {
    for seed in Seeds.first(100) {
      var random = SeededGenerator(seed: seed)
      let service = LyingService(&random)
      var run = try service.run(concurrency: 1, isPipe: true) { $0.keepsPages = true }
      var written = Set(try run.loadAll())
      service.grow()
      written.formUnion(try run.loadAll())
      if run.session.completeness == .complete {
        #expect(written.sorted() == service.rows, "seed \(seed): \(service) · \(run.picture)")
      }
    }
  }

  @Test func `A walk over lists has exactly the rows of each list, or is not reported as complete.`() throws {
    for seed in Seeds.first(100) {
      var random = SeededGenerator(seed: seed)
      var walk = try LyingWalk(&random, skipsFailures: seed % 2 == 0, concurrency: 1 + Int(seed % 3))
      try walk.settle(&random)
      walk.check(walk.lists.completeness, "seed \(seed): \(walk.services)")
    }
  }

  @Test
  func `A walk that resumes after any page has exactly the remaining rows, or is not reported as complete.`()
    throws
  {
    for seed in Seeds.first(100) {
      var random = SeededGenerator(seed: seed)
      var walk = try LyingWalk(&random, repeats: false, skipsFailures: seed % 2 == 0)
      guard let point = try walk.settle(&random, pages: 1 + Int(random.next() % 12)) else { continue }
      walk.resume(at: point)
      try walk.settle(&random)
      walk.check(walk.lists.completeness, "seed \(seed): \(walk.services)")
    }
  }

  private func check(
    _ rows: [Int], of service: LyingService, _ completeness: Completeness?, _ comment: Comment
  ) {
    #expect(rows == Array(Set(rows)).sorted(), "rows in order, each once: \(comment)")
    if completeness == .complete { #expect(rows == service.rows, comment) }
  }
}

/// The lists under three parents, each of a service that lies.
private struct LyingWalk {
  let services: [LyingService]
  private let run: PagingRun
  private var rules: ParentTraversal.Rules
  private(set) var lists: ParentTraversal
  private var rows: [[Int]] = [[], [], []]

  init(
    _ random: inout SeededGenerator, repeats: Bool = true, skipsFailures: Bool, concurrency: Int = 1
  ) throws {
    let first = LyingService(&random, repeats: repeats)
    services = (0..<3).map { $0 == 0 ? first : LyingService(&random, like: first, repeats: repeats) }
    run = try first.run(concurrency: concurrency, isPipe: true)
    var level = ParentTraversal.Level(rules: run.session.rules, query: Query("x", options: ["list": ""]))
    level.parentName = "list"
    rules = ParentTraversal.Rules(levels: [level], demand: .everything)
    rules.values = ["0", "1", "2"]
    rules.skipsFailures = skipsFailures
    lists = ParentTraversal(rules: rules)
  }

  mutating func resume(at point: ResumePoint) {
    rules.levels[0].rules.resumePoint = point
    lists = ParentTraversal(rules: rules)
  }

  /// Answers requests and writes pages until the end, or until so many pages are written.
  ///
  /// - Returns: Where another run continues, with the keys of the list's rows.
  @discardableResult
  mutating func settle(_ random: inout SeededGenerator, pages: Int = .max) throws -> ResumePoint? {
    func number(_ query: Query) -> Int { query.options["list"].flatMap { Int($0) } ?? 0 }
    var point: ResumePoint?
    var count = 0
    while let step = lists.requests.randomElement(using: &random) {
      lists.reduce(try run.event(step) { [services] in services[number(step.query)].answer($0) })
      while count < pages, let page = lists.unwritten {
        rows[number(page.query)] += page.block.ids
        count += 1
        if var next = page.block.resumePoint {
          next.keys = (point?.parents == next.parents ? point?.keys ?? [] : []) + page.block.identities
          point = next
        }
        lists.reduce(.written(page.ordinal, generation: page.generation))
      }
      if count == pages { break }
    }
    return point
  }

  func check(_ completeness: Completeness?, _ comment: Comment) {
    for rows in rows { #expect(rows == Array(Set(rows)).sorted(), comment) }
    if completeness == .complete { #expect(rows == services.map(\.rows), comment) }
  }
}

/// A list of rows 0, 1, 2 …, and all that is wrong with the service that has it.
private final class LyingService: CustomStringConvertible {
  private enum Style: CaseIterable { case page, offset, asked, cursor, keyset, link }
  private enum Count: CaseIterable { case none, honest, larger, ofThisPage, soFar, zero }
  private enum Fault: CaseIterable { case none, hole, null, gone, refusal, failure, first, previous }

  private let style: Style
  private let size: Int
  private let count: Count
  private let tellsMore: Bool
  private let tellsPages: Bool
  private let fault: Fault
  /// The number of the faulty page, from 0.
  private let place: Int
  private let isKeyed: Bool
  private let revalidates: Bool
  private(set) var all: [Int]

  /// The rows that the service sends, where nothing says that a page without rows should have some.
  var rows: [Int] {
    let isToldApart = fault != .hole || count == .honest || count == .larger
    return isToldApart ? all : all.filter { !(place * size..<(place + 1) * size).contains($0) }
  }

  /// - Parameters:
  ///   - other: A service with the same signs, but other rows and faults.
  ///   - repeats: Whether a page may come again.
  init(_ random: inout SeededGenerator, like other: LyingService? = nil, repeats: Bool = true) {
    style = other?.style ?? Style.allCases.randomElement(using: &random) ?? .page
    size = other?.size ?? 1 + Int(random.next() % 5)
    all = Array(0..<Int(random.next() % 30))
    count = other?.count ?? Count.allCases.randomElement(using: &random) ?? .none
    tellsMore = other?.tellsMore ?? (random.next() % 3 == 0)
    tellsPages = other?.tellsPages ?? (random.next() % 3 == 0 && [.page, .asked].contains(style))
    var fault = Fault.allCases.randomElement(using: &random) ?? .none
    place = Int(random.next() % 7)
    isKeyed = other?.isKeyed ?? (random.next() % 2 == 0)
    revalidates = random.next() % 2 == 0
    // An empty page, and one that repeats the last, are ends where nothing contradicts them.
    let isNumbered = [.page, .offset, .asked].contains(style)
    let isContradicted = tellsMore || tellsPages || count == .honest || count == .larger
    if [.hole, .null].contains(fault), style == .keyset || isNumbered && !isContradicted { fault = .none }
    if [.first, .previous].contains(fault), isNumbered, !isContradicted, (place + 1) * size >= all.count {
      fault = .none
    }
    // A list of one page that ignores the number of the page looks the same.
    if count == .ofThisPage, place == 1, [.first, .previous].contains(fault) { fault = .none }
    // A run that resumes at such a page cannot recognize it.
    if !repeats, [.first, .previous].contains(fault) { fault = .none }
    self.fault = fault
  }

  /// Adds rows at the end.
  func grow() { all += (all.count..<all.count + 7) }

  private var pageCount: Int { (all.count + size - 1) / size }

  var description: String {
    "\(style), \(all.count) rows by \(size), total \(count), more \(tellsMore), pages \(tellsPages), \(fault) at \(place), "
      + "key \(isKeyed)"
  }

  func run(
    concurrency: Int, isPipe: Bool, _ change: (inout Session.Rules) -> Void = { _ in }
  ) throws -> PagingRun {
    var settings = PaginationSettings(into: .query("p"))
    settings.size.standard = size
    let type: any PaginationStyle.Type
    switch style {
    case .page: type = PagePagination.self
    case .offset, .asked:
      type = OffsetPagination.self
      if style == .asked { settings.own["advance"] = .word("asked") }
    case .cursor:
      type = CursorPagination.self
      settings.next = try expression("next")
    case .keyset:
      type = CursorPagination.self
      settings.next = try expression("items[-1].id")
    case .link:
      type = LinkPagination.self
      settings.into = nil
      settings.next = try expression("next")
    }
    if tellsMore { settings.more = try expression("more") }
    if tellsPages { settings.pages = try expression("pages") }
    let source = try listSource(type, settings) { [count, isKeyed] in
      if count == .none { $0.rows.total = nil }
      $0.rows.isKeyGuessed = !isKeyed
    }
    return PagingRun(
      source, size: size,
      rules: {
        $0.concurrency = concurrency
        $0.awaitsWriting = isPipe
        $0.maxEmptyPages = 100
        change(&$0)
      }, service: { self.answer($0) })
  }

  func answer(_ request: HTTPRequest) -> PagingRun.Answer {
    var answer = page(request)
    guard revalidates, answer.status == 200 else { return answer }
    let tag = "\"\(RowKey.hash(answer.body))\""
    if request.headers.first("If-None-Match") == tag { answer = PagingRun.Answer(status: 304, body: "") }
    answer.headers.append(("ETag", tag))
    return answer
  }

  private func page(_ request: HTTPRequest) -> PagingRun.Answer {
    let value = request.number("p")
    let page =
      switch style {
      case .page: (value ?? 1) - 1
      case .offset, .asked: (value ?? 0) / size
      case .cursor, .link: value ?? 0
      case .keyset: value.map { ($0 + 1) / size } ?? 0
      }
    let start = style == .offset ? value ?? 0 : style == .keyset ? value.map { $0 + 1 } ?? 0 : page * size
    func rows(at start: Int) -> [Int] { Array(all.dropFirst(max(0, start)).prefix(size)) }
    let own = rows(at: start)
    var members = signs(of: page, start: start, own)
    var sent = own
    if page == place {
      switch fault {
      case .none: break
      case .hole: sent = []
      case .null:
        return .init(
          body: "{\(([#""items": null"#, #""error": "gone""#] + members).joined(separator: ", "))}")
      case .gone: return .init(body: "{\(([#""data": []"#] + members).joined(separator: ", "))}")
      case .refusal: return .init(body: #"{"ok": false, "message": "try later"}"#)
      case .failure: return .init(status: 500, body: "{}")
      case .first: sent = rows(at: 0)
      case .previous: sent = rows(at: start - size)
      }
    }
    if style == .cursor || style == .link {
      let hasNext = start + size < all.count
      let next = style == .link ? "\"/list?p=\(page + 1)\"" : "\(page + 1)"
      members.append("\"next\": \(hasNext ? next : "null")")
    }
    return .init(sent, members.joined(separator: ", "))
  }

  private func signs(of page: Int, start: Int, _ own: [Int]) -> [String] {
    var members: [String] = []
    if tellsMore { members.append("\"more\": \(start + size < all.count)") }
    if tellsPages { members.append("\"pages\": \(pageCount)") }
    let total: Int? =
      switch count {
      case .none: nil
      case .honest: all.count
      case .larger: all.count + 3
      case .ofThisPage: own.count
      case .soFar: min(all.count, start + size)
      case .zero: 0
      }
    if let total { members.append("\"total\": \(total)") }
    return members
  }
}

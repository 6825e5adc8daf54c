import HTTPValues
import JSON
import TestSupport
import Testing

@testable import Search

/// Tests the lists under the rows of a parent: their order, their budget, failures, and where a run resumes.
@Suite struct RunListsTests {
  @Test func `The lists are written one after another, in the order of the parents.`() {
    var run = ListRun(["a": [1, 2, 3], "b": [], "c": [4]], parents: ["a", "b", "c"])
    #expect(run.picture == "asks parents 1")
    run.answerFirst()
    #expect(run.picture == "asks a 1, b 1, c 1, parents 2")
    // Answers in another order change nothing.
    run.answer("c 1")
    run.answer("b 1")
    #expect(run.written == "")
    run.finish()
    #expect(run.written == "a/1 a/2 a/3 c/4")
    #expect(run.lists.areOver && run.lists.failure == nil)
    #expect((run.lists.doneCount, run.lists.writtenRowCount) == (3, 4))
  }

  @Test(arguments: 1...4) func `All lists together send as many requests at once as the source allows.`(
    most: Int
  ) {
    let names = (0..<30).map { "p\($0)" }
    var run = ListRun(
      Dictionary(uniqueKeysWithValues: names.map { ($0, Array(0..<5)) }), parents: names, concurrency: most)
    var peak = 0
    while !run.isFinished {
      peak = max(peak, run.lists.requests.count)
      run.answerLast()
    }
    #expect(peak == most)
    #expect(run.written.split(separator: " ").count == 150)
  }

  @Test(arguments: [(origin: 0, requested: "asks "), (origin: 1, requested: "asks parents 2")])
  func `Lists of one origin share its limits, and those of another do not.`(origin: Int, requested: String) {
    var run = ListRun(["a": [1, 2, 3]], parents: ["a", "b", "c", "d"], concurrency: 1) {
      $0.levels[1].origin = origin
      $0.levels[1].rules.retry = RetryPolicy(attempts: 3, longestWait: 60)
    }
    run.answerFirst()
    if origin == 0 { run.answer("parents 2") }
    guard let request = run.lists.requests.first(where: { $0.list?.level == 1 }) else {
      Issue.record("no list is asked: \(run.picture)")
      return
    }
    var refusal = PageError(.rateLimited, status: 429, message: "slower", wait: 5)
    refusal.canRepeat = .freely
    run.lists.reduce(.failed(refusal, for: request, at: Moment(now: 1)))
    #expect(run.picture == requested)
  }

  @Test func `Rows of a parent with the same value have one list, and unwanted ones have none.`() {
    var run = ListRun(["a": [1], "b": [2]], parents: ["a", "-b", "a", "b", "a"])
    run.finish()
    #expect(run.written == "a/1 b/2")
  }

  @Test(arguments: [
    (0, ""), (1, "a/1"), (2, "a/1 a/2"), (3, "a/1 a/2 a/3"), (4, "a/1 a/2 a/3 c/4"),
    (9, "a/1 a/2 a/3 c/4 c/5"),
  ])
  func `A limit counts the rows of all lists.`(limit: Int, written: String) {
    var run = ListRun(
      ["a": [1, 2, 3], "b": [], "c": [4, 5]], parents: ["a", "b", "c"], demand: .rows(limit))
    run.finish()
    #expect(run.written == written)
  }

  @Test func `Numbers of pages are those of each list.`() {
    var run = ListRun(["a": [1, 2, 3, 4], "b": [5, 6, 7]], parents: ["a", "b"], demand: .pages(1))
    run.finish()
    #expect(run.written == "a/1 a/2 b/5 b/6")
  }

  // MARK: Failures

  @Test func `A list that fails ends the run after the rows before it.`() {
    var run = ListRun(["a": [1, 2, 3], "c": [4]], parents: ["a", "gone", "c"])
    run.finish()
    #expect(run.written == "a/1 a/2 a/3")
    #expect(run.lists.failure?.status == 404)
    #expect(run.lists.currentParents == "project gone")
    #expect(run.lists.requests.isEmpty && !run.lists.areOver)
  }

  @Test func `Lists that fail are named and left out if the user wants that.`() {
    var run = ListRun(["a": [1, 2, 3], "c": [4]], parents: ["gone", "a", "", "c"]) { $0.skipsFailures = true }
    run.finish()
    #expect(run.written == "a/1 a/2 a/3 c/4")
    #expect(run.lists.failure == nil)
    #expect(
      run.lists.failures.map { "\($0.parents): \($0.error.message)" } == [
        "project gone: not found", "project : a row of the parent has no value for {project}",
      ])
  }

  @Test(arguments: [
    (PageError(.offline, message: "no network"), "a/1"), (PageError(.rateLimited, message: "slower"), "a/1"),
    (PageError(.unauthorized, status: 401, message: "who?"), "a/1"),
    (PageError(.unauthorized, status: 403, message: "not you"), "a/1 c/4"),
    (PageError(.server, status: 500, message: "broken"), "a/1 c/4"),
    (PageError(.unreadable, message: "no JSON"), "a/1 c/4"),
  ])
  func `A failure that others would meet, too, ends the run even so.`(error: PageError, written: String) {
    var run = ListRun(["a": [1], "c": [4]], parents: ["a", "gone", "c"], failure: error) {
      $0.skipsFailures = true
    }
    run.finish()
    #expect(run.written == written)
  }

  // MARK: Resuming

  @Test func `A run resumes inside a list, and after the last page of one with the next parent.`() {
    let lists = ["a": [1, 2, 3], "b": [4], "c": [5, 6]]
    var run = ListRun(lists, parents: ["a", "b", "c"])
    run.finish()
    #expect(run.points.map(ListRun.picture) == ["page 2 of a", "after a", "after b", "after c"])
    let rest = ["a/3 b/4 c/5 c/6", "b/4 c/5 c/6", "c/5 c/6", ""]
    for (point, rest) in zip(run.points, rest) {
      var resumed = ListRun(lists, parents: ["a", "b", "c"], from: point)
      resumed.finish()
      #expect(resumed.written == rest, "\(ListRun.picture(point))")
    }
  }

  @Test func `A resumed run finds its parent wherever it is now, and says so if it is gone.`() throws {
    let lists = ["a": [1, 2, 3], "b": [4], "new": [9]]
    var run = ListRun(lists, parents: ["a", "b"])
    run.finish()
    var moved = ListRun(lists, parents: ["new", "a", "b"], from: run.points[0])
    moved.finish()
    #expect(moved.written == "a/3 b/4")
    var gone = ListRun(lists, parents: ["new", "b"], from: run.points[0])
    gone.finish()
    #expect(gone.written == "")
    #expect(
      gone.lists.failure?.message == "project a, where the earlier run stopped, is no longer in the list")
  }

  // MARK: All of it

  @Test(arguments: 0..<200)
  func `In any order of answers, the rows written are those of all lists, each once.`(
    seed: UInt64
  ) {
    var random = SeededGenerator(seed: seed)
    let parents = (0..<Int.random(in: 0...9, using: &random)).map { "p\($0)" }
    let lists = Dictionary(
      uniqueKeysWithValues: parents.map {
        ($0, Array(0..<[0, 1, 2, 3, 4, 5, 9].randomElement(using: &random)!))
      })
    let concurrency = Int.random(in: 1...4, using: &random)
    let expected = parents.flatMap { name in (lists[name] ?? []).map { "\(name)/\($0)" } }
    var run = ListRun(lists, parents: parents, concurrency: concurrency)
    run.finish(&random)
    #expect(run.written == expected.joined(separator: " "))
    // Cut at any page, the rest is what is missing.
    guard let cut = run.points.indices.randomElement(using: &random) else { return }
    let before = run.rowsAt[cut]
    var resumed = ListRun(lists, parents: parents, concurrency: concurrency, from: run.points[cut])
    resumed.finish(&random)
    #expect(
      resumed.written == expected.dropFirst(before).joined(separator: " "),
      "\(ListRun.picture(run.points[cut]))")
    #expect(run.peak <= 2 * concurrency + 16)
  }
}

/// A run over lists of numbers in pages of two, as a service would answer it.
private struct ListRun {
  var lists: RunLists
  private let rows: [String: [Int]]
  private let parents: [String]
  private let failure: PageError
  private(set) var writtenRows: [String] = []
  /// Where a run resumes after each page written.
  private(set) var points: [ResumePoint] = []
  /// The number of rows written before each of those.
  private(set) var rowsAt: [Int] = []
  /// The largest number of requests at once.
  private(set) var peak = 0

  var written: String { writtenRows.joined(separator: " ") }
  var isFinished: Bool { lists.isSettled && lists.unwritten == nil }
  var picture: String { "asks " + lists.requests.map { name($0) }.sorted().joined(separator: ", ") }

  /// - Parameters:
  ///   - parents: Their values; one that begins with `-` has no list.
  ///   - failure: What a list that is not in `rows` is answered with.
  init(
    _ rows: [String: [Int]], parents: [String], concurrency: Int = 4, demand: Demand = .everything,
    failure: PageError = PageError(.rejected, status: 404, message: "not found"),
    from point: ResumePoint? = nil,
    _ change: (inout RunLists.Rules) -> Void = { _ in }
  ) {
    let plain = Session.Rules.plain.with {
      $0.concurrency = concurrency
      $0.awaitsWriting = true
      $0.minLength = 0
    }
    var rules = RunLists.Rules(
      levels: [
        RunLists.Level(rules: plain, query: Query()),
        RunLists.Level(
          rules: plain.with { $0.resumePoint = point }, query: Query("", options: ["project": ""]),
          parentName: "project"),
      ], demand: demand)
    change(&rules)
    lists = RunLists(rules: rules)
    self.rows = rows
    self.parents = parents
    self.failure = failure
    write()
  }

  func name(_ request: PageRequest) -> String {
    "\(request.query.options["project"] ?? "parents") \(request.position.ordinal + 1)"
  }

  mutating func answerFirst() { if let request = lists.requests.first { answer(request) } }
  mutating func answerLast() { if let request = lists.requests.last { answer(request) } }

  mutating func answer(_ wanted: String) {
    guard let request = lists.requests.first(where: { name($0) == wanted }) else {
      Issue.record("\(wanted) is not asked: \(picture)")
      return
    }
    answer(request)
  }

  mutating func finish() { while !isFinished, !lists.requests.isEmpty { answerFirst() } }

  mutating func finish(_ random: inout SeededGenerator) {
    while !isFinished, let request = lists.requests.randomElement(using: &random) {
      peak = max(peak, lists.requests.count)
      answer(request)
    }
  }

  private mutating func answer(_ request: PageRequest) {
    let ordinal = request.position.ordinal
    var page: Page
    if let project = request.query.options["project"] {
      guard let all = rows[project] else {
        lists.reduce(.failed(failure, for: request, at: Moment(now: 1)))
        return write()
      }
      let ids = Array(all.dropFirst(2 * ordinal).prefix(2))
      page = SearchTests.page(ids, 2 * ordinal + 2 < all.count ? .more(ordinal + 1) : .end(.last))
    } else {
      let names = Array(parents.dropFirst(4 * ordinal).prefix(4))
      let isLast = 4 * ordinal + 4 >= parents.count && ordinal > 0
      page = Page(
        content: .parents(names.map { $0.hasPrefix("-") ? nil : ParentRow(value: $0) }),
        continuation: isLast ? .end(.last) : .more(ordinal + 1))
    }
    lists.reduce(.loaded(page, for: request))
    write()
  }

  private mutating func write() {
    while let page = lists.unwritten {
      let project = page.query.options["project"] ?? ""
      writtenRows += ids(of: page.block).map { "\(project)/\($0)" }
      if let point = page.block.resumePoint {
        var point = point
        point.keys = page.block.keys
        points.append(point)
        rowsAt.append(writtenRows.count)
      }
      lists.reduce(.written(page.ordinal, generation: page.generation))
    }
  }

  private func ids(of block: RowStore.Block) -> [String] {
    guard case .document(let rows)? = block.content else { return [] }
    return block.kept.compactMap {
      JSONValue(document: rows.reply.document, node: rows.nodes[Int($0)])["id"]?.numberText
    }
  }

  /// `page 2 of a`, `after a`.
  static func picture(_ point: ResumePoint) -> String {
    let names = (point.parents ?? []).map(\.value).joined(separator: "/")
    return point.parents?.last?.isDone ?? false
      ? "after \(names)" : "page \(point.next.ordinal + 1) of \(names)"
  }
}

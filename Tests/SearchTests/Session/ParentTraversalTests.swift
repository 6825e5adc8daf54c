import HTTPValues
import Testing

@testable import Search

/// Lists under the rows of a parent: which requests stand open, in which order pages are written, how failures end
/// them, and where a run resumes.
@Suite struct ParentTraversalTests {
  private static let gone = PageError(.rejected, message: "404")
  private static let letters: [String: ListWalk.Content] = [
    "top": .parents([["x", "y"], ["z"]]), "x": .rows([[1, 2], [3]]), "y": .rows([[4]]),
    "z": .rows([[5], [6]]),
  ]

  private static let onePageEach = ParentTraversal.Rules.walk(.pages(1)).with {
    $0.levels[1].rules.maxPages = 1
  }

  private func settled(
    _ rules: ParentTraversal.Rules, _ service: [String: ListWalk.Content] = Self.letters
  ) -> ListWalk {
    var walk = ListWalk(rules, service)
    walk.settle()
    return walk
  }

  // MARK: Order

  @Test func `Rule 24: pages are written in the order of parents, and of pages under each.`() {
    #expect(
      settled(.walk()).picture == """
        x #1: 1 2
        x #2: 3
        y #1: 4
        z #1: 5
        z #2: 6
        over
        """)
  }

  @Test func `Pages that arrive early wait for the lists before them.`() {
    var walk = ListWalk(.walk(values: ["x", "y"], concurrency: 3), Self.letters)
    #expect(walk.asks == "x #1")
    walk.answer()
    #expect(walk.asks == "x #2 · y #1")
    walk.answer("y #1")
    walk.write()
    #expect(walk.lists.unwritten?.ordinal == nil)
    walk.answer("x #2")
    walk.settle()
    #expect(walk.rows == [1, 2, 3, 4])
  }

  @Test(arguments: [1, 2, 3]) func `Lists may be nested several levels deep.`(concurrency: Int) {
    let service: [String: ListWalk.Content] = [
      "top": .parents([["p"], ["q", "r"]]),
      "p": .parents([["s"], ["t"]]), "q": .parents([[]]), "r": .parents([["s"]]),
      "p/s": .parents([["u", "v"]]), "p/t": .parents([["u"]]), "r/s": .parents([[], ["u"]]),
      "p/s/u": .rows([[1], [2]]), "p/s/v": .rows([[]]), "p/t/u": .rows([[3]]), "r/s/u": .rows([[4], [5]]),
    ]
    #expect(settled(.walk(depth: 3, concurrency: concurrency), service).rows == [1, 2, 3, 4, 5])
    #expect(
      settled(
        .walk(depth: 2, concurrency: concurrency),
        [
          "top": .parents([["p", "q"]]), "p": .parents([["s"]]), "q": .parents([["s"]]),
          "p/s": .rows([[1], [2]]), "q/s": .rows([[3]]),
        ]
      ).picture == """
        p/s #1: 1
        p/s #2: 2
        q/s #1: 3
        over
        """)
  }

  @Test func `Two rows with the same value share one list, and a row that fails the condition has none.`() {
    let service: [String: ListWalk.Content] = [
      "top": .parents([["x", nil, "x"], [nil, "x", "y"]]), "x": .rows([[1]]), "y": .rows([[2]]),
    ]
    let walk = settled(.walk(), service)
    #expect(walk.rows == [1, 2])
    #expect(walk.asked == ["top #1", "top #2", "x #1", "y #1"])
    #expect(settled(.walk(values: ["x", "x", "y", "x"]), service).rows == [1, 2])
  }

  @Test func `Without parents, nothing is requested and the run is over.`() {
    #expect(settled(.walk(), ["top": .parents([[]])]).picture == "over")
    #expect(settled(.walk(), ["top": .parents([[nil], []])]).picture == "over")
    #expect(settled(.walk(values: [])).picture == "over")
    #expect(settled(.walk(values: [])).asked == [])
  }

  // MARK: Demand

  @Test(arguments: 0...7) func `A number of rows is counted over all lists, and not one row more is written.`(
    count: Int
  ) {
    let walk = settled(.walk(.rows(count), concurrency: 3))
    #expect(walk.rows == Array((1...6).prefix(count)))
    #expect(walk.lists.writtenRowCount == min(count, 6))
    if count == 3 { #expect(!walk.asked.contains { $0.hasPrefix("y") }) }
  }

  @Test func `A number of pages is counted for each list.`() {
    let one = settled(Self.onePageEach)
    // The parents are all wanted, so their list is not limited.
    #expect(one.rows == [1, 2, 4, 5])
    #expect(!one.lists.areOver)
  }

  // MARK: Budget

  @Test(arguments: [1, 2, 4])
  func `Rule 25: all lists together have no more requests in flight than one may have.`(
    concurrency: Int
  ) {
    let service: [String: ListWalk.Content] = [
      "top": .parents([["k", "l", "m"], ["n", "o"], ["p"]]), "k": .rows([[1], [2], [3], [4]]),
      "l": .rows([[5]]), "m": .rows([[6], [7]]), "n": .rows([[]]), "o": .rows([[8], [9]]), "p": .rows([[10]]),
    ]
    for seed in 0..<20 {
      var turn = seed
      var walk = ListWalk(.walk(concurrency: concurrency), service)
      walk.settle { count in
        turn = (turn * 31 + 7) % 1_009
        return turn % count
      }
      #expect(walk.rows == Array(1...10))
      #expect(walk.maxInFlight <= concurrency)
    }
  }

  @Test func `Lists of different origins have separate budgets.`() {
    let rules = ParentTraversal.Rules.walk(concurrency: 1).with { $0.levels[1].origin = 1 }
    var walk = ListWalk(rules, Self.letters)
    walk.answer("top #1")
    #expect(walk.asks == "x #1 · top #2" || walk.asks == "top #2 · x #1")
    walk.settle()
    #expect(walk.rows == [1, 2, 3, 4, 5, 6])
  }

  @Test func `Until the first response shows the limits, there is one request.`() {
    var walk = ListWalk(.walk(values: ["x", "y", "z"], concurrency: 4), Self.letters)
    #expect(walk.asks == "x #1")
    walk.answer()
    #expect(walk.asks == "x #2 · y #1 · z #1")
  }

  @Test(arguments: [1, 3]) func `The interval between requests holds over all lists.`(concurrency: Int) {
    let rules = [
      ParentTraversal.Rules.walk(concurrency: concurrency) { $0.minInterval = 2 },
      .walk(values: ["x", "y", "z"], concurrency: concurrency) { $0.minInterval = 2 },
    ]
    for rules in rules {
      let walk = settled(rules)
      #expect(walk.rows == [1, 2, 3, 4, 5, 6])
      for (earlier, later) in zip(walk.sentAt, walk.sentAt.dropFirst()) { #expect(later - earlier >= 2) }
    }
  }

  @Test func `A budget of requests is spread over all remaining lists.`() {
    var walk = ListWalk(.walk(values: ["x", "y", "z"]), Self.letters)
    walk.budget = RateBudget(limit: 10, remaining: 5, resetsAt: 1_020)
    walk.settle()
    #expect(walk.rows == [1, 2, 3, 4, 5, 6])
    #expect(walk.sentAt.prefix(2) == [1_000, 1_004])
  }

  @Test func `A refusal of one list holds the others, but not those of another origin.`() {
    let slow = PageError(.rateLimited, message: "429", canRepeat: .freely, wait: 5)
    func walk(origin: Int) -> ListWalk {
      let rules = ParentTraversal.Rules.walk(concurrency: 2) {
        $0.retry = RetryPolicy(attempts: 3, maxWait: 60)
      }
      var walk = ListWalk(rules.with { $0.levels[1].origin = origin }, Self.letters)
      walk.answer("top #1")
      walk.fail("x #1", slow)
      return walk
    }
    var same = walk(origin: 0)
    same.answer("top #2")
    #expect(same.asks == "")
    same.settle()
    #expect(same.rows == [1, 2, 3, 4, 5, 6])
    #expect(same.sentAt.filter { $0 > 1_000 && $0 < 1_005 } == [])
    #expect(walk(origin: 1).asks.contains("top #2"))
  }

  // MARK: Failures

  private static let broken: [String: ListWalk.Content] = [
    "top": .parents([["x", "y", "z"]]), "x": .rows([[1]]), "y": .failure(gone), "z": .rows([[2]]),
  ]

  @Test(arguments: [1, 3]) func `A list that fails ends the run after the rows of the lists before it.`(
    concurrency: Int
  ) {
    #expect(
      settled(.walk(concurrency: concurrency), Self.broken).picture == """
        x #1: 1
        failed a y: 404
        """)
  }

  @Test(arguments: [1, 3])
  func `Rule 26: if failures are skipped, a list that fails is named and the rest is written.`(
    concurrency: Int
  ) {
    let walk = settled(.walk(concurrency: concurrency).with { $0.skipsFailures = true }, Self.broken)
    #expect(
      walk.picture == """
        x #1: 1
        z #1: 2
        skipped a y: 404
        over
        """)
    #expect(walk.lists.doneCount == 2)
    #expect(walk.lists.failureCount == 1)
  }

  @Test(arguments: [
    PageError(.offline, message: "refused"), PageError(.rateLimited, message: "429"),
    PageError(.unauthorized, message: "401"),
  ])
  func `A failure that other lists would share ends the run even if failures are skipped.`(
    error: PageError
  ) {
    var service = Self.broken
    service["y"] = .failure(error)
    #expect(
      settled(.walk().with { $0.skipsFailures = true }, service).picture == """
        x #1: 1
        failed a y: \(error.message)
        """)
  }

  @Test func `The list of parents is not skipped, and the rows found before it fails are written.`() {
    for skips in [false, true] {
      var walk = ListWalk(.walk().with { $0.skipsFailures = skips }, Self.letters)
      walk.answer("top #1")
      walk.fail("top #2", Self.gone)
      walk.settle()
      #expect(walk.rows == [1, 2, 3, 4])
      #expect(walk.lists.failure == Self.gone)
    }
  }

  @Test func `A failed list of parents is skipped along with all lists under it.`() {
    let service: [String: ListWalk.Content] = [
      "top": .parents([["p", "q"]]), "p": .failure(Self.gone), "q": .parents([["s", "t"]]),
      "q/s": .rows([[1]]), "q/t": .failure(Self.gone),
    ]
    #expect(
      settled(.walk(depth: 2).with { $0.skipsFailures = true }, service).picture == """
        q/s #1: 1
        skipped a p: 404
        skipped a q, b t: 404
        over
        """)
  }

  @Test func `A row without a value fails like a list, and is not requested.`() {
    let service: [String: ListWalk.Content] = [
      "top": .parents([["x", "", "y"]]), "x": .rows([[1]]), "y": .rows([[2]]),
    ]
    #expect(
      settled(.walk(), service).picture == """
        x #1: 1
        failed a : a row of the parent has no value for {a}
        """)
    let walk = settled(.walk().with { $0.skipsFailures = true }, service)
    #expect(walk.rows == [1, 2])
    #expect(walk.asked == ["top #1", "x #1", "y #1"])
  }

  @Test func `A failed page in the middle of a list ends the run after the pages before it.`() {
    var walk = ListWalk(.walk(values: ["x", "y"]), Self.letters)
    walk.answer("x #1")
    walk.write()
    walk.fail("x #2", Self.gone)
    walk.settle()
    #expect(walk.picture == "x #1: 1 2\nfailed a x: 404")
  }

  // MARK: Resuming

  private func names(_ point: ResumePoint?) -> String {
    guard let point else { return "none" }
    let parents = (point.parents ?? []).map { $0.value + ($0.isDone ? " done" : "") }.joined(separator: "/")
    return "\(parents) #\(point.next.ordinal + 1)"
  }

  @Test func `Rule 27: a run resumes with the next page, or with the next parent after the last page.`() {
    var walk = ListWalk(.walk(), Self.letters)
    walk.settle()
    #expect(walk.points.map(names) == ["x #2", "x done #1", "y done #1", "z #2", "z done #1"])
    for (index, point) in walk.points.enumerated() {
      let rest = settled(ParentTraversal.Rules.walk().resumed(at: point))
      #expect(rest.written == Array(walk.written.dropFirst(index + 1)))
      #expect(rest.lists.areOver)
    }
  }

  @Test func `A run resumes after a limit inside a list.`() {
    let walk = settled(Self.onePageEach)
    #expect(walk.points.map(names) == ["x #2", "y done #1", "z #2"])
    let rest = settled(ParentTraversal.Rules.walk().resumed(at: walk.points.first ?? nil))
    #expect(rest.written == ["x #2: 3", "y #1: 4", "z #1: 5", "z #2: 6"])
  }

  @Test func `Parents that appeared or vanished before the resume point change nothing.`() {
    let point = settled(.walk()).points[2]
    var service = Self.letters
    service["top"] = .parents([["new", "y", "newer"], ["z"]])
    service["new"] = .rows([[100]])
    service["newer"] = .rows([[101]])
    #expect(settled(ParentTraversal.Rules.walk().resumed(at: point), service).rows == [101, 5, 6])
  }

  @Test(arguments: 0..<5) func `If the parent is gone, the run says so and writes nothing.`(index: Int) {
    let point = settled(.walk()).points[index]
    let service: [String: ListWalk.Content] = ["top": .parents([["new"], []]), "new": .rows([[100]])]
    let value = point?.parents?.first?.value ?? ""
    let words = "failed : a \(value), where the earlier run stopped, is no longer in the list"
    #expect(settled(ParentTraversal.Rules.walk().resumed(at: point), service).picture == words)
    #expect(settled(ParentTraversal.Rules.walk(values: ["new"]).resumed(at: point), service).picture == words)
  }

  @Test func `At each level, a parent that is gone is named with those above it.`() {
    let service: [String: ListWalk.Content] = [
      "top": .parents([["p", "q"]]), "p": .parents([["s"]]), "q": .parents([["s"]]),
      "p/s": .rows([[1], [2]]),
      "q/s": .rows([[3]]),
    ]
    let point = settled(.walk(depth: 2), service).points[0]
    #expect(names(point) == "p/s #2")
    var later = service
    later["p"] = .parents([["t"]])
    #expect(
      settled(ParentTraversal.Rules.walk(depth: 2).resumed(at: point), later).picture
        == "failed : a p, b s, where the earlier run stopped, is no longer in the list")
  }

  @Test
  func `If the parents of the resume point fail and failures are skipped, the run continues after them.`() {
    let service: [String: ListWalk.Content] = [
      "top": .parents([["p", "q"]]), "p": .parents([["s"]]), "q": .parents([["r", "s"]]),
      "p/s": .rows([[1], [2]]),
      "q/r": .rows([[3]]), "q/s": .rows([[4]]),
    ]
    let rules = ParentTraversal.Rules.walk(depth: 2).with { $0.skipsFailures = true }
    let point = settled(rules, service).points[0]
    var later = service
    later["p"] = .failure(Self.gone)
    #expect(
      settled(rules.resumed(at: point), later).picture == """
        q/r #1: 3
        q/s #1: 4
        skipped a p: 404
        over
        """)
  }

  // MARK: Memory

  @Test func `However many parents there are, few lists are open before the first is written.`() {
    let names = (0..<1_000).map { "p\($0)" }
    var service: [String: ListWalk.Content] = ["top": .parents([names])]
    for (index, name) in names.enumerated() { service[name] = .rows([[index]]) }
    var walk = ListWalk(.walk(concurrency: 100), service)
    for _ in 0..<100 where !walk.lists.requests.isEmpty { walk.answer() }
    #expect(walk.asked.count == 9)
    walk.settle()
    #expect(walk.rows == Array(0..<1_000))
  }
}

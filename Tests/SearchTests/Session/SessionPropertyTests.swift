import TestSupport
import Testing

@testable import Search

/// For any sequence of user events and answers, in any order: no row is lost or doubled, the user's actions
/// bound the number of requests, a wait is not cut short, a refresh shows no fewer rows until it is
/// complete, wanted rows are loaded, and the session never gets stuck.
@Suite struct SessionPropertyTests {
  @Test(arguments: Seeds.first(40)) func `With events in any order, rows are correct and requests bounded.`(
    seed: UInt64
  ) {
    var world = Dependencies(seed: seed)
    for _ in 0..<100 where world.problems.isEmpty { world.step() }
    world.settle()
    #expect(world.problems == [], "seed \(seed)")
  }
}

/// A service whose pages repeat rows of others and contain rows that are filtered out, and that reports
/// budgets, refuses requests and forgets positions; and a network that answers any request ever made,
/// early, late, twice or with a failure. If no position is forgotten, the list changes from one run to the
/// next.
private struct Dependencies {
  var session: Session
  var random: SeededGenerator
  var problems: [String] = []
  private var requested: [PageRequest] = []
  private var seen: Set<PageRequest> = []
  private var time = 1_000.0
  private var userEvents = 0
  private var faults = 0
  /// Everything is wanted, and no later event has canceled that.
  private var wantsAll = false
  /// The number of rows shown when a refresh began.
  private var rowsBefore = 0
  private let expires: Bool
  /// The generation and the row counts at the last check.
  private var checked: [Int] = []

  init(seed: UInt64) {
    random = SeededGenerator(seed: seed)
    expires = seed % 2 == 1
    let rules = Session.Rules.plain.with {
      $0.retry = RetryPolicy(attempts: Int(seed % 4), maxWait: 100)
      $0.concurrency = 1 + Int(seed % 5)
      $0.minInterval = seed % 3 == 0 ? 2 : 0
    }
    session = Session(rules: rules)
  }

  mutating func step() {
    time += Double(random.below(20)) / 10
    switch random.below(16) {
    case 0 where random.below(2) == 0: search()
    case 1, 2: want(.pages(1 + random.below(3)))
    case 3 where random.below(3) == 0: want(.everything)
    case 4: refresh()
    case 5: stop()
    case 6: user(.retried)
    case 7, 8: ring()
    case 9: session.reduce(.reached(time))
    case 10: fail(requested.randomElement(using: &random))
    case 11: answer(requested.randomElement(using: &random))
    default: answer(session.requests.randomElement(using: &random))
    }
    check()
  }

  // MARK: User

  private mutating func user(_ event: SessionEvent) {
    userEvents += 1
    session.reduce(event)
  }

  private mutating func search() {
    wantsAll = false
    user(.searched(Query("q\(random.below(3))"), .pages(1 + random.below(3))))
  }

  private mutating func want(_ demand: Demand) {
    let (wasWaiting, head) = (session.phase.isWaiting, session.currentOrdinal)
    user(.wanted(demand))
    if wasWaiting, session.currentOrdinal != head || !session.phase.isWaiting {
      problems.append("a wait was cut short: \(session.picture)")
    }
    wantsAll = session.demand == .everything
  }

  private mutating func refresh() {
    let rows = session.rows.count
    user(.refreshed(rows: 1 + random.below(60)))
    if session.stale?.cause == .refresh { rowsBefore = rows }
    wantsAll = session.demand == .everything
  }

  private mutating func stop() {
    user(.stopped)
    if session.phase.isStopped { wantsAll = false }
  }

  // MARK: Environment

  private mutating func ring() {
    guard let alarm = session.alarm else { return }
    if alarm <= session.clock { problems.append("the alarm is of the past") }
    time = max(time, alarm)
    session.reduce(.reached(alarm))
  }

  private mutating func answer(_ request: PageRequest?, isGood: Bool = false) {
    guard let request else { return }
    if !isGood, random.below(4) == 0 { return fail(request) }
    session.reduce(.loaded(response(to: request), for: request))
  }

  private mutating func fail(_ request: PageRequest?) {
    let limited = { (wait: Double?, least: Double?) in
      PageError(.rateLimited, message: "slow", canRepeat: .freely, wait: wait, waitAtLeast: least)
    }
    let errors = [
      PageError(.server, message: "502", canRepeat: .freely), PageError(.server, message: "501"),
      PageError(.offline, message: "refused", canRepeat: .atMost(2)), limited(nil, nil), limited(5, nil),
      limited(5_000, nil), limited(nil, 60), limited(0, nil),
    ]
    guard let request, let error = errors.randomElement(using: &random) else { return }
    faults += 1
    let isForgotten = expires && request.position.ordinal > 0 && random.below(3) == 0
    let forgotten = PageError(.rejected, message: "410", canRepeat: .afterRestart)
    session.reduce(
      .failed(
        isForgotten ? forgotten : error, for: request,
        at: RetryTiming(now: time, jitter: Double(random.below(3)) / 2)))
  }

  /// In each generation, up to ten rows are added before the list or removed.
  private func list(_ generation: Int) -> [Int] {
    Array((expires ? 0 : -5 * (generation % 3))..<160)
  }

  /// What the service sends: eight rows of the list, the last row of the previous page, and a much earlier
  /// one.
  private func ids(_ ordinal: Int, _ generation: Int) -> [Int] {
    let list = list(generation)
    let start = ordinal * 8
    let repeated = ordinal > 1 ? [list[start - 1], list[start / 2]] : []
    return repeated + list[start..<min(start + 8, list.count)]
  }

  private func pageCount(_ generation: Int) -> Int { (list(generation).count + 7) / 8 }

  private func isShown(_ id: Int) -> Bool { id % 5 != 0 }

  private mutating func response(to request: PageRequest) -> Page {
    let (ordinal, generation) = (request.position.ordinal, request.generation)
    let ids = ids(ordinal, generation)
    let count = pageCount(generation)
    var page = page(
      ids.filter(isShown), ordinal + 1 < count ? .more(ordinal + 1) : .end(.last), at: time)
    page.received = ids.count
    page.pageCount = count
    if random.below(3) == 0 {
      page.budget = RateBudget(
        limit: 10, remaining: random.below(6), resetsAt: time + Double(random.below(40)) - 5)
    }
    if random.below(20) == 0 { page.backoff = 3 }
    return page
  }

  // MARK: Invariants

  private mutating func check() {
    for request in session.requests where seen.insert(request).inserted { requested.append(request) }
    checkRows()
    let walks = Dictionary(grouping: seen, by: \.generation)
    let pages = walks.keys.reduce(0) { $0 + pageCount($1) + session.rules.concurrency }
    if seen.count > pages + faults + userEvents * session.rules.concurrency {
      problems.append(
        "\(seen.count) requests for \(pages) pages, \(faults) faults, \(userEvents) user events")
    }
    if walks.count > userEvents { problems.append("\(walks.count) walks for \(userEvents) user events") }
    let isBusy = !session.requests.isEmpty || session.phase.isWaiting
    if isBusy != (session.phase.isLoading || session.phase.isWaiting) {
      problems.append("the phase does not say what is asked: \(session.picture)")
    }
    if session.phase.isWaiting, session.alarm == nil { problems.append("a wait has no end") }
  }

  private mutating func checkRows() {
    let state = [session.generation, session.fresh.count, session.rows.count]
    guard state != checked || session.phase == .end(.last) else { return }
    checked = state
    let fresh = session.ids(in: session.fresh)
    let all = list(session.generation).filter(isShown)
    if !all.starts(with: fresh) { problems.append("rows \(fresh)") }
    if session.phase == .end(.last), fresh != all { problems.append("the end is not the end: \(fresh)") }
    guard session.stale?.cause == .refresh else { return }
    let rows = session.ids(in: session.rows)
    if Set(rows).count != rows.count { problems.append("a row is shown twice: \(rows)") }
    if rows.count < rowsBefore { problems.append("\(rows.count) rows are left of \(rowsBefore)") }
  }

  /// No more faults: everything is answered successfully, and failed pages are retried.
  mutating func settle() {
    for _ in 0..<1_000 where problems.isEmpty {
      if let request = session.requests.randomElement(using: &random) {
        answer(request, isGood: true)
      } else if session.phase.isWaiting {
        ring()
      } else if session.phase.isFailed {
        user(.retried)
      } else {
        break
      }
      check()
    }
    if !session.isSettled { problems.append("stuck: \(session.picture)") }
    if wantsAll, session.phase != .end(.last) { problems.append("all was wanted: \(session.picture)") }
  }
}

extension SeededGenerator {
  fileprivate mutating func below(_ bound: Int) -> Int { Int(next() % UInt64(bound)) }
}

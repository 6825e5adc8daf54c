import TestSupport
import Testing

@testable import Search

/// For any sequence of user events and answers, in any order: no row is lost or doubled, the requests
/// are bounded by what the user did, and the session is never stuck.
@Suite struct SessionPropertyTests {
  @Test(arguments: 0..<400) func `Any order of events keeps rows right and requests bounded.`(seed: UInt64) {
    var world = World(seed: seed)
    for _ in 0..<120 { world.step() }
    world.settle()
    #expect(world.problems == [], "seed \(seed)")
  }
}

/// A service of 23 pages, and a network that answers any request ever made, early, late, twice or with
/// a failure.
private struct World {
  var session: Session
  var random: SeededGenerator
  var asked: [PageRequest] = []
  var seen: Set<PageRequest> = []
  var userEvents = 0
  var problems: [String] = []
  private let pageCount = 23
  private let mostPagesPerEvent = 6

  init(seed: UInt64) {
    random = SeededGenerator(seed: seed)
    let rules = Session.Rules.plain.with {
      $0.retry = RetryPolicy(attempts: Int(seed % 3), longestWait: 5)
      $0.concurrency = 1 + Int(seed % 4)
    }
    session = Session(rules: rules)
  }

  mutating func step() {
    switch random.below(12) {
    case 0: user(.searched(Query("q\(random.below(3))"), .pages(1 + random.below(3))))
    case 1, 2: user(.wanted(.pages(1 + random.below(3))))
    case 3: user(.refreshed(rows: 1 + random.below(30)))
    case 4: user(.stopped)
    case 5: user(.retried)
    case 6: endWait()
    default: answer()
    }
    check()
  }

  /// Answers everything well until nothing is asked or waited for.
  mutating func settle() {
    for _ in 0..<500 where !session.requests.isEmpty || !session.waits.isEmpty {
      if let request = session.requests.randomElement(using: &random) {
        session.reduce(.loaded(reply(to: request), for: request))
      } else {
        endWait()
      }
      check()
    }
    if !session.isSettled { problems.append("stuck: \(session.picture)") }
  }

  private mutating func user(_ event: SessionEvent) {
    userEvents += 1
    session.reduce(event)
  }

  private mutating func endWait() {
    if let wait = session.waits.randomElement(using: &random) { session.reduce(.waited(wait.request)) }
  }

  private mutating func answer() {
    guard let request = asked.randomElement(using: &random) else { return }
    if random.below(4) == 0 {
      let error = PageError(.server, message: "no", canRepeat: random.below(2) == 0 ? .freely : .never)
      session.reduce(.failed(error, for: request, at: Moment(now: 0, chance: 0.5)))
    } else {
      session.reduce(.loaded(reply(to: request), for: request))
    }
  }

  /// Ten rows a page, of which the last is also the next page's first.
  private func ids(_ ordinal: Int) -> [Int] { Array(ordinal * 9..<ordinal * 9 + 10) }

  private func reply(to request: PageRequest) -> Page {
    let ordinal = request.position.ordinal
    let continuation: Continuation = ordinal + 1 < pageCount ? .more(ordinal + 1) : .end(.last)
    return page(ids(ordinal), continuation, total: .exact(pageCount * 10))
  }

  private mutating func check() {
    for request in session.requests where seen.insert(request).inserted { asked.append(request) }
    let fresh = session.ids(in: session.fresh)
    let expected = Array(0..<(session.pageCount == 0 ? 0 : session.pageCount * 9 + 1))
    if fresh != expected { problems.append("rows \(fresh) of \(session.pageCount) pages") }
    let bound =
      userEvents * mostPagesPerEvent * (session.rules.retry.attempts + 1) * session.rules.concurrency
    if seen.count > bound { problems.append("\(seen.count) requests for \(userEvents) user events") }
    let isBusy = !session.requests.isEmpty || !session.waits.isEmpty
    if isBusy != (session.phase.isLoading || session.phase.isWaiting) {
      problems.append("phase does not say what is asked: \(session.picture)")
    }
  }
}

extension SeededGenerator {
  fileprivate mutating func below(_ bound: Int) -> Int { Int(next() % UInt64(bound)) }
}

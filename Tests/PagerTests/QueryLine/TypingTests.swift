import HTTPValues
import TestSupport
import Testing

@testable import Pager
@testable import Search
@testable import Terminal

/// A user who types at a person's pace, the timers of the pager, and a service that reports its budget.
private struct TypingSession {
  var pager: PagerDriver
  private(set) var requests: [PageRequest] = []
  private(set) var time = 1_000.0
  private var remaining = 10
  /// When the answer to the first request arrives.
  private var answerAt: Double?

  init(screen rows: Int = 24) throws {
    pager = try PagerDriver(
      size: (80, rows), rules: { $0.minInterval = 2 }, pager: { $0.input.debounce = .milliseconds(400) })
  }

  /// Presses a key and waits, while timers ring and answers arrive after 150 ms.
  mutating func press(_ key: String, then wait: Double) throws {
    pager.reduce(.ticked(time))
    try pager.press(key)
    var rest = pager.state.debounce.map { (edit: $0.edit, at: time + $0.delay / .seconds(1)) }
    let end = time + wait
    while true {
      for request in pager.state.pageRequests where !requests.contains(request) {
        requests.append(request)
        remaining -= 1
        answerAt = time + 0.15
      }
      let next = [rest?.at, pager.state.pageRequests.isEmpty ? nil : answerAt, pager.state.alarm]
        .compactMap(\.self).min()
      guard let next, next <= end else { break }
      time = next
      if let due = rest, due.at <= time {
        rest = nil
        pager.reduce(.rested(edit: due.edit, at: time))
      } else if answerAt == time, !pager.state.pageRequests.isEmpty {
        try answer()
      } else {
        pager.reduce(.session(.reached(time)))
      }
    }
    time = end
  }

  private mutating func answer() throws {
    let request = try #require(pager.state.pageRequests.first)
    let budget = RateBudget(limit: 10, remaining: remaining, resetsAt: 1_060)
    let start = request.position.ordinal * 30
    let rows = (start..<start + 30).map(PagerDriver.row)
    var page = try pager.page(rows, for: request, more: true, total: nil, budget: budget)
    page.exchange.sentAt = time - 0.15
    page.exchange.arrivedAt = time
    pager.reduce(.session(.loaded(page, for: request)))
  }

  var asked: [String] { requests.map { "\($0.query.text) p\($0.position.ordinal + 1)" } }
}

@Suite struct TypingTests {
  @Test(arguments: 0..<40)
  func `[P3] Typing a word with one pause costs at most two requests of a budget of ten a minute.`(
    seed: UInt64
  ) throws {
    var random = SeededGenerator(seed: seed)
    var session = try TypingSession()
    let pause = Int.random(in: 1...4, using: &random)
    for (index, letter) in "python".enumerated() {
      let wait = index == pause ? 0.6 : Double.random(in: 0.12...0.25, using: &random)
      try session.press(String(letter), then: index == 5 ? 8 : wait)
    }
    #expect(session.requests.count <= 2, "\(session.asked)")
    #expect(session.asked.last == "python p1")
    #expect(session.pager.state.list.rows.count == 30)
  }

  @Test func `[P3] Page 2 is loaded when the user moves or goes to the table, not while a query is typed.`()
    throws
  {
    for key in ["down", "enter", "pagedown"] {
      var session = try TypingSession()
      try session.press("x", then: 5)
      for other in ["ctrl-l", "left", "alt-y"] { try session.press(other, then: 5) }
      #expect(session.asked == ["x p1"])
      try session.press(key, then: 5)
      #expect(session.asked == ["x p1", "x p2"], "\(key)")
    }
  }

  @Test func `[P3] The minimum interval of the source holds between queries, and the screen says so.`() throws
  {
    var session = try TypingSession()
    try session.press("x", then: 0.6)
    try session.press("y", then: 0.5)
    #expect(session.asked == ["x p1"])
    #expect(session.pager.notice.hasPrefix("Waiting 2 s before the next request"), "\(session.pager.notice)")
    try session.press("z", then: 3)
    #expect(session.asked == ["x p1", "xyz p1"], "the query between them was never sent")
  }

  @Test func `[P1] Going back to an earlier query shows its rows at once, and marks what has changed.`()
    throws
  {
    var pager = try PagerDriver(query: "x", size: (80, 12))
    try pager.answer(numbers: 0..<20)
    try pager.press("5 G s ctrl-u y enter")
    try pager.answer(numbers: 50..<53, more: false)
    #expect(pager.listed.hasPrefix("[thing 50]"))
    try pager.press("s ctrl-u x enter")
    #expect(pager.listed.hasPrefix("[thing 0] thing 1"))
    #expect(pager.status == "1–7 of 20 loaded · loading · refreshing")
    try pager.press("j j")
    try pager.answer(numbers: -1..<19)
    #expect(pager.selectedName == "thing 2", "the selection follows its row")
    #expect(pager.notice == "1 new")
  }
}

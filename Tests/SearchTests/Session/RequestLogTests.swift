import HTTPValues
import Testing

@testable import Search

/// Tests the request log of a session.
@Suite struct RequestLogTests {
  private func exchange(_ status: Int?) -> Exchange {
    Exchange(
      address: "https://api.example.org/x?page=2", status: status, bytes: status.map { _ in 60_324 },
      sentAt: 1000, arrivedAt: 1000.053)
  }

  @Test func `Each request is one line: page, address, status, size, time, rows and remaining budget.`()
    throws
  {
    var session = Session(rules: .plain.with { $0.retry.attempts = 1 })
    session.reduce(.searched(Query("x"), .everything))
    var error = PageError(.server, status: 502, message: "returned 502", canRepeat: .freely)
    error.exchange = exchange(nil)
    session.failFirst(error)
    session.ring()
    var page = page([1, 2], .end(.last))
    page.exchange = exchange(200)
    page.budget = RateBudget(limit: 30, remaining: 27)
    session.reduce(.loaded(page, for: try #require(session.requests.first)))
    #expect(
      session.log.map(\.text) == [
        "page 1: GET https://api.example.org/x?page=2 · 53 ms · returned 502",
        "page 1 (retry 1): GET https://api.example.org/x?page=2 · 200 · 58.9 KiB · 53 ms · 2 rows · 27/30 left",
      ])
    #expect(session.log.map(\.number) == [1, 2])
  }

  @Test func `Only the latest requests are stored.`() throws {
    var session = Session(rules: .plain)
    session.reduce(.searched(Query("x"), .everything))
    for number in 1...250 { session.answer([number], .more(number)) }
    #expect(session.log.count == 200)
    #expect(session.log.last?.number == 250)
  }
}

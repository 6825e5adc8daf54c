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

  @Test func `[52] The log keeps the latest bodies, up to a limit for all of them.`() throws {
    var session = Session(rules: .plain)
    session.reduce(.searched(Query("x"), .everything))
    let url = try WebURL("https://api.example.org/")
    let bytes = Array(String(repeating: "a", count: Transcript.maxBody).utf8)
    let response = HTTPResponse(status: 200, headers: [], body: bytes, url: url)
    let transcript = Transcript(HTTPRequest(url: url), response) { $0 }
    for number in 1...100 {
      let request = try #require(session.requests.first)
      var page = page([number], .more(number))
      page.exchange.transcript = transcript
      session.reduce(.loaded(page, for: request))
    }
    let bodies = session.log.map { $0.exchange.transcript?.body }
    let kept = bodies.compactMap(\.self)
    #expect(bodies.count == 100 && bodies.suffix(kept.count).allSatisfy { $0 != nil })
    #expect(kept.count == Session.maxLoggedBytes / kept[0].size)
    #expect(session.log.allSatisfy { $0.exchange.transcript != nil })
  }

  @Test func `Only the latest requests are stored.`() throws {
    var session = Session(rules: .plain)
    session.reduce(.searched(Query("x"), .everything))
    for number in 1...250 { session.answer([number], .more(number)) }
    #expect(session.log.count == 200)
    #expect(session.log.last?.number == 250)
  }
}

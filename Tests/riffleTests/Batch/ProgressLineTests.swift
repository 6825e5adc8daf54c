import HTTPValues
import JSON
import Testing
import Text

@testable import App
@testable import Search
@testable import riffle

/// Tests the line on stderr that shows the progress of a run.
@Suite struct ProgressLineTests {
  private func session(rows: Int, total: Total?, demand: Demand, budget: RateBudget? = nil) throws -> Session
  {
    var session = Session(
      rules: Session.Rules(
        first: Position(ordinal: 0, value: .number(1)), retry: RetryPolicy(attempts: 2, maxWait: 99)))
    session.reduce(.searched(Query("x"), demand))
    let body = "[\((0..<rows).map { #"{"id": \#($0)}"# }.joined(separator: ","))]"
    let document = try JSONDocument(Array(body.utf8))
    let response = ResponseValues(document: document, headers: [], url: try WebURL("https://example.org"))
    var page = Page(
      content: .document(
        DocumentRows(response: response, nodes: Array(document.elements(of: document.rootNode)))),
      continuation: .next(Position(ordinal: 1, value: .number(2)), .value))
    page.keys = (0..<rows).map { UInt64($0 + 1) }
    page.total = total
    page.budget = budget
    for request in session.requests { session.reduce(.loaded(page, for: request)) }
    return session
  }

  private func text(_ session: Session, after seconds: Double) -> String {
    ProgressLine(lists: ParentTraversal(session), now: 1000 + seconds, startedAt: 1000, zone: .utc).text
  }

  @Test func `The line shows rows, pages, total, rate and the time left.`() throws {
    let session = try session(rows: 1200, total: .exact(52_341), demand: .everything)
    #expect(text(session, after: 0.5) == "1,200 rows · page 1 · of 52,341")
    #expect(text(session, after: 4) == "1,200 rows · page 1 · of 52,341 · 300 rows/s · 2m51s left")
  }

  @Test func `The line shows the remaining requests.`() throws {
    let session = try session(
      rows: 1, total: .atLeast(9), demand: .pages(2),
      budget: RateBudget(limit: 30, remaining: 27, resetsAt: 1_700_000_040))
    #expect(
      text(session, after: 0) == "1 row · page 1 · of at least 9 · 27/30 requests, reset 22:14")
  }

  @Test func `The line shows the reason for a wait and the time left.`() throws {
    var session = try session(rows: 3, total: nil, demand: .everything)
    let error = PageError(.rateLimited, message: "rate limited", canRepeat: .freely, wait: 42)
    for request in session.requests {
      session.reduce(.failed(error, for: request, at: RetryTiming(now: 1000)))
    }
    #expect(text(session, after: 2.5) == "3 rows · page 1 · 1.2 rows/s · retrying in 40 s: rate limited")
  }
}

import Testing

@testable import Search

/// A total that is asked for apart from the pages.
@Suite struct TotalQueryTests {
  private func searching() -> Session {
    var session = Session(rules: Session.Rules.plain.with { $0.asksForTotal = true })
    session.reduce(.searched(Query("x"), .everything))
    return session
  }

  @Test func `The total is asked for once for each query, beside its first page.`() throws {
    var session = searching()
    #expect(session.picture == "rows · loading first · asks p1")
    let asked = try #require(session.totalQuery)
    session.reduce(.totalled(.exact(7), for: asked))
    #expect(session.total == .exact(7))
    #expect(session.totalQuery == nil)
    session.answer([1, 2], .more(1))
    #expect(session.total == .exact(7))
    #expect(session.totalQuery == nil)
    session.reduce(.searched(Query("y"), .everything))
    #expect(session.totalQuery == TotalQuery(query: Query("y"), generation: 2))
  }

  @Test func `A late total is dropped, and one that could not be had is not asked for again.`() throws {
    var session = searching()
    let late = try #require(session.totalQuery)
    session.reduce(.searched(Query("y"), .everything))
    session.reduce(.totalled(.exact(7), for: late))
    #expect(session.total == nil)
    session.reduce(.totalled(nil, for: try #require(session.totalQuery)))
    #expect(session.total == nil)
    #expect(session.totalQuery == nil)
  }

  @Test func `Nothing is asked for where the total is not shown.`() {
    var session = Session(rules: .plain)
    session.reduce(.searched(Query("x"), .everything))
    #expect(session.totalQuery == nil)
  }

  @Test func `A total that is known early lets several pages be asked at once.`() throws {
    var session = Session(
      rules: Session.Rules.plain.with {
        $0.asksForTotal = true
        $0.concurrency = 3
      })
    session.reduce(.searched(Query("x"), .everything))
    session.answer([1, 2], .more(1))
    #expect(session.picture == "rows 1 2 · loading first · asks p2")
    session.reduce(.totalled(.exact(9), for: try #require(session.totalQuery)))
    #expect(session.picture == "rows 1 2 · loading first · asks p2 p3 p4")
  }
}

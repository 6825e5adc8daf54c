import Testing

@testable import Search

/// The effect of each user event in each phase, as one table.
@Suite struct DemandTableTests {
  /// The name of a session in the table, and how it got there. Pages have two rows: 1 2, 3 4, 5 6 …
  private static let phases: [(name: String, session: Session)] = [
    ("NEVER ASKED", Session(rules: .table)),
    ("IDLE, MORE TO COME", .table { _ in }),
    ("LOADING THE FIRST PAGE", .unanswered),
    ("LOADING MORE", .table { $0.reduce(.wanted(.pages(1))) }),
    ("LOADING ALL", .table { $0.reduce(.wanted(.everything)) }),
    (
      "WAITING TO RETRY",
      .table {
        $0.reduce(.wanted(.pages(1)))
        $0.failFirst(.busy, at: RetryTiming(now: 100))
      }
    ),
    (
      "WAITING TO RETRY, LOADING ALL",
      .table {
        $0.reduce(.wanted(.everything))
        $0.failFirst(.busy, at: RetryTiming(now: 100))
      }
    ),
    ("WAITING FOR THE PACE", .table(paced: true) { $0.reduce(.wanted(.pages(2))) }),
    (
      "FAILED",
      .table {
        $0.reduce(.wanted(.pages(1)))
        $0.failFirst(.broken)
      }
    ),
    (
      "FAILED, LOADING ALL",
      .table {
        $0.reduce(.wanted(.everything))
        $0.failFirst(.broken)
      }
    ),
    (
      "STOPPED, LOADING ALL",
      .table {
        $0.reduce(.wanted(.everything))
        $0.reduce(.stopped)
      }
    ),
    ("REFRESHING", .refreshing { _ in }), ("REFRESH FAILED", .refreshing { $0.failFirst(.broken) }),
    ("REFRESH STOPPED", .refreshing { $0.reduce(.stopped) }),
    (
      "END",
      .table {
        $0.reduce(.wanted(.pages(1)))
        $0.answer([3, 4], .end(.last))
      }
    ),
  ]

  private static let events: [(name: String, event: SessionEvent?)] = [
    ("search", .searched(Query("y"), .pages(1))), ("same again", .searched(Query("x"), .pages(1))),
    ("load more", .wanted(.pages(1))), ("load 3", .wanted(.pages(3))), ("load all", .wanted(.everything)),
    ("refresh", .refreshed(rows: 2)), ("retry", .retried), ("stop", .stopped), ("time passes", nil),
  ]

  private var picture: String {
    Self.phases.map { name, session in
      let lines = Self.events.map { name, event in
        var after = session
        if let event { after.reduce(event) } else { after.ring() }
        let isAsNow = after.line == session.line && after.generation == session.generation
        let text = isAsNow ? "–" : after.line
        return "  \(name.padded(to: 12))\(text)"
      }
      return (["\(name): \(session.line)"] + lines).joined(separator: "\n")
    }.joined(separator: "\n\n")
  }

  /// Rows in parentheses are old ones, which their page or the end of the load replaces.
  @Test func `[D2] Every event has the effect listed in the table, in every phase.`() {
    #expect(picture == Self.table)
  }

  private static let table = """
    NEVER ASKED: no rows · idle
      search      no rows · loading first, 1 page wanted · asks p1 of y
      same again  no rows · loading first, 1 page wanted · asks p1
      load more   –
      load 3      –
      load all    –
      refresh     –
      retry       –
      stop        –
      time passes –

    IDLE, MORE TO COME: rows 1 2 · idle
      search      rows (1 2) · loading first, 1 page wanted · asks p1 of y
      same again  rows (1 2) · loading first, 1 page wanted · asks p1
      load more   rows 1 2 · loading more, 1 page wanted · asks p2
      load 3      rows 1 2 · loading more, 3 pages wanted · asks p2
      load all    rows 1 2 · loading more, all wanted · asks p2
      refresh     rows (1 2) · loading refresh, 2 rows wanted · asks p1
      retry       –
      stop        –
      time passes –

    LOADING THE FIRST PAGE: no rows · loading first, 1 page wanted · asks p1
      search      no rows · loading first, 1 page wanted · asks p1 of y
      same again  no rows · loading first, 1 page wanted · asks p1
      load more   –
      load 3      no rows · loading first, 3 pages wanted · asks p1
      load all    no rows · loading first, all wanted · asks p1
      refresh     no rows · loading first, 1 page wanted · asks p1
      retry       –
      stop        no rows · stopped first, 1 page wanted
      time passes –

    LOADING MORE: rows 1 2 · loading more, 1 page wanted · asks p2
      search      rows (1 2) · loading first, 1 page wanted · asks p1 of y
      same again  rows (1 2) · loading first, 1 page wanted · asks p1
      load more   –
      load 3      rows 1 2 · loading more, 3 pages wanted · asks p2
      load all    rows 1 2 · loading more, all wanted · asks p2
      refresh     rows (1 2) · loading refresh, 2 pages wanted · asks p1
      retry       –
      stop        rows 1 2 · stopped more, 1 page wanted
      time passes –

    LOADING ALL: rows 1 2 · loading more, all wanted · asks p2
      search      rows (1 2) · loading first, 1 page wanted · asks p1 of y
      same again  rows (1 2) · loading first, 1 page wanted · asks p1
      load more   –
      load 3      –
      load all    –
      refresh     rows (1 2) · loading refresh, all wanted · asks p1
      retry       –
      stop        rows 1 2 · stopped more, all wanted
      time passes –

    WAITING TO RETRY: rows 1 2 · waiting more, 1 page wanted · waits p2'
      search      rows (1 2) · waiting first, 1 page wanted · waits p1 of y
      same again  rows (1 2) · waiting first, 1 page wanted · waits p1
      load more   –
      load 3      rows 1 2 · waiting more, 3 pages wanted · waits p2'
      load all    rows 1 2 · waiting more, all wanted · waits p2'
      refresh     rows (1 2) · waiting refresh, 2 pages wanted · waits p1
      retry       rows 1 2 · loading more, 1 page wanted · asks p2'
      stop        rows 1 2 · stopped more, 1 page wanted
      time passes rows 1 2 · loading more, 1 page wanted · asks p2'

    WAITING TO RETRY, LOADING ALL: rows 1 2 · waiting more, all wanted · waits p2'
      search      rows (1 2) · waiting first, 1 page wanted · waits p1 of y
      same again  rows (1 2) · waiting first, 1 page wanted · waits p1
      load more   –
      load 3      –
      load all    –
      refresh     rows (1 2) · waiting refresh, all wanted · waits p1
      retry       rows 1 2 · loading more, all wanted · asks p2'
      stop        rows 1 2 · stopped more, all wanted
      time passes rows 1 2 · loading more, all wanted · asks p2'

    WAITING FOR THE PACE: rows 1 2 · waiting more, 2 pages wanted · waits p2
      search      rows (1 2) · waiting first, 1 page wanted · waits p1 of y
      same again  rows (1 2) · waiting first, 1 page wanted · waits p1
      load more   –
      load 3      rows 1 2 · waiting more, 3 pages wanted · waits p2
      load all    rows 1 2 · waiting more, all wanted · waits p2
      refresh     rows (1 2) · waiting refresh, 3 pages wanted · waits p1
      retry       rows 1 2 · loading more, 2 pages wanted · asks p2
      stop        rows 1 2 · stopped more, 2 pages wanted
      time passes rows 1 2 · loading more, 2 pages wanted · asks p2

    FAILED: rows 1 2 · failed more, 1 page wanted
      search      rows (1 2) · loading first, 1 page wanted · asks p1 of y
      same again  rows (1 2) · loading first, 1 page wanted · asks p1
      load more   rows 1 2 · loading more, 1 page wanted · asks p2'
      load 3      rows 1 2 · loading more, 3 pages wanted · asks p2'
      load all    rows 1 2 · loading more, all wanted · asks p2'
      refresh     rows (1 2) · loading refresh, 2 pages wanted · asks p1
      retry       rows 1 2 · loading more, 1 page wanted · asks p2'
      stop        rows 1 2 · stopped more, 1 page wanted
      time passes –

    FAILED, LOADING ALL: rows 1 2 · failed more, all wanted
      search      rows (1 2) · loading first, 1 page wanted · asks p1 of y
      same again  rows (1 2) · loading first, 1 page wanted · asks p1
      load more   rows 1 2 · loading more, all wanted · asks p2'
      load 3      rows 1 2 · loading more, all wanted · asks p2'
      load all    rows 1 2 · loading more, all wanted · asks p2'
      refresh     rows (1 2) · loading refresh, all wanted · asks p1
      retry       rows 1 2 · loading more, all wanted · asks p2'
      stop        rows 1 2 · stopped more, all wanted
      time passes –

    STOPPED, LOADING ALL: rows 1 2 · stopped more, all wanted
      search      rows (1 2) · loading first, 1 page wanted · asks p1 of y
      same again  rows (1 2) · loading first, 1 page wanted · asks p1
      load more   rows 1 2 · loading more, 1 page wanted · asks p2
      load 3      rows 1 2 · loading more, 3 pages wanted · asks p2
      load all    rows 1 2 · loading more, all wanted · asks p2
      refresh     rows (1 2) · loading refresh, 2 rows wanted · asks p1
      retry       rows 1 2 · loading more, all wanted · asks p2
      stop        –
      time passes –

    REFRESHING: rows 9 1 (2 3 4 5 6) · loading refresh, 4 rows wanted · asks p2
      search      rows (9 1 2 3 4 5 6) · loading first, 1 page wanted · asks p1 of y
      same again  rows (9 1 2 3 4 5 6) · loading first, 1 page wanted · asks p1
      load more   rows 9 1 (2 3 4 5 6) · loading refresh, 3 pages wanted · asks p2
      load 3      rows 9 1 (2 3 4 5 6) · loading refresh, 5 pages wanted · asks p2
      load all    rows 9 1 (2 3 4 5 6) · loading refresh, all wanted · asks p2
      refresh     rows (9 1 2 3 4 5 6) · loading refresh, 4 rows wanted · asks p1
      retry       –
      stop        rows 9 1 (2 3 4 5 6) · stopped refresh, 4 rows wanted
      time passes –

    REFRESH FAILED: rows 9 1 (2 3 4 5 6) · failed refresh, 4 rows wanted
      search      rows (9 1 2 3 4 5 6) · loading first, 1 page wanted · asks p1 of y
      same again  rows (9 1 2 3 4 5 6) · loading first, 1 page wanted · asks p1
      load more   rows 9 1 (2 3 4 5 6) · loading refresh, 3 pages wanted · asks p2'
      load 3      rows 9 1 (2 3 4 5 6) · loading refresh, 5 pages wanted · asks p2'
      load all    rows 9 1 (2 3 4 5 6) · loading refresh, all wanted · asks p2'
      refresh     rows (9 1 2 3 4 5 6) · loading refresh, 4 rows wanted · asks p1
      retry       rows 9 1 (2 3 4 5 6) · loading refresh, 4 rows wanted · asks p2'
      stop        rows 9 1 (2 3 4 5 6) · stopped refresh, 4 rows wanted
      time passes –

    REFRESH STOPPED: rows 9 1 (2 3 4 5 6) · stopped refresh, 4 rows wanted
      search      rows (9 1 2 3 4 5 6) · loading first, 1 page wanted · asks p1 of y
      same again  rows (9 1 2 3 4 5 6) · loading first, 1 page wanted · asks p1
      load more   rows 9 1 (2 3 4 5 6) · loading refresh, 3 pages wanted · asks p2
      load 3      rows 9 1 (2 3 4 5 6) · loading refresh, 5 pages wanted · asks p2
      load all    rows 9 1 (2 3 4 5 6) · loading refresh, all wanted · asks p2
      refresh     rows (9 1 2 3 4 5 6) · loading refresh, 2 rows wanted · asks p1
      retry       rows 9 1 (2 3 4 5 6) · loading refresh, 4 rows wanted · asks p2
      stop        –
      time passes –

    END: rows 1 2 3 4 · end last
      search      rows (1 2 3 4) · loading first, 1 page wanted · asks p1 of y
      same again  rows (1 2 3 4) · loading first, 1 page wanted · asks p1
      load more   –
      load 3      –
      load all    –
      refresh     rows (1 2 3 4) · loading refresh, 2 rows wanted · asks p1
      retry       –
      stop        –
      time passes –
    """
}

extension Session.Rules {
  fileprivate static let table = plain.with { $0.retry = RetryPolicy(attempts: 3, maxWait: 60) }
}

extension Session {
  fileprivate static var unanswered: Session {
    var session = Session(rules: .table)
    session.reduce(.searched(Query("x"), .pages(1)))
    return session
  }

  /// One page is loaded.
  fileprivate static func table(paced: Bool = false, _ change: (inout Session) -> Void) -> Session {
    var session = Session(rules: .table.with { $0.minInterval = paced ? 2 : 0 })
    session.reduce(.searched(Query("x"), .pages(1)))
    session.answer([1, 2], .more(1), at: 100)
    change(&session)
    return session
  }

  /// Three pages were loaded, and the first page of their refresh has arrived with a new row.
  fileprivate static func refreshing(_ change: (inout Session) -> Void) -> Session {
    table { session in
      session.reduce(.wanted(.pages(2)))
      session.answer([3, 4], .more(2))
      session.answer([5, 6], .more(3))
      session.reduce(.refreshed(rows: 4))
      session.answer([9, 1], .more(1))
      change(&session)
    }
  }

  /// `rows 9 1 (2 3) · loading refresh, 4 rows wanted · asks p2`
  fileprivate var line: String {
    let isOld = stale?.cause == .refresh || fresh.blocks.isEmpty
    let old = isOld ? stale.map { ids(in: $0.rows) } ?? [] : []
    let new = ids(in: fresh).map(String.init).joined(separator: " ")
    let rows = [new, old.isEmpty ? "" : "(\(old.map(String.init).joined(separator: " ")))"]
    let shown = rows.filter { !$0.isEmpty }.joined(separator: " ")
    var parts = picture.split(separator: " · ").map(String.init)
    parts[0] = shown.isEmpty ? "no rows" : "rows \(shown)"
    parts[1] += wish
    return parts.joined(separator: " · ") + (query.text == "y" ? " of y" : "")
  }

  private var wish: String {
    switch demand {
    case .nothing: ""
    case .pages(let count): ", \(count) page\(count == 1 ? "" : "s") wanted"
    case .rows(let count): ", \(count) rows wanted"
    case .everything: ", all wanted"
    }
  }
}

extension PageError {
  fileprivate static let busy = PageError(.rateLimited, message: "busy", canRepeat: .freely, wait: 30)
  fileprivate static let broken = PageError(.server, message: "broken")
}

extension String {
  fileprivate func padded(to width: Int) -> String {
    self + String(repeating: " ", count: max(1, width - count))
  }
}

import FeedbackLoop
import Search
import Text

/// Requests the totals of the parts of a list, and none of their further pages: for `--split --dry-run`, and for plans.
struct PartsCount {
  let parts: [Parts.Counted]
  /// The number of requests.
  let requests: Int

  /// - Throws: If a request fails, or the source cannot be read in parts.
  static func of(_ run: Run, _ dependencies: Dependencies, _ message: Message) throws(CommandError) -> Self {
    guard let split = run.source.split else { throw Self.undivided(run.source) }
    let session = blocking {
      let session = await settled(run, split, dependencies)
      await Run.close([run]) { await dependencies.finishTokenExchanges(message) }
      return session
    }
    if case .failed(_, let error) = session.phase {
      throw CommandError(error.commandLineMessage, error.kind.exitStatus)
    }
    // A part of one value cannot be divided further.
    for counted in session.parts?.counted ?? [] {
      guard let most = run.reachableRows, counted.rows > most else { continue }
      message.warning(
        "\(split.field) \(split.text(of: counted.part)) has \(Digits.counted(counted.rows, "row")), of which the service returns at most \(Digits.grouped(most))"
      )
    }
    let whole = Parts.whole(
      split, now: dependencies.now(), rows: session.total?.count ?? session.receivedCount)
    return PartsCount(parts: session.parts?.counted ?? [whole], requests: session.log.last?.number ?? 0)
  }

  static func undivided(_ source: Source) -> CommandError {
    CommandError(
      "source \(source.id) has no [split], so riffle cannot read its list in parts. Omit --split", .usage)
  }

  private static func settled(_ run: Run, _ split: Split, _ dependencies: Dependencies) async -> Session {
    var rules = run.sessionRules()
    (rules.split, rules.countsParts, rules.awaitsWriting) = (split, true, false)
    var session = Session(rules: rules, query: run.query)
    session.reduce(.searched(run.query, .everything))
    let loader = run.loader()
    let feedbacks = Feedback.session(total: loader, dependencies) { request in
      await loader.page(for: request) { .document($0) }
    }
    let system = FeedbackSystem(
      initialState: session, reduce: { $0.reduce($1) },
      feedbacks: feedbacks.map {
        $0.pullback(
          state: { (session: Session) in
            SessionWork(pages: session.requests, total: nil, alarm: session.alarm)
          }, event: { $0 })
      }, guard: .session(by: dependencies.clock), onTrip: { _ in .stopped },
      executor: dependencies.workers)
    system.start()
    defer { system.stop() }
    _ = await system.wait(while: { !$0.isSettled })
    return system.state
  }
}

extension PartsCount {
  /// Each part on a line, with the number of its rows.
  func text(_ split: Split) -> String {
    parts.map { "\(split.text(of: $0.part))\t\($0.rows)\n" }.joined()
  }

  /// `19 parts with 5,230 rows, counted in 41 requests`
  var summary: String {
    let rows = parts.reduce(0) { $0 + $1.rows }
    return
      "\(Digits.counted(parts.count, "part")) with \(Digits.counted(rows, "row")), counted in \(Digits.counted(requests, "request"))"
  }

  /// At most `count` ranges with about as many rows each, in the order of the list.
  func ranges(_ count: Int) -> [ValueRange] {
    let all = parts.reduce(0) { $0 + $1.rows }
    var ranges: [ValueRange] = []
    var rows = 0
    for counted in parts {
      let isNext = ranges.isEmpty || rows * count >= all * ranges.count && ranges.count < count
      rows += counted.rows
      let range = ValueRange(from: counted.part.from, to: counted.part.to)
      if isNext {
        ranges.append(range)
      } else {
        let last = ranges.removeLast()
        ranges.append(ValueRange(from: min(last.from, range.from), to: max(last.to, range.to)))
      }
    }
    return ranges
  }
}

import Config
import Detection
import HTTPTransport
import HTTPValues
import JSON
import TestSupport

@testable import App
@testable import Search

/// Makes sources from the first pages of lists, and walks with them.
enum HabitJudge {
  enum Verdict: String { case right, unsure = "not sure", wrong = "WRONG AND SURE" }

  /// The guess from the first page, and whether a walk with it reads each row once.
  static func judge(_ habit: ListHabit, count: Int, showsSize: Bool) async throws -> (Verdict, String) {
    let transport = habit.transport(count: count)
    let example = try habit.example(showsSize: showsSize)
    let outcome: SourceTrial.Outcome
    do {
      outcome = try await SourceTrial.outcome(example, id: "mine", transport, timeout: nil)
    } catch { return (.unsure, "\(error)") }
    let read = try await keys(
      habit.id, of: outcome.source, Query(outcome.query), habit.transport(count: count))
    let wanted = (0..<count).map { habit.isScalar ? "word \(1_000 + $0)" : "\(1_000 + $0)" }
    let facts =
      "\(outcome.pagination) \(outcome.verdict) \(read.count) of \(count), \(outcome.requestCount) requests"
    if read == wanted { return (.right, facts) }
    return (outcome.verdict.isSure ? .wrong : .unsure, facts)
  }

  /// The keys of all rows of a list.
  static func keys(_ key: String, of source: Source, _ query: Query, _ transport: Transport) async throws
    -> [String]
  {
    try await rows(of: source, query, transport) { document, node in
      document.text(of: document.member(of: node, named: JSONKey(key)) ?? node)
    }
  }

  /// All rows of a list, as JSON or what else is read of them.
  static func rows(
    of source: Source, _ query: Query, _ transport: Transport,
    _ value: (JSONDocument, JSONNode) -> String? = {
      String(decoding: $0.compactBytes(of: $1), as: UTF8.self)
    }
  ) async throws -> [String] {
    let context = RunContext(pageSize: source.pagination.settings.size.standard, version: "0")
    let loader = PageLoader(
      source: source, transport: transport, timeout: nil,
      credentials: CredentialProvider(prepare: { .success(context) }))
    var session = Session(rules: Session.Rules(source, pageSize: context.pageSize))
    session.reduce(.searched(query, .everything))
    for _ in 0..<200 {
      guard let request = session.requests.first else { break }
      switch await loader.page(for: request, makeContent: { .document($0) }) {
      case .success(let page): session.reduce(.loaded(page, for: request))
      case .failure(let error):
        session.reduce(.failed(error, for: request, at: RetryTiming(now: 1_800_000_000)))
      }
    }
    guard case .end = session.phase else { return ["\(session.phase)"] }
    return (0..<session.rows.count).compactMap { number in
      guard let (block, row) = session.rows.locate(number), case .document(let rows)? = block.content else {
        return nil
      }
      return value(rows.response.document, rows.nodes[row])
    }
  }

  /// A usual run judges two of the four ways to show each habit, and a different two for each.
  static func judged(_ habits: [ListHabit]) async throws -> (score: Double, wrong: [String], lines: [String])
  {
    var (right, all) = (0, 0)
    var (wrong, lines): ([String], [String]) = ([], [])
    let ways = [(23, true), (30, true), (30, false), (23, false)]
    for (number, habit) in habits.enumerated() {
      let rotated = Array(ways[(number % 4)...] + ways[..<(number % 4)])
      for (count, showsSize) in Seeds.every(2, of: rotated) {
        if habit.size == nil, showsSize { continue }
        let (verdict, facts) = try await judge(habit, count: count, showsSize: showsSize)
        let line = "\(verdict.rawValue): \(habit)\(showsSize ? "" : " (no size in the address)"): \(facts)"
        all += 1
        if verdict == .right { right += 1 } else { lines.append(line) }
        if verdict == .wrong { wrong.append(line) }
      }
    }
    return (Double(right) / Double(all), wrong, lines)
  }
}

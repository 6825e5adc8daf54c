import HTTPValues
import JSON
import TestSupport
import Testing
import Text

@testable import App
@testable import Search
@testable import riffle

/// Tests a search that requests its pages again at intervals.
@Suite(.takesTurns) struct WatchRoundTests {
  private func state(_ change: (inout SearchInitialState) -> Void = { _ in }) -> OneShotState {
    var rules = Session.Rules(
      first: Position(ordinal: 0, value: .number(1)), numbering: .pages(from: 1),
      retry: RetryPolicy(attempts: 0, maxWait: 60))
    rules.awaitsWriting = true
    rules.keepsPages = true
    var start = SearchInitialState(rules: rules, query: Query("x"), demand: .everything)
    start.watchInterval = 60
    change(&start)
    var state = OneShotState(start)
    state.reduce(.ticked(1_000))
    return state
  }

  private func page(_ ids: [Int], _ tag: String?, last: Bool = true, at time: Double) throws -> Page {
    let next = Position(ordinal: 1, value: .number(2))
    var page = Page(
      content: .cells(CellTable(withoutTextsOf: ids.count)),
      continuation: last ? .end(.last) : .next(next, .value))
    page.keys = ids.map { RowKey.hash("\($0)") }
    page.exchange = Exchange(sentAt: time, arrivedAt: time)
    page.validators = try tag.flatMap { Validators([try HTTPField(name: "ETag", value: $0)], now: 0) }
    return page
  }

  private func answer(_ state: inout OneShotState, _ page: Page) throws {
    state.reduce(.session(.loaded(page, for: try #require(state.pageRequests.first))))
  }

  private func write(_ state: inout OneShotState, new: Int = 0, changed: Int = 0) throws {
    let page = try #require(state.writeRequest).page
    state.reduce(.wrote(new: new, changed: changed))
    state.reduce(.session(.written(page.ordinal, generation: page.generation)))
  }

  /// `p1 if "a"`.
  private func asked(_ state: OneShotState) -> String {
    state.pageRequests.map { request in
      "p\(request.position.ordinal + 1)" + (request.validators?.entityTag.map { " if \($0)" } ?? "")
    }.joined(separator: ", ")
  }

  private func confirmation(at time: Double) -> Page {
    var page = Page.notModified
    page.exchange = Exchange(status: 304, sentAt: time, arrivedAt: time)
    return page
  }

  /// After a first round of two pages.
  private func afterOneRound() throws -> OneShotState {
    var state = state()
    try answer(&state, page([1, 2], "\"a\"", last: false, at: 1_001))
    try write(&state, new: 2)
    try answer(&state, page([3], "\"b\"", at: 1_002))
    #expect(!state.isResting)
    try write(&state, new: 1)
    return state
  }

  @Test func `When all rows are written, nothing happens before the next round.`() throws {
    let state = try afterOneRound()
    #expect(state.isResting && !state.isFinished)
    #expect(state.roundDeadline == 1_062)
    #expect(state.alarm == nil && state.pageRequests.isEmpty && state.writeRequest == nil)
    #expect(state.roundReport == nil, "the rows of the first round are all new")
  }

  @Test func `A round requests the same pages with conditions, and those confirmed have nothing to write.`()
    throws
  {
    var state = try afterOneRound()
    state.reduce(.watchElapsed(1_061))
    #expect(asked(state) == "")
    state.reduce(.watchElapsed(1_062))
    #expect(asked(state) == "p1 if \"a\"" && !state.isResting)
    try answer(&state, confirmation(at: 1_063))
    let block = try #require(state.writeRequest).page.block
    guard case .cells(let cells)? = block.content else {
      Issue.record("a confirmed page has no texts")
      return
    }
    #expect(cells.rowCount == 2 && cells.text.isEmpty)
    try write(&state)
    #expect(asked(state) == "p2 if \"b\"")
    try answer(&state, page([3, 4], "\"c\"", at: 1_064))
    try write(&state, new: 1, changed: 1)
    #expect(state.roundReport?.text(in: .utc) == "1 new, 1 changed (00:17)")
    #expect(state.roundDeadline == 1_124 && state.writtenRows == 5)
    state.reduce(.watchElapsed(1_124))
    try answer(&state, confirmation(at: 1_125))
    try write(&state)
    #expect(asked(state) == "p2 if \"c\"")
    try answer(&state, confirmation(at: 1_126))
    try write(&state)
    #expect(state.isResting && state.roundReport?.text(in: .utc) == nil)
  }

  @Test
  func `A page that was cut at the limit is requested as a whole, because its other rows may be wanted.`()
    throws
  {
    var state = state { $0.demand = .rows(3) }
    try answer(&state, page([1, 2], "\"a\"", last: false, at: 1_001))
    try write(&state, new: 2)
    try answer(&state, page([3, 4], "\"b\"", at: 1_002))
    try write(&state, new: 1)
    state.reduce(.watchElapsed(1_062))
    try answer(&state, confirmation(at: 1_063))
    try write(&state)
    #expect(asked(state) == "p2")
  }

  @Test func `A round that fails is reported, and the next one follows.`() throws {
    var state = try afterOneRound()
    state.reduce(.watchElapsed(1_062))
    let request = try #require(state.pageRequests.first)
    let error = PageError(.offline, message: "connection refused", remedy: "is it running?")
    state.reduce(.session(.failed(error, for: request, at: RetryTiming(now: 1_063))))
    #expect(!state.isFinished)
    #expect(
      state.roundReport?.failure
        == "page 1 failed: connection refused. Is it running? The next round is in 60 s")
    state.reduce(.watchElapsed(1_123))
    #expect(asked(state) == "p1 if \"a\"")
  }

  @Test func `The next round begins no earlier than the service allows.`() throws {
    var state = try afterOneRound()
    state.reduce(.watchElapsed(1_062))
    let request = try #require(state.pageRequests.first)
    let error = PageError(.rateLimited, status: 429, message: "slow down", canRepeat: .never, wait: 500)
    state.reduce(.session(.failed(error, for: request, at: RetryTiming(now: 1_063))))
    #expect(state.roundDeadline == 1_563)
  }

  @Test func `If the first round fails, the run ends as it does without rounds.`() throws {
    var state = state()
    let request = try #require(state.pageRequests.first)
    let error = PageError(.unauthorized, status: 401, message: "no token")
    state.reduce(.session(.failed(error, for: request, at: RetryTiming(now: 1_001))))
    #expect(state.isFinished && state.report.status == .unauthorized)
  }

  @Test func `An interruption ends the run between two rounds.`() throws {
    var state = try afterOneRound()
    state.reduce(.ended(.interrupted(signal: 2)))
    #expect(state.isFinished && state.roundDeadline == nil)
    #expect(state.report.advice == nil)
  }

  // MARK: The program

  private static func source(_ server: ScriptedServer) -> String {
    """
    schema = 1
    id = "mine"
    [request]
    url = "\(server.baseURL)/list"
    [rows]
    path = "items"
    id = "id"
    """
  }

  @Test func `The program writes all rows at once, and ends when its reader does.`() async throws {
    let server = try ScriptedServer { _ in
      .json(#"{"items": [{"id": 1, "name": "a"}, {"id": 2, "name": "b"}]}"#)
    }
    defer { server.stop() }
    try await withFile("mine.toml", Self.source(server)) { file in
      let run = try await Program.shell("riffle search \(file) --watch 60s -f csv | head -n 3")
      #expect(run.output == "id,name\n1,a\n2,b\n", "\(run.errors)")
      #expect(run.status == 0 && run.errors == "")
    }
    #expect(server.requests.count == 1)
  }

  @Test(arguments: [
    ("--watch 60s --each", "--watch and --each cannot be used together"),
    ("--watch 60s --resume -o x.csv", "--watch and --resume cannot be used together"),
    ("--watch 60s --sort id", "--watch and --sort cannot be used together"),
    ("--watch 60s --count", "--watch and --count cannot be used together"),
    (
      "--watch 60s -f table",
      "--watch cannot add rows to a document of format table. Use --format csv, tsv, jsonl or template"
    ),
    (
      "--watch 60s -o /nowhere/x.json",
      "--watch cannot add rows to a document of format json. Use --format csv, tsv, jsonl or template"
    ),
    ("--watch 1s", "--watch: expected a duration from 5s to 24h, found \"1s\""),
    (
      "--watch 60", "--watch: expected a duration from 5s to 24h, found \"60\". Did you mean \"60s\"?"
    ),
  ]) func `A run that cannot be watched is rejected before anything is sent.`(words: String, message: String)
    async throws
  {
    let server = try ScriptedServer { _ in .json("{}") }
    defer { server.stop() }
    try await withFile("mine.toml", Self.source(server)) { file in
      let run = try await Program.shell("riffle search \(file) \(words)")
      #expect(run.errors == "riffle: \(message)\n")
      #expect(run.status == 64)
    }
    #expect(server.requests.isEmpty)
  }
}

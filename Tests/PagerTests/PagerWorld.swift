import HTTPValues
import TestSupport
import Text

@testable import Pager
@testable import Search
@testable import Terminal

/// A pager, its user, a service whose pages are known, and a network that answers early, late, twice, with faults or
/// not at all. The same seed gives the same session.
struct PagerWorld {
  var pager: PagerDriver
  var random: SeededGenerator
  private(set) var trace: [String] = []
  private(set) var problems: [String] = []
  private var asked: [PageRequest] = []
  private var seen: Set<PageRequest> = []
  private var orders: [RowOrderRequest] = []
  private var userEvents = 0
  private var faults = 0
  private var time = 1_000.0
  /// The generation and the row counts at the last check.
  private var checked: [Int] = []
  /// The keys of all rows of each query, in order.
  private var keys: [Query: [UInt64]] = [:]
  /// The keys of each action.
  private let actions: [[String]]

  init(seed: UInt64) throws {
    random = SeededGenerator(seed: seed)
    let option = SourceOption(name: "sort", values: ["a", "b"], key: "s")
    let map = try KeyMap(Actions.all + SourceActions.actions(options: [option], rowActions: []))
    actions = Set(map.actions.flatMap { $0.keys.values.joined() }).sorted().map {
      $0.split(separator: " ").map(String.init)
    }
    pager = try PagerDriver(
      query: seed % 2 == 0 ? "x" : "", size: (60, 14), history: ["one", "two"],
      rules: {
        $0.retry = RetryPolicy(attempts: Int(seed % 3), maxWait: 60)
        $0.concurrency = 1 + Int(seed % 4)
        $0.requestsTotal = seed % 3 == 1
      },
      pager: {
        $0.options = [option]
        $0.keyMap = map
        $0.isAccessible = seed % 5 == 0
        $0.isWrapped = seed % 7 == 0
        $0.isMouseOn = seed % 2 == 0
        $0.purpose = seed % 3 == 0 ? .pick : .browse
      })
  }

  mutating func step() async throws {
    time += Double.random(in: 0..<2, using: &random)
    orders += [pager.state.orderRequest, pager.state.searchRequest].compactMap(\.self)
    switch Int.random(in: 0..<24, using: &random) {
    case 0: resize()
    case 1, 2, 3: try answer(pager.state.pageRequests.first)
    case 4: try answer(asked.randomElement(using: &random), "late ")
    case 5: fail(asked.randomElement(using: &random))
    case 6, 7: fail(pager.state.pageRequests.randomElement(using: &random))
    case 8: endWait()
    case 9: await order()
    case 10:
      user(.pasted(["thing 1", "\"of x\"", "日本\te\u{301}\u{1B}[31m"].randomElement(using: &random) ?? ""))
    case 11: pager.reduce(.ticked(time))
    case 12: user(.rested(edit: pager.state.query.edits, at: time))
    case 13: click()
    case 14: tellTheRest()
    default: try act()
    }
    check()
    if trace.count % 8 == 0 { checkPicture() }
  }
}

// MARK: The user

extension PagerWorld {
  /// Types text, or presses the keys of an action, perhaps after a count.
  private mutating func act() throws {
    switch Int.random(in: 0..<10, using: &random) {
    case 0:
      try press(["3", "1", "0", "9", "é", "日", "\"", "t", "space"].randomElement(using: &random) ?? "j")
    case 1: try press(["esc", "ctrl-c", "enter"].randomElement(using: &random) ?? "esc")
    default: for key in actions.randomElement(using: &random) ?? [] { try press(key) }
    }
  }

  private mutating func press(_ key: String) throws {
    trace.append(key)
    user(.key(try Key(notation: key)))
    if pager.state.exitReason != nil { pager.reduce(.resumed(pager.state.canvas)) }
  }

  private mutating func user(_ event: PagerEvent) {
    userEvents += 1
    pager.reduce(event)
  }

  private mutating func resize() {
    let size = Size(
      columns: Int.random(in: 1...90, using: &random), rows: Int.random(in: 1...30, using: &random))
    trace.append("\(size)")
    let model = WidthModel(
      Bool.random(using: &random) ? .clusters : .codePoints, ambiguousIsWide: Bool.random(using: &random))
    user(.resized(Canvas(size: size, widthModel: model)))
  }

  private mutating func click() {
    let actions: [Mouse.Action] = [.press, .wheelUp, .wheelDown]
    let size = pager.state.canvas.size
    guard let action = actions.randomElement(using: &random) else { return }
    trace.append("\(action)")
    user(
      .mouse(
        Mouse(
          action: action, column: Int.random(in: 0..<size.columns, using: &random),
          row: Int.random(in: 0..<size.rows, using: &random))))
  }
}

// MARK: The environment

extension PagerWorld {
  private mutating func answer(_ request: PageRequest?, _ how: String = "") throws {
    guard let request else { return }
    trace.append("\(how)page \(request.position.ordinal + 1) of \(request.query.text)")
    var page = try KnownService.page(for: request, by: pager)
    page.exchange.sentAt = time
    page.exchange.arrivedAt = time
    // Dropped rows count as received.
    page.received += Int.random(in: 0..<3, using: &random)
    if Bool.random(using: &random) {
      page.budget = RateBudget(
        limit: 30, remaining: Int.random(in: 0..<5, using: &random),
        resetsAt: time + Double.random(in: -5..<60, using: &random))
    }
    pager.reduce(.session(.loaded(page, for: request)))
  }

  private mutating func fail(_ request: PageRequest?) {
    let errors = [
      PageError(.server, message: "502", canRepeat: .freely),
      PageError(.offline, message: "refused", canRepeat: .atMost(2)),
      PageError(.rateLimited, message: "slow", canRepeat: .freely, wait: 5),
      PageError(.rateLimited, message: "no word", canRepeat: .freely),
      PageError(.rateLimited, message: "slower", canRepeat: .freely, wait: 5_000),
      PageError(.unauthorized, message: "401", remedy: "log in"), PageError(.unreadable, message: "HTML"),
      PageError(.rejected, message: "expired", canRepeat: .afterRestart),
    ]
    guard let request, let error = errors.randomElement(using: &random) else { return }
    trace.append("\(error.message) for page \(request.position.ordinal + 1)")
    faults += 1
    pager.reduce(.session(.failed(error, for: request, at: RetryTiming(now: time))))
  }

  private mutating func endWait() {
    guard let alarm = pager.state.alarm else { return }
    time = max(time, alarm)
    trace.append("\(Int(time)) s")
    pager.reduce(.session(.reached(time)))
  }

  /// Answers a request for an order, perhaps an old one.
  private mutating func order() async {
    if let request = pager.state.summaryRequest, let summary = await request.run() {
      pager.reduce(.summarized(summary))
    }
    guard let request = orders.randomElement(using: &random) else { return }
    await request.run { pager.reduce(.ordered($0)) }
  }

  /// Events that are rare.
  private mutating func tellTheRest() {
    let state = pager.state
    switch Int.random(in: 0..<6, using: &random) {
    case 0: pager.reduce(.background(Bool.random(using: &random) ? .light : .dark))
    case 1: pager.reduce(.focused(Bool.random(using: &random)))
    case 2: pager.reduce(.warned("the recording ended"))
    case 3: pager.reduce(.tripped("a loop"))
    case 4: endEffects()
    default:
      if let query = state.totalQuery {
        pager.reduce(.session(.totalReceived(TotalResponse(.exact(3)), for: query)))
      }
      guard let reading = state.readingRequest else { return }
      let field = RowDetail.Field(title: "Name", text: "thing \u{1B}[31m \"1\"")
      pager.reduce(
        .read(.read(fields: [field], body: "long\ntext", json: ["{", "}"]), for: reading.identity))
    }
  }

  private mutating func endEffects() {
    for effect in pager.state.effects.requests {
      let isDone = Bool.random(using: &random)
      pager.reduce(.effectEnded(id: effect.id, isDone ? .done("done") : .failed("no")))
    }
  }
}

// MARK: Invariants

extension PagerWorld {
  private mutating func check() {
    for request in pager.state.pageRequests where seen.insert(request).inserted { asked.append(request) }
    checkRows()
    if trace.count % 4 == 0 { checkList() }
    checkRequests()
  }

  /// No row is lost or duplicated: the loaded rows are the first ones of their query, in order.
  private mutating func checkRows() {
    let session = pager.state.session
    let state = [session.generation, session.fresh.count, pager.state.list.rows.count]
    guard state != checked || session.phase == .end(.last) else { return }
    checked = state
    let fresh = session.fresh.allKeys
    let all = allKeys(of: session.query)
    if !all.starts(with: fresh) { report("rows are not those of the service: \(session.fresh.names)") }
    if case .end(.last) = session.phase, fresh.count != all.count {
      report("the end is not the end: \(session.fresh.names)")
    }
    let rows = pager.state.list.rows.allKeys
    if session.stale == nil, rows != fresh { report("other rows are shown than were loaded") }
    if session.stale?.cause == .refresh, !all.starts(with: rows) {
      report("a refresh lost or doubled rows: \(pager.state.list.rows.names)")
    }
    if rows.count != session.rows.count { report("rows are not those of the session") }
  }

  private mutating func allKeys(of query: Query) -> [UInt64] {
    if let known = keys[query] { return known }
    let all = KnownService.names(query).map { RowKey.hash($0) }
    if Set(all).count != all.count { report("a row is there twice") }
    keys[query] = all
    return all
  }

  private mutating func checkPicture() {
    let state = pager.state
    let frame = PagerView.frame(state)
    if frame.lines.count != state.canvas.size.rows, !Screen(state.canvas).isTooSmall {
      report("the picture is not as high as the screen")
    }
    for line in frame.lines where line.width(state.canvas.widthModel) > state.canvas.size.columns {
      let width = line.width(state.canvas.widthModel)
      report("a line is too wide (\(width) of \(state.canvas.size.columns)): \(line)")
    }
    if let caret = frame.caret,
      caret.column >= state.canvas.size.columns || caret.row >= state.canvas.size.rows || caret.row < 0
    {
      report("the caret is outside")
    }
  }

  private mutating func checkList() {
    let state = pager.state
    let numbers = (0..<state.list.count).compactMap { state.list.row(at: $0) }
    if Set(numbers).count != state.list.count { report("a row is listed twice") }
    if let most = numbers.max(), most >= state.list.rows.count { report("a row that is not there is listed") }
    if state.orderRules.isTrivial, numbers != Array(0..<state.list.rows.count) {
      report("a row is not listed")
    }
    if state.list.count > 0, !(0..<state.list.count ~= state.list.viewport.selection) {
      report("no row is selected")
    }
    if state.list.viewport.top > state.list.viewport.selection {
      report("the selected row is above the screen")
    }
    if let most = state.list.marks.rows.last, most >= state.list.rows.count {
      report("a row that is not there is marked")
    }
  }

  /// A user event starts at most one paging run, and a run requests each page once, and once more after a fault or at
  /// the user's request. Only the last page shows how many there are, so pages after it may have been requested.
  private mutating func checkRequests() {
    let concurrency = pager.state.session.rules.concurrency
    let walks = Dictionary(grouping: seen, by: \.generation)
    if walks.count > userEvents + 1 { report("\(walks.count) walks for \(userEvents) user events") }
    let pages = walks.values.reduce(0) { sum, requests in
      sum + (requests.first.map { max(KnownService.pageCount($0.query), 1) } ?? 0) + concurrency
    }
    if seen.count > pages + faults + userEvents * concurrency {
      report("\(seen.count) requests for \(pages) pages, \(faults) faults and \(userEvents) user events")
    }
    let state = pager.state
    let isBusy = !state.pageRequests.isEmpty || state.session.phase.isWaiting
    if state.session.phase.isWaiting, state.alarm == nil { report("a wait has no end") }
    if isBusy != (state.session.phase.isLoading || state.session.phase.isWaiting) {
      report("the phase does not say what is asked")
    }
  }

  mutating func report(_ problem: String) {
    if problems.isEmpty { problems.append("\(problem) (after \(trace.count) things)") }
  }
}

// MARK: The end

extension PagerWorld {
  /// After the faults, when everything has been answered: nothing more is requested, the list matches its rules, keys
  /// load all rows, and the pager can be left.
  mutating func settle() async throws {
    checkPicture()
    try await answerEverything()
    if pager.state.list.search.findNext != nil { report("a search never ends") }
    checkOrder()
    try await goOn()
    for _ in 0..<8 { try pager.press("ctrl-c") }
    if pager.state.exitReason != .quit { report("the pager cannot be left") }
  }

  private mutating func answerEverything() async throws {
    for _ in 0..<200 where !pager.state.pageRequests.isEmpty || pager.state.session.phase.isWaiting {
      endWait()
      try answer(pager.state.pageRequests.first)
      check()
    }
    if !pager.state.session.isSettled { report("requests never end") }
    if let query = pager.state.totalQuery {
      pager.reduce(.session(.totalReceived(TotalResponse(nil), for: query)))
    }
    endEffects()
    for _ in 0..<5 { await pager.order() }
    check()
    if pager.state.orderRequest != nil || pager.state.searchRequest != nil { report("an order never comes") }
  }

  private mutating func checkOrder() {
    let state = pager.state
    let fresh = RowOrder(state.orderRules, version: state.list.version)
    var ordering = RowOrdering(continuing: fresh, over: state.list.rows, columns: state.table.columns)
    while !ordering.isFinished { ordering.advance(by: 100_000) }
    if (0..<state.list.count).compactMap({ state.list.row(at: $0) }) != ordering.order.rows.map(Int.init) {
      report("the list is not what its rules say: \(state.orderRules)")
    }
  }

  /// Presses only keys that the screen names: Esc, then the key that continues, until every row is loaded.
  private mutating func goOn() async throws {
    for _ in 0..<6 where !pager.state.overlays.isEmpty || pager.state.mode != .table { try press("esc") }
    if pager.state.mode != .table || !pager.state.overlays.isEmpty {
      return report("Esc does not lead to the table")
    }
    for _ in 0..<40 {
      try await answerEverything()
      switch pager.state.session.phase {
      case .end: break
      case .failed, .stopped: try press("r")
      case .idle where pager.state.session.hasMore: try press("M")
      case .idle:
        if pager.state.session.hasQuery { return report("it neither ended nor goes on") }
        // Nothing has been requested yet: the line says how to begin.
        for key in ["s", "x", "enter"] { try press(key) }
      case .loading, .waiting: return report("it is still busy")
      }
    }
    let session = pager.state.session
    if session.fresh.names != KnownService.names(session.query) {
      report("\(session.fresh.count) of \(KnownService.names(session.query).count) rows: \(session.phase)")
    }
  }
}

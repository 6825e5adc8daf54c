import Search
import TestSupport
import Testing
import Text

@testable import Pager
@testable import Terminal

/// For any sequence of keys, text, sizes, replies, failures and late answers: no row is lost or doubled, the
/// picture fits the screen, and the pager can always be left.
@Suite struct PagerPropertyTests {
  @Test(arguments: 0..<60) func `Any order of events keeps the pager whole.`(seed: UInt64) async throws {
    var world = try World(seed: seed)
    for _ in 0..<150 { try await world.step() }
    try await world.settle()
    #expect(world.problems == [], "seed \(seed): \(world.trace.suffix(40))")
  }

  @Test(arguments: 0..<60) func `What is written down of it becomes the same again.`(seed: UInt64)
    async throws
  {
    var world = try World(seed: seed)
    for _ in 0..<150 {
      try await world.step()
      if Int.random(in: 0..<30, using: &world.random) == 0 { world.tellTheRest() }
    }
    var again = PagerDriver(try readBack(try #require(world.pager.beginning)).state)
    for event in world.pager.events { again.reduce(try readBack(event)) }
    #expect(again.screen == world.pager.screen)
    #expect(PagerView.frame(again.state) == PagerView.frame(world.pager.state))
    for keys in ["ctrl-c ctrl-c", "L", "L !", "! ?", "? r", "M", "R y"] {
      try again.press(keys)
      try world.pager.press(keys)
      #expect(PagerView.frame(again.state) == PagerView.frame(world.pager.state), "seed \(seed), \(keys)")
    }
  }
}

private struct World {
  var pager: PagerDriver
  var random: SeededGenerator
  var trace: [String] = []
  var problems: [String] = []
  private var asked: [PageRequest] = []
  private var orders: [RowOrderRequest] = []
  private let keys: [String]

  init(seed: UInt64) throws {
    random = SeededGenerator(seed: seed)
    let option = SourceOption(name: "sort", values: ["a", "b"], key: "s")
    let map = try KeyMap(Actions.all + SourceActions.actions(options: [option], rowActions: []))
    let notations = map.actions.flatMap { $0.keys.values.joined() }.joined(separator: " ")
    keys = Set(notations.split(separator: " ").map(String.init)).sorted() + ["3", "1", "0", "é", "日", "\""]
    pager = try PagerDriver(
      query: seed % 2 == 0 ? "x" : "", size: (60, 14), history: ["one", "two"],
      rules: { $0.retry = RetryPolicy(attempts: Int(seed % 3), longestWait: 60) },
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
    asked += pager.state.pageRequests.filter { !asked.contains($0) }
    orders += [pager.state.orderRequest, pager.state.searchRequest].compactMap(\.self)
    switch Int.random(in: 0..<20, using: &random) {
    case 0: resize()
    case 1, 2, 3: try answer()
    case 4: try answer(late: true)
    case 5: try fail()
    case 6: await order()
    case 7: pager.reduce(.pasted("thing 1"))
    case 8: pager.reduce(.ticked(1_000 + Double(trace.count)))
    case 9: pager.rest()
    case 10: click()
    case 11:
      if let id = pager.state.errands.first?.id { pager.reduce(.errandEnded(id: id, .done("done"))) }
    default: try press()
    }
    check()
  }

  private mutating func press() throws {
    guard let key = keys.randomElement(using: &random) else { return }
    trace.append(key)
    pager.reduce(.key(try Key(notation: key)))
    if pager.state.departure != nil { pager.reduce(.resumed(pager.state.canvas)) }
  }

  private mutating func resize() {
    let size = Size(
      columns: Int.random(in: 1...90, using: &random), rows: Int.random(in: 1...30, using: &random))
    trace.append("\(size)")
    pager.reduce(
      .resized(Canvas(size: size, widthModel: Bool.random(using: &random) ? .clusters : .codePoints)))
  }

  private mutating func click() {
    let actions: [Mouse.Action] = [.press(0), .wheelUp, .wheelDown]
    let size = pager.state.canvas.size
    guard let action = actions.randomElement(using: &random) else { return }
    pager.reduce(
      .mouse(
        Mouse(
          action: action, column: Int.random(in: 0..<size.columns, using: &random),
          row: Int.random(in: 0..<size.rows, using: &random), modifiers: [])))
  }

  private mutating func answer(late: Bool = false) throws {
    guard let request = late ? asked.randomElement(using: &random) : pager.state.pageRequests.first else {
      return
    }
    let first = request.position.ordinal * 8 + Int.random(in: 0..<2, using: &random)
    let page = try pager.page(
      (first..<first + 8).map(PagerDriver.row), for: request, more: first < 100, total: 110)
    trace.append("answer \(first)\(late ? " late" : "")")
    pager.reduce(.session(.loaded(page, for: request)))
  }

  private mutating func fail() throws {
    guard let request = pager.state.pageRequests.first else { return }
    trace.append("fail")
    let error = PageError(.server, message: "502", canRepeat: .freely)
    pager.reduce(.session(.failed(error, for: request, at: Moment(now: 1_000))))
  }

  /// Answers a request for an order, perhaps one of long ago.
  private mutating func order() async {
    guard let request = orders.randomElement(using: &random) else { return }
    await request.fulfil { pager.reduce($0) }
  }

  private mutating func check() {
    let state = pager.state
    let frame = PagerView.frame(state)
    if frame.lines.count > state.canvas.size.rows { report("the picture is too high") }
    for line in frame.lines where line.width(state.canvas.widthModel) > state.canvas.size.columns {
      report("a line is too wide: \(frame.text)")
    }
    if let caret = frame.caret,
      caret.column >= state.canvas.size.columns || caret.row >= state.canvas.size.rows || caret.row < 0
    {
      report("the caret is outside")
    }
    let numbers = (0..<state.listCount).compactMap { state.row(at: $0) }
    if Set(numbers).count != state.listCount { report("a row is listed twice") }
    if let most = numbers.max(), most >= state.rows.count { report("a row that is not there is listed") }
    if state.orderRules.isTrivial, numbers != Array(0..<state.rows.count) { report("a row is not listed") }
    if state.rows.count != state.session.rows.count { report("rows are not those of the session") }
    if state.listCount > 0, !(0..<state.listCount ~= state.viewport.selection) {
      report("no row is selected")
    }
    if state.viewport.top > state.viewport.selection { report("the selected row is above the screen") }
    if let most = state.marks.rows.last, most >= state.rows.count {
      report("a row that is not there is marked")
    }
  }

  /// When all is answered, nothing is wanted any more, the list is what its rules say, and one can leave.
  mutating func settle() async throws {
    for _ in 0..<200 where !pager.state.pageRequests.isEmpty { try answer() }
    for _ in 0..<5 {
      for request in [pager.state.orderRequest, pager.state.searchRequest].compactMap(\.self) {
        await request.fulfil { pager.reduce($0) }
      }
    }
    check()
    if pager.state.orderRequest != nil || pager.state.searchRequest != nil { report("an order never comes") }
    if pager.state.search.seek != nil { report("a search never ends") }
    let state = pager.state
    let fresh = RowOrder(state.orderRules, version: state.rowsVersion)
    var ordering = RowOrdering(continuing: fresh, over: state.rows, columns: state.table.columns)
    while !ordering.isFinished { ordering.advance(by: 100_000) }
    if (0..<state.listCount).compactMap({ state.row(at: $0) }) != ordering.order.rows.map(Int.init) {
      report("the list is not what its rules say: \(state.orderRules)")
    }
    for _ in 0..<8 { try pager.press("ctrl-c") }
    if pager.state.departure != .quit { report("the pager cannot be left") }
  }

  /// What happens seldom.
  mutating func tellTheRest() {
    pager.reduce(.background(Bool.random(using: &random) ? .light : .dark))
    pager.reduce(.focused(Bool.random(using: &random)))
    pager.reduce(.warned("the recording ended"))
    pager.reduce(.tripped("a loop"))
    pager.reduce(.refused("no source"))
    guard let reading = pager.state.readingRequest else { return }
    let field = RowDetail.Field(title: "Name", text: "thing \u{1B}[31m \"1\"")
    pager.reduce(.read(.read(fields: [field], body: "long\ntext", json: ["{", "}"]), for: reading.identity))
  }

  private mutating func report(_ problem: String) {
    if problems.isEmpty { problems.append(problem) }
  }
}

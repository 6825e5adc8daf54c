import Search
import Terminal
import Testing
import Text

@testable import Pager

/// Tests marks and effects that run once.
@Suite struct MarksAndOutputTests {
  private func pager(_ purpose: PagerRules.Purpose = .browse, own: [Action] = []) throws -> PagerDriver {
    let map = try KeyMap(Actions.all + own)
    var pager = try PagerDriver(
      query: "x",
      pager: {
        $0.purpose = purpose
        $0.keyMap = map
      })
    try pager.answer(numbers: 0..<5, more: false)
    return pager
  }

  private func effect(_ pager: PagerDriver) -> String {
    switch pager.state.effects.requests.last?.task {
    case .open(let address): "open \(address)"
    case .copy(let text, let what): "copy \(what): \(text)"
    case .copyJSON(let rows): "copy JSON of \(rows.numbers)"
    case .copyRows(let rows, let format): "copy \(rows.numbers) as \(format.rawValue)"
    case .perform(let action, let row): "\(action.name) with \(row.row)"
    case .write(let rows, let file): "write \(rows.numbers) to \(file)"
    case .pipe(let rows, let command): "pipe \(rows.numbers) into \(command)"
    case .run(let request): "run \(request.name) for \(request.places)"
    case .keepColumns(let columns): "keep \(columns.map(\.name).joined(separator: " "))"
    case .remember(let query): "remember \(query)"
    case nil: ""
    }
  }

  @Test func `Marking moves to the next row, and a count marks several rows.`() throws {
    var pager = try pager()
    try pager.press("x 2 tab")
    #expect(pager.state.list.marks.rows == [0, 1, 2])
    #expect(pager.state.list.viewport.selection == 3)
    try pager.press("shift-tab shift-tab")
    #expect(pager.state.list.marks.rows == [0, 1, 3])
    try pager.press("*")
    #expect(pager.state.list.marks.rows == [2, 4])
    try pager.press("a")
    #expect(pager.state.list.marks.count == 5)
    try pager.press("alt-a")
    #expect(pager.state.list.marks.isEmpty)
  }

  @Test(arguments: [
    ("3 j 2 x", [3, 4]), ("3 j 3 x", [3, 4]), ("j 2 shift-tab", [0, 1]), ("j 3 shift-tab", [0, 1]),
  ])
  func `Marking with a count stops at the first or last row.`(keys: String, marked: [Int]) throws {
    var pager = try pager()
    try pager.press(keys)
    #expect(pager.state.list.marks.rows == marked)
  }

  @Test func `Marks follow rows that a refresh moves, and return with a previous query.`() throws {
    var pager = try pager()
    try pager.press("j x r")
    try pager.answer([PagerDriver.row(99)] + (0..<5).map(PagerDriver.row), more: false)
    #expect(pager.state.list.marks.rows == [2])
    try pager.press("s y enter")
    try pager.answer(numbers: 50..<60, more: false)
    #expect(pager.state.list.marks.isEmpty)
    try pager.press("s x enter")
    try pager.answer(numbers: 0..<5, more: false)
    #expect(pager.state.list.marks.rows == [1])
  }

  @Test func `Marks of other queries are shown, and neither reset nor Enter drops them without asking.`()
    throws
  {
    var pager = try PagerDriver(query: "x", size: (110, 12), pager: { $0.purpose = .pick })
    try pager.answer(numbers: 0..<5, more: false)
    try pager.press("x x x s y enter")
    try pager.answer(numbers: 50..<55, more: false)
    #expect(pager.status == "1–5 of 5 · end of results · 3 marked in other results")
    try pager.press("enter")
    #expect(
      pager.notice == "Select only this row and leave out 3 marked rows in other results? (y/N)")
    try pager.press("esc x")
    #expect(pager.status == "1–5 of 5 · end of results · 1 marked, 3 in other results")
    try pager.press("R")
    #expect(pager.notice == "Reset and lose 4 marks? (y/N)")
    try pager.press("esc enter")
    #expect(pager.state.exitReason == nil)
    try pager.press("y")
    #expect(pager.state.exitReason == .accept)
    #expect(pager.state.picked.numbers == [0])
  }

  @Test func `When a file cannot be written, the prompt for its name opens again with the reason.`() throws {
    var pager = try pager()
    try pager.press("w a enter")
    let id = try #require(pager.state.effects.requests.last?.id)
    pager.reduce(.effectEnded(id: id, .failed("a is there already")))
    #expect(pager.notice == "write rows to› a")
    #expect(pager.status == "a is there already")
    try pager.press("b enter")
    #expect(effect(pager).hasSuffix(" ab"))
    pager.reduce(.effectEnded(id: try #require(pager.state.effects.requests.last?.id), .done("written")))
    #expect(pager.state.mode == .table)
  }

  @Test func `A failure is only a message if the user is typing somewhere else by then.`() throws {
    var pager = try pager()
    try pager.press("w a enter s")
    pager.reduce(.effectEnded(id: try #require(pager.state.effects.requests.last?.id), .failed("no")))
    #expect(pager.state.mode == .query)
    #expect(pager.state.messages.current?.text == "no")
  }

  @Test(arguments: [
    ("y y", "copy 2 rows: thing 0  0  about thing 0\nthing 2  200  about thing 2"),
    ("l y c", "copy Stars of 2 rows: 0\n200"),
    ("y u", "copy 2 links: https://example.org/0\nhttps://example.org/2"),
    ("y j", "copy JSON of [0, 2]"),
    ("s alt-y", "copy 2 rows: thing 0  0  about thing 0\nthing 2  200  about thing 2"),
    ("| j q space . enter", "pipe [0, 2] into jq ."),
    // A popup is about one row.
    ("v y r", "copy row: thing 3  300  about thing 3"), ("v y y", "copy Name: thing 3"),
    ("v y u", "copy link: https://example.org/3"),
  ]) func `[P6] With marks, every copy takes all marked rows, one in each line.`(
    keys: String, expected: String
  ) throws {
    var pager = try pager()
    try pager.press("x j x \(keys)")
    #expect(effect(pager) == expected)
  }

  @Test func `[P6] Marked rows without a link are left out.`() throws {
    var pager = try PagerDriver(query: "x")
    try pager.answer([PagerDriver.row(0), #"{"name": "bare"}"#, PagerDriver.row(2)], more: false)
    try pager.press("a y u")
    #expect(effect(pager) == "copy 2 links: https://example.org/0\nhttps://example.org/2")
    try pager.press("alt-a j y u")
    #expect(pager.notice == "this row has no link")
    try pager.press("x y u")
    #expect(pager.notice == "this row has no link")
  }

  @Test func `Reset asks when rows are marked; y resets, any other key cancels.`() throws {
    var pager = try pager()
    try pager.press("x R q")
    #expect(pager.state.list.marks.count == 1)
    #expect(pager.asked == "")
    #expect(pager.state.exitReason == nil)
    try pager.press("R y")
    #expect(pager.state.list.marks.isEmpty)
    #expect(pager.asked == "x p1")
  }

  @Test(arguments: [
    ("y y", "copy row: thing 1  100  about thing 1"), ("l y c", "copy Stars: 100"),
    ("y u", "copy link: https://example.org/1"), ("y j", "copy JSON of [1]"),
    ("y t", "copy [1] as tsv"), ("y l", "copy [1] as jsonl"), ("y m", "copy [1] as markdown"),
    ("x j x y m", "copy [1, 3] as markdown"),
    ("o", "open https://example.org/1"),
    ("enter", ""), ("enter o", "open https://example.org/1"),
    ("v y y", "copy Name: thing 1"), ("v y r", "copy row: thing 1  100  about thing 1"),
    ("v o", "open https://example.org/1"), ("L o", ""), ("s alt-y", "copy row: thing 1  100  about thing 1"),
    ("x w a . c s v enter", "write [1] to a.csv"), ("w r enter", "write [0, 1, 2, 3, 4] to r"),
    ("w enter", ""), ("v w a enter", "write [0, 1, 2, 3, 4] to a"),
    ("! w a enter", "write [0, 1, 2, 3, 4] to a"),
    ("y esc y y", "copy row: thing 1  100  about thing 1"), ("y x", ""),
  ]) func `An action on a row is requested once.`(keys: String, task: String) throws {
    var pager = try pager()
    try pager.press("j " + keys)
    #expect(effect(pager) == task)
    #expect(pager.state.effects.requests.count <= 1)
  }

  @Test func `An effect is pending until it ends, and its result is shown once.`() throws {
    var pager = try pager()
    try pager.press("y y y u")
    let ids = pager.state.effects.requests.map(\.id)
    #expect(ids.count == 2)
    pager.state.reduce(.effectEnded(id: ids[0], .done("copied row: a")))
    #expect(pager.state.effects.requests.map(\.id) == [ids[1]])
    #expect(pager.state.messages.current?.text == "copied row: a")
    pager.state.reduce(.effectEnded(id: ids[0], .failed("twice")))
    #expect(pager.state.messages.current?.text == "copied row: a")
  }

  @Test
  func
    `[D16] [U11] Enter shows the whole row, o opens its link, and the remedy for a missing program works.`()
    throws
  {
    var pager = try PagerDriver(query: "x", size: (100, 12))
    try pager.answer(numbers: 0..<5, more: false)
    try pager.press("j enter")
    #expect(pager.state.overlays.popup?.kind == .detail)
    #expect(pager.state.effects.requests.isEmpty)
    try pager.press("o")
    #expect(effect(pager) == "open https://example.org/1")
    let id = try #require(pager.state.effects.requests.last?.id)
    pager.reduce(.effectEnded(id: id, .failed("cannot run xdg-open: not installed")))
    #expect(
      pager.notice
        == "cannot run xdg-open: not installed. Set opener.command, or press y u to copy the link")
    pager.reduce(.resized(Canvas(size: Size(columns: 80, rows: 12), widthModel: .clusters)))
    #expect(pager.notice == "cannot run xdg-open: not installed (y u: copy the link)")
    try pager.press("y u")
    #expect(effect(pager) == "copy link: https://example.org/1")
  }

  @Test func `[D52] Only web URLs are opened and copied.`() throws {
    var pager = try PagerDriver(query: "x")
    try pager.answer([#"{"name": "a", "url": "file:///etc/passwd"}"#, #"{"name": "b"}"#], more: false)
    for keys in ["o", "y u", "j o", "y u"] {
      try pager.press(keys)
      #expect(pager.state.messages.current?.text == "this row has no link")
    }
    #expect(pager.state.effects.requests.isEmpty)
  }

  @Test func `[D16] Pick takes the marked rows in list order, or else the selected row.`() throws {
    var pager = try pager(.pick)
    try pager.press("j enter")
    #expect(pager.state.exitReason == .accept)
    #expect(pager.state.picked.numbers == [1])
    try pager.press("x x l [")
    #expect(pager.state.picked.numbers == [2, 1])
    try pager.press("&")
    pager.type("thing 1")
    #expect(pager.state.picked.numbers == [2, 1])
    try pager.press("enter =")
    #expect(pager.state.picked.numbers == [1, 2])
  }

  @Test func `Escape quits pick when there is nothing else to cancel.`() throws {
    var pager = try pager(.pick)
    try pager.press("esc")
    #expect(pager.state.exitReason == .quit)
    var browser = try self.pager()
    try browser.press("esc")
    #expect(browser.state.exitReason == nil)
  }

  @Test func `An option of the source cycles through its values, and each value is a new query.`() throws {
    let sort = SourceOption(name: "sort", values: ["best", "stars"], key: "s")
    let open = RowAction(name: "clone", key: "c", effect: .copy(try ValueExpression(parsing: "name")))
    var pager = try pager(own: SourceActions.actions(options: [sort], rowActions: [open]))
    try pager.press(", s")
    #expect(pager.state.pageRequests.first?.query.options == ["sort": "stars"])
    try pager.answer(numbers: 0..<5, more: false)
    try pager.press(", s")
    #expect(pager.state.pageRequests.first?.query.options == ["sort": "best"])
    try pager.press(", c")
    #expect(effect(pager) == "clone with 0")
    try pager.press("?")
    #expect(pager.state.overlays.popup?.kind == .help)
  }

  @Test func `A submitted query is remembered once, unless it begins with a space.`() throws {
    var pager = try PagerDriver(history: ["old"])
    pager.type("new")
    try pager.press("enter")
    #expect(effect(pager) == "remember new")
    try pager.press("s enter")
    #expect(pager.state.effects.requests.count == 1)
    try pager.press("s ctrl-u")
    pager.state.reduce(.key(Key(" ")))
    pager.type("secret")
    try pager.press("enter")
    #expect(pager.state.query.history.entries == ["old", "new"])
  }

  @Test func `The history can be browsed and searched from the query line.`() throws {
    var pager = try PagerDriver(history: ["one", "two", "three"])
    pager.type("dra")
    try pager.press("alt-up alt-up")
    #expect(pager.state.query.editor.text == "two")
    try pager.press("alt-down alt-down")
    #expect(pager.state.query.editor.text == "dra")
    try pager.press("ctrl-r")
    pager.type("t")
    try pager.press("ctrl-r enter")
    #expect(pager.state.query.editor.text == "two")
    #expect(pager.asked == "two p1")
    #expect(pager.state.mode == .table)
  }
}

import Search
import Testing
import Text

@testable import Pager
@testable import Terminal

/// Tests the mouse, wrapped cells and the caret position.
@Suite struct PointerTests {
  private func pager(_ rows: Int = 30, size: (columns: Int, rows: Int) = (60, 12)) throws -> PagerDriver {
    var pager = try PagerDriver(query: "x", size: size, pager: { $0.isMouseOn = true })
    try pager.answer(numbers: 0..<rows, more: false)
    return pager
  }

  private func mouse(_ action: Mouse.Action, _ column: Int, _ row: Int) -> PagerEvent {
    .mouse(Mouse(action: action, column: column, row: row))
  }

  @Test func `A click selects a row, sorts by a title and moves to the query line.`() throws {
    var pager = try pager()
    pager.state.reduce(mouse(.press, 5, 6))
    #expect(pager.state.list.selectedRow == 3)
    pager.state.reduce(mouse(.press, 14, 2))
    #expect(pager.state.list.sort == ColumnSort(column: 1, isDescending: false))
    pager.state.reduce(mouse(.press, 14, 2))
    #expect(pager.state.list.sort == ColumnSort(column: 1, isDescending: true))
    pager.state.reduce(mouse(.press, 12, 1))
    #expect(pager.state.mode == .query)
  }

  @Test func `The wheel scrolls the screen, and moves the selection only when it would leave the screen.`()
    throws
  {
    var pager = try pager()
    try pager.press("5 j")
    pager.state.reduce(mouse(.wheelDown, 0, 5))
    #expect(pager.listed.hasPrefix("thing 3 thing 4 [thing 5]"))
    pager.state.reduce(mouse(.wheelDown, 0, 5))
    #expect(pager.listed.hasPrefix("[thing 6]"))
    for _ in 0..<20 { pager.state.reduce(mouse(.wheelUp, 0, 5)) }
    #expect(pager.listed.hasPrefix("thing 0"))
  }

  @Test func `[P5] A double click opens the row; two slow clicks, or two rows, only select.`() throws {
    var pager = try pager()
    func click(_ row: Int, at time: Double) {
      pager.reduce(.ticked(time))
      pager.reduce(mouse(.press, 5, row))
    }
    click(5, at: 1_001)
    click(5, at: 1_002)
    #expect(pager.state.overlays.isEmpty)
    click(6, at: 1_002.2)
    #expect(pager.state.overlays.isEmpty)
    click(6, at: 1_002.4)
    #expect(pager.state.overlays.popup?.kind == .detail && pager.selectedName == "thing 3")
  }

  @Test func `[P5] The horizontal wheel moves between columns.`() throws {
    var pager = try pager()
    for (action, column) in [
      (Mouse.Action.wheelRight, 1), (.wheelRight, 2), (.wheelRight, 2), (.wheelLeft, 1), (.wheelLeft, 0),
      (.wheelLeft, 0),
    ] {
      pager.reduce(mouse(action, 5, 5))
      #expect(pager.state.table.currentColumn == column)
    }
  }

  @Test func `The wheel at an end of the rows leaves the selection where it is.`() throws {
    var pager = try pager()
    for (keys, action) in [("6 j", Mouse.Action.wheelUp), ("G 6 k", .wheelDown)] {
      try pager.press(keys)
      let before = pager.listed
      pager.state.reduce(mouse(action, 0, 5))
      #expect(pager.listed == before)
    }
    #expect(pager.listed == "[thing 23] thing 24 thing 25 thing 26 thing 27 thing 28 thing 29")
  }

  @Test(arguments: [(80, 24), (60, 12)])
  func `A click in a list selects the entry, and one on the selected entry chooses it.`(
    columns: Int, rows: Int
  ) throws {
    var pager = try pager(size: (columns, rows))
    try pager.press("F")
    let request = try #require(pager.state.summaryRequest)
    pager.reduce(.summarized(request.completed()))
    func row(of text: String) throws -> Int {
      let lines = pager.screen.split(separator: "\n", omittingEmptySubsequences: false)
      return try #require(lines.firstIndex { $0.contains(text) })
    }
    pager.reduce(mouse(.press, 5, try row(of: "thing 1 ")))
    #expect(pager.state.overlays.prompt?.selection == 1)
    pager.reduce(mouse(.press, 5, try row(of: "max ")))
    #expect(pager.state.overlays.prompt?.selection == 1)
    pager.reduce(mouse(.press, 5, try row(of: "thing 1 ")))
    #expect(pager.state.overlays.prompt == nil && pager.state.list.filter == "name=\"thing 1\"")
  }

  @Test func `A click outside the table or under a popup does nothing.`() throws {
    var pager = try pager()
    for row in [0, 10, 11] { pager.state.reduce(mouse(.press, 5, row)) }
    #expect(pager.state.list.selectedRow == 0)
    try pager.press("v")
    for (column, row) in [(5, 6), (14, 2), (12, 1)] { pager.state.reduce(mouse(.press, column, row)) }
    try pager.press("esc")
    #expect(pager.state.mode == .table)
    #expect(pager.state.list.sort == nil)
    #expect(pager.state.list.selectedRow == 0)
  }

  @Test func `With the mouse off, its reports are ignored and the terminal is not asked for them.`() throws {
    var pager = try pager()
    #expect(PagerView.frame(pager.state).tracksMouse)
    try pager.press("%")
    #expect(!PagerView.frame(pager.state).tracksMouse)
    pager.state.reduce(mouse(.press, 5, 6))
    #expect(pager.state.list.selectedRow == 0)
  }

  @Test func `With wrapped cells, every row can be reached and fits the screen.`() throws {
    var pager = try PagerDriver(query: "x", size: (40, 12))
    let long = "words " + String(repeating: "日本語 and more ", count: 4)
    try pager.answer((0..<20).map { "{\"name\": \"n\($0)\", \"about\": \"\(long)\"}" }, more: false)
    try pager.press("W")
    for row in 0..<20 {
      #expect(pager.state.list.selectedRow == row)
      #expect(pager.listed.contains("[n\(row)]"))
      expectFit(PagerView.frame(pager.state))
      try pager.press("j")
    }
    try pager.press("g")
    #expect(pager.listed.hasPrefix("[n0]"))
    pager.state.reduce(mouse(.press, 5, 5))
    try pager.press("W")
    #expect(pager.state.shownRowCount == 7)
  }

  /// The text, the keys, and the caret column on a terminal that measures clusters and on one that measures scalars.
  @Test(arguments: [
    ("", "", 8, 8), ("日本語", "", 14, 14), ("日本語", "left", 12, 12), ("한글", "backspace", 10, 10),
    ("e\u{301}x", "", 10, 10), ("👩‍👩‍👧", "", 10, 14), ("👩‍👩‍👧", "left", 8, 8), ("🇯🇵a", "left", 10, 10),
    ("ﾊﾟ", "", 10, 10), ("abc", "ctrl-a right", 9, 9),
  ]) func `The caret is where the terminal shows it.`(
    text: String, keys: String, clusters: Int, scalars: Int
  ) throws {
    for (model, column) in [(WidthModel.clusters, clusters), (.codePoints, scalars)] {
      var pager = try PagerDriver(size: (40, 8))
      pager.state.reduce(.resized(Canvas(size: Size(columns: 40, rows: 8), widthModel: model)))
      pager.state.reduce(.pasted(text))
      try pager.press(keys)
      #expect(PagerView.frame(pager.state).caret == Frame.Position(column: column, row: 1), "\(model)")
    }
  }

  @Test func `A query wider than the screen scrolls with the caret.`() throws {
    var pager = try PagerDriver(size: (24, 8))
    pager.type("日本語の長い検索の言葉です")
    #expect(pager.screen.contains(" query› "))
    let caret = try #require(PagerView.frame(pager.state).caret)
    #expect(caret.column <= 23)
    #expect(pager.screen.contains("言葉です"))
    try pager.press("home")
    #expect(pager.screen.contains("日本語の"))
  }

  @Test func `For a screen reader, the cursor is on the selected row, and nothing is animated.`() throws {
    var pager = try PagerDriver(
      query: "x", size: (60, 12),
      pager: {
        $0.isAccessible = true
        $0.glyphs = .words
      })
    #expect(!pager.state.isAnimated)
    #expect(pager.screen.contains("  Loading...\n"))
    try pager.answer(numbers: 0..<5, more: false)
    try pager.press("j x")
    #expect(PagerView.frame(pager.state).caret == Frame.Position(column: 0, row: 5))
    try pager.press("k")
    #expect(pager.screen.contains("row 2 (marked)"))
  }
}

import Search
import Terminal
import Testing
import Text

@testable import Pager

/// Tests filter, sort and search over loaded rows.
@Suite struct ListTests {
  private func pager(rows: Int = 30, more: Bool = false, height: Int = 12) throws -> PagerDriver {
    var pager = try PagerDriver(query: "x", size: (60, height))
    try pager.answer(numbers: 0..<rows, more: more)
    return pager
  }

  @Test
  func `A filter applies while it is typed; Enter closes the line, Escape restores the previous filter.`()
    throws
  {
    var pager = try pager()
    try pager.press("&")
    pager.type("\"thing 2")
    #expect(pager.listed == "[thing 2] thing 20 thing 21 thing 22 thing 23 thing 24 thing 25")
    try pager.press("enter")
    #expect(pager.state.list.count == 11)
    #expect(pager.state.mode == .table)
    try pager.press("&")
    pager.type("9")
    #expect(pager.listed == "[thing 29]")
    try pager.press("esc")
    #expect(pager.state.list.count == 11)
    try pager.press("& ctrl-u enter")
    #expect(pager.state.list.count == 30)
  }

  @Test func `Filtering keeps the selected row or selects its neighbor.`() throws {
    var pager = try pager()
    try pager.press("2 1 G &")
    pager.type("\"thing 2")
    #expect(pager.listed.contains("[thing 20]"))
    pager.type("5")
    #expect(pager.listed == "[thing 25]")
    try pager.press("enter esc")
    #expect(pager.listed.contains("[thing 25]"))
  }

  @Test
  func `A row that a refresh takes out of the filtered list is not selected when the filter is cleared.`()
    throws
  {
    var pager = try pager()
    try pager.press("& a b o u t enter 2 1 G r")
    let other = #"{"name": "thing 20", "stars": 1}"#
    try pager.answer((0..<30).map { $0 == 20 ? other : PagerDriver.row($0) }, more: false)
    #expect(pager.selectedName == "thing 21")
    try pager.press("esc")
    #expect(pager.selectedName == "thing 21")
  }

  @Test func `A filter without a match still says so while the rows are sorted again.`() async throws {
    var pager = try pager(rows: 1_500)
    try pager.press("]")
    await pager.order()
    try pager.press("& x y z z y enter")
    await pager.order()
    try pager.press("=")
    #expect(pager.state.orderRequest != nil)
    #expect(pager.notice == "0 of 1,500 loaded rows match \"xyzzy\"")
    #expect(pager.screen.contains("No loaded rows match \"xyzzy\""))
  }

  @Test(arguments: [(12, "thing 29", "thing 59"), (50, "thing 59", "thing 74")])
  func `G goes to the last row that is loaded, and stays there while further pages load.`(
    height: Int, first: String, second: String
  ) throws {
    var pager = try PagerDriver(query: "x", size: (60, height))
    try pager.answer(numbers: 0..<30, total: 75)
    // On a high screen, the second page is loaded at once.
    if height > 30 { try pager.answer(numbers: 30..<60, total: 75) }
    try pager.press("G")
    #expect(pager.selectedName == first)
    while let next = [30..<60, 60..<75].first(where: { $0.lowerBound == pager.state.list.rows.count }),
      !pager.state.pageRequests.isEmpty
    {
      try pager.answer(numbers: next, more: next.upperBound < 75, total: 75)
      #expect(pager.selectedName == first)
    }
    try pager.press("G")
    #expect(pager.selectedName == second)
  }

  @Test func `A page or a query that is refused leaves the filtered rows and the filter.`() throws {
    var pager = try pager(rows: 20, more: true)
    try pager.press("& \" t h i n g space 1 enter")
    let refused = PageError(.unauthorized, status: 403, message: "forbidden", serviceMessage: "no access")
    let rows = pager.listed
    #expect(rows == "[thing 1] thing 10 thing 11 thing 12 thing 13 thing 14 thing 15")
    for (keys, page) in [("M", 2), ("s ctrl-u y enter", 1)] {
      try pager.press(keys)
      try pager.fail(refused)
      #expect(pager.listed == rows)
      #expect(pager.notice.hasPrefix("✗ Page \(page) failed: "), "\(pager.notice)")
      #expect(pager.state.list.filter == "\"thing 1")
    }
  }

  @Test func `With a filter, nothing loads automatically, and pages that arrive are filtered.`() throws {
    var pager = try pager(rows: 20, more: true)
    try pager.press("&")
    pager.type("\"thing 1")
    try pager.press("enter G")
    #expect(pager.asked == "")
    #expect(pager.screen.contains("11 of 20 loaded rows match \"thing 1 (M: load more)"))
    try pager.press("M")
    try pager.answer(numbers: 100..<120)
    #expect(pager.state.list.count == 31)
    #expect(pager.asked == "")
  }

  @Test func `Escape cancels one thing at a time: count, load, filter.`() throws {
    var pager = try pager(rows: 5, more: true)
    try pager.press("&")
    pager.type("thing")
    try pager.press("enter M 3 esc")
    #expect(pager.state.typed.count == nil)
    #expect(pager.asked == "x p2")
    try pager.press("esc")
    #expect(pager.asked == "")
    #expect(!pager.state.list.filter.isEmpty)
    try pager.press("esc")
    #expect(pager.state.list.filter.isEmpty)
  }

  @Test func `Sorting keeps the selected row on its screen line, even when pages arrive.`() throws {
    var pager = try pager(rows: 30, more: true)
    try pager.press("l 1 6 G [")
    let line = pager.state.list.viewport.selection - pager.state.list.viewport.top
    #expect(pager.listed.contains("[thing 15]"))
    #expect(pager.state.list.selectedRow == 15)
    try pager.press("M")
    try pager.answer(numbers: 10..<40, more: false)
    #expect(pager.listed.contains("[thing 15]"))
    #expect(pager.state.list.viewport.selection - pager.state.list.viewport.top == line)
    try pager.press("g")
    #expect(pager.listed.hasPrefix("[thing 39] thing 38"))
    try pager.press("=")
    #expect(pager.state.list.row(at: 0) == 0)
  }

  @Test(arguments: [("&", 30), ("l [", 30), ("&", 1_200), ("l [", 1_200)])
  func `A refresh keeps the selected row on its screen line in a filtered or sorted list too.`(
    keys: String, count: Int
  ) async throws {
    var pager = try pager(rows: count)
    try pager.press(keys)
    if keys == "&" {
      pager.type("\"thing 2")
      try pager.press("enter")
    }
    await pager.order()
    try pager.press("g 9 j k k k k")
    let (selected, line) = (pager.selectedName, pager.state.list.viewport.line)
    try pager.press("r")
    try pager.answer([PagerDriver.row(20_000)] + (0..<count).map(PagerDriver.row), more: false)
    await pager.order()
    #expect(pager.selectedName == selected)
    #expect(pager.state.list.viewport.line == line)
  }

  @Test func `A refresh requests every row on the screen again, wherever it was loaded.`() throws {
    var pager = try pager(rows: 10, more: true)
    try pager.press("esc M")
    try pager.answer(numbers: 10..<20)
    try pager.press("esc M")
    try pager.answer(numbers: 20..<30)
    try pager.press("esc &")
    pager.type("9 -19")
    try pager.press("enter j")
    #expect(pager.listed == "thing 9 [thing 29]")
    try pager.press("r")
    for page in 0..<3 { try pager.answer(numbers: page * 10..<page * 10 + 10) }
    #expect(pager.listed == "thing 9 [thing 29]")
    #expect(pager.asked == "")
  }

  @Test func `A search selects the first match while it is typed, and n and N continue and wrap around.`()
    throws
  {
    var pager = try pager()
    try pager.press("5 G /")
    pager.type("\"thing 1")
    #expect(pager.listed.contains("[thing 10]"))
    pager.type("5")
    #expect(pager.listed.contains("[thing 15]"))
    try pager.press("backspace enter n")
    #expect(pager.listed.contains("[thing 11]"))
    try pager.press("3 n")
    #expect(pager.listed.contains("[thing 14]"))
    try pager.press("N N")
    #expect(pager.listed.contains("[thing 12]"))
    try pager.press("g N")
    #expect(pager.listed.contains("[thing 19]"))
    #expect(pager.state.messages.current?.text == "find wrapped to the bottom")
  }

  @Test(arguments: ["", "l ["])
  func `[D62] A search shows its text, the number of the selected match and the number of matches.`(
    sorted: String
  ) throws {
    var pager = try PagerDriver(query: "x", size: (80, 12))
    try pager.answer(numbers: 0..<30, more: false)
    try pager.press("\(sorted) g /")
    pager.type("\"thing 2")
    #expect(pager.status.hasPrefix("match 1 of 11 · "))
    try pager.press("enter n")
    #expect(pager.notice == "\"thing 2: match 2 of 11 (n: next, N: previous)")
    try pager.press("g k")
    let isMatch = pager.selectedName.hasPrefix("thing 2")
    #expect(pager.notice == "\"thing 2: \(isMatch ? "match 1 of 11" : "11 matches") (n: next, N: previous)")
    try pager.press("esc")
    #expect(pager.notice == "")
    #expect(pager.state.list.search.text == "")
  }

  @Test(arguments: [
    ("&", "cafe"), ("&", "~cfe"), ("&", "name:cafe"), ("&", "~CFE"), ("&", "café"), ("&", "-cake"),
    ("/", "cafe"), ("/", "~cfe"), ("/", "cafe\u{301}"),
  ]) func `[52] Letters find those with accents, in a filter, a search and fuzzy words.`(
    key: String, text: String
  )
    async throws
  {
    var pager = try PagerDriver(query: "x", size: (80, 12))
    let names = ["cake", "café", "Cafe\u{301}", "le café"]
    try pager.answer(names.map { #"{"name": "\#($0)", "stars": 1, "about": ""}"# }, more: false)
    try pager.press(key)
    pager.type(text)
    await pager.order()
    try pager.press("enter")
    await pager.order()
    if key == "&" {
      #expect(pager.listed == "[café] Cafe\u{301} le café" || pager.state.list.count == 3)
    } else {
      #expect(pager.notice.hasPrefix("\(text.quotedOnce): match 1 of 3"), "\(pager.notice)")
      #expect(pager.selectedName == "café")
    }
  }

  @Test func `[D62] A sort is announced once, by the name in the heading.`() throws {
    var pager = try PagerDriver(query: "x", size: (80, 12))
    try pager.answer(numbers: 0..<20)
    try pager.press("esc l [")
    #expect(pager.screen.ranges(of: "sorted").count == 1)
    #expect(pager.screen.contains("sorted by Stars ▾"))
    #expect(pager.screen.contains("STARS▾"))
    try pager.press("M")
    try pager.answer(numbers: 20..<40)
    #expect(pager.notice == "More rows available (M: load more)")
  }

  @Test func `Escape returns to where a search began.`() throws {
    var pager = try pager()
    try pager.press("5 G /")
    pager.type("\"thing 29")
    try pager.press("esc")
    #expect(pager.listed.contains("[thing 4]"))
    #expect(pager.state.list.search.text == "")
  }

  @Test
  func `A search without a match says so while it is typed, on Enter and at each n, with a remedy.`()
    throws
  {
    var pager = try pager(rows: 3, more: true)
    try pager.press("esc j /")
    pager.type("xyzzy")
    #expect(pager.status == "no loaded rows match \"xyzzy\" (M: load more)")
    try pager.press("enter")
    #expect(pager.notice == "no loaded rows match \"xyzzy\" (M: load more)")
    try pager.press("k")
    #expect(pager.notice == "Stopped (r: retry)")
    try pager.press("n")
    #expect(pager.notice == "no loaded rows match \"xyzzy\" (M: load more)")
    #expect(pager.listed == "[thing 0] thing 1 thing 2")
  }

  @Test func `In a filtered list, a search without a match says how to show all rows.`() throws {
    var pager = try pager()
    try pager.press("&")
    pager.type("\"thing 2")
    try pager.press("enter /")
    pager.type("17")
    try pager.press("enter")
    #expect(pager.notice == "no listed rows match \"17\" (Esc: show all rows)")
  }

  @Test func `In a sorted list, a search follows the order of the list.`() throws {
    var pager = try pager()
    try pager.press("l [ g /")
    pager.type("\"thing 1")
    try pager.press("enter")
    #expect(pager.listed.contains("[thing 19]"))
    try pager.press("n")
    #expect(pager.listed.contains("[thing 18]"))
  }

  @Test func `An order of many rows is computed on request and in parts, and a late result is dropped.`()
    async throws
  {
    var pager = try PagerDriver(query: "x", size: (60, 12))
    try pager.answer(numbers: 0..<3_000, more: false)
    try pager.press("2 0 0 1 G &")
    pager.type("\"thing 2")
    let late = try #require(pager.state.orderRequest)
    #expect(pager.state.list.count == 3_000)
    pager.type("000")
    #expect(pager.state.orderRequest != late)
    await late.run { pager.state.reduce(.ordered($0)) }
    #expect(pager.state.list.count == 3_000)
    await pager.order()
    #expect(pager.listed == "[thing 2000]")
    #expect(pager.state.orderRequest == nil)
    try pager.press("backspace backspace")
    await pager.order()
    #expect(pager.listed.contains("[thing 2000]"))
    #expect(pager.state.list.count == 111)
  }

  @Test func `While the number of matches is not known, no number is shown.`() async throws {
    var pager = try PagerDriver(query: "x", size: (60, 12))
    try pager.answer(numbers: 0..<1_200, more: false)
    try pager.press("&")
    pager.type("\"thing 11")
    #expect(pager.status == "filtering 1,200 loaded · end")
    try pager.press("enter")
    #expect(pager.notice == "Filtering 1,200 loaded rows…")
    await pager.order()
    #expect(pager.status == "111 of 1,200 rows match · end of results")
    try pager.press("l [")
    #expect(pager.status == "111 of 1,200 rows match · end of results")
    try pager.press("r")
    try pager.answer(numbers: 0..<1_200, more: false)
    #expect(pager.status == "filtering 1,200 loaded · end of results")
    try pager.press("& ctrl-u enter")
    #expect(pager.status == "1,200 rows · end of results")
  }

  @Test(arguments: ["", "l [", "l ]"])
  func `Escape from a filter or a search restores the screen.`(sorted: String) async throws {
    var pager = try PagerDriver(query: "x", size: (60, 12))
    try pager.answer(numbers: 0..<1_200, more: false)
    try pager.press(sorted)
    await pager.order()
    try pager.press("6 0 0 G k k k")
    let before = pager.listed
    for prompt in ["&", "/"] {
      try pager.press(prompt)
      pager.type("\"thing 11")
      await pager.order()
      #expect(pager.listed != before)
      try pager.press("esc")
      await pager.order()
      #expect(pager.listed == before)
    }
  }

  @Test func `Escape ends a find that is still loading rows for its match.`() async throws {
    var pager = try PagerDriver(query: "x", size: (60, 12))
    try pager.answer(numbers: 0..<1_200, more: false)
    try pager.press("/")
    pager.type("\"thing 7")
    try pager.press("enter")
    await pager.order()
    #expect(pager.selectedName == "thing 7")
    try pager.press("5 0 0 G /")
    pager.type("\"thing 11")
    try pager.press("esc")
    await pager.order()
    #expect(pager.selectedName == "thing 499")
  }

  @Test func `A canceled request for a row order emits nothing.`() async throws {
    var pager = try PagerDriver(query: "x", size: (60, 12))
    try pager.answer(numbers: 0..<1_200, more: false)
    try pager.press("&")
    pager.type("thing")
    let request = try #require(pager.state.orderRequest)
    let answers = await Task {
      withUnsafeCurrentTask { $0?.cancel() }
      var count = 0
      await request.run { _ in count += 1 }
      return count
    }.value
    #expect(answers == 0)
  }

  @Test func `Escape from a filter selects the previous row where a refresh has moved it.`() throws {
    var pager = try pager()
    try pager.press("2 0 G r &")
    pager.type("\"thing 2")
    try pager.answer([PagerDriver.row(99)] + (0..<30).map(PagerDriver.row), more: false)
    try pager.press("esc")
    #expect(pager.state.list.selectedRow == 20)
    #expect(pager.listed.hasSuffix("[thing 19]"))
  }

  @Test func `A new query keeps the filter and the sort order.`() throws {
    var pager = try pager()
    try pager.press("l [ &")
    pager.type("\"thing 1")
    try pager.press("enter s y enter")
    try pager.answer(numbers: 10..<20, more: false)
    #expect(pager.listed.hasPrefix("[thing 19] thing 18"))
  }

  @Test
  func `A mistake in a filter is shown where it is, and the last filter without one stays in force.`() throws
  {
    var pager = try pager()
    try pager.press("&")
    pager.type("thing stars>2.5k")
    #expect(pager.state.list.count == 4)
    pager.type("x")
    #expect(pager.state.list.count == 4)
    #expect(pager.status.hasPrefix("\"2.5kx\" is not a number"), "\(pager.status)")
    #expect(
      pager.state.typedMistake.map {
        pager.state.overlays.prompt?.line.characters[$0.range].map(String.init).joined()
      }
        == "2.5kx")
    try pager.press("enter")
    #expect(pager.state.mode == .prompt, "what is typed is not lost")
    #expect(pager.notice == "filter› thing stars>2.5kx")
    try pager.press("backspace enter")
    #expect(pager.state.mode == .table)
    #expect(pager.notice == "4 of 30 loaded rows match \"thing stars>2.5k\"")
    try pager.press("& x esc")
    #expect(pager.state.list.filter == "thing stars>2.5k")
  }

  @Test(arguments: [
    ("j .", "name=\"thing 1\"", "[thing 1]"), ("j l .", "stars=100", "[thing 1]"),
    ("j . l . .", "name=\"thing 1\" stars=100", "[thing 1]"),
    ("& - 2 enter j .", "-2 name=\"thing 1\"", "[thing 1]"),
  ]) func `A key filters by the selected cell.`(keys: String, filter: String, listed: String) throws {
    var pager = try pager()
    try pager.press(keys)
    #expect(pager.state.list.filter == filter)
    #expect(pager.listed == listed)
  }

  @Test func `The values of a column are counted, and Enter filters by one.`() async throws {
    var pager = try PagerDriver(query: "x", size: (60, 12))
    try pager.answer(
      ["swift", "rust", "swift", "", "go", "swift", "rust"].enumerated().map { number, about in
        "{\"name\": \"r\(number)\", \"stars\": \(number == 2 ? "null" : "\(number * 1_500)"), \"about\": \"\(about)\"}"
      }, more: false)
    try pager.press("$ F")
    #expect(pager.screen.contains("About: summarizing"))
    await pager.order()
    let values = pager.state.summary?.values.map { "\($0.count) \($0.text)" }
    #expect(values == ["3 swift", "2 rust", "1 ", "1 go"])
    #expect(pager.screen.contains("About: 7 rows, 3 distinct, 1 empty"))
    #expect(pager.screen.contains("min go · max swift"))
    #expect(pager.screen.contains(" rust    2  28.6%  █████████████\n"))
    #expect(pager.screen.contains("(none)"))
    try pager.press("down enter")
    #expect(pager.state.list.filter == "about=rust")
    #expect(pager.listed == "[r1] r6")
    try pager.press("h F")
    await pager.order()
    #expect(pager.screen.contains("Stars: 2 rows, 2 distinct, 0 empty"))
    #expect(pager.screen.contains("min 1500 · median 1500 · max 9000"))
    try pager.press("9 0 enter")
    #expect(pager.state.list.filter == "about=rust stars=9000")
    #expect(pager.listed == "[r6]")
  }

  @Test(arguments: [
    ("~fzy", "a [f]u[z]z[y] f z y"), ("fuz zy", "a [fuz][zy] f z y"), ("-a ~f", "a [f]uzzy f z y"),
    ("about:a", "[a] fuzzy f z y"), ("name:a stars>1 name=\"a fuzzy f z y\"", "a fuzzy f z y"),
    ("about=\"A fuzzy f z y\"", "[a fuzzy f z y]"), ("nosuch=a f", "a [f]uzzy [f] z y"),
  ]) func `Matches are highlighted.`(filter: String, parts: String) {
    let highlight = MatchHighlight([filter], in: 2, of: PagerDriver.columns)
    let text = highlight.parts(of: Sanitized("a fuzzy f z y"))
    #expect(text.map { $0.isMatch ? "[\($0.text.string)]" : $0.text.string }.joined() == parts)
  }
}

import Search
import Testing
import Text

@testable import Pager
@testable import Terminal

/// Tabs, and the list of sources that is opened over a session.
@Suite struct TabsTests {
  private static let list = TabList(
    [
      TabList.Tab(title: "unicode arrow", status: "644"), TabList.Tab(title: "@bugs", status: "17"),
      TabList.Tab(title: "github swift tui", status: "rate limited"),
    ], current: 1)

  private func pager(
    tabs: TabList = Self.list, columns: Int = 80, _ rules: (inout PagerRules) -> Void = { _ in }
  ) throws -> PagerDriver {
    var pager = try PagerDriver(
      query: "x", size: (columns, 12),
      pager: {
        $0.opensSources = true
        rules(&$0)
      })
    try pager.answer(numbers: 0..<5, more: false)
    pager.reduce(.tabsChanged(tabs))
    return pager
  }

  private func title(_ pager: PagerDriver) -> String {
    String(pager.screen.prefix { $0 != "\n" })
  }

  @Test(
    arguments: [
      (100, " riffle   1 unicode arrow 644 [2 @bugs 17] 3 github swift tui rate limited"),
      (70, " riffle   1 unicode a… 644 [2 @bugs 17] 3 github sw… rate limited"),
      (60, " riffle  « [2 @bugs 17] 3 github sw… rate limited"),
      (40, " riffle  « [2 @bugs 17]»"),
      (24, " riffle  « [2 @bugs 17]"),
    ]) func `The title has the tabs, shortened or left out where they do not fit.`(
      columns: Int, expected: String
    ) throws
  {
    #expect(title(try pager(columns: columns)) == expected)
  }

  @Test(
    arguments: [
      ("alt-1", 0), ("alt-3", 2), ("3 t", 2), ("alt-right", 2), ("alt-left", 0), ("2 alt-right", 0),
      ("ctrl-pagedown", 2), ("s ctrl-pageup", 0), ("s alt-1", 0),
    ]) func `A key goes to another tab.`(keys: String, tab: Int) throws
  {
    var pager = try pager()
    try pager.press(keys)
    #expect(pager.state.exitReason == .tab(tab))
  }

  @Test(
    arguments: [
      ("alt-2", "of the shown tab", nil), ("alt-9", "without a tab", "no tab 9: there are 3"),
      ("0 t", "of no tab", nil),
    ] as [(String, String, String?)]) func `A number does nothing if there is no other such tab.`(
      keys: String, which: String, message: String?
    ) throws
  {
    var pager = try pager()
    try pager.press(keys)
    #expect(pager.state.exitReason == nil, "\(which)")
    #expect(pager.state.messages.all.last?.text == message)
  }

  @Test func `A click on a tab opens it, and a click next to the tabs does nothing.`() throws {
    for (column, tab) in [(0, nil), (10, 0), (25, 0), (31, nil), (43, 2), (74, 2), (75, nil)] as [(Int, Int?)]
    {
      var pager = try pager { $0.isMouseOn = true }
      pager.reduce(.mouse(Mouse(action: .press, column: column, row: 0)))
      #expect(pager.state.exitReason == tab.map { .tab($0) }, "column \(column)")
    }
  }

  @Test func `Without other tabs, the keys of tabs say so, and the title has the source.`() throws {
    var pager = try pager(tabs: TabList())
    #expect(title(pager).hasPrefix(" riffle  Test things"))
    try pager.press("alt-right")
    #expect(pager.state.messages.all.last?.text == "this is the only tab (t: new tab)")
    #expect(pager.state.exitReason == nil)
  }

  @Test(arguments: [(":", false), ("t", true)])
  func `A source is chosen from a list, looked up when it is opened.`(
    key: String, isNew: Bool
  ) throws {
    var pager = try pager()
    #expect(pager.state.overlays.sourcesRequest == nil)
    try pager.press(key)
    #expect(pager.state.overlays.sourcesRequest == 1)
    pager.reduce(
      .sourcesFound([
        SourceChoice(id: "@bugs", title: "hn: bug"), SourceChoice(id: "hnsearch", title: "The same"),
        SourceChoice(id: "hn", title: "Hacker News", about: ["no credential needed"]),
      ]))
    #expect(pager.state.overlays.sourcesRequest == 1)
    pager.type("hn")
    let prompt = try #require(pager.state.overlays.prompt)
    #expect(PromptList(pager.state, prompt).items.map(\.text) == ["hn", "hnsearch", "@bugs"])
    try pager.press("enter")
    #expect(pager.state.exitReason == .open(name: "hn", inNewTab: isNew))
    #expect(pager.state.overlays.isEmpty && pager.state.overlays.sourcesRequest == nil)
    pager.reduce(.refused("hn.toml: no such file"))
    #expect(pager.state.exitReason == nil && pager.state.messages.current?.text == "hn.toml: no such file")
    try pager.press(key)
    #expect(pager.state.overlays.sourcesRequest == 2)
    try pager.press("esc")
    #expect(pager.state.exitReason == nil && pager.state.overlays.isEmpty)
    #expect(pager.listed.hasPrefix("[thing 0]"))
  }

  @Test func `A typed name is opened even if the list is not loaded or does not contain it.`() throws {
    var pager = try pager()
    try pager.press(":")
    pager.type("hn")
    try pager.press("enter")
    #expect(pager.state.exitReason == .open(name: "hn", inNewTab: false))
    pager.reduce(.resumed(pager.state.canvas))
    try pager.press("t")
    pager.reduce(.sourcesFound([SourceChoice(id: "hn", title: "Hacker News")]))
    pager.type("./mine.toml")
    try pager.press("enter")
    #expect(pager.state.exitReason == .open(name: "./mine.toml", inNewTab: true))
    pager.reduce(.resumed(pager.state.canvas))
    try pager.press("t enter")
    #expect(pager.state.exitReason == .open(name: "hn", inNewTab: true))
  }

  @Test func `Pick and the program's own rows open no other source.`() throws {
    for (rules, reason) in [
      (PagerRules.Purpose.pick, "pick shows one list. To open more, use riffle browse"),
      (.browse, "other sources cannot be opened here"),
    ] {
      var pager = try pager(tabs: TabList()) {
        $0.purpose = rules
        $0.opensSources = false
      }
      for key in [":", "t"] {
        try pager.press(key)
        #expect(pager.state.messages.all.last?.text == reason)
        #expect(pager.state.overlays.prompt == nil)
      }
    }
  }

  @Test func `Quitting closes the tab, or all of them.`() throws {
    var pager = try pager()
    #expect(pager.screen.contains("q:close"))
    try pager.press("q")
    #expect(pager.state.exitReason == .quit)
    pager.reduce(.resumed(pager.state.canvas))
    try pager.press("Q")
    #expect(pager.state.exitReason == .quitAll)
  }

  @Test func `The status of a tab is its number of rows, or what happens to its first page.`() throws {
    var pager = try PagerDriver(query: "x")
    #expect(pager.state.tabStatus == "loading")
    try pager.fail(ScreenState.refused)
    #expect(pager.state.tabStatus == "offline")
    try pager.press("r")
    try pager.answer(numbers: 0..<5, more: true)
    #expect(pager.state.tabStatus == "5+")
    try pager.press("r")
    try pager.answer(numbers: 0..<5, more: true, total: 1_234)
    #expect(pager.state.tabStatus == "1,234")
    try pager.press("&")
    pager.type("3")
    #expect(pager.state.tabStatus == "1")
    #expect(try PagerDriver().state.tabStatus == "")
  }
}

/// A list that begins filtered, sorted and arranged, as a saved search says.
@Suite struct ListRulesTests {
  private func pager(_ rules: ListRules, columns: [Column] = PagerDriver.columns) throws -> PagerDriver {
    var pager = try PagerDriver(query: "x", columns: columns, pager: { $0.list = rules })
    try pager.answer(numbers: 0..<12, more: false)
    return pager
  }

  private func titles(_ pager: PagerDriver) -> [String] {
    pager.state.table.shown.map { pager.state.table.columns[$0].title }
  }

  private static let rules = ListRules(
    filter: "stars>800", sort: ListRules.Sort(column: "stars", isDescending: true),
    columns: ["stars", "name"])

  @Test func `The first page is filtered, sorted and arranged, and so it is after a reset.`() throws {
    var pager = try pager(Self.rules)
    #expect(pager.listed == "[thing 11] thing 10 thing 9")
    #expect(titles(pager) == ["Stars", "Name"])
    try pager.press("esc = +")
    #expect(pager.listed.hasPrefix("[thing 11]") || pager.state.list.count == 12)
    #expect(titles(pager) == ["Stars", "Name", "About"])
    try pager.press("R")
    try pager.answer(numbers: 0..<12, more: false)
    #expect(pager.listed == "[thing 11] thing 10 thing 9")
    #expect(titles(pager) == ["Stars", "Name"])
  }

  @Test func `[P4] A saved search names columns by their titles, too.`() throws {
    let pager = try pager(
      ListRules(
        filter: "", sort: ListRules.Sort(column: "STARS", isDescending: true), columns: ["Stars", "NAME"]))
    #expect(pager.listed.hasSuffix("thing 2 thing 1 [thing 0]"), "sorted, descending")
    #expect(titles(pager) == ["Stars", "Name"])
  }

  @Test func `Unknown column names are omitted, and a filter with one is reported.`() throws {
    var pager = try pager(
      ListRules(
        filter: "size>3", sort: ListRules.Sort(column: "size", isDescending: false),
        columns: ["size", "about"]))
    try pager.countFields((0..<12).map(PagerDriver.row))
    #expect(pager.state.list.count == 12)
    #expect(titles(pager) == ["About"])
    #expect(
      pager.state.messages.all.last?.text
        == #"cannot filter: no column or field "size". To find this text, quote it: "size>3""#)
  }
}

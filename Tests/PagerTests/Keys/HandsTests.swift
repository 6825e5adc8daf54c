import Search
import Testing
import Text

@testable import Pager
@testable import Terminal

/// Tests the keys that users of vim and less expect, and the help for sequences of keys.
@Suite struct HandsTests {
  private func pager(
    size: (columns: Int, rows: Int) = (60, 12), _ change: (inout PagerRules) -> Void = { _ in }
  ) throws -> PagerDriver {
    var pager = try PagerDriver(query: "x", size: size, pager: change)
    try pager.answer(numbers: 0..<40, more: false)
    return pager
  }

  /// The screen has 7 rows.
  @Test(arguments: [
    ("ctrl-d", "thing 3 top 3"), ("ctrl-d ctrl-u", "thing 0 top 0"), ("ctrl-f", "thing 7 top 7"),
    ("ctrl-f ctrl-b", "thing 0 top 0"), ("ctrl-e", "thing 1 top 1"), ("j j ctrl-e", "thing 2 top 1"),
    ("3 ctrl-e ctrl-y", "thing 3 top 2"), ("ctrl-y", "thing 0 top 0"), ("2 0 G z z", "thing 19 top 16"),
    ("z z", "thing 0 top 0"), ("G z z", "thing 39 top 33"), ("2 0 G H", "thing 13 top 13"),
    ("5 ctrl-e j H", "thing 5 top 5"), ("3 j g g", "thing 0 top 0"),
  ]) func `[P5] Keys scroll and place the screen as in vim and less.`(keys: String, place: String) throws {
    var pager = try pager()
    try pager.press(keys)
    #expect("\(pager.selectedName) top \(pager.state.list.viewport.top)" == place)
  }

  @Test func `[P5] The middle and the bottom of the screen have actions, which a key can be bound to.`()
    throws
  {
    let keys = KeyBindings([.table: ["middle-of-screen": ["M"], "bottom-of-screen": ["L"]]])
    let map = try KeyMap(bindings: keys)
    var pager = try pager { $0.keyMap = map }
    try pager.press("L")
    #expect(pager.selectedName == "thing 6")
    try pager.press("M")
    #expect(pager.selectedName == "thing 3")
  }

  @Test func `[P5] A key that is not bound says so, and is not kept among the messages.`() throws {
    var pager = try pager()
    let before = pager.state.messages.all.count
    try pager.press("Z y x")
    #expect(pager.notice == "y x is not bound here (?: help)")
    #expect(pager.state.messages.all.count == before)
  }

  @Test(arguments: [
    (100, "copy  y: row  c: cell  u: link  j: json  t: tsv  l: jsonl  m: markdown"),
    (80, "copy  y: row  c: cell  u: link  j: json  t: tsv  l: jsonl  m: markdown"),
  ]) func `[P8] After the first key of a sequence, a line lists what may follow.`(columns: Int, list: String)
    throws
  {
    var pager = try pager(size: (columns + 5, 12))
    try pager.press("y")
    #expect(pager.notice == "")
    let keys = try #require(pager.state.prefix)
    pager.reduce(.prefixRested(keys))
    #expect(pager.screen.contains(list), "\(pager.screen)")
    #expect(pager.state.prefix == nil)
    try pager.press("y")
    #expect(pager.state.effects.requests.count == 1 && !pager.screen.contains(list))
    // The time of another sequence.
    try pager.press("z")
    pager.reduce(.prefixRested(keys))
    #expect(!pager.state.typed.listsContinuations)
    try pager.press("esc")
    #expect(pager.state.prefix == nil)
  }

  @Test(arguments: [
    ("", "x", "selected"), ("r o w", "row", ""), ("left r o w", "rowx", ""), ("end y", "xy", ""),
    ("backspace", "", ""),
    ("ctrl-w y", "y", ""), ("y ctrl-u ctrl-y", "y", ""), ("backspace ctrl-y", "x", ""),
    ("alt-y", "x", "selected"),
  ]) func `[P9] The old query is selected: typing replaces it, and a movement keeps it.`(
    keys: String, text: String, selected: String
  ) throws {
    var pager = try pager()
    try pager.press("s \(keys)")
    #expect(pager.state.query.editor.text == text)
    #expect(pager.state.query.editor.isSelected == !selected.isEmpty)
    try pager.press("esc")
    #expect(pager.state.query.editor.text == "x" && !pager.state.query.editor.isSelected)
  }

  @Test func `[P9] A paste replaces the old query, and Enter keeps it.`() throws {
    var pager = try pager()
    try pager.press("s")
    pager.reduce(.pasted("new words"))
    #expect(pager.state.query.editor.text == "new words")
    pager = try self.pager()
    try pager.press("s enter")
    #expect(pager.asked == "" && pager.state.mode == .table && !pager.state.query.editor.isSelected)
  }

  /// The popup has 7 lines.
  @Test(arguments: [
    ("ctrl-d", 3), ("ctrl-d ctrl-u", 0), ("ctrl-f", 7), ("f", 7), ("ctrl-f ctrl-b", 0), ("ctrl-e", 1),
    ("ctrl-e ctrl-e ctrl-y", 1), ("3 j g g", 0),
  ]) func `[P5] In a popup, keys scroll as in less.`(keys: String, scroll: Int) throws {
    var pager = try pager()
    try pager.press("? \(keys)")
    #expect(pager.state.overlays.popup?.scroll == scroll)
  }

  @Test(arguments: ["?", "L", "L enter", "v", "v J", "C", "!", "v ?"])
  func `[52] In every popup, Q quits riffle and q closes the popup.`(keys: String) throws {
    var pager = try pager { $0.leadsBack = true }
    try pager.press("\(keys) Q")
    #expect(pager.state.exitReason == .quitAll)
    pager = try self.pager { $0.leadsBack = true }
    try pager.press(keys)
    let count = pager.state.overlays.stack.count
    try pager.press("q")
    #expect(pager.state.exitReason == nil && pager.state.overlays.stack.count == count - 1)
  }

  // MARK: Leaving as in vim

  @Test(arguments: [
    (": q enter", PagerState.ExitReason.quit), (": q ! enter", .quit), (": q a enter", .quitAll),
    (": q a ! enter", .quitAll), (": : q enter", .quit),
    (": q i enter", .open(name: "qiita", inNewTab: false)),
    (": q down enter", .open(name: "qiita", inNewTab: false)),
    ("t q enter", .open(name: "qiita", inNewTab: true)),
  ]) func `[P5] In the list of sources, the words that leave vim leave riffle.`(
    keys: String, reason: PagerState.ExitReason
  ) throws {
    var pager = try pager { $0.opensSources = true }
    let sources = [SourceChoice(id: "qiita", title: "Qiita items"), SourceChoice(id: "x", title: "X")]
    pager.reduce(.sourcesFound(sources))
    try pager.press(keys)
    #expect(pager.state.exitReason == reason)
  }

  @Test func `[P5] They do so in the list that riffle begins with, but not where a source has that name.`()
    throws
  {
    func list(_ ids: [String]) -> PagerDriver {
      let canvas = Canvas(size: Size(columns: 80, rows: 12), widthModel: .clusters)
      return PagerDriver(choosingFrom: ids.map { SourceChoice(id: $0, title: $0) }, canvas)
    }
    var pager = list(["qiita"])
    try pager.press(": q")
    #expect(pager.screen.contains("quit"))
    try pager.press("enter")
    #expect(pager.state.exitReason == .quit)
    pager = list(["qa", "qb"])
    try pager.press("x backspace")
    pager.reduce(.pasted("qa"))
    try pager.press("enter")
    #expect(pager.state.exitReason == .source(id: "qa"))
  }
}

import Foundation
import Search
import Testing
import Text

@testable import Pager
@testable import Terminal

@Suite struct PopupTests {
  private func pager(rows: Int = 5) throws -> PagerDriver {
    var pager = try PagerDriver(query: "x", size: (60, 12))
    try pager.answer(numbers: 0..<rows, more: false)
    return pager
  }

  private func title(_ pager: PagerDriver) -> String {
    String(pager.screen.split(separator: "\n", omittingEmptySubsequences: false)[2])
  }

  /// The keys, and the popup on top after them.
  @Test(arguments: [
    ("?", "help"), ("? ?", ""), ("? esc", ""), ("? q", ""), ("f1 f1", ""), ("L", "log"), ("L L", ""),
    ("! !", ""),
    ("v", "detail"), ("v v", ""), ("J", "detail"), ("v L", "log"), ("v L esc", "detail"), ("L ? L", "log"),
    ("v ? ctrl-c", "detail"), ("s f1", "help"), ("& f1", "help"), ("q", ""),
  ]) func `Escape, q or its own key closes a popup and shows what was under it.`(
    keys: String, top: String
  ) throws {
    var pager = try pager()
    try pager.press(keys)
    #expect((pager.state.overlays.popup?.kind.rawValue ?? "") == top)
  }

  @Test func `Help opened while a line is typed returns to that line.`() throws {
    var pager = try pager()
    try pager.press("& a f1 esc b")
    #expect(pager.state.list.filter == "ab")
    #expect(pager.state.mode == .prompt)
  }

  @Test func `A popup scrolls to its ends and no further.`() throws {
    var pager = try pager()
    try pager.press("? G")
    let end = title(pager)
    try pager.press("j space d")
    #expect(title(pager) == end)
    try pager.press("g k")
    #expect(title(pager).contains(" 1–7 of "))
  }

  @Test func `[D62] A search in a popup goes to the matching line and shows which match it is.`()
    throws
  {
    var pager = try PagerDriver(query: "x", size: (60, 12))
    try pager.answer(numbers: 0..<20)
    for page in 1..<8 {
      try pager.press("M")
      try pager.answer(numbers: page * 20..<page * 20 + 20)
    }
    try pager.press("L /")
    pager.type("page ")
    try pager.press("enter")
    #expect(pager.notice == "\"page \": line 1 of 8 (n: next, N: previous)")
    try pager.press("n")
    #expect(pager.notice == "\"page \": line 2 of 8 (n: next, N: previous)")
    #expect(pager.state.overlays.popup?.selection == 1)
    try pager.press("N")
    #expect(pager.state.overlays.popup?.selection == 0)
    #expect(pager.state.list.search.text == "")
  }

  @Test func `[D62] Help is filtered by the typed text.`() throws {
    var pager = try PagerDriver(query: "x", size: (80, 19))
    try pager.answer(numbers: 0..<5, more: false)
    try pager.press("? /")
    pager.type("sort")
    try pager.press("enter")
    #expect(
      popup(pager) == """
         keys: table
         Query
          O                   change an option of the source         options

         Loading
          R                   return to the initial query and        reset
                              columns, without filter, sort and
                              marks

         Find, filter, sort
          ]                   sort loaded rows by the current        sort-ascending
                              column, ascending
          [                   sort loaded rows by the current        sort-descending
                              column, descending
          =                   restore the order of the service       clear-sort
        """)
    try pager.press("/")
    pager.type("xyzzy")
    #expect(popup(pager) == " keys: table\n No keys match \"xyzzy\"")
    try pager.press("esc")
    #expect(popup(pager).contains("clear-sort"))
  }

  @Test func `[D61] The columns of the log are aligned.`() throws {
    var pager = try PagerDriver(query: "x", size: (90, 12), rules: { $0.retry.attempts = 3 })
    try pager.answer(numbers: 0..<1, more: true)
    for (status, bytes) in [(503, 7), (503, 120_000)] {
      let request = try #require(pager.state.pageRequests.first)
      var error = PageError(.server, status: status, message: "busy", canRepeat: .freely, wait: 1)
      error.exchange = PagerDriver.exchange(for: request, status: status, bytes: bytes)
      try pager.fail(error)
      try pager.press("r")
    }
    try pager.press("L")
    let lines = pager.screen.split(separator: "\n").filter { $0.contains("page ") && $0.contains(" ms") }
    let places = lines.compactMap { line in
      (line.firstRange(of: " 503 ") ?? line.firstRange(of: " 200 ")).map {
        line.distance(from: line.startIndex, to: $0.lowerBound)
      }
    }
    #expect(lines.count == 3)
    #expect(Set(places).count == 1 && places.count == 3)
  }

  @Test func `The detail view follows the selected row and is read once for each row.`() throws {
    var pager = try pager()
    #expect(pager.state.readingRequest == nil)
    try pager.press("v")
    let request = try #require(pager.state.readingRequest)
    #expect(pager.screen.contains("Link   https://example.org/0"))
    try pager.press("ctrl-n")
    #expect(pager.state.list.selectedRow == 1)
    let next = try #require(pager.state.readingRequest)
    #expect(next != request)
    let content = RowDetail.Content.read(
      fields: [RowDetail.Field(title: "Owner", text: "me")], body: "one\ntwo\u{1b}[31m", json: ["{}"])
    pager.state.reduce(.read(content, for: request.identity))
    #expect(pager.state.readingRequest == next)
    pager.state.reduce(.read(content, for: next.identity))
    #expect(pager.state.readingRequest == nil)
    #expect(pager.screen.contains("▌Owner  me\n\n one\n two␛[31m"))
    try pager.press("J")
    #expect(pager.screen.contains("\n▌{}\n"))
  }

  @Test func `A late answer for another row does not get into the detail.`() throws {
    var pager = try pager()
    try pager.press("v")
    let first = try #require(pager.state.readingRequest)
    try pager.press("ctrl-n")
    let second = try #require(pager.state.readingRequest)
    for (request, owner) in [(second, "second"), (first, "first")] {
      let content = RowDetail.Content.read(
        fields: [RowDetail.Field(title: "Owner", text: owner)], body: nil, json: [])
      pager.state.reduce(.read(content, for: request.identity))
    }
    #expect(pager.screen.contains("Owner  second"))
    #expect(!pager.screen.contains("first"))
  }

  /// The popup with its title.
  private func popup(_ pager: PagerDriver) -> String {
    var lines = pager.screen.split(separator: "\n", omittingEmptySubsequences: false).dropFirst(2).dropLast(2)
    while let last = lines.last, last.isEmpty { lines.removeLast() }
    return lines.joined(separator: "\n")
  }

  /// The popup with its title, and the notice below it.
  private func detail(_ pager: PagerDriver) -> String {
    var lines = pager.screen.split(separator: "\n", omittingEmptySubsequences: false).dropFirst(2).dropLast()
    while let last = lines.last, last.isEmpty { lines.removeLast() }
    return lines.joined(separator: "\n")
  }

  @Test func `A row that cannot be read shows the reason and its cells.`() throws {
    var pager = try pager()
    try pager.press("v")
    let request = try #require(pager.state.readingRequest)
    pager.state.reduce(.read(.failed("the archive is gone"), for: request.identity))
    #expect(
      detail(pager) == """
         row 1 of 5
        ▌✗ the archive is gone

         Name   thing 0
         Stars  0
         About  about thing 0
         Link   https://example.org/0
        """)
  }

  private func fields(_ texts: (String, String)...) -> [RowDetail.Field] {
    texts.map { RowDetail.Field(title: $0.0, text: $0.1) }
  }

  /// The detail view of a row that was read from its page and is then requested in full.
  private func pagerAskingForDetail() throws -> PagerDriver {
    var pager = try PagerDriver(query: "x", size: (60, 12), pager: { $0.requestsDetail = true })
    try pager.answer(numbers: 0..<5, more: false)
    try pager.press("v")
    let request = try #require(pager.state.readingRequest)
    #expect(request.part == .row)
    let own = fields(("Name", "a"), ("Stars", "1"), ("Link", "u"))
    pager.reduce(.read(.read(fields: own, body: "own text", json: ["own JSON"]), for: request.identity))
    return pager
  }

  @Test func `While the full row is requested, the row from its page is shown, as fields and as JSON.`()
    throws
  {
    var pager = try pagerAskingForDetail()
    #expect(pager.state.readingRequest?.part == .response)
    #expect(pager.state.isAnimated)
    #expect(
      detail(pager) == """
         row 1 of 5
        ▌Name   a
         Stars  1
         Link   u

         own text


         ⠋ Loading details…
        """)
    try pager.press("J")
    #expect(detail(pager).hasPrefix(" row 1 of 5, JSON\n▌own JSON\n"))
  }

  @Test func `The full row replaces the row from its page, field by field.`() throws {
    var pager = try pagerAskingForDetail()
    let request = try #require(pager.state.readingRequest)
    let content = RowDetail.Content.read(
      fields: fields(("Name", "A"), ("Owner", "me"), ("Link", "U")), body: "", json: ["its JSON"])
    pager.reduce(.read(content, for: request.identity))
    #expect(pager.state.readingRequest == nil)
    #expect(
      detail(pager) == """
         row 1 of 5
        ▌Name   A
         Owner  me
         Stars  1
         Link   U

         own text
        """)
    try pager.press("J")
    #expect(detail(pager) == " row 1 of 5, JSON\n▌its JSON")
  }

  @Test func `When the full row cannot be loaded, the row from its page is shown below the reason.`() throws {
    var pager = try pagerAskingForDetail()
    let request = try #require(pager.state.readingRequest)
    pager.reduce(.read(.failed("api.example.org answered 404 Not Found"), for: request.identity))
    #expect(pager.state.readingRequest == nil)
    #expect(
      detail(pager) == """
         row 1 of 5
        ▌✗ api.example.org answered 404 Not Found

         Name   a
         Stars  1
         Link   u

         own text
        """)
    try pager.press("J")
    #expect(detail(pager).hasSuffix("404 Not Found\n\n own JSON"))
    try pager.press("!")
    #expect(pager.screen.contains("\n api.example.org answered 404 Not Found\n"))
  }

  /// The first line of the popup's content.
  private func firstLine(_ pager: PagerDriver) -> Substring {
    pager.screen.split(separator: "\n", omittingEmptySubsequences: false)[3]
  }

  @Test func `The log follows new entries at its top, and keeps its position further down.`() throws {
    var pager = try PagerDriver(query: "x", size: (60, 12))
    try pager.answer(numbers: 0..<20)
    for page in 1..<6 {
      try pager.press("M")
      try pager.answer(numbers: page * 20..<page * 20 + 20)
    }
    try pager.press("M L")
    #expect(firstLine(pager).contains("page 6 "))
    try pager.answer(numbers: 120..<140)
    #expect(firstLine(pager).contains("page 7 "))
    try pager.press("esc M L j j j")
    let line = firstLine(pager)
    try pager.answer(numbers: 140..<160)
    #expect(firstLine(pager) == line)
    #expect(pager.state.overlays.popup?.selection == 4)
  }

  /// Where help is opened, and how it begins on a screen of 80 columns.
  @Test(arguments: [
    ("?", "table", "Usual keys", "s, i                edit the query"),
    ("s f1", "query line", "Navigation", "Down, Ctrl-N        next row"),
    ("v ?", "details", "Navigation", "j, Down             next row"),
    ("& f1", "prompt", "Navigation", "Down, Ctrl-N        next row"),
  ]) func `[D17] [D62] Help begins with the usual keys, or those of the place where it was opened.`(
    keys: String, title: String, heading: String, first: String
  )
    throws
  {
    var pager = try PagerDriver(query: "x", size: (80, 12))
    try pager.answer(numbers: 0..<5, more: false)
    try pager.press(keys)
    #expect(popup(pager).hasPrefix(" keys: \(title)  "))
    #expect(firstLine(pager) == " \(heading)")
    #expect(Actions.usual.actions.count == 15)
    #expect(pager.screen.split(separator: "\n")[4].hasPrefix("  \(first)"))
  }

  @Test(arguments: [80, 120]) func `Help lists every action that has a key, and no others.`(columns: Int)
    throws
  {
    var pager = try PagerDriver(query: "x", size: (columns, 300))
    try pager.press("?")
    let lines = pager.screen.split(separator: "\n").map {
      $0.replacing("│", with: "").trimmingCharacters(in: .whitespaces)
    }
    for action in Actions.all {
      #expect(
        lines.contains { $0.hasSuffix(" \(action.name)") } == !action.keys.isEmpty, "\(action.name)")
    }
  }

  @Test func `Help over the list of sources lists only the keys of that list.`() throws {
    let canvas = Canvas(size: Size(columns: 120, rows: 60), widthModel: .clusters)
    var pager = PagerDriver(choosingFrom: [SourceChoice(id: "a", title: "A")], canvas)
    try pager.press("f1")
    #expect(pager.screen.contains(" submit "))
    #expect(!pager.screen.contains("load-more"))
    #expect(!pager.screen.contains("Popup"))
  }

  @Test(arguments: [(20, 4), (24, 4), (24, 5)])
  func `A popup shows a line of its content even on the smallest screen.`(columns: Int, rows: Int) throws {
    var pager = try PagerDriver(query: "x", size: (columns, rows))
    try pager.answer(numbers: 0..<5, more: false)
    try pager.press("v")
    #expect(pager.screen.contains("Name   thing 0"))
    try pager.press("j")
    #expect(pager.screen.contains("Stars  0"))
  }

  @Test func `The palette runs the action that is chosen by words of its name or summary.`() throws {
    var pager = try pager()
    try pager.press("ctrl-x")
    pager.type("listed mark all")
    try pager.press("enter")
    #expect(pager.state.list.marks.count == 5)
    #expect(pager.state.mode == .table)
  }

  @Test func `A source that is typed before the sources are found opens when they are.`() throws {
    let canvas = Canvas(size: Size(columns: 60, rows: 6), widthModel: .clusters)
    var pager = PagerDriver(PagerState.choosingSource(PagerRules(title: "sources"), canvas: canvas))
    #expect(pager.screen.contains("\n  Loading…\n"))
    #expect(!pager.screen.contains("0 sources"))
    pager.type("wiki")
    try pager.press("enter")
    #expect(pager.state.exitReason == nil)
    pager.reduce(.sourcesFound(["hn", "wikipedia"].map { SourceChoice(id: $0, title: $0) }))
    #expect(pager.state.exitReason == .source(id: "wikipedia"))
  }

  @Test func `Without a source, one is chosen from a list, or the pager is left.`() throws {
    let sources = [("github", "GitHub repositories"), ("qiita", "Qiita articles"), ("hn", "Hacker News")]
    let canvas = Canvas(size: Size(columns: 60, rows: 10), widthModel: .clusters)
    var pager = PagerDriver(choosingFrom: sources.map { SourceChoice(id: $0.0, title: $0.1) }, canvas)
    #expect(pager.screen.contains("▌github  GitHub repositories\n qiita   Qiita articles"))
    pager.type("articles")
    try pager.press("enter")
    #expect(pager.state.exitReason == .source(id: "qiita"))
    #expect(pager.asked == "")
    try pager.press("esc")
    #expect(pager.state.exitReason == .quit)
  }

  @Test
  func
    `The list of sources has headings until something is typed, which also finds them by heading and alias.`()
    throws
  {
    let sources = [
      SourceChoice(id: "mine", title: "Mine", group: "your own"),
      SourceChoice(id: "hn", title: "Hacker News", group: "media", otherWords: "news no token"),
      SourceChoice(id: "tv", title: "Shows (needs a credential)", group: "media"),
    ]
    let canvas = Canvas(size: Size(columns: 60, rows: 12), widthModel: .clusters)
    var pager = PagerDriver(choosingFrom: sources, canvas)
    #expect(pager.screen.contains(" your own\n▌mine  Mine\n media\n hn    Hacker News\n tv    Shows"))
    try pager.press("down")
    #expect(pager.screen.contains("media\n▌hn"))
    pager.type("media")
    #expect(pager.status == "2 of 3 sources")
    #expect(pager.screen.contains("\n▌hn    Hacker News\n tv"))
    try pager.press("ctrl-u")
    pager.type("no token")
    try pager.press("enter")
    #expect(pager.state.exitReason == .source(id: "hn"))
  }

  @Test func `[D17] The list of sources counts the matches, and q quits it until something is typed.`()
    throws
  {
    let sources = ["github", "gitlab", "qiita"].map { SourceChoice(id: $0, title: "the \($0)") }
    let canvas = Canvas(size: Size(columns: 60, rows: 10), widthModel: .clusters)
    var pager = PagerDriver(choosingFrom: sources, canvas)
    #expect(pager.status == "3 sources")
    #expect(pager.screen.hasSuffix("Enter: open  q: quit"))
    pager.type("g")
    #expect(pager.status == "2 of 3 sources")
    #expect(pager.screen.hasSuffix("Enter: open  Esc: quit"))
    pager.type("q")
    #expect(pager.status == "0 of 3 sources")
    #expect(pager.screen.contains("No matching sources"))
    try pager.press("backspace down enter")
    #expect(pager.state.exitReason == .source(id: "gitlab"))
    // After its session, all sources are listed, and it is selected.
    pager.reduce(.resumed(canvas))
    #expect(pager.status == "3 sources")
    #expect(pager.screen.contains("▌gitlab"))
    try pager.press("q")
    #expect(pager.state.exitReason == .quit)
  }

  @Test func `A prompt recalls earlier input.`() throws {
    var pager = try pager()
    for text in ["one", "two"] {
      try pager.press("& ctrl-u")
      pager.type(text)
      try pager.press("enter")
    }
    try pager.press("& up up")
    #expect(pager.state.list.filter == "one")
    try pager.press("down esc")
    #expect(pager.state.list.filter == "two")
  }

  @Test func `[D13] A line separates the fields of the source from the other fields of the row.`() throws {
    var pager = try pager()
    try pager.press("v")
    let request = try #require(pager.state.readingRequest)
    let content = RowDetail.Content.read(
      fields: fields(("Name", "a")), others: fields(("owner.login", "ann"), ("size", "7")), body: "text",
      json: ["{}"])
    pager.reduce(.read(content, for: request.identity))
    #expect(
      detail(pager).hasPrefix(
        """
         row 1 of 5
        ▌Name         a

         text
         ── other fields ──────────────────────────────────────────
         owner.login  ann
         size         7
        """))
  }

  /// The parts of lines of JSON with their roles: `key`, `string`, `number`, `literal`.
  private func parts(_ lines: [String], width: Int = 60) throws -> [String] {
    var pager = try PagerDriver(
      query: "x", size: (width, 20), pager: { $0.theme = ThemePalette.dark.theme(for: .direct) })
    try pager.answer(numbers: 0..<1, more: false)
    try pager.press("J")
    let request = try #require(pager.state.readingRequest)
    pager.reduce(.read(.read(fields: [], body: nil, json: JSONOutline(lines)), for: request.identity))
    let theme = pager.state.theme
    let names: [(Style, String)] = [
      (theme[.accent], "key"), (theme[.success], "string"), (theme[.warning], "number"),
      (theme[.header], "literal"),
    ]
    return DetailLines(
      state: pager.state, width: pager.state.popupBox.inner.columns, height: 20, showsJSON: true
    ).popupEntries.lines(from: 0, limit: .max)
      .map { line in
        line.pieces.dropFirst().map { piece in
          guard case .text(let text, let style, _) = piece else { return "" }
          let name = names.first { $0.0 == style }?.1
          return name.map { "\($0)(\(text.string))" } ?? text.string
        }.joined()
      }
  }

  @Test func `The list of messages has the reason for the end, which its line may cut off.`() throws {
    var pager = try PagerDriver(query: "x", size: (60, 12))
    let reason = "pagination.next returned a link that leads to another origin, http://b.example"
    let request = try #require(pager.state.pageRequests.first)
    var page = try pager.page([PagerDriver.row(1)], for: request, more: false)
    page.continuation = .end(.refusedNext(reason))
    pager.reduce(.session(.loaded(page, for: request)))
    #expect(pager.notice.hasPrefix("✗ pagination.next returned a link"))
    #expect(pager.notice.hasSuffix("… (!: all)"))
    try pager.press("!")
    #expect(pager.screen.contains("http://b.example") && !pager.screen.contains("No messages yet"))
  }

  @Test func `[D13] JSON is colored by the kinds of its parts.`() throws {
    let lines = [
      "{", #"  "name": "a: \"b\"","#, #"  "n": -1.5e9,"#, #"  "list": [],"#, #"  "ok": true"#, "null", "}",
      "the recording does not hold the row's JSON",
    ]
    #expect(
      try parts(lines) == [
        "{", #"  key("name"): string("a: \"b\""),"#, #"  key("n"): number(-1.5e9),"#, #"  key("list"): [],"#,
        #"  key("ok"): literal(true)"#, "literal(null)", "}", "the recording does not hold the row's JSON",
      ])
  }

  @Test func `[D13] Wrapped JSON keeps its colors, and characters that cannot be shown are escaped.`()
    throws
  {
    #expect(
      try parts([#""key": "words on two lines \#u{202E}é""#], width: 24) == [
        #"key("key"): string("words on two)"#, #"string(lines \u202eé")"#,
      ])
  }
}

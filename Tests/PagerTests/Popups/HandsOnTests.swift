import HTTPValues
import JSON
import Search
import Testing
import Text

@testable import Pager
@testable import Terminal

/// Tests what a user of other pagers expects of popups, programs and the mouse.
@Suite struct HandsOnTests {
  private func pager(
    size: (columns: Int, rows: Int) = (80, 14), rows: Int = 9, _ change: (inout PagerRules) -> Void = { _ in }
  ) throws -> PagerDriver {
    var pager = try PagerDriver(query: "x", size: size, pager: change)
    try pager.answer(numbers: 0..<rows, more: false)
    return pager
  }

  private static let json = JSONOutline([
    "{", #"  "name": "a","#, #"  "owner": {"#, #"    "login": "ann","#, #"    "ids": [1]"#, "  },",
    #"  "stars": 7"#, "}",
  ])

  /// A pager that shows the details of its first row.
  private func detail(_ keys: String, _ change: (inout PagerRules) -> Void = { _ in }) throws -> PagerDriver {
    var pager = try pager(change)
    try pager.press("v")
    let fields = try [("Name", "a", "name"), ("Stars", "7", "stars"), ("owner.login", "ann", "owner.login")]
      .map { RowDetail.Field(title: $0, text: $1, path: try JSONPath($2)) }
    let request = try #require(pager.state.readingRequest)
    pager.reduce(
      .read(.read(fields: fields, body: nil, json: Self.json), for: request.identity))
    try pager.press(keys)
    return pager
  }

  /// The line under the cursor of the popup, without the cursor.
  private func selected(_ pager: PagerDriver) -> String {
    let line = pager.screen.split(separator: "\n").first { $0.contains("▌") } ?? ""
    return line.split(separator: "▌").last?.split(separator: " ").joined(separator: " ") ?? ""
  }

  // MARK: Programs

  private func running(_ command: String) throws -> PagerDriver {
    var pager = try pager()
    try pager.press("|")
    pager.type(command)
    try pager.press("enter")
    return pager
  }

  private func print(_ lines: [String], _ pager: inout PagerDriver) throws {
    let effect = try #require(pager.state.effects.started.first)
    let report = ProgramReport(name: "make", isForOutput: true)
    pager.reduce(
      .programPrinted(
        id: effect.id,
        report.appending(ProgramReport.Run(command: "make", output: lines, end: .running))))
  }

  @Test func `[H5] The status shows that a program runs, whatever keys follow.`() throws {
    var pager = try running("make")
    try pager.press("j j /")
    pager.type("thing")
    try pager.press("enter")
    #expect(pager.status.contains("running make"))
    try pager.press("esc")
    #expect(!pager.status.contains("running make"))
    pager = try running("make a very long list of targets")
    try pager.press("j")
    #expect(pager.status.contains("program running"))
  }

  @Test func `[23] The status shows how many rows a command of | has read, until it has read all.`() throws {
    var pager = try PagerDriver(query: "x", size: (100, 12))
    try pager.answer([#"{"name": "one", "stars": 1, "about": "first"}"#], more: false)
    try pager.press("|")
    pager.type("wc -l")
    try pager.press("enter")
    let id = try #require(pager.state.effects.started.last?.id)
    var report = ProgramReport(name: "wc -l", isForOutput: true, rowCount: 100_000)
    for (rows, shown) in [
      (0, "running wc -l (0 of 100,000 rows)"), (12_000, "running wc -l (12,000 of 100,000 rows)"),
    ] {
      report.rowsWritten = rows
      pager.reduce(.programPrinted(id: id, report))
      try pager.press("j")
      #expect(pager.status.contains(shown), "\(pager.status)")
    }
    report.rowsWritten = 100_000
    pager.reduce(.programPrinted(id: id, report))
    #expect(pager.status.contains("running wc -l") && !pager.status.contains("100,000"))
    try pager.press("esc")
    #expect(!pager.status.contains("running"))
  }

  @Test func `[H5] The output so far is shown while a program runs, and after it was stopped.`() throws {
    var pager = try running("make")
    try print(["one"], &pager)
    try pager.press("\"")
    #expect(pager.screen.contains("one\n running"))
    try print(["one", "two"], &pager)
    #expect(pager.screen.contains("two\n running"))
    let late = pager
    try pager.press("\" esc \"")
    #expect(pager.screen.contains("two\n stopped"))
    // What it printed before it noticed comes too late.
    var report = late.state.effects.report
    report?.stop()
    pager.reduce(.programPrinted(id: 1, ProgramReport(name: "late")))
    #expect(pager.state.effects.report == report)
  }

  @Test func `[H13] Of a long output, only the lines on the screen are laid out.`() throws {
    var pager = try running("make")
    try print((1...20_000).map { "line \($0)" }, &pager)
    try pager.press("\"")
    #expect(pager.screen.contains("1–9 of 20,002 lines") && pager.state.popupLines.count == 9)
    try pager.press("G")
    #expect(pager.screen.contains("line 20000\n running") && pager.screen.contains("19,994–20,002 of 20,002"))
    try pager.press("g / l i n e space 1 7 0 0 0 enter")
    #expect(pager.screen.contains("\n line 17000\n"))
  }

  @Test func `[H13] Each part of a line that is longer than the screen can be scrolled to.`() throws {
    var pager = try running("make")
    let words = (0..<1_000).map { "word\($0)" }.joined(separator: " ")
    try print([words], &pager)
    try pager.press("\" G")
    #expect(pager.screen.contains("word999"))
  }

  // MARK: Details

  @Test(arguments: [
    ("J", "{"), ("j J", #""stars": 7"#), ("j j J", #""login": "ann","#), ("j J J", "Stars 7"),
    ("J j j J", "Name a"), ("J j j j J", "owner.login ann"), ("j j J h h J", "Name a"),
  ]) func `[H17] The cursor stays on its field between fields and JSON.`(keys: String, line: String) throws {
    #expect(selected(try detail(keys)) == line)
  }

  @Test(arguments: [
    ("j j j j j Y", "path: owner"), ("j j j j j y y", #"value: { "login": "ann", "ids": [1] }"#),
    ("G Y", "path: $"), ("j j j j j c", "owner is a column now"),
  ]) func `[H16] A closing bracket stands for its object.`(keys: String, expected: String) throws {
    let pager = try detail("J \(keys)")
    guard case .copy(let text, let what)? = pager.state.effects.requests.first?.task else {
      #expect(pager.notice == expected)
      return
    }
    #expect("\(what): \(text)" == expected)
  }

  @Test func `[H16] A closing bracket folds its object, and the whole is not a field.`() throws {
    #expect(selected(try detail("J j j j j j h")) == #""owner": {2 fields},"#)
    #expect(try detail("J c").notice == "not a field")
  }

  @Test func `[H19] The keys that may follow are words, with those of all popups, and none twice.`() throws {
    var pager = try detail("y")
    pager.reduce(.prefixRested(try #require(pager.state.prefix)))
    #expect(pager.notice == "copy  r: row  y, v: field  p: path  u: link  j: json")
    let action = RowAction(
      name: "show", key: "s",
      effect: .run(RowCommand([try ValueTemplate("echo"), try ValueTemplate("{name}")])),
      summary: "echo the name")
    let map = try KeyMap(Actions.all + SourceActions.actions(options: [], rowActions: [action]))
    pager = try self.pager { $0.keyMap = map }
    try pager.press(",")
    pager.reduce(.prefixRested(try #require(pager.state.prefix)))
    #expect(pager.notice == "s: echo the name")
    try pager.press("esc z")
    pager.reduce(.prefixRested(try #require(pager.state.prefix)))
    #expect(pager.notice == "z: center row")
  }

  // MARK: Screen readers

  @Test(arguments: [("C j j", 5, "field 3 of 3"), ("v j", 4, "line 2 of"), ("L", 3, "request 1 of 1")])
  func `[H6] For a screen reader, the cursor of the terminal is on the selected entry of a popup.`(
    keys: String, row: Int, fact: String
  ) throws {
    var pager = try pager {
      $0.isAccessible = true
      $0.glyphs = .words
    }
    try pager.press(keys)
    #expect(PagerView.frame(pager.state).caret?.row == row, "\(pager.screen)")
    #expect(pager.screen.contains(fact), "\(pager.screen)")
  }

  // MARK: The mouse

  private func click(_ column: Int, _ row: Int, _ pager: inout PagerDriver) {
    pager.reduce(.mouse(Mouse(action: .press, column: column, row: row)))
  }

  @Test func `[H18] A click selects an entry of a popup, and a click on the selected one chooses it.`() throws
  {
    var pager = try detail("J") { $0.isMouseOn = true }
    click(5, 5, &pager)
    #expect(selected(pager) == #""owner": {"#)
    click(5, 5, &pager)
    #expect(selected(pager) == #""owner": {2 fields},"#)
    pager = try self.pager { $0.isMouseOn = true }
    try pager.press("C")
    pager.reduce(.fieldsCounted(FieldCensus()))
    click(2, 4, &pager)
    click(2, 4, &pager)
    #expect(selected(pager).hasPrefix("[ ] Stars"))
    click(2, 13, &pager)
    #expect(selected(pager).hasPrefix("[ ] Stars"))
  }

  @Test func `[H18] A click in the table selects the cell.`() throws {
    var pager = try pager { $0.isMouseOn = true }
    click(16, 5, &pager)
    #expect(pager.state.list.selectedRow == 2 && pager.state.table.currentColumn == 1)
  }

  // MARK: The request log

  private static func transcript(_ body: String) throws -> Transcript {
    let url = try WebURL("https://api.example.org/search")
    let request = HTTPRequest(
      url: url,
      headers: HTTPFields([
        HTTPField(received: "accept", value: "application/json"),
        HTTPField(received: "x-api-key", value: "hidden"),
      ]),
      credentials: [
        PlacedCredential(
          place: .header("authorization"), secret: Secret("Bearer topsecret"), provenance: "a test")
      ])
    let response = HTTPResponse(
      status: 404,
      headers: HTTPFields([
        HTTPField(received: "content-type", value: "application/json"),
        HTTPField(received: "set-cookie", value: "session=1"),
      ]), body: Array(body.utf8), url: url)
    return Transcript(request, response) { $0.replacing("topsecret", with: "<secret>") }
  }

  /// A pager that shows a request of its log.
  private func request(_ transcript: Transcript, size: (columns: Int, rows: Int) = (80, 19)) throws
    -> PagerDriver
  {
    var pager = try pager(size: size)
    try pager.press("r")
    let request = try #require(pager.state.pageRequests.first)
    var error = PageError(.server, status: 404, message: "not found")
    error.exchange = PagerDriver.exchange(for: request, status: 404, bytes: 1_300_000)
    error.exchange?.transcript = transcript
    try pager.fail(error)
    try pager.press("L j k enter")
    return pager
  }

  private func popup(_ pager: PagerDriver) -> String {
    let lines = pager.screen.split(separator: "\n", omittingEmptySubsequences: false)
    return lines.dropFirst(2).dropLast(2).joined(separator: "\n")
  }

  @Test func `[52] Enter in the request log shows the request and its response, without secrets.`() throws {
    var pager = try request(try Self.transcript(#"{"message": "no list topsecret", "ids": [1]}"#))
    #expect(
      popup(pager) == """
         request: page 1                                               1–14 of 17 lines
         GET https://api.example.org/search?page=1&key=$EXAMPLE_KEY
           accept: application/json
           x-api-key: <secret>
           authorization: <secret>

         404  1.2 MiB  120 ms  sent at 00:16
           content-type: application/json
           set-cookie: <secret>

         not found

         {
           "message": "no list <secret>",
           "ids": [
        """)
    try pager.press("G")
    #expect(popup(pager).hasSuffix("\n   \"ids\": [\n     1\n   ]\n }"))
    try pager.press("esc")
    #expect(pager.state.overlays.popup?.kind == .log)
    try pager.press("esc ? enter")
    #expect(pager.notice == "nothing to open here")
  }

  @Test func `[52] A body that is cut says so, and its controls reach no terminal.`() throws {
    let long = String(repeating: "long line ", count: 13_000).prefix(Transcript.maxBody - 19)
    let text = "no \u{1B}[31m list\n\(long) end" + String(repeating: " more", count: 9_000)
    var pager = try request(try Self.transcript(text))
    try pager.press("/")
    pager.type("first")
    try pager.press("enter")
    #expect(popup(pager).contains(" The first 64.0 KiB of 1.2 MiB\n no "))
    #expect(!pager.screen.contains("\u{1B}"))
    // The long line can be scrolled to its end.
    try pager.press("G")
    #expect(popup(pager).contains(" end\n"), "\(pager.screen)")
  }

  @Test func `[52] A body that the log has dropped is missed in one sentence.`() throws {
    var transcript = try Self.transcript("[]")
    transcript.dropBody()
    let pager = try request(transcript)
    #expect(
      popup(pager).contains("\n The log no longer has this body, as it keeps only the latest 4.0 MiB\n"))
  }
}

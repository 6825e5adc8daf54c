import HTTPValues
import JSON
import Testing
import Text

@testable import Pager
@testable import Search
@testable import Terminal

@Suite struct PreviewTests {
  private func pager(
    _ size: (columns: Int, rows: Int) = (120, 20), rule: Occasion = .never, detail: Bool = false
  ) throws -> PagerDriver {
    var pager = try PagerDriver(
      query: "x", size: size,
      pager: {
        $0.preview = rule
        $0.requestsDetail = detail
      })
    try pager.answer(numbers: 0..<30, more: false)
    return pager
  }

  /// The title of the preview: `row 2 of 30 1–15 of 15+ lines`.
  private func title(_ pager: PagerDriver) -> String {
    for line in pager.screen.split(separator: "\n") {
      guard let range = line.firstRange(of: "row ") else { continue }
      let words = line[range.lowerBound...].split { $0 == " " || $0 == "─" || $0 == "│" }
      return words.joined(separator: " ")
    }
    return ""
  }

  private func read(_ pager: inout PagerDriver, _ text: String, body: String? = nil) throws {
    let request = try #require(pager.state.readingRequest)
    let fields = [RowDetail.Field(title: "Text", text: text)]
    pager.reduce(.read(.read(fields: fields, body: body, json: []), for: request.identity))
  }

  /// Width, height, and where the preview is: its columns and rows.
  @Test(arguments: [
    (20, 8, nil), (80, 19, nil), (80, 20, "below: 80 × 6"), (119, 40, "below: 119 × 14"),
    (120, 10, "beside: 48 × 6"), (200, 60, "beside: 80 × 56"), (500, 200, "beside: 200 × 196"),
  ])
  func `The preview is next to the table from 120 columns on, and below it otherwise.`(
    columns: Int, rows: Int, place: String?
  ) throws {
    var pager = try pager((columns, rows))
    try pager.press("p")
    let region = pager.state.screen.preview
    #expect(region.map { "\($0.column == 0 ? "below" : "beside"): \($0.columns) × \($0.rows)" } == place)
    expectFit(PagerView.frame(pager.state))
    if place == nil { #expect(pager.notice.hasPrefix("the screen is")) }
  }

  @Test func `The preview shows the selected row while the selection moves.`() throws {
    var pager = try pager()
    try pager.press("p")
    #expect(title(pager) == "row 1 of 30")
    try read(&pager, "the first")
    #expect(pager.screen.contains("Text  the first"))
    try pager.press("j")
    #expect(title(pager) == "row 2 of 30")
    #expect(!pager.screen.contains("the first"))
    try read(&pager, "the second")
    #expect(pager.screen.contains("Text  the second"))
    #expect(pager.state.readingRequest == nil)
    try pager.press("p")
    #expect(!pager.screen.contains("the second"))
  }

  @Test(arguments: [(16_384, true), (16_385, false)])
  func `A row of at most 16 KiB is read before the frame is drawn.`(bytes: Int, isQuick: Bool) throws {
    let document = try JSONDocument(Array("[\"\(String(repeating: "x", count: bytes - 2))\"]".utf8))
    let rows = DocumentRows(
      response: ResponseValues(document: document, headers: [], url: try WebURL("https://api.example.org/")),
      nodes: Array(document.elements(of: document.rootNode)))
    let cells = CellTable(
      rows, columns: [], link: nil, context: FormatContext(now: 0),
      archived: ArchivedRows(rows, in: RowArchive(keep: { _ in 0 }, read: { _ in nil })))
    let request = RowReadingRequest(
      identity: RowDetail.Identity(version: 0, row: 0), part: .row,
      row: RowReference(content: .cells(cells), row: 0, key: nil), delay: .zero)
    #expect(request.isQuick == isQuick)
  }

  @Test func `[52] J switches the preview between fields and JSON, from its first line.`() throws {
    var pager = try pager((120, 14))
    try pager.press("p")
    let request = try #require(pager.state.readingRequest)
    let json = JSONOutline(["{", "  \"name\": \"one\",", "  \"owner\": {", "    \"id\": 7", "  }", "}"])
    let fields = [RowDetail.Field(title: "Name", text: "one")]
    pager.reduce(.read(.read(fields: fields, body: "first\nsecond", json: json), for: request.identity))
    func preview() -> String {
      let lines = pager.screen.split(separator: "\n", omittingEmptySubsequences: false).dropFirst(3).dropLast(
        2)
      return lines.filter { $0.contains("│") }
        .map { $0.split(separator: "│", omittingEmptySubsequences: false)[1] }
        .map { String($0).trimmingSuffix { $0 == " " } }.joined(separator: "\n").trimmingSuffix { $0 == "\n" }
    }
    let fieldsShown = """
       Name  one

       first
       second
      """
    #expect(preview() == fieldsShown)
    try pager.press("alt-j J")
    #expect(
      preview() == """
         {
           "name": "one",
           "owner": {
             "id": 7
           }
         }
        """)
    #expect(pager.state.overlays.isEmpty && pager.state.preview.scroll == 0)
    try pager.press("J")
    #expect(preview() == fieldsShown)
  }

  @Test func `A row that is read twice is written once.`() throws {
    var pager = try pager()
    try pager.press("p")
    let identity = try #require(pager.state.readingRequest).identity
    for text in ["first", "second"] {
      let field = RowDetail.Field(title: "Text", text: text)
      pager.reduce(.rowRead(.read(fields: [field], body: nil, json: []), for: identity))
    }
    #expect(pager.screen.contains("Text  first"))
  }

  @Test func `A response for a row that is no longer selected is dropped.`() throws {
    var pager = try pager()
    try pager.press("p")
    let request = try #require(pager.state.readingRequest)
    try pager.press("j")
    pager.reduce(.read(.failed("late"), for: request.identity))
    #expect(!pager.screen.contains("late"))
    #expect(pager.state.readingRequest != nil)
  }

  /// The rule, whether the user opened it with `p`, and whether the service is asked for the row.
  @Test(arguments: [
    (Occasion.auto, "", 160, true, false), (.auto, "", 159, false, false),
    (.auto, "p p", 160, true, true), (.auto, "p", 159, true, true), (.always, "", 80, true, true),
    (.never, "", 200, false, false), (.never, "p", 200, true, true),
  ])
  func `A preview that only a wide screen opened makes no requests.`(
    rule: Occasion, keys: String, columns: Int, isOpen: Bool, asks: Bool
  ) throws {
    var pager = try pager((columns, 40), rule: rule, detail: true)
    try pager.press(keys)
    #expect((pager.state.screen.preview != nil) == isOpen)
    guard isOpen else { return }
    #expect(pager.state.readingRequest?.part == .row)
    #expect(pager.state.readingRequest?.delay == .zero)
    try read(&pager, "own")
    #expect((pager.state.readingRequest?.part == .response) == asks)
    if asks { #expect(pager.state.readingRequest?.delay == pager.state.rules.input.debounce) }
  }

  @Test func `The detail popup asks for the row at once, the preview after the pause of a live query.`()
    throws
  {
    var pager = try pager(rule: .never, detail: true)
    try pager.press("p")
    try read(&pager, "own")
    #expect(pager.state.readingRequest?.delay == pager.state.rules.input.debounce)
    try pager.press("v")
    #expect(pager.state.readingRequest?.delay == .zero)
  }

  @Test func `Nothing is requested when the budget of the service is nearly used up.`() throws {
    var pager = try PagerDriver(query: "x", size: (120, 20), pager: { $0.requestsDetail = true })
    try pager.answer(
      (0..<30).map(PagerDriver.row), more: false, budget: RateBudget(limit: 60, remaining: 1, resetsAt: 5_000)
    )
    try pager.press("p")
    try read(&pager, "own")
    #expect(pager.state.readingRequest == nil)
  }

  @Test func `A failed request is shown above the fields of the row.`() throws {
    var pager = try pager(rule: .always, detail: true)
    try read(&pager, "own")
    let request = try #require(pager.state.readingRequest)
    pager.reduce(.read(.failed("the service refused it"), for: request.identity))
    #expect(pager.screen.contains("✗ the service refused it"))
    #expect(pager.screen.contains("Text  own"))
    #expect(pager.state.readingRequest == nil)
  }

  @Test func `The preview scrolls to the ends of its lines, and starts at the top for each row.`() throws {
    var pager = try pager()
    try pager.press("p")
    try read(&pager, "t", body: (1...40).map { "line \($0)" }.joined(separator: "\n"))
    #expect(title(pager).hasSuffix("1–15 of 15+ lines"))
    try pager.press("3 alt-j")
    #expect(title(pager).hasSuffix("4–18 of 18+ lines"))
    try pager.press("9 9 alt-down")
    #expect(title(pager).hasSuffix("28–42 of 42 lines"))
    try pager.press("9 9 alt-k")
    #expect(title(pager).hasSuffix("1–15 of 15+ lines") || title(pager).hasSuffix("1–15 of 42 lines"))
    try pager.press("5 alt-j j")
    #expect(title(pager) == "row 2 of 30")
    #expect(pager.state.preview.scroll == 0)
  }

  @Test func `Lines end with LF or with CRLF.`() throws {
    var pager = try pager()
    try pager.press("p")
    try read(&pager, "t", body: "first\r\nsecond\nthird")
    let lines = pager.screen.split(separator: "\n")
    for word in ["first", "second", "third"] {
      #expect(lines.count { $0.contains(word) } == 1)
      #expect(
        !lines.contains { line in
          line.contains(word) && ["first", "second", "third"].contains { $0 != word && line.contains($0) }
        })
    }
  }

  @Test func `The preview grows and shrinks within limits, and leaves the table its columns.`() throws {
    var pager = try pager((200, 40))
    try pager.press("p")
    var widths = [pager.state.screen.preview?.columns]
    for keys in [")", ")", "9 )", "(", "9 ("] {
      try pager.press(keys)
      widths.append(pager.state.screen.preview?.columns)
      expectFit(PagerView.frame(pager.state))
    }
    #expect(widths == [80, 100, 120, 150, 140, 40])
  }

  @Test func `The wheel scrolls the pane that it is over.`() throws {
    var pager = try pager()
    try pager.press("p %")
    try read(&pager, "t", body: (1...40).map { "line \($0)" }.joined(separator: "\n"))
    pager.reduce(.mouse(Mouse(action: .wheelDown, column: 100, row: 8)))
    #expect(pager.state.preview.scroll == 3)
    #expect(pager.state.list.viewport.top == 0)
    pager.reduce(.mouse(Mouse(action: .wheelDown, column: 3, row: 8)))
    #expect(pager.state.preview.scroll == 0)
    #expect(pager.state.list.viewport.top == 3)
    pager.reduce(.mouse(Mouse(action: .press, column: 100, row: 8)))
    #expect(pager.state.list.viewport.selection == 3)
  }

  @Test func `A screen reader has no preview unless the user opens it.`() throws {
    var pager = try PagerDriver(
      query: "x", size: (200, 40),
      pager: {
        $0.preview = .auto
        $0.isAccessible = true
        $0.glyphs = .words
      })
    try pager.answer(numbers: 0..<3, more: false)
    #expect(pager.state.screen.preview == nil)
    try pager.press("p")
    #expect(pager.state.screen.preview != nil)
    #expect(!pager.screen.contains("│"))
  }

  @Test func `Every screen from 1 × 1 to 500 × 200 is drawn within its size.`() throws {
    for (columns, rows) in [(1, 1), (20, 4), (30, 22), (79, 23), (120, 4), (120, 6), (121, 9), (500, 200)] {
      var pager = try pager((columns, rows), rule: .always)
      for keys in ["j", "v", "esc", "ctrl-x", "esc", "O", "esc", "?", "esc", "9 )", "9 ("] {
        try pager.press(keys)
        expectFit(PagerView.frame(pager.state))
      }
    }
  }
}

extension String {
  fileprivate func trimmingSuffix(while isTrimmed: (Character) -> Bool) -> String {
    var text = self[...]
    while let last = text.last, isTrimmed(last) { text.removeLast() }
    return String(text)
  }
}

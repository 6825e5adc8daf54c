import HTTPValues
import JSON
import Testing
import Text

@testable import Pager
@testable import Search
@testable import Terminal

/// Tests the form of each event in a recording, and that invalid forms are refused.
@Suite struct EventFormTests {
  static let pictures: [(PagerEvent, String)] = [
    (.key(Key("j")), #"{"key":"j"}"#),
    (.key(Key("x", .ctrl)), #"{"key":"ctrl-x"}"#),
    (.key(Key("-", [.ctrl, .alt])), #"{"key":"ctrl-alt--"}"#),
    (.key(Key("O", .alt)), #"{"key":"alt-O"}"#),
    (.key(Key(" ")), #"{"key":"space"}"#),
    (.key(Key("\u{1}")), #"{"key":"\u0001"}"#),
    (.key(Key(.function(5), .shift)), #"{"key":"shift-f5"}"#),
    (.pasted("a \"b\"\n日本"), #"{"pasted":"a \"b\"\n日本"}"#),
    (
      .mouse(Mouse(action: .press(2), column: 3, row: 4, modifiers: .alt)),
      #"{"mouse":{"action":{"press":2},"column":3,"row":4,"modifiers":2}}"#
    ),
    (
      .mouse(Mouse(action: .wheelUp, column: 0, row: 0, modifiers: [])),
      #"{"mouse":{"action":{"wheelUp":{}},"column":0,"row":0,"modifiers":0}}"#
    ),
    (
      .resized(Canvas(size: Size(columns: 80, rows: 24), widthModel: .clusters)),
      #"{"resized":{"size":{"columns":80,"rows":24},"widthModel":{"measure":"clusters","ambiguousIsWide":false}}}"#
    ),
    (
      .resumed(
        Canvas(size: Size(columns: 1, rows: 1), widthModel: WidthModel(.codePoints, ambiguousIsWide: true))),
      #"{"resumed":{"size":{"columns":1,"rows":1},"widthModel":{"measure":"codePoints","ambiguousIsWide":true}}}"#
    ),
    (.background(.dark), #"{"background":"dark"}"#),
    (.focused(false), #"{"focused":false}"#),
    (.rested(edit: 7), #"{"rested":{"edit":7}}"#),
    (.ticked(1_790_000_000.125), #"{"ticked":1790000000.125}"#),
    (.watchElapsed(1_790_000_060), #"{"watchElapsed":1790000060.0}"#),
    (
      .read(.failed("gone"), for: RowDetail.Identity(version: 1, row: 2)),
      #"{"read":{"content":{"failed":"gone"},"for":{"version":1,"row":2}}}"#
    ),
    (
      .read(
        .read(fields: [RowDetail.Field(title: "A", text: "b")], body: nil, json: ["{}"]),
        for: RowDetail.Identity(version: 1, row: 2)),
      #"{"read":{"content":{"read":{"fields":[{"title":"A","text":"b"}],"others":[],"json":["{}"]}},"for":{"version":1,"row":2}}}"#
    ),
    (.effectEnded(id: 3, .done(nil)), #"{"effectEnded":{"id":3,"outcome":{"done":{}}}}"#),
    (.effectEnded(id: 3, .done("copied")), #"{"effectEnded":{"id":3,"outcome":{"done":"copied"}}}"#),
    (.effectEnded(id: 3, .failed("no")), #"{"effectEnded":{"id":3,"outcome":{"failed":"no"}}}"#),
    (
      .effectEnded(id: 3, .ran(ran)),
      #"{"effectEnded":{"id":3,"outcome":{"ran":{"name":"clone","runs":[{"command":"'a'","output":["b"],"end":{"status":1}},"#
        + #"{"command":"","output":[],"end":{"notRun":"why"}}],"count":2,"failures":2,"firstFailure":{"status":1},"size":204}}}}"#
    ),
    (
      .summarized(
        ColumnSummary(
          identity: ColumnSummary.Identity(
            column: 1, rules: RowOrderRules(filter: "x<1d", now: 5), version: 4, loaded: 9),
          count: 3, empty: 1, distinct: 2, least: "1", median: "1", most: "2",
          values: [ColumnSummary.Value(text: "1", term: "n=1", count: 2)])),
      #"{"summarized":{"identity":{"column":1,"rules":{"filter":"x<1d","visible":[],"now":5.0},"version":4,"loaded":9},"#
        + #""count":3,"empty":1,"distinct":2,"least":"1","median":"1","most":"2","#
        + #""values":[{"text":"1","term":"n=1","count":2}]}}"#
    ),
    (.historyRead(["a", "b"]), #"{"historyRead":["a","b"]}"#),
    (.refused("why"), #"{"refused":"why"}"#),
    (.warned("what"), #"{"warned":"what"}"#),
    (.tripped("loop"), #"{"tripped":"loop"}"#),
    (
      .ordered(order),
      #"{"ordered":{"rules":{"filter":"x","sort":{"column":1,"isDescending":true},"visible":[0,1]},"version":4,"rows":[8,1],"#
        + #""keys":[{"kind":0,"bits":18446744073709551615,"moreBits":0},{"kind":1,"bits":7,"moreBits":9}],"covered":9,"isOutline":false}}"#
    ),
    (
      .ordered(order.outline),
      #"{"ordered":{"rules":{"filter":"x","sort":{"column":1,"isDescending":true},"visible":[0,1]},"version":4,"rows":[],"keys":[],"covered":9,"isOutline":true}}"#
    ),
    (
      .session(.searched(Query("a", options: ["sort": "stars"]), .rows(50))),
      #"{"session":{"searched":{"query":{"text":"a","options":{"sort":"stars"}},"demand":{"rows":50}}}}"#
    ),
    (.session(.wanted(.everything)), #"{"session":{"wanted":{"everything":{}}}}"#),
    (.session(.wanted(.pages(2))), #"{"session":{"wanted":{"pages":2}}}"#),
    (.session(.wanted(.nothing)), #"{"session":{"wanted":{"nothing":{}}}}"#),
    (.session(.refreshed(rows: 40)), #"{"session":{"refreshed":{"rows":40}}}"#),
    (.session(.stopped), #"{"session":{"stopped":{}}}"#),
    (.session(.retried), #"{"session":{"retried":{}}}"#),
    (.session(.reached(1_030.5)), #"{"session":{"reached":1030.5}}"#),
    (
      .session(.totalReceived(TotalReply(.atLeast(9)), for: TotalQuery(query: Query("a"), generation: 2))),
      #"{"session":{"totalReceived":{"reply":{"total":{"atLeast":9}},"for":{"query":{"text":"a","options":{}},"generation":2,"attempt":0}}}}"#
    ),
    (
      .session(
        .totalReceived(TotalReply(nil), for: TotalQuery(query: Query("a"), generation: 2, attempt: 1))),
      #"{"session":{"totalReceived":{"reply":{},"for":{"query":{"text":"a","options":{}},"generation":2,"attempt":1}}}}"#
    ),
    (
      .session(
        .totalFailed(
          PageError(.server, status: 500, message: "no"), for: TotalQuery(query: Query("a"), generation: 2),
          at: Moment(now: 1000.5, jitter: 0.25))),
      #"{"session":{"totalFailed":{"error":{"kind":"server","status":500,"message":"no","canRepeat":{"never":{}}},"#
        + #""for":{"query":{"text":"a","options":{}},"generation":2,"attempt":0},"at":{"now":1000.5,"jitter":0.25}}}}"#
    ),
    (.session(.written(3, generation: 1)), #"{"session":{"written":{"ordinal":3,"generation":1}}}"#),
    (
      .session(.failed(error, for: request, at: Moment(now: 1000.5, jitter: 0.25))),
      #"{"session":{"failed":{"error":{"kind":"rate-limited","status":429,"message":"slow","serviceMessage":"its words","#
        + #""remedy":"wait","canRepeat":{"atMost":2},"wait":3.5,"waitAtLeast":1.0,"#
        + #""budget":{"limit":10,"remaining":0,"resetsAt":2000.0},"#
        + #""bucket":{"origin":{"scheme":"https","host":"h.org","port":8080},"name":"core"},"#
        + #""exchange":{"method":"GET","address":"https://h.org/x","status":429,"bytes":12,"sentAt":999.5,"#
        + #""arrivedAt":1000.0,"requests":1}},"#
        + #""for":{"query":{"text":"a","options":{}},"position":{"ordinal":3,"value":{"number":80},"carried":[]},"generation":2,"attempt":1},"#
        + #""at":{"now":1000.5,"jitter":0.25}}}}"#
    ),
    (
      .session(.loaded(page, for: request)),
      #"{"session":{"loaded":{"page":{"rows":{"rowCount":2,"columns":[{"name":"n","title":"N","format":"number","#
        + #""alignment":"center","width":{"flexible":{"min":3,"weight":2}},"isWrapped":true,"priority":-1,"#
        + #""color":{"byText":{"x":"error"}},"empty":"–","isHidden":false}],"naturalWidths":[5],"#
        + #""cells":["a","https://h.org/1","é\u001b",""],"sortBits":[[5,18446744073709551615]],"moreSortBits":[[7,0]]},"#
        + #""keys":[1,18446744073709551615],"received":3,"pageSize":2,"#
        + #""continuation":{"next":{"position":{"ordinal":4,"value":{"token":"t"},"carried":[]},"evidence":"page-count"}},"#
        + #""total":{"exact":11},"pageCount":4,"budget":{"remaining":3},"backoff":2.0,"notes":["partial"],"#
        + #""exchange":{"method":"GET","address":"","sentAt":0.0,"arrivedAt":0.0,"requests":1}},"#
        + #""for":{"query":{"text":"a","options":{}},"position":{"ordinal":3,"value":{"number":80},"carried":[]},"generation":2,"attempt":1}}}}"#
    ),
  ]

  private static var ran: ProgramReport {
    var report = ProgramReport(name: "clone")
    report.append(ProgramReport.Run(command: "'a'", output: ["b"], end: .status(1)))
    report.append(ProgramReport.Run(command: "", end: .notRun("why")))
    return report
  }

  private static var request: PageRequest {
    PageRequest(
      query: Query("a"), position: Position(ordinal: 3, value: .number(80)), generation: 2, attempt: 1)
  }

  private static var order: RowOrder {
    var order = RowOrder(
      RowOrderRules(filter: "x", sort: ColumnSort(column: 1, isDescending: true), visible: [0, 1]), version: 4
    )
    order.rows = [8, 1]
    order.covered = 9
    order.keys = [
      SortKey(kind: .number, bits: .max, moreBits: 0), SortKey(kind: .text, bits: 7, moreBits: 9),
    ]
    return order
  }

  private static var error: PageError {
    var error = PageError(
      .rateLimited, status: 429, message: "slow", remedy: "wait", canRepeat: .atMost(2), wait: 3.5,
      waitAtLeast: 1, budget: RateBudget(limit: 10, remaining: 0, resetsAt: 2000),
      bucket: (try? WebURL("https://h.org:8080/")).map { RateBucket(origin: $0.origin, name: "core") },
      serviceMessage: "its words")
    error.exchange = Exchange(
      address: "https://h.org/x", status: 429, bytes: 12, sentAt: 999.5, arrivedAt: 1000)
    return error
  }

  private static var page: Page {
    let column = Column(
      name: "n", title: "N", value: ValueExpression([]), format: .number, alignment: .center,
      width: .flexible(min: 3, weight: 2), isWrapped: true, priority: -1, color: .byText(["x": .error]),
      empty: "–")
    let text = ["a", "https://h.org/1", "é\u{1B}", ""]
    var ends: [UInt32] = []
    for cell in text { ends.append((ends.last ?? 0) + UInt32(cell.utf8.count)) }
    let table = CellTable(
      columns: [column], rowCount: 2, naturalWidths: [5], text: Array(text.joined().utf8), ends: ends,
      sortBits: [[5, .max]], moreSortBits: [[7, 0]])
    var page = Page(
      content: .cells(table),
      continuation: .next(Position(ordinal: 4, value: .token(JSONToken("t"))), .pageCount))
    page.keys = [1, .max]
    page.received = 3
    page.pageSize = 2
    page.total = .exact(11)
    page.pageCount = 4
    page.budget = RateBudget(remaining: 3)
    page.backoff = 2
    page.notes = ["partial"]
    return page
  }

  @Test(arguments: pictures.indices) func `An event has one encoding, and decoding it gives the same event.`(
    index: Int
  )
    throws
  {
    let (event, picture) = Self.pictures[index]
    #expect(String(decoding: written(event), as: UTF8.self) == picture)
    #expect(String(reflecting: try readBack(event)) == String(reflecting: event))
    #expect(String(decoding: written(try readBack(event)), as: UTF8.self) == picture)
  }

  /// The exact messages: what is wrong, and where.
  static let refusals: [(String, String)] = [
    (#"7"#, "7 is not an object"),
    (#"{}"#, "{} is not a name or an object with one member"),
    (#"{"keys":"j"}"#, #""keys" is not known to this version"#),
    (#"{"key":"hyper-j"}"#, #"key: "hyper-j" is not a key"#),
    (#"{"focused":1}"#, "focused: 1 is not true or false"),
    (
      #"{"resized":{"size":{"columns":80,"rows":99999},"widthModel":{"measure":"clusters","ambiguousIsWide":false}}}"#,
      "rows: 99999 is out of range"
    ),
    (#"{"mouse":{"action":{"move":{}},"column":-1,"row":4,"modifiers":2}}"#, "column: -1 is out of range"),
    (#"{"ticked":1e300}"#, "ticked: 1e+300 is out of range"),
    (#"{"ticked":"inf"}"#, #"ticked: "inf" is not a number"#),
    (
      #"{"session":{"wanted":{"rows":-9223372036854775808}}}"#, "rows: -9223372036854775808 is out of range"
    ),
    (
      #"{"session":{"failed":{"error":{"kind":"server","message":"","canRepeat":{"never":{}}},"#
        + #""for":{"query":{"text":"a","options":{}},"position":{"ordinal":9223372036854775807,"#
        + #""value":{"start":{}},"carried":[]},"generation":1,"attempt":0},"at":{"now":0,"jitter":0}}}}"#,
      "ordinal: 9223372036854775807 is out of range"
    ),
    (
      #"{"session":{"failed":{"error":{"kind":"odd"}}}}"#,
      #"session.failed.error.kind: "odd" is not known to this version"#
    ),
    (
      #"{"ordered":{"rules":{"filter":"","visible":[]},"version":1,"rows":[4294967295],"keys":[],"covered":2,"isOutline":false}}"#,
      "the list has rows that were not checked"
    ),
  ]

  @Test(arguments: refusals) func `An invalid event is refused with its place.`(text: String, problem: String)
    throws
  {
    let json = try JSONDocument(Array(text.utf8)).root
    #expect(throws: JSONCodingError.self) { try json.decoded(as: PagerEvent.self) }
    do { _ = try json.decoded(as: PagerEvent.self) } catch { #expect(error.description == problem) }
  }

  @Test func `A page with too few or too many keys, cells or numbers is refused.`() throws {
    let text = String(decoding: written(Self.page), as: UTF8.self)
    _ = try JSONDocument(Array(text.utf8)).root.decoded(as: Page.self)
    for (part, other) in [
      (#""rowCount":2"#, #""rowCount":3"#), (#""keys":[1,"#, #""keys":["#), (#"[[5,"#, "[["),
      (#"[[7,"#, "[["),
      (#""naturalWidths":[5]"#, #""naturalWidths":[]"#),
      (#"["a","#, "["), (#"["a","#, "[1,"), (#""rowCount":2"#, #""rowCount":9223372036854775807"#),
      (#""received":3"#, #""received":3000000000"#),
    ] {
      #expect(text.contains(part))
      let broken = try JSONDocument(Array(text.replacing(part, with: other).utf8)).root
      #expect(throws: JSONCodingError.self, "\(other)") { try broken.decoded(as: Page.self) }
    }
  }

  @Test(arguments: ["-9223372036854775808", "86401", "-86401"])
  func `A UTC offset of more than a day is refused.`(offset: String) throws {
    let pager = try PagerDriver(pager: { $0.zone = LocalZone(offset: 7) })
    let text = String(decoding: written(try #require(pager.initialState)), as: UTF8.self)
    #expect(text.contains(#""utcOffset":7"#))
    let json = try JSONDocument(
      Array(text.replacing(#""utcOffset":7"#, with: #""utcOffset":\#(offset)"#).utf8)
    ).root
    #expect(throws: JSONCodingError("utcOffset: \(offset) is out of range")) {
      try json.decoded(as: PagerInitialState.self)
    }
  }

  @Test func `A recording keeps every rule of the pager except what is the viewer's or has another form.`() {
    let properties = Set(Mirror(reflecting: PagerRules(title: "")).children.compactMap(\.label))
    let recorded = Set(PagerRules.CodingKeys.allCases.map(\.stringValue))
    #expect(properties.subtracting(recorded) == ["sources", "theme", "themes", "zone", "keyMap"])
    #expect(recorded.isSubset(of: properties))
  }

  @Test func `The concurrency and row limit of a recorded session stay within the bounds of the settings.`()
    throws
  {
    var rules = Session.Rules(first: Position(ordinal: 0, value: .number(1)))
    rules.concurrency = 2_000_000_000
    rules.maxRows = .max
    let read = try readBack(rules)
    #expect(read.concurrency == 64)
    #expect(read.maxRows == 10_000_000)
    rules.maxRows = nil
    #expect(try readBack(rules).maxRows == 10_000_000)
    rules.awaitsWriting = true
    #expect(try readBack(rules).maxRows == nil)
    let page = Page(content: .cells(CellTable(withoutTextsOf: 100_001)), continuation: .end(.last))
    do { _ = try readBack(page) } catch { #expect("\(error)" == "rows: too many rows (100001)") }
    #expect(throws: JSONCodingError.self) { try readBack(page) }
  }

  @Test func `A session on the screen does not release its rows as written.`() throws {
    var pager = try PagerDriver(query: "x")
    try pager.answer(numbers: 0..<8)
    pager.type("/7")
    pager.reduce(.session(.written(0, generation: 1)))
    #expect(pager.state.session.rows.releasedRows == 0)
    #expect(pager.state.search.hits?.rows == [7])
    var initialState = try #require(pager.initialState)
    initialState.session.awaitsWriting = true
    #expect(throws: JSONCodingError("an interactive session does not wait for output")) {
      try readBack(initialState)
    }
  }

  @Test func `Secrets in texts and positions that contain one are not written.`() throws {
    let encoding = JSONEncoding { $0.replacing("hunter22", with: "<secret>") }
    let secret = Position(ordinal: 1, value: .link(try WebURL("https://h.org/?key=hunter22")))
    var page = Page(content: .cells(.empty), continuation: .next(secret, .value))
    page.notes = ["with hunter22"]
    page.keptNext = nil
    let next = PageRequest(query: Query("a"), position: secret, generation: 1)
    encoding.hide(try #require(page.secretNext))
    let text = String(decoding: encoding.bytes(of: page) + encoding.bytes(of: next), as: UTF8.self)
    #expect(!text.contains("hunter22"))
    #expect(text.contains("with <secret>"))
    // The same token replaces the position everywhere.
    #expect(text.split(separator: #"{"ordinal":1,"value":{"token":"secret-1"},"carried":[]}"#).count == 3)
  }

  @Test func `Positions with secrets are replaced by tokens, equal ones by the same token.`() throws {
    func written(_ positions: [Position], hiding hidden: [Position]) -> String {
      let encoding = JSONEncoding { $0.replacing("hunter22", with: "<secret>") }
      for position in hidden { encoding.hide(position) }
      return positions.map { String(decoding: encoding.bytes(of: $0), as: UTF8.self) }.joined(separator: ",")
    }
    let link = Position.Value.link(try WebURL("https://h.org/?key=hunter22"))
    let other = Position.Value.link(try WebURL("https://h.org/?key=hunter22&page=3"))
    let short = Position.Value.link(try WebURL("https://h.org/?k=1"))
    let positions = [(1, link), (2, link), (3, other), (4, short)].map { Position(ordinal: $0, value: $1) }
    let shown = #"""
      {"ordinal":1,"value":{"token":"secret-1"},"carried":[]},{"ordinal":2,"value":{"token":"secret-1"},"carried":[]},\#
      {"ordinal":3,"value":{"token":"secret-2"},"carried":[]}
      """#
    // Positions with a secret are hidden even if they were not announced.
    #expect(
      written(positions, hiding: []) == shown
        + #",{"ordinal":4,"value":{"link":"https://h.org/?k=1"},"carried":[]}"#)
    #expect(
      written(positions, hiding: [Position(ordinal: 9, value: link), positions[2], positions[3]]) == shown
        + #",{"ordinal":4,"value":{"token":"secret-3"},"carried":[]}"#)
  }
}

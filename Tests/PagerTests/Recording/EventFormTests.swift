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
    (.key(Key("j")), #"{"key":{"_0":"j"}}"#),
    (.key(Key("x", .ctrl)), #"{"key":{"_0":"ctrl-x"}}"#),
    (.key(Key("-", [.ctrl, .alt])), #"{"key":{"_0":"ctrl-alt--"}}"#),
    (.key(Key("O", .alt)), #"{"key":{"_0":"alt-O"}}"#),
    (.key(Key(" ")), #"{"key":{"_0":"space"}}"#),
    (.key(Key("\u{1}")), #"{"key":{"_0":"\u0001"}}"#),
    (.key(Key(.function(5), .shift)), #"{"key":{"_0":"shift-f5"}}"#),
    (.pasted("a \"b\"\n日本"), #"{"pasted":{"_0":"a \"b\"\n日本"}}"#),
    (
      .mouse(Mouse(action: .press(2), column: 3, row: 4, modifiers: .alt)),
      #"{"mouse":{"_0":{"action":{"press":{"_0":2}},"column":3,"modifiers":2,"row":4}}}"#
    ),
    (
      .mouse(Mouse(action: .wheelUp, column: 0, row: 0, modifiers: [])),
      #"{"mouse":{"_0":{"action":{"wheelUp":{}},"column":0,"modifiers":0,"row":0}}}"#
    ),
    (
      .resized(Canvas(size: Size(columns: 80, rows: 24), widthModel: .clusters)),
      #"{"resized":{"_0":{"size":{"columns":80,"rows":24},"widthModel":{"ambiguousIsWide":false,"#
        + #""measure":"clusters"}}}}"#
    ),
    (
      .resumed(
        Canvas(size: Size(columns: 1, rows: 1), widthModel: WidthModel(.codePoints, ambiguousIsWide: true))),
      #"{"resumed":{"_0":{"size":{"columns":1,"rows":1},"widthModel":{"ambiguousIsWide":true,"#
        + #""measure":"codePoints"}}}}"#
    ),
    (.background(.dark), #"{"background":{"_0":"dark"}}"#),
    (.focused(false), #"{"focused":{"_0":false}}"#),
    (.rested(edit: 7), #"{"rested":{"edit":7}}"#),
    (.ticked(1_790_000_000.125), #"{"ticked":{"_0":1790000000.125}}"#),
    (.watchElapsed(1_790_000_060), #"{"watchElapsed":{"_0":1790000060}}"#),
    (
      .read(.failed("gone"), for: RowDetail.Identity(version: 1, row: 2)),
      #"{"read":{"content":{"failed":{"_0":"gone"}},"for":{"row":2,"version":1}}}"#
    ),
    (
      .read(
        .read(fields: [RowDetail.Field(title: "A", text: "b")], body: nil, json: ["{}"]),
        for: RowDetail.Identity(version: 1, row: 2)),
      #"{"read":{"content":{"read":{"fields":[{"text":"b","title":"A"}],"json":["{}"],"others":[]}},"#
        + #""for":{"row":2,"version":1}}}"#
    ),
    (.effectEnded(id: 3, .done(nil)), #"{"effectEnded":{"id":3,"outcome":{"done":{}}}}"#),
    (.effectEnded(id: 3, .done("copied")), #"{"effectEnded":{"id":3,"outcome":{"done":{"_0":"copied"}}}}"#),
    (.effectEnded(id: 3, .failed("no")), #"{"effectEnded":{"id":3,"outcome":{"failed":{"_0":"no"}}}}"#),
    (
      .effectEnded(id: 3, .ran(ran)),
      #"{"effectEnded":{"id":3,"outcome":{"ran":{"_0":{"count":2,"failures":2,"#
        + #""firstFailure":{"status":{"_0":1}},"name":"clone","runs":[{"command":"'a'","#
        + #""end":{"status":{"_0":1}},"output":["b"]},{"command":"","end":{"notRun":{"_0":"why"}},"#
        + #""output":[]}],"size":204}}}}}"#
    ),
    (
      .summarized(
        ColumnSummary(
          identity: ColumnSummary.Identity(
            column: 1, rules: RowOrderRules(filter: "x<1d", now: 5), version: 4, loaded: 9),
          count: 3, empty: 1, distinct: 2, least: "1", median: "1", most: "2",
          values: [ColumnSummary.Value(text: "1", term: "n=1", count: 2)])),
      #"{"summarized":{"_0":{"count":3,"distinct":2,"empty":1,"identity":{"column":1,"loaded":9,"#
        + #""rules":{"filter":"x<1d","now":5,"visible":[]},"version":4},"least":"1","median":"1","most":"2","#
        + #""values":[{"count":2,"term":"n=1","text":"1"}]}}}"#
    ),
    (.historyRead(["a", "b"]), #"{"historyRead":{"_0":["a","b"]}}"#),
    (.refused("why"), #"{"refused":{"_0":"why"}}"#),
    (.warned("what"), #"{"warned":{"_0":"what"}}"#),
    (.tripped("loop"), #"{"tripped":{"_0":"loop"}}"#),
    (
      .ordered(order),
      #"{"ordered":{"_0":{"covered":9,"isOutline":false,"keys":[{"bits":18446744073709551615,"kind":0,"#
        + #""moreBits":0},{"bits":7,"kind":1,"moreBits":9}],"rows":[8,1],"rules":{"filter":"x","#
        + #""sort":{"column":1,"isDescending":true},"visible":[0,1]},"version":4}}}"#
    ),
    (
      .ordered(order.outline),
      #"{"ordered":{"_0":{"covered":9,"isOutline":true,"keys":[],"rows":[],"rules":{"filter":"x","#
        + #""sort":{"column":1,"isDescending":true},"visible":[0,1]},"version":4}}}"#
    ),
    (
      .session(.searched(Query("a", options: ["sort": "stars"]), .rows(50))),
      #"{"session":{"_0":{"searched":{"demand":{"rows":{"_0":50}},"query":{"options":{"sort":"stars"},"#
        + #""text":"a"}}}}}"#
    ),
    (.session(.wanted(.everything)), #"{"session":{"_0":{"wanted":{"_0":{"everything":{}}}}}}"#),
    (.session(.wanted(.pages(2))), #"{"session":{"_0":{"wanted":{"_0":{"pages":{"_0":2}}}}}}"#),
    (.session(.wanted(.nothing)), #"{"session":{"_0":{"wanted":{"_0":{"nothing":{}}}}}}"#),
    (.session(.refreshed(rows: 40)), #"{"session":{"_0":{"refreshed":{"rows":40}}}}"#),
    (.session(.stopped), #"{"session":{"_0":{"stopped":{}}}}"#),
    (.session(.retried), #"{"session":{"_0":{"retried":{}}}}"#),
    (.session(.reached(1_030.5)), #"{"session":{"_0":{"reached":{"_0":1030.5}}}}"#),
    (
      .session(.totalReceived(TotalReply(.atLeast(9)), for: TotalQuery(query: Query("a"), generation: 2))),
      #"{"session":{"_0":{"totalReceived":{"for":{"attempt":0,"generation":2,"query":{"options":{},"#
        + #""text":"a"}},"reply":{"total":{"atLeast":{"_0":9}}}}}}}"#
    ),
    (
      .session(
        .totalReceived(TotalReply(nil), for: TotalQuery(query: Query("a"), generation: 2, attempt: 1))),
      #"{"session":{"_0":{"totalReceived":{"for":{"attempt":1,"generation":2,"query":{"options":{},"#
        + #""text":"a"}},"reply":{}}}}}"#
    ),
    (
      .session(
        .totalFailed(
          PageError(.server, status: 500, message: "no"), for: TotalQuery(query: Query("a"), generation: 2),
          at: Moment(now: 1000.5, jitter: 0.25))),
      #"{"session":{"_0":{"totalFailed":{"at":{"jitter":0.25,"now":1000.5},"#
        + #""error":{"canRepeat":{"never":{}},"kind":"server","message":"no","status":500},"for":{"attempt":0,"#
        + #""generation":2,"query":{"options":{},"text":"a"}}}}}}"#
    ),
    (.session(.written(3, generation: 1)), #"{"session":{"_0":{"written":{"generation":1,"ordinal":3}}}}"#),
    (
      .session(.failed(error, for: request, at: Moment(now: 1000.5, jitter: 0.25))),
      #"{"session":{"_0":{"failed":{"at":{"jitter":0.25,"now":1000.5},"error":{"bucket":{"name":"core","#
        + #""origin":{"host":"h.org","port":8080,"scheme":"https"}},"budget":{"limit":10,"remaining":0,"#
        + #""resetsAt":2000},"canRepeat":{"atMost":{"_0":2}},"exchange":{"address":"https://h.org/x","#
        + #""arrivedAt":1000,"bytes":12,"method":"GET","requests":1,"sentAt":999.5,"status":429},"#
        + #""kind":"rate-limited","message":"slow","remedy":"wait","serviceMessage":"its words","status":429,"#
        + #""wait":3.5,"waitAtLeast":1},"for":{"attempt":1,"generation":2,"position":{"carried":[],"ordinal":3,"#
        + #""value":{"number":{"_0":80}}},"query":{"options":{},"text":"a"}}}}}}"#
    ),
    (
      .session(.loaded(page, for: request)),
      #"{"session":{"_0":{"loaded":{"for":{"attempt":1,"generation":2,"position":{"carried":[],"ordinal":3,"#
        + #""value":{"number":{"_0":80}}},"query":{"options":{},"text":"a"}},"page":{"backoff":2,"#
        + #""budget":{"remaining":3},"contents":[],"continuation":{"next":{"evidence":"page-count","position":{"carried":[],"#
        + #""ordinal":4,"value":{"token":{"_0":"\"t\""}}}}},"exchange":{"address":"","arrivedAt":0,"#
        + #""method":"GET","requests":1,"sentAt":0},"keys":[1,18446744073709551615],"notes":["partial"],"#
        + #""pageCount":4,"pageSize":2,"received":3,"rows":{"cells":["a","https://h.org/1","é\u001b",""],"#
        + #""columns":[{"alignment":"center","color":{"byText":{"_0":{"x":"error"}}},"empty":"–","#
        + #""format":"number","isHidden":false,"isWrapped":true,"name":"n","priority":-1,"title":"N","#
        + #""width":{"flexible":{"min":3,"weight":2}}}],"moreSortBits":[[7,0]],"naturalWidths":[5],"#
        + #""rowCount":2,"sortBits":[[5,18446744073709551615]]},"signs":0,"total":{"exact":{"_0":11}}}}}}}"#
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

  /// The JSON with the number at each place replaced, one at a time.
  private func variants(of json: [UInt8], with number: String) throws -> [JSONValue] {
    let document = try JSONDocument(json)
    var variants: [JSONValue] = []
    while true {
      var place = 0
      let variant = document.replacing { node in
        guard document.kind(of: node) == .number else { return nil }
        defer { place += 1 }
        return place == variants.count ? Array(number.utf8) : nil
      }
      if place == variants.count { return variants }
      variants.append(try JSONDocument(variant).root)
    }
  }

  @Test func `A number beyond all bounds is refused wherever it stands.`() throws {
    for (event, _) in Self.pictures {
      for variant in try variants(of: written(event), with: "1e300") {
        #expect(throws: JSONCodingError.self) { try variant.decoded(as: PagerEvent.self) }
      }
    }
    let initialState = try #require(try PagerDriver(query: "x").initialState)
    for variant in try variants(of: written(initialState), with: "1e300") {
      #expect(throws: JSONCodingError.self) { try variant.decoded(as: PagerInitialState.self) }
    }
  }

  /// The exact messages: what is wrong, and where.
  static let refusals: [(String, String)] = [
    (#"7"#, "7 is not an object"),
    (#"{}"#, "{} is not a name or an object with one member"),
    (#"{"keys":"j"}"#, #""keys" is not known to this version"#),
    (#"{"key":{"_0":"hyper-j"}}"#, #"key: "hyper-j" is not a key"#),
    (#"{"focused":{"_0":1}}"#, "focused: 1 is not true or false"),
    (
      #"{"resized":{"_0":{"size":{"columns":80,"rows":99999},"widthModel":{"measure":"clusters","ambiguousIsWide":false}}}}"#,
      "rows: 99999 is out of range"
    ),
    (
      #"{"mouse":{"_0":{"action":{"move":{}},"column":-1,"row":4,"modifiers":2}}}"#,
      "column: -1 is out of range"
    ),
    (#"{"ticked":{"_0":1e300}}"#, "ticked: 1e+300 is out of range"),
    (#"{"ticked":{"_0":"inf"}}"#, #"ticked: "inf" is not a number"#),
    (
      #"{"session":{"_0":{"wanted":{"_0":{"rows":{"_0":-9223372036854775808}}}}}}"#,
      "rows: -9223372036854775808 is out of range"
    ),
    (
      #"{"session":{"_0":{"failed":{"error":{"kind":"server","message":"","canRepeat":{"never":{}}},"#
        + #""for":{"query":{"text":"a","options":{}},"position":{"ordinal":9223372036854775807,"#
        + #""value":{"start":{}},"carried":[]},"generation":1,"attempt":0},"at":{"now":0,"jitter":0}}}}}"#,
      "ordinal: 9223372036854775807 is out of range"
    ),
    (
      #"{"session":{"_0":{"failed":{"error":{"kind":"odd"}}}}}"#,
      #"session.failed.error.kind: "odd" is not known to this version"#
    ),
    (
      #"{"ordered":{"_0":{"rules":{"filter":"","visible":[]},"version":1,"rows":[4294967295],"keys":[],"covered":2,"isOutline":false}}}"#,
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
    var encoder = RecordingEncoder { $0.replacing("hunter22", with: "<secret>") }
    let secret = Position(ordinal: 1, value: .link(try WebURL("https://h.org/?key=hunter22")))
    var page = Page(content: .cells(.empty), continuation: .next(secret, .value))
    page.notes = ["with hunter22"]
    page.keptNext = nil
    let next = PageRequest(
      query: Query("a", options: ["hunter22": "b"]), position: secret, generation: 1)
    encoder.hide(try #require(page.secretNext))
    let text = String(decoding: encoder.bytes(of: page) + encoder.bytes(of: next), as: UTF8.self)
    #expect(!text.contains("hunter22"))
    #expect(text.contains("with <secret>"))
    #expect(text.contains(#"{"<secret>":"b"}"#))
    // The same token replaces the position everywhere.
    #expect(
      text.split(separator: #"{"carried":[],"ordinal":1,"value":{"token":{"_0":"\"secret-1\""}}}"#).count == 3
    )
  }

  @Test func `Positions with secrets are replaced by tokens, equal ones by the same token.`() throws {
    func written(_ positions: [Position], hiding hidden: [Position]) -> String {
      var encoder = RecordingEncoder { $0.replacing("hunter22", with: "<secret>") }
      for position in hidden { encoder.hide(position) }
      return positions.map { String(decoding: encoder.bytes(of: $0), as: UTF8.self) }.joined(separator: "\n")
    }
    let link = Position.Value.link(try WebURL("https://h.org/?key=hunter22"))
    let other = Position.Value.link(try WebURL("https://h.org/?key=hunter22&page=3"))
    let short = Position.Value.link(try WebURL("https://h.org/?k=1"))
    let positions = [(1, link), (2, link), (3, other), (4, short)].map { Position(ordinal: $0, value: $1) }
    let shown = #"""
      {"carried":[],"ordinal":1,"value":{"token":{"_0":"\"secret-1\""}}}
      {"carried":[],"ordinal":2,"value":{"token":{"_0":"\"secret-1\""}}}
      {"carried":[],"ordinal":3,"value":{"token":{"_0":"\"secret-2\""}}}

      """#
    // Positions with a secret are hidden even if they were not announced.
    #expect(
      written(positions, hiding: []) == shown
        + #"{"carried":[],"ordinal":4,"value":{"link":{"_0":"https://h.org/?k=1"}}}"#)
    #expect(
      written(positions, hiding: [Position(ordinal: 9, value: link), positions[2], positions[3]]) == shown
        + #"{"carried":[],"ordinal":4,"value":{"token":{"_0":"\"secret-3\""}}}"#)
  }
}

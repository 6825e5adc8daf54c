import HTTPValues
import JSON
import Terminal
import Testing
import Text

@testable import Pager
@testable import Search

extension ScreenState {
  static let all = asking + showing + troubled + over

  /// Before there are rows, and while they load.
  private static let asking = [
    ScreenState("choose-a-source") { size in
      let names = ["crates", "github", "hn", "npm", "qiita", "stackoverflow", "unicode", "wikipedia"]
      let sources = names.map { SourceChoice(id: $0, title: "the service \($0)") }
      let canvas = Canvas(size: Size(columns: size.columns, rows: size.rows), widthModel: .clusters)
      var pager = PagerDriver(choosingFrom: sources, canvas)
      try pager.press("down")
      return pager
    },
    ScreenState("how-to-begin") { try PagerDriver(size: $0) },
    withRows("query-emptied", more: true) { try $0.press("s ctrl-u") },
    ScreenState("typing") { size in
      var pager = try PagerDriver(size: size)
      pager.type("日本 e\u{301}👩‍👩‍👧")
      try pager.press("left")
      return pager
    },
    ScreenState("first-page-loading") { try PagerDriver(query: "swift tui", size: $0) },
    withRows("loading-more", more: true) { try $0.press("G") },
    withRows("new-query-over-old-rows") { pager in
      try pager.press("s")
      pager.type("s")
      pager.rest()
    },
    withRows("refreshing") { try $0.press("j j r") },
    withRows("refreshed-with-new-rows") { pager in
      try pager.press("j j r")
      try pager.answer([PagerDriver.row(99)] + rows, more: false, total: 52_342)
    },
    withRows("watching", watch),
    withRows("accessible-watching", pager: accessible, watch),
  ]

  private static let sources = [
    SourceChoice(
      id: "@bugs", title: "github-issues: is:open label:bug",
      about: ["github-issues: is:open label:bug", "sort: updated", "filter: comments>3"]),
    SourceChoice(
      id: "github", title: "GitHub repositories",
      about: [
        "GitHub repositories", "https://api.github.com", "takes a query",
        "credential: env:GH_TOKEN is not set, cmd:gh auth token is not installed (optional)",
      ]),
    SourceChoice(id: "hn", title: "Hacker News", about: ["Hacker News", "no credential needed"]),
  ]

  /// A table of orders with as many columns as a service of that kind has.
  static func thirtyColumns(_ size: (columns: Int, rows: Int)) throws -> PagerDriver {
    let names = [
      "order", "name", "status", "total", "currency", "placed_at", "paid_at", "shipped_at", "items",
      "weight_grams", "discount_code", "note", "email", "phone", "street", "city", "zip", "country",
      "carrier",
      "tracking_number", "warehouse", "priority", "gift", "channel", "tax", "shipping", "refunded", "tags",
      "created_by", "updated_at",
    ]
    let columns = try names.map { name in
      Column(name: name, title: name.replacing("_", with: " "), value: try ValueExpression(parsing: name))
    }
    var pager = try PagerDriver(query: "x", size: size, columns: columns)
    let rows = (1...5).map { number in
      let texts: [(String, String)] = [
        ("name", "Client Number \(number) of Somewhere"),
        ("status", number == 2 ? "refunded" : "shipped"),
        ("currency", "EUR"), ("placed_at", "2026-01-0\(number)T10:00:00Z"),
        ("paid_at", "2026-01-0\(number)T10:01:00Z"),
        ("discount_code", number == 3 ? "SPRING" : ""),
        ("note", "Please leave the parcel with the neighbors"),
        ("email", "client\(number)@shop.example"), ("city", "Springfield"), ("zip", "0123\(number)"),
        ("country", "DE"), ("carrier", "Parcel Service"), ("tracking_number", "00340434161094\(number)"),
        ("tags", "new, newsletter"), ("updated_at", "2026-02-0\(number)T10:00:00Z"),
      ]
      let numbers = [
        ("order", 100_230 + number), ("total", 49_990 * number), ("items", number), ("tax", 7_981 * number),
      ]
      let fields = texts.map { "\"\($0)\": \"\($1)\"" } + numbers.map { "\"\($0)\": \($1)" }
      return "{\(fields.joined(separator: ", "))}"
    }
    try pager.answer(rows, more: true, total: 12_345)
    return pager
  }

  private static func withTabs(_ pager: inout PagerDriver) {
    let tabs = [("unicode arrow", "644"), ("@bugs", "17"), ("github swift tui", "52,341"), ("hn", "failed")]
    pager.reduce(.tabsChanged(TabList(tabs.map { TabList.Tab(title: $0, status: $1) }, current: 2)))
  }

  private static func watch(_ pager: inout PagerDriver) throws {
    try pager.press("j A")
    pager.reduce(.watchElapsed(1_060))
    let changed = rows[2].replacing("1234", with: "2345")
    try pager.answer(
      [PagerDriver.row(99)] + rows[..<2] + [changed] + rows[3...], more: false, total: 52_342)
  }

  private static func summarize(_ pager: inout PagerDriver) throws {
    try pager.press("l F")
    pager.reduce(.summarized(try #require(pager.state.summaryRequest).completed()))
  }

  private static func runProgram(_ pager: inout PagerDriver) throws {
    try pager.press("j x x , g")
    let effect = try #require(pager.state.effects.started.first)
    var report = ProgramReport(name: "clone")
    report.append(
      ProgramReport.Run(
        command: "gh repo clone '日本語テキスト'", output: ["Cloning into '日本語テキスト'...", "", "done."],
        end: .status(0)))
    report.append(
      ProgramReport.Run(
        command: "gh repo clone 'émile/naïve-café'",
        output: ["fatal: \u{1B}[31mcould not read from the remote"],
        end: .status(128)))
    report.append(ProgramReport.Run(command: "", end: .notRun("row 4 has no value at full_name")))
    pager.reduce(.effectEnded(id: effect.id, .ran(report)))
  }

  private static let showing = [
    withRows("tabs") { withTabs(&$0) },
    withRows("accessible-tabs", pager: accessible) { withTabs(&$0) },
    withRows("sources-over-a-session", pager: Rules { $0.opensSources = true }) { pager in
      withTabs(&pager)
      try pager.press(":")
      pager.reduce(.sourcesFound(sources))
      try pager.press("down")
    },
    withRows("rows", budget: RateBudget(limit: 30, remaining: 27, resetsAt: 50_520)) { try $0.press("j") },
    withRows("end-at-a-cap", total: 900) { try $0.press("G") },
    withRows("preview") { pager in
      try pager.press("j p")
      // There is none on a small screen.
      if let request = pager.state.readingRequest {
        let fields = [("Name", "日本語テキスト"), ("Stars", "7")].map { RowDetail.Field(title: $0, text: $1) }
        let body =
          "A body of\n\ntwo paragraphs, the second of which is wider than the preview beside the table."
        let content = RowDetail.Content.read(
          fields: fields, others: [RowDetail.Field(title: "id", text: "7")], body: body, json: [])
        pager.reduce(.read(content, for: request.identity))
      }
    },
    withRows("preview-without-rows") { pager in
      try pager.press("p &")
      pager.type("nosuch")
      try pager.press("enter")
    },
    withRows("sorted") { try $0.press("l [") },
    withRows("wrapped") { try $0.press("W") },
    withRows("second-column-scrolled-to") { try $0.press("$") },
    withRows("filter-typed") { pager in
      try pager.press("&")
      pager.type("repository -3")
    },
    withRows("filtered", more: true) { pager in
      try pager.press("&")
      pager.type("repository -3")
      try pager.press("enter")
    },
    withRows("filter-with-a-mistake") { pager in
      try pager.press("&")
      pager.type("stars>1k abut:x")
      try pager.countFields(rows)
    },
    withRows("summary", summarize),
    withRows("accessible-summary", pager: accessible, summarize),
    withRows("filter-without-match") { pager in
      try pager.press("&")
      pager.type("xyzzy")
      try pager.press("enter")
    },
    withRows("found") { pager in
      try pager.press("/")
      pager.type("number 1")
      try pager.press("enter n")
    },
    withRows("marked") { try $0.press("x j x k") },
    withRows("accessible", pager: accessible) { try $0.press("x k l [") },
    withRows("ascii", pager: Rules { $0.glyphs = .ascii }) { try $0.press("x l [ g") },
    withRows("ascii-in-the-order-of-the-service", pager: Rules { $0.glyphs = .ascii }),
    withRows("options-of-the-source", pager: options),
    withRows("choose-an-option", pager: options) { try $0.press("O") },
    withRows("choose-a-value", pager: options) { try $0.press("O enter down") },
  ]

  private static let troubled = [
    withRows("failed", more: true) { pager in
      try pager.press("M")
      try pager.fail(
        PageError(
          .server, status: 502,
          message: "https://api.example.org returned 502 Bad Gateway: the upstream is down",
          serviceMessage: "the upstream is down"))
    },
    ScreenState("failed-without-rows") { size in
      var pager = try PagerDriver(query: "swift tui", size: size)
      var error = PageError(
        .rejected, status: 422,
        message: "https://api.example.org answered 422 Unprocessable Content: no such sort",
        remedy: "correct the option sort of the source",
        serviceMessage: "Only the first 1000 search results are available, sorted by best match or by stars")
      error.exchange = PagerDriver.exchange(
        for: try #require(pager.state.pageRequests.first), status: 422, bytes: 90)
      try pager.fail(error)
      return pager
    },
    withRows("offline", more: true) { pager in
      try pager.press("M")
      try pager.fail(refused)
    },
    ScreenState("offline-in-the-query-line") { size in
      var pager = try PagerDriver(size: size)
      pager.type("swift")
      pager.rest()
      try pager.fail(refused)
      return pager
    },
    ScreenState("waiting") { size in
      var pager = try PagerDriver(query: "swift tui", size: size, rules: { $0.retry.attempts = 3 })
      try pager.fail(PageError(.rateLimited, message: "slow down", canRepeat: .freely, wait: 30))
      pager.state.reduce(.ticked(1012.5))
      return pager
    },
    ScreenState("waiting-for-page-2") { size in
      var pager = try PagerDriver(query: "swift tui", size: size, rules: { $0.retry.attempts = 3 })
      try pager.answer(rows)
      try pager.press("M")
      try pager.fail(PageError(.rateLimited, message: "slow down", canRepeat: .freely, wait: 30))
      pager.state.reduce(.ticked(1012.5))
      return pager
    },
    withRows("stopped", more: true) { try $0.press("M esc") },
    ScreenState("no-results") { size in
      var pager = try PagerDriver(query: "xyzzy", size: size)
      try pager.answer([], more: false, total: 0)
      return pager
    },
    withRows("reset-asks") { try $0.press("x R") },
  ]

  /// Views over the table.
  private static let over = [
    withRows("help") { try $0.press("?") },
    withRows("palette") { pager in
      try pager.press("ctrl-x")
      pager.type("copy")
    },
    ScreenState("history") { size in
      var pager = try PagerDriver(size: size, history: ["swift", "swift tui", "日本語"])
      try pager.press("ctrl-r")
      pager.type("sw")
      return pager
    },
    withRows("detail") { try $0.press("j v") },
    ScreenState("thirty-columns") { try thirtyColumns($0) },
    withRows("choosing-columns") { pager in
      try pager.press("C")
      let text =
        #"[{"name": "a", "stars": 3, "about": "b", "owner": {"login": "ann", "id": 7}, "topics": ["x"]}]"#
      let document = try JSONDocument(Array(text.utf8))
      let response = ResponseValues(document: document, headers: [], url: try WebURL("https://a.example"))
      var census = FieldCensus()
      census.add(DocumentRows(response: response, nodes: Array(document.elements(of: document.rootNode))))
      pager.reduce(.fieldsCounted(census))
      try pager.press("j j j space")
    },
    withRows("detail-as-json") { pager in
      try pager.press("J")
      if let request = pager.state.readingRequest {
        let json = [
          "{", "  \"name\": \"charmbracelet/bubbletea\",", "  \"stars\": 28100,", "  \"owner\": {",
          "    \"login\": \"charmbracelet\"", "  },", "  \"topics\": [", "    \"go\",", "    \"tui\"", "  ]",
          "}",
        ]
        pager.state.reduce(
          .read(.read(fields: [], body: nil, json: JSONOutline(json)), for: request.identity))
      }
    },
    withRows("log") { pager in
      try pager.press("r")
      let request = try #require(pager.state.pageRequests.first)
      var error = PageError(.server, status: 502, message: "https://api.example.org returned 502 Bad Gateway")
      error.exchange = PagerDriver.exchange(for: request, status: 502, bytes: 120)
      try pager.fail(error)
      try pager.press("L")
    },
    withRows("messages") { try $0.press("] n n !") },
    withRows("messages-after-a-failure") {
      try $0.press("r")
      try $0.fail(PageError(.server, status: 502, message: "api.example.org returned 502 Bad Gateway"))
      try $0.press("o !")
    },
    withRows("program-output", pager: program, runProgram),
    withRows("accessible-program-output", pager: accessibleProgram, runProgram),
    withRows("many-rows-for-a-program", pager: program) { try $0.press("a , g") },
    withRows("write-rows") { pager in
      try pager.press("w")
      pager.type("rows.csv")
    },
  ]

  private static let accessible = Rules { rules in
    rules.isAccessible = true
    rules.glyphs = .words
  }

  private static let program = Rules { rules in
    let own = (try? [ProgramTests.action("clone")]) ?? []
    let map = try? KeyMap(Actions.all + SourceActions.actions(options: [], rowActions: own))
    rules.keyMap = map ?? .standard
  }

  private static let accessibleProgram = Rules { rules in
    program.change(&rules)
    accessible.change(&rules)
  }

  private static let options = Rules { rules in
    rules.options = [
      SourceOption(name: "sort", values: ["", "stars", "forks"], key: "s"),
      SourceOption(name: "language", values: ["any", "swift"], key: "l"),
    ]
  }
}

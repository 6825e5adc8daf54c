import HTTPValues
import JSON
import Testing
import Text

@testable import Pager
@testable import Search
@testable import Terminal

/// A pager for a small service of numbered pages, driven by keys and responses given as text.
struct PagerDriver {
  var state: PagerState
  private let columns: [Column]

  static let columns: [Column] = {
    guard let name = try? ValueExpression(parsing: "name"),
      let stars = try? ValueExpression(parsing: "stars"),
      let about = try? ValueExpression(parsing: "about")
    else { return [] }
    return [
      Column(
        name: "name", title: "Name", value: name, alignment: .leading,
        width: .flexible(min: 8, max: 30, weight: 2)),
      Column(name: "stars", title: "Stars", value: stars, format: .number),
      Column(
        name: "about", title: "About", value: about, alignment: .leading, width: .flexible(min: 8, weight: 3),
        priority: 1),
    ]
  }()

  init(
    query: String = "", size: (columns: Int, rows: Int) = (60, 12), live: Bool = true,
    history: [String] = [], columns: [Column] = Self.columns, rules: (inout Session.Rules) -> Void = { _ in },
    pager: (inout PagerRules) -> Void = { _ in }
  ) throws {
    self.columns = columns
    var sessionRules = Session.Rules(
      first: Position(ordinal: 0, value: .number(1)), numbering: .pages(from: 1),
      retry: RetryPolicy(attempts: 0, maxWait: 60))
    rules(&sessionRules)
    var pagerRules = PagerRules(title: "Test things")
    pagerRules.input = SearchInput(isLive: live, placeholder: "a name", examples: ["one", "two"])
    pagerRules.reachableRows = 1000
    pager(&pagerRules)
    state = PagerState(
      pagerRules, sessionRules, columns: columns,
      canvas: Canvas(size: Size(columns: size.columns, rows: size.rows), widthModel: .clusters),
      query: Query(query), now: 1000)
    if !history.isEmpty { reduce(.historyRead(history)) }
  }

  mutating func reduce(_ event: PagerEvent) { state.reduce(event) }

  /// A driver for a state made elsewhere.
  /// The list that riffle begins with, of these sources.
  init(choosingFrom sources: [SourceChoice], _ canvas: Canvas) {
    self.init(PagerState.choosingSource(PagerRules(title: "sources"), canvas: canvas))
    reduce(.sourcesFound(sources))
  }

  init(_ state: PagerState) {
    self.state = state
    columns = state.table.columns
  }

  /// Presses keys in notation, separated by spaces.
  mutating func press(_ keys: String) throws {
    for key in keys.split(separator: " ") { reduce(.key(try Key(notation: String(key)))) }
  }

  mutating func type(_ text: String) { for character in text { reduce(.key(Key(character))) } }

  /// Reports that the user has paused after typing.
  mutating func rest() { reduce(.rested(edit: state.query.edits, at: state.clock)) }

  /// Answers the first requested page with rows given as JSON, `{"name": …}`.
  mutating func answer(
    _ rows: [String], more: Bool = true, total: Int? = nil, budget: RateBudget? = nil
  ) throws {
    let request = try #require(state.pageRequests.first, "nothing is asked")
    reduce(
      .session(.loaded(try page(rows, for: request, more: more, total: total, budget: budget), for: request)))
  }

  /// Rows `thing a`, `thing a+1`, … below `b`.
  mutating func answer(numbers range: Range<Int>, more: Bool = true, total: Int? = nil) throws {
    try answer(range.map(Self.row), more: more, total: total)
  }

  static func row(_ number: Int) -> String {
    "{\"id\": \(number), \"name\": \"thing \(number)\", \"stars\": \(number * 100), \"about\": \"about thing \(number)\", \"url\": \"https://example.org/\(number)\"}"
  }

  mutating func fail(_ error: PageError) throws {
    let request = try #require(state.pageRequests.first, "nothing is asked")
    reduce(.session(.failed(error, for: request, at: RetryTiming(now: 1000))))
  }

  func page(
    _ rows: [String], for request: PageRequest, more: Bool, total: Int? = nil, budget: RateBudget? = nil
  ) throws -> Page {
    let found = try Self.document(rows)
    let (document, nodes) = (found.response.document, found.nodes)
    let table = CellTable(
      found, columns: columns, link: try ValueExpression(parsing: "url"), context: FormatContext(now: 1000))
    let next = request.position.next(.number(request.position.ordinal + 2))
    let end = Continuation.end(total ?? 0 > nodes.count ? .cap : .last)
    var page = Page(content: .cells(table), continuation: more ? .next(next, .value) : end)
    page.keys = nodes.map {
      RowKey.hash(document.member(of: $0, named: "name").flatMap(document.text) ?? "")
    }
    page.total = total.map(Total.exact)
    page.budget = budget
    page.exchange = Self.exchange(for: request, status: 200, bytes: 158_000)
    return page
  }

  private static func document(_ rows: [String]) throws -> DocumentRows {
    let document = try JSONDocument(Array("[\(rows.joined(separator: ","))]".utf8))
    let response = ResponseValues(document: document, headers: [], url: try WebURL("http://127.0.0.1/"))
    return DocumentRows(response: response, nodes: Array(document.elements(of: document.rootNode)))
  }

  /// Lists the fields of these rows, if the pager asks for them.
  mutating func countFields(_ rows: [String]) throws {
    guard state.fieldCountRequest != nil else { return }
    var census = FieldCensus()
    census.add(try Self.document(rows))
    reduce(.fieldsCounted(census))
  }

  /// Lists the fields of these rows and reads the cells of each page that has as many, if the pager asks for them.
  mutating func readFields(_ rows: [String]) throws {
    try countFields(rows)
    while let request = state.cellRequest {
      let rows = try Self.document(rows)
      let columns = columns + request.added
      reduce(
        .cellsRead(
          request.pages.map {
            ReadCells(of: $0, CellTable(rows, columns: columns, link: nil, context: FormatContext(now: 0)))
          }))
    }
  }

  static func exchange(for request: PageRequest, status: Int, bytes: Int) -> Exchange {
    Exchange(
      address: "https://api.example.org/search?page=\(request.position.ordinal + 1)&key=$EXAMPLE_KEY",
      status: status, bytes: bytes, sentAt: 999.88, arrivedAt: 1000)
  }

  var screen: String { PagerView.frame(state).text }

  /// The line above the status line, and the left part of the status line.
  var notice: String { bottom(1) }
  var status: String { bottom(0) }

  private func bottom(_ line: Int) -> String {
    let lines = screen.split(separator: "\n", omittingEmptySubsequences: false)
    let text = lines[lines.count - 1 - line].drop { $0 == " " }
    return text.split(separator: "   ", maxSplits: 1).first.map(String.init) ?? ""
  }

  /// Runs the requested work on rows and reduces its results.
  mutating func order() async {
    for request in [state.orderRequest, state.searchRequest].compactMap(\.self) {
      var events: [PagerEvent] = []
      await request.run { events.append(.ordered($0)) }
      for event in events { reduce(event) }
    }
    if let request = state.summaryRequest, let summary = await request.run() { reduce(.summarized(summary)) }
  }

  /// The names of the listed rows on the screen, with the selected one in brackets.
  var listed: String {
    (state.list.viewport.top..<min(state.list.viewport.top + state.shownRowCount, state.list.count))
      .compactMap {
        position in
        guard let row = state.list.row(at: position), let (block, place) = state.list.rows.locate(row),
          case .cells(let cells)? = block.content
        else { return nil }
        let name = cells.cell(row: place, column: 0).string
        return position == state.list.viewport.selection ? "[\(name)]" : name
      }.joined(separator: " ")
  }

  var selectedName: String {
    listed.split(separator: "[").last?.split(separator: "]").first.map(String.init) ?? ""
  }

  /// The requested pages, as `x p2`.
  var asked: String {
    state.pageRequests.map { "\($0.query.text) p\($0.position.ordinal + 1)" }.joined(separator: " ")
  }
}

extension Row {
  func style(at column: Int) -> Style { cellStyles[self[column].cellStyle].style }

  func text(at column: Int) -> String { String(decoding: bytes(of: self[column]), as: UTF8.self) }
}

extension ColumnSummaryRequest {
  /// The summary, in one go.
  func completed() -> ColumnSummary {
    var counting = ColumnCounting(column: column, index: identity.column)
    count(0..<end, in: &counting)
    return counting.summary(identity, rows)
  }
}

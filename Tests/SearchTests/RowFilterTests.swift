import HTTPValues
import JSON
import Testing
import Text

@testable import Search

/// Which rows a typed filter matches.
@Suite struct RowFilterTests {
  private static let columns = ["name", "language", "about"].map {
    Column(name: $0, value: ValueExpression([]))
  }
  private static let rows = [
    ["swift-nio", "Swift", "Event-driven network framework"],
    ["rust-tui", "Rust", "a terminal http://example.org/ui"],
    ["Swiftly", "Shell", "Straße 日本語 \"quoted\""],
  ]

  @Test(arguments: [
    ("", "0 1 2"), ("swift", "0 2"), ("Swift", "0 2"), ("SWIFT", ""), ("swift network", "0"),
    ("-swift", "1"), ("swift -network", "2"), ("language:swift", "0"), ("-language:swift", "1 2"),
    ("name:Swift", "2"), ("\"driven network\"", "0"), ("\"network driven\"", ""),
    ("http://example", "1"), ("nosuch:swift", ""), ("日本", "2"), ("STRASSE", ""), ("straße", "2"),
    ("-", "0 1 2"), ("\"", "0 1 2"), ("\"unclosed phra", ""), ("about:\"a terminal\"", "1"),
    ("- swift", "0 2"), ("event-driven", "0"), ("name:", "0 1 2"),
    ("~swtly", "2"), ("~evdr", "0"), ("~strasse", ""), ("~日語", "2"), ("-~swi", "1"), ("~", "0 1 2"),
    ("~sn", "0"), ("~nf", ""), ("~\"net work\"", "0"), ("about:\"\"\"quoted\"\"\"", "2"),
    ("language=SWIFT", "0"), ("language=swif", ""), ("Language==rust", "1"), ("-language=rust", "0 2"),
    ("language!=rust", "0 2"), ("language>=rust -language=swift", "1 2"), ("about=\"\"", ""), ("a=b", ""),
    ("-> swift", "0 2"), ("10:30", ""), ("Name:Swift", ""), ("\"language\"=swift", "0"),
    ("-\"Language\":rust", "0 2"), ("\"a b\"=c", ""), ("\"driven\"network", ""),
  ]) func `A filter matches the rows that satisfy all of its words.`(text: String, chosen: String) {
    let matcher = RowMatcher(RowFilter(text), columns: Self.columns, visible: [0, 1, 2], now: 0)
    let found = Self.rows.indices.filter { matcher.admits(Self.rows[$0]) }
    #expect(found.map(String.init).joined(separator: " ") == chosen)
  }

  @Test(arguments: [
    (
      "stars>1k lan:swift languag_=z",
      "                   ^~~~~~~~ no column \"languag_\". Did you mean \"language\"? …"
    ),
    (
      "stars>many",
      "      ^~~~ \"many\" is not a number. Stars is a number: write a number such as 1500 or 1.5k"
    ),
    ("swift pushed<30q", "             ^~~ \"30q\" is not a date or an age. …"),
    ("pushed<2026-13-01", "       ^~~~~~~~~~ \"2026-13-01\" is not a date or an age. …"),
    ("-stars>= x", "^~~~~~~~ nothing after \"stars>=\". …"),
    ("stars>\"\"", "^~~~~~~~ nothing after \"stars>\". Give a number such as 1500 or 1.5k"),
    ("fork<yes", "^~~~~~~~ fork is yes or no, and has no order. Use = or !="),
    ("share>1/4", "      ^~~ \"1/4\" is not a percentage. …"),
    ("took>long", "     ^~~~ \"long\" is not a duration. …"),
    (
      "\"Star count\">1",
      "^~~~~~~~~~~~ no column \"Star count\". To find this text, quote it: \"Star count>1\""
    ),
    ("std::move", "^~~ no column \"std\". To find this text, quote it: \"std::move\""),
    ("stars=\"\" language>z took<5m share=25% pushed>1y -fork ~fzy \"a=b\" https://x?y=z", "none"),
  ]) func `A mistake in a filter is shown where it is.`(text: String, picture: String) {
    let columns = [
      ("stargazers", ColumnFormat.number), ("language", .text), ("pushed_at", .relative), ("share", .percent),
      ("took", .duration), ("fork", .bool),
    ]
    .map {
      Column(
        name: $0, title: $0 == "stargazers" ? "Stars" : nil, value: ValueExpression([]), format: $1)
    }
    var drawn = "none"
    if let mistake = RowFilter(text).mistake(in: columns) {
      let mark =
        String(repeating: " ", count: mistake.range.lowerBound) + "^"
        + String(repeating: "~", count: mistake.range.count - 1)
      drawn = "\(mark) \(Sentences.joined([mistake.text, mistake.remedy]))"
    }
    let expected = picture.hasSuffix("…") ? String(drawn.prefix(picture.count - 1)) + "…" : drawn
    #expect(expected == picture)
  }
}

/// Tests the operands of each kind of column, in tables and in pipes.
@Suite struct ValueTestTests {
  /// 2026-03-01T00:00:00Z.
  private static let now = 1_772_323_200.0

  private static let kinds: [(name: String, format: ColumnFormat, values: [String])] = [
    ("number", .number, ["999", "1500", "1.5e6", "-2", "null", "\"n/a\""]),
    ("bytes", .bytes, ["1024", "1000", "1048576", "0", "null", "\"n/a\""]),
    ("percent", .percent, ["0.25", "0.5", "1", "0", "null", "\"n/a\""]),
    ("duration", .duration, ["59", "60", "3600", "0", "null", "\"n/a\""]),
    (
      "relative", .relative,
      [
        "\"2026-02-28T12:00:00Z\"", "\"2026-01-31T23:59:59Z\"", "1735689600", "\"2030-01-01\"", "null",
        "\"n/a\"",
      ]
    ),
    ("bool", .bool, ["true", "false", "\"yes\"", "\"no\"", "null", "\"?\""]),
    ("text", .text, ["\"Swift\"", "\"rust\"", "\"Été\"", "\"12\"", "null", "\"\""]),
    ("plain", .text, ["1500", "\"1500\"", "\"2026-02-28T12:00:00Z\"", "\"1.5.2\"", "null", "true"]),
    ("list", .list, ["[\"a\",\"b\"]", "[]", "[\"b\"]", "\"a, b\"", "null", "3"]),
  ]

  /// Rows with one value each, given as JSON.
  private static func rows(_ values: [String]) throws -> DocumentRows {
    let items = values.map { "{\"v\":\($0)}" }.joined(separator: ",")
    let document = try JSONDocument(Array("[\(items)]".utf8))
    return DocumentRows(
      response: ResponseValues(document: document, headers: [], url: try WebURL("http://127.0.0.1/")),
      nodes: Array(document.elements(of: document.rootNode)))
  }

  /// The rows, from 1, that a filter matches, as a table and as values; "(differs)" if the two disagree.
  private static func matches(
    _ filter: String, _ kind: (name: String, format: ColumnFormat, values: [String])
  ) throws -> String {
    let column = Column(name: kind.name, value: try ValueExpression(parsing: "v"), format: kind.format)
    let rows = try rows(kind.values)
    let matcher = RowMatcher(RowFilter(filter), columns: [column], visible: [0], now: now)
    let table = CellTable(rows, columns: [column], link: nil, context: FormatContext(now: now))
    let shown = table.text.withUnsafeBufferPointer { text in
      (0..<table.rowCount).filter { matcher.admits($0, of: table, text) }
    }
    let written = rows.nodes.indices.filter { index in
      let value = rows.response.cell(column, at: rows.nodes[index])
      return matcher.admits([value.text(separator: ", ")], [0: SortValue(value, in: column).key])
    }
    let numbers = shown.map { "\($0 + 1)" }.joined()
    return (numbers.isEmpty ? "-" : numbers) + (shown == written ? "" : " (differs)")
  }

  @Test(arguments: [
    ("number", "1.5k", "= 2  != 13456  < 14  <= 124  > 3  >= 23"),
    ("number", "1,500,000", "= 3  != 12456  < 124  <= 1234  > -  >= 3"),
    ("number", "1.5M", "= 3  != 12456  < 124  <= 1234  > -  >= 3"),
    ("number", "-2", "= 4  != 12356  < -  <= 4  > 123  >= 1234"),
    ("number", "n/a", "= 6  != 12345  < -  <= 6  > -  >= 6"),
    ("number", "", "= 5  != 12346  < -  <= -  > -  >= -"),
    ("bytes", "1KiB", "= 1  != 23456  < 24  <= 124  > 3  >= 13"),
    ("bytes", "1k", "= 2  != 13456  < 4  <= 24  > 13  >= 123"),
    ("bytes", "1.5 MB", "= -  != 123456  < 1234  <= 1234  > -  >= -"),
    ("percent", "50%", "= 2  != 13456  < 14  <= 124  > 3  >= 23"),
    ("percent", "25", "= 1  != 23456  < 4  <= 14  > 23  >= 123"),
    ("duration", "1m", "= 2  != 13456  < 14  <= 124  > 3  >= 23"),
    ("duration", "1h", "= 3  != 12456  < 124  <= 1234  > -  >= 3"),
    ("duration", "60", "= 2  != 13456  < 14  <= 124  > 3  >= 23"),
    ("relative", "30d", "= -  != 123456  < 124  <= 124  > 3  >= 3"),
    ("relative", "1d", "= -  != 123456  < 14  <= 14  > 23  >= 23"),
    ("relative", "1y", "= 3  != 12456  < 124  <= 124  > 3  >= 3"),
    ("relative", "2026-01", "= 2  != 13456  < 3  <= 23  > 14  >= 124"),
    ("relative", "2026-02-28", "= 1  != 23456  < 23  <= 123  > 4  >= 14"),
    ("relative", "2026-02-28T12:00:00Z", "= 1  != 23456  < 23  <= 123  > 4  >= 14"),
    ("relative", "2025", "= 3  != 12456  < -  <= 3  > 124  >= 1234"),
    ("relative", "", "= 5  != 12346  < -  <= -  > -  >= -"),
    ("bool", "yes", "= 13  != 2456  < -  <= -  > -  >= -"),
    ("bool", "False", "= 24  != 1356  < -  <= -  > -  >= -"),
    ("text", "swift", "= 1  != 23456  < 23  <= 123  > -  >= 1"),
    ("text", "ete", "= 3  != 12456  < -  <= 3  > 12  >= 123"),
    ("text", "12", "= 4  != 12356  < -  <= 4  > -  >= 4"),
    ("text", "", "= 56  != 1234  < -  <= -  > -  >= -"),
    ("plain", "1500", "= 12  != 3456  < -  <= 12  > 3  >= 123"),
    ("plain", "2026-02-28", "= 3  != 12456  < -  <= 3  > -  >= 3"),
    ("plain", "1.5.2", "= 4  != 12356  < -  <= 4  > 36  >= 346"),
    ("plain", "30d", "= -  != 123456  < 3  <= 3  > -  >= -"),
    ("list", "a, b", "= 14  != 2356  < -  <= 14  > 3  >= 134"),
    ("list", "3", "= 6  != 12345  < -  <= 6  > -  >= 6"),
    ("list", "", "= 25  != 1346  < -  <= -  > -  >= -"),
  ]) func `Each kind of column compares by each operator.`(name: String, value: String, picture: String)
    throws
  {
    let kind = try #require(Self.kinds.first { $0.name == name })
    let drawn = try RowFilter.Comparison.allCases.map { comparison in
      "\(comparison.rawValue) \(try Self.matches("\(name)\(comparison.rawValue)\(RowFilter.quoted(value))", kind))"
    }
    #expect(drawn.joined(separator: "  ") == picture)
  }

  @Test(arguments: [
    ("number", "number=999  number=1500  number=1500000  number=-2  number=\"\"  number:n/a"),
    ("percent", "percent=25%  percent=50%  percent=100%  percent=0%  percent=\"\"  percent:n/a"),
    ("duration", "duration=59  duration=60  duration=3600  duration=0  duration=\"\"  duration:n/a"),
    (
      "relative",
      "relative=2026-02-28  relative=2026-01-31  relative=2025-01-01  relative=2030-01-01  relative=\"\"  relative:n/a"
    ), ("bool", "bool=yes  bool=no  bool=yes  bool=no  bool=\"\"  bool=?"),
    ("text", "text=Swift  text=rust  text=Été  text=12  text=\"\"  text=\"\""),
    ("plain", "plain=1500  plain=1500  plain=2026-02-28T12:00:00Z  plain=1.5.2  plain=\"\"  plain=true"),
    ("list", "list=\"a, b\"  list=\"\"  list=b  list=\"a, b\"  list=\"\"  list=3"),
  ]) func `The term of a cell matches its row.`(name: String, picture: String) throws {
    let kind = try #require(Self.kinds.first { $0.name == name })
    let column = Column(name: kind.name, value: try ValueExpression(parsing: "v"), format: kind.format)
    let table = CellTable(
      try Self.rows(kind.values), columns: [column], link: nil, context: FormatContext(now: Self.now))
    let terms = kind.values.indices.map { CellTerm(row: $0, column: 0, of: table, in: column).text }
    #expect(terms.joined(separator: "  ") == picture)
    for (index, term) in terms.enumerated() {
      #expect(try Self.matches(term, kind).contains("\(index + 1)"), "\(term)")
      #expect(RowFilter(term).mistake(in: [column]) == nil)
    }
  }

  @Test(arguments: [
    "0", "1", "-1", "0.5", "-0.0625", "12345678901234567890", "9007199254740993", "3.141592653589793238",
    "1000000",
    "0.1e60", "-0.25e-50",
  ]) func `A number is written as it was read.`(text: String) throws {
    let key = try #require(SortKey(number: text))
    #expect(key.decimal() == text)
    #expect(SortKey(number: key.decimal()) == key)
  }

  @Test(arguments: [
    ("total.amount>5000", "2"), ("total.amount<=5000", "1"), ("customer.email:@b", "2"),
    ("$.total.amount=10", "1"),
    ("lines[0].sku=x", "1"), ("sum>5000", "2"), ("mail.example.org", ""), ("\"Total amount\">5000", "2"),
    ("\"unit price\">2", "1"), ("[\"unit price\"]>2", "1"), ("$[\"unit price\"]:3", "1"),
  ]) func `A filter names a value inside a row by its path.`(filter: String, ids: String) throws {
    let source = try listSource(SinglePage.self, PaginationSettings()) {
      $0.columns = [
        Column(name: "id", value: try expression("id")),
        Column(name: "sum", title: "Total amount", value: try expression("total.amount")),
      ]
    }
    let body = """
      {"items": [{"id": 1, "total": {"amount": 10}, "customer": {"email": "a@a"}, "lines": [{"sku": "x"}],
                  "unit price": 3},
                 {"id": 2, "total": {"amount": 9000}, "customer": {"email": "b@b"}, "lines": []}]}
      """
    let response = HTTPResponse(
      status: 200, headers: [], body: Array(body.utf8), url: try WebURL("https://api.example.org/list"))
    var run = RunContext()
    run.filter = RowFilter(filter)
    let request = PageRequest(query: Query("x"), position: .start, generation: 1)
    let found = try source.page(from: response, for: request, in: run) { .document($0) }
    guard case .document(let rows) = found.content else { throw PageError(.unreadable, message: "no rows") }
    let numbers = rows.nodes.compactMap {
      JSONValue(document: rows.response.document, node: $0)["id"]?.numberText
    }
    #expect(numbers.joined(separator: " ") == ids)
    #expect(found.notes == [])
    run.filter = RowFilter("total.sum>1 total.amuont>1")
    let page = try source.page(from: response, for: request, in: run) { .document($0) }
    #expect(
      page.notes == [
        "the filter names total.sum, but no row of the first page has a value there",
        "the filter names total.amuont, but no row of the first page has a value there. Did you mean \"total.amount\"?",
      ])
  }
}

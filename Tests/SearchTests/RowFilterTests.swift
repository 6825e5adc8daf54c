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
    ("-> swift", "0 2"), ("10:30", ""), ("Name:Swift", ""),
  ]) func `A filter matches the rows that satisfy all of its words.`(text: String, chosen: String) {
    let matcher = RowMatcher(RowFilter(text), columns: Self.columns, visible: [0, 1, 2], now: 0)
    let found = Self.rows.indices.filter { matcher.admits(Self.rows[$0]) }
    #expect(found.map(String.init).joined(separator: " ") == chosen)
  }

  @Test(arguments: [
    (
      "stars>1k lan:swift langauge=z",
      "                   ^~~~~~~~ no column \"langauge\". Did you mean \"language\"? …"
    ),
    (
      "stars>many",
      "      ^~~~ \"many\" is not a number. Stars is a number: write a number such as 1500 or 1.5k"
    ),
    ("swift pushed<30q", "             ^~~ \"30q\" is not a date or an age. …"),
    ("pushed<2026-13-01", "       ^~~~~~~~~~ \"2026-13-01\" is not a date or an age. …"),
    ("-stars>= x", "^~~~~~~~ a value is missing after \"stars>=\". …"),
    ("stars>\"\"", "^~~~~~~~ a value is missing after \"stars>\". Write a number such as 1500 or 1.5k"),
    ("fork<yes", "^~~~~~~~ fork is yes or no, and has no order. Use = or !="),
    ("share>1/4", "      ^~~ \"1/4\" is not a percentage. …"),
    ("took>long", "     ^~~~ \"long\" is not a duration. …"),
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

/// What each kind of column compares with, in tables and in pipes.
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

  /// The rows, A to F, that a filter matches, as a table and as values; "(differs)" if the two disagree.
  private static func matches(
    _ filter: String, _ kind: (name: String, format: ColumnFormat, values: [String])
  ) throws -> String {
    let column = Column(name: kind.name, value: try ValueExpression(parsing: "v"), format: kind.format)
    let items = kind.values.map { "{\"v\":\($0)}" }.joined(separator: ",")
    let document = try JSONDocument(Array("[\(items)]".utf8))
    let rows = DocumentRows(
      reply: ReplyValues(document: document, headers: [], url: try WebURL("http://127.0.0.1/")),
      nodes: Array(document.elements(of: document.rootNode)))
    let matcher = RowMatcher(RowFilter(filter), columns: [column], visible: [0], now: now)
    let table = CellTable(rows, columns: [column], link: nil, context: FormatContext(now: now))
    var folding = CaseFolding()
    let shown = table.text.withUnsafeBufferPointer { text in
      (0..<table.rowCount).filter { matcher.admits($0, of: table, text, &folding) }
    }
    let written = rows.nodes.indices.filter { index in
      let value = rows.reply.cell(column, at: rows.nodes[index])
      return matcher.admits([value.text(separator: ", ")], [0: SortValue(value, in: column).key])
    }
    let letters = shown.map { String("ABCDEF"[String.Index(utf16Offset: $0, in: "ABCDEF")]) }.joined()
    return (letters.isEmpty ? "-" : letters) + (shown == written ? "" : " (differs)")
  }

  @Test(arguments: [
    ("number", "1.5k", "= B  != ACDEF  < AD  <= ABD  > C  >= BC"),
    ("number", "1,500,000", "= C  != ABDEF  < ABD  <= ABCD  > -  >= C"),
    ("number", "1.5M", "= C  != ABDEF  < ABD  <= ABCD  > -  >= C"),
    ("number", "-2", "= D  != ABCEF  < -  <= D  > ABC  >= ABCD"),
    ("number", "n/a", "= F  != ABCDE  < -  <= F  > -  >= F"),
    ("number", "", "= E  != ABCDF  < -  <= -  > -  >= -"),
    ("bytes", "1KiB", "= A  != BCDEF  < BD  <= ABD  > C  >= AC"),
    ("bytes", "1k", "= B  != ACDEF  < D  <= BD  > AC  >= ABC"),
    ("bytes", "1.5 MB", "= -  != ABCDEF  < ABCD  <= ABCD  > -  >= -"),
    ("percent", "50%", "= B  != ACDEF  < AD  <= ABD  > C  >= BC"),
    ("percent", "25", "= A  != BCDEF  < D  <= AD  > BC  >= ABC"),
    ("duration", "1m", "= B  != ACDEF  < AD  <= ABD  > C  >= BC"),
    ("duration", "1h", "= C  != ABDEF  < ABD  <= ABCD  > -  >= C"),
    ("duration", "60", "= B  != ACDEF  < AD  <= ABD  > C  >= BC"),
    ("relative", "30d", "= -  != ABCDEF  < ABD  <= ABD  > C  >= C"),
    ("relative", "1d", "= -  != ABCDEF  < AD  <= AD  > BC  >= BC"),
    ("relative", "1y", "= C  != ABDEF  < ABD  <= ABD  > C  >= C"),
    ("relative", "2026-01", "= B  != ACDEF  < C  <= BC  > AD  >= ABD"),
    ("relative", "2026-02-28", "= A  != BCDEF  < BC  <= ABC  > D  >= AD"),
    ("relative", "2026-02-28T12:00:00Z", "= A  != BCDEF  < BC  <= ABC  > D  >= AD"),
    ("relative", "2025", "= C  != ABDEF  < -  <= C  > ABD  >= ABCD"),
    ("relative", "", "= E  != ABCDF  < -  <= -  > -  >= -"),
    ("bool", "yes", "= AC  != BDEF  < -  <= -  > -  >= -"),
    ("bool", "False", "= BD  != ACEF  < -  <= -  > -  >= -"),
    ("text", "swift", "= A  != BCDEF  < BC  <= ABC  > -  >= A"),
    ("text", "ete", "= C  != ABDEF  < -  <= C  > AB  >= ABC"),
    ("text", "12", "= D  != ABCEF  < -  <= D  > -  >= D"),
    ("text", "", "= EF  != ABCD  < -  <= -  > -  >= -"),
    ("plain", "1500", "= AB  != CDEF  < -  <= AB  > C  >= ABC"),
    ("plain", "2026-02-28", "= C  != ABDEF  < -  <= C  > -  >= C"),
    ("plain", "1.5.2", "= D  != ABCEF  < -  <= D  > CF  >= CDF"),
    ("plain", "30d", "= -  != ABCDEF  < C  <= C  > -  >= -"),
    ("list", "a, b", "= AD  != BCEF  < -  <= AD  > C  >= ACD"),
    ("list", "3", "= F  != ABCDE  < -  <= F  > -  >= F"),
    ("list", "", "= BE  != ACDF  < -  <= -  > -  >= -"),
  ]) func `Each kind of column compares by each operator.`(name: String, value: String, picture: String)
    throws
  {
    let kind = try #require(Self.kinds.first { $0.name == name })
    let drawn = try RowFilter.Comparison.allCases.map { comparison in
      "\(comparison.rawValue) \(try Self.matches("\(name)\(comparison.rawValue)\(RowFilter.quoted(value))", kind))"
    }
    #expect(drawn.joined(separator: "  ") == picture)
  }
}

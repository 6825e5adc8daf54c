import HTTPValues
import JSON
import Testing
import Text

@testable import Search

@Suite struct CellTableTests {
  private func table(_ body: String, _ columns: [Column], now: Double = 1_700_000_000) throws -> CellTable {
    let document = try JSONDocument(Array(body.utf8))
    let rows = DocumentRows(
      response: ResponseValues(document: document, headers: [], url: try WebURL("https://example.org/")),
      nodes: Array(document.elements(of: document.rootNode)))
    return CellTable(
      rows, columns: columns, link: try ValueExpression(parsing: "url"),
      context: FormatContext(now: now))
  }

  private func column(_ path: String, _ format: String = "text", empty: String = "") throws -> Column {
    var column = Column(
      name: "c", value: try ValueExpression(parsing: path), format: try #require(ColumnFormat.named(format)))
    column.empty = empty
    return column
  }

  /// Column format, JSON value and cell text.
  @Test(arguments: [
    ("text", #""日本""#, "日本"), ("text", "null", "–"), ("text", "12.50", "12.50"), ("text", "true", "true"),
    ("number", "12345", "12.3k"), ("number", "\"n/a\"", "n/a"), ("bytes", "1500000", "1.4 MiB"),
    ("percent", "0.25", "25.0%"), ("duration", "200", "3m20s"), ("bool", "false", "no"),
    ("relative", "\"2023-11-14T20:13:20Z\"", "2 h ago"), ("relative", "1699992800", "2 h ago"),
    ("date", "\"2023-11-14T20:13:20Z\"", "2023-11-14"),
    ("datetime", "\"2023-11-14T20:13:20Z\"", "2023-11-14 20:13"),
    ("list", #"["a", "b"]"#, "a, b"), ("json", #"{"a": 1}"#, #"{"a": 1}"#),
    ("text", #""\u001b[31m""#, "␛[31m"),
  ]) func `A value is displayed in the format of its column.`(format: String, value: String, cell: String)
    throws
  {
    let table = try table("[{\"v\": \(value)}]", [column("v", format, empty: "–")])
    #expect(table.cell(row: 0, column: 0).string == cell)
  }

  @Test func `[D52] The link of a row is a URL that can be opened, or empty.`() throws {
    let texts = [
      "https://a.example/x y#z", "javascript:alert(1)", "file:///x", "--help", "https://u:p@a.example/",
    ]
    let rows = texts.map { "{\"url\": \"\($0)\"}" }.joined(separator: ",")
    let table = try table("[\(rows)]", [])
    #expect(texts.indices.map { table.link(row: $0) } == ["https://a.example/x%20y#z", "", "", "", ""])
  }

  @Test func `Cells keep their positions, each row has its link, and preferred widths fit the widest cell.`()
    throws
  {
    let table = try table(
      #"[{"a": "x", "b": "日本", "url": "https://example.org/1"}, {"a": "long", "b": ""}]"#,
      [column("a"), column("b")])
    #expect((0..<2).map { table.cell(row: 0, column: $0).string } == ["x", "日本"])
    #expect((0..<2).map { table.cell(row: 1, column: $0).string } == ["long", ""])
    #expect([table.link(row: 0), table.link(row: 1)] == ["https://example.org/1", ""])
    #expect(table.naturalWidths == [4, 4])
    #expect(table.cell(row: 9, column: 0).string == "")
  }

  @Test func `An overlong cell is truncated at a character boundary.`() throws {
    let table = try table("[{\"a\": \"\(String(repeating: "é", count: 20_000))\"}]", [column("a")])
    #expect(table.cell(row: 0, column: 0).string.utf8.count == 16_384)
  }

  @Test func `[D21] A source without columns gets all members of its first rows and shows the plain ones.`()
    throws
  {
    let document = try JSONDocument(
      Array(#"[{"url": "https://x/", "name": "a", "tags": [], "id": 1, "x y\"z": 2}]"#.utf8))
    let rows = DocumentRows(
      response: ResponseValues(document: document, headers: [], url: try WebURL("https://example.org/")),
      nodes: Array(document.elements(of: document.rootNode)))
    let columns = Column.guessed(from: rows)
    #expect(columns.map(\.name) == ["name", "id", "x_y_z", "url", "tags"])
    #expect(columns.filter(\.isHidden).map(\.name) == ["tags"])
    #expect(rows.nodes.map { rows.response.cell(columns[2], at: $0) } == [.number("2")])
  }

  @Test func `[D21] A key that only one of the first thousand rows has is a column too.`() throws {
    let items = (1...1_001).map { $0 < 1_000 ? "{\"id\": \($0)}" : "{\"id\": \($0), \"late\($0)\": 1}" }
    let document = try JSONDocument(Array("[\(items.joined(separator: ","))]".utf8))
    let rows = DocumentRows(
      response: ResponseValues(document: document, headers: [], url: try WebURL("https://example.org/")),
      nodes: Array(document.elements(of: document.rootNode)))
    #expect(Column.guessed(from: rows).map(\.name) == ["id", "late1000"])
  }

  @Test func `Rows are the same if their cells are; of an age, the time counts and not its text.`() throws {
    let columns = [try column("name"), try column("at", "relative")]
    func rows(_ times: [String], at now: Double) throws -> CellTable {
      try table(
        "[\(times.map { "{\"name\": \"a\", \"at\": \($0)}" }.joined(separator: ","))]", columns, now: now)
    }
    let old = try rows(["1000000", "1000000", "\"soon\"", "null"], at: 1_000_060)
    let new = try rows(["1000000", "1000001", "\"later\"", "null"], at: 1_900_000_000)
    #expect((0..<4).map { new.showsSame($0, as: $0, of: old) } == [true, false, false, true])
    #expect(new.showsSame(1, as: 0, of: CellTable(withoutTextsOf: 4)), "there is nothing to compare")
    let named = try table(#"[{"name": "b", "at": 1000000}]"#, columns)
    #expect(!named.showsSame(0, as: 0, of: old))
  }
}

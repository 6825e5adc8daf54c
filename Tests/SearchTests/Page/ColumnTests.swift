import JSON
import Testing
import Text

@testable import Search

/// A row, a column and the resulting cell.
@Suite struct ColumnTests {
  private func cell(_ row: String, _ column: Column) throws -> String {
    try ResponsePicture(columns: [column]).text("[\(row)]")
  }

  private func column(_ path: String, _ change: (inout Column) throws -> Void = { _ in }) throws -> Column {
    var column = Column(name: "c", value: try ValueExpression(parsing: path))
    try change(&column)
    return column
  }

  @Test(
    arguments: [
      (.kept, "a &amp; <b>b</b>"), (.decoded, "a & <b>b</b>"), (.stripped, "a & b"),
    ] as [(Column.Markup, String)])
  func `Markup is kept, decoded or stripped, also in each element of a list.`(
    markup: Column.Markup, expected: String
  )
    throws
  {
    let column = try column("v") { $0.markup = markup }
    #expect(try cell(#"{"v": "a &amp; <b>b</b>"}"#, column) == expected)
    #expect(try cell(#"{"v": ["x", "a &amp; <b>b</b>"]}"#, column) == "x, \(expected)")
    #expect(try cell(#"{"v": {"a": "&amp;"}}"#, column) == #"{"a": "&amp;"}"#)
  }

  @Test func `A value whose condition is not met is treated as missing.`() throws {
    let column = try column("accepted") {
      $0.empty = "–"
      $0.condition = Condition(value: try ValueExpression(parsing: "answered"), test: .equals(["true"]))
    }
    #expect(try cell(#"{"answered": true, "accepted": 7}"#, column) == "7")
    #expect(try cell(#"{"answered": false, "accepted": 7}"#, column) == "–")
    #expect(try cell(#"{"accepted": 7}"#, column) == "–")
  }

  @Test(arguments: [
    ("2023-11-15T05:13:20", 9 * 3600, "2 h ago", "2023-11-14 20:13"),
    ("2023-11-14 20:13:20", 0, "2 h ago", "2023-11-14 20:13"),
    ("2023-11-14T20:13:20Z", 9 * 3600, "2 h ago", "2023-11-14 20:13"),
    ("2023-11-14", 9 * 3600, "22 h ago", "2023-11-14 00:00"),
    ("soon", 9 * 3600, "soon", "soon"),
  ])
  func `A time without a zone is read in the zone of its column.`(
    value: String, zone: Int, relative: String, datetime: String
  ) throws {
    var column = try column("v") { $0.zone = zone }
    column.format = .relative
    #expect(try cell("{\"v\": \"\(value)\"}", column) == relative)
    column.format = .datetime
    #expect(try cell("{\"v\": \"\(value)\"}", column) == datetime)
  }

  /// Berlin is one hour ahead of UTC in winter and two in summer.
  @Test(arguments: [
    ("2026-01-15T12:00:00Z", "2026-01-15 13:00", "2026-01-15"),
    ("2026-07-15T12:00:00Z", "2026-07-15 14:00", "2026-07-15"),
    ("2026-01-15T22:30:00Z", "2026-01-15 23:30", "2026-01-15"),
    ("2026-07-15T22:30:00Z", "2026-07-16 00:30", "2026-07-16"),
  ]) func `[D6] A local time uses the offset of its own day, in winter and in summer.`(
    value: String, datetime: String, date: String
  ) {
    let summer = Int64(1_774_746_000)..<1_792_890_000
    let context = FormatContext(now: 0, zone: LocalZone { summer.contains($0) ? 7_200 : 3_600 })
    #expect(ColumnFormat.datetime.display(.text(value), context) == datetime)
    #expect(ColumnFormat.date.display(.text(value), context) == date)
  }

  @Test func `A date without a time is the same day in every zone.`() {
    let newYork = FormatContext(now: 0, zone: LocalZone(offset: -5 * 3600))
    #expect(ColumnFormat.date.display(.text("2023-11-14"), newYork) == "2023-11-14")
    #expect(ColumnFormat.date.display(.text("2023-11-14T00:00:00Z"), newYork) == "2023-11-13")
  }

  @Test func `A color is set for a whole column or by the text of the cell.`() throws {
    var column = try column("state")
    #expect(column.role(for: "open") == nil)
    column.color = .always(.accent)
    #expect(column.role(for: "anything") == .accent)
    column.color = .byText(["open": .success, "closed": .dim])
    #expect(["open", "OPEN", "closed", "other"].map(column.role) == [.success, .success, .dim, nil])
  }

  @Test func `Only a plain column has a verbatim path.`() throws {
    let plain = try column("a.b")
    #expect(try plain.verbatimPath == JSONPath("a.b"))
    let others = [
      try column("a[*]"), try column("={a}"), try column("header:X"),
      try column("v") { $0.markup = .stripped },
      try column("v") { $0.format = .date }, try column("v") { $0.zone = 60 },
      try column("v") { $0.condition = Condition(value: $0.value, test: .exists(true)) },
      Column(name: "c", value: try ValueExpression(parsing: ["a", "b"])),
    ]
    #expect(others.compactMap(\.verbatimPath) == [])
  }

  @Test func `Only time formats have a machine value that differs from the value.`() {
    #expect(ColumnFormat.all.filter { !$0.isExact }.map(\.name) == ["relative", "datetime", "date"])
  }

  @Test func `Query options can be used in the links of rows.`() throws {
    var picture = ResponsePicture(
      rows: RowShape(
        link: try ValueExpression(parsing: "=https://{lang}.wikipedia.org/?curid={pageid}", options: ["lang"])
      ),
      columns: try columns("title"), options: [SourceOption(name: "lang", values: ["en", "ja"])])
    let body = #"[{"title": "Arrow", "pageid": 12, "lang": "evil.example/"}]"#
    #expect(try picture.text(body) == "Arrow → https://en.wikipedia.org/?curid=12")
    picture.query = Query("x", options: ["lang": "ja"])
    #expect(try picture.text(body) == "Arrow → https://ja.wikipedia.org/?curid=12")
  }

  @Test func `Guessed columns have unique names.`() throws {
    let page = try ResponsePicture().page(#"[{"a b": 1, "a_b": 2, "A-B": 3}]"#)
    guard case .cells(let table) = page.content else { return }
    #expect(table.columns.map(\.name) == ["a_b", "a_b_2", "a_b_3"])
  }

  @Test func `A Markdown column is displayed as plain text and is unchanged in machine formats.`() throws {
    let format = try #require(ColumnFormat.named("markdown"))
    #expect(format.display(.text("**a**"), FormatContext(now: 0)) == "a")
    #expect(format.machineValue(.text("**a**")) == .text("**a**"))
  }

  @Test func `A time may be an HTTP date, and the zero time of Go is no time.`() throws {
    let time = try column("v") { $0.format = .datetime }
    #expect(try cell(#"{"v": "Fri, 27 Nov 2026 06:00:00 GMT"}"#, time) == "2026-11-27 06:00")
    let age = try column("v") {
      $0.format = .relative
      $0.empty = "–"
    }
    #expect(try cell(#"{"v": "0001-01-01T00:00:00Z"}"#, age) == "–")
    #expect(age.format.machineValue(.text("0001-01-01T00:00:00Z")).text(separator: ",") == "")
  }

  @Test(arguments: [
    ("1795759200", "2026-11-27T06:00:00Z"), ("1795759200000", "2026-11-27T06:00:00Z"),
    ("1795759200000000", "2026-11-27T06:00:00Z"), ("1795759200000000000", "2026-11-27T06:00:00Z"),
    (#""/Date(1795759200000)/""#, "2026-11-27T06:00:00Z"),
    (#""Fri, 27 Nov 2026 06:00:00 GMT""#, "2026-11-27T06:00:00Z"),
    (#""20261127T060000Z""#, "2026-11-27T06:00:00Z"), (#""2026-11-27 06:00:00 UTC""#, "2026-11-27T06:00:00Z"),
    (#""2026-11-27T06:00:00.040+00:00""#, "2026-11-27T06:00:00.040Z"),
  ])
  func `[U19] Times as services write them are written in UTC, with the digits of their fraction.`(
    json: String, utc: String
  ) throws {
    let time = try column("v") { $0.format = .datetime }
    #expect(try cell(#"{"v": \#(json)}"#, time) == "2026-11-27 06:00")
    let value = json.hasPrefix("\"") ? CellValue.text(String(json.dropFirst().dropLast())) : .number(json)
    #expect(time.format.machineValue(value).text(separator: ",") == utc)
  }
}

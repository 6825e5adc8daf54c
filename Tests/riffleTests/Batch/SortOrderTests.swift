import HTTPValues
import JSON
import Output
import Testing

@testable import Pager
@testable import Search

/// Tests that the screen and a pipe sort the same rows in the same order.
@Suite struct SortOrderTests {
  /// Values as JSON.
  private static let values = [
    #""9.0""#, #""17.0""#, "9.5", "null", #""Éclair""#, #""eclair""#, #""Zebra""#, #""e\u0301clair""#,
    "9007199254740993", "9007199254740992", #""""#, "true", "false", #"["b", "a"]"#, #"["a"]"#, #"{"a": 1}"#,
    "-3",
    #""2026-03-01T00:00:00Z""#, #""2026-03-01T05:00:00+09:00""#, "1767225600", #""**bold**""#, #""bold""#,
    #""-""#,
    #""https://example.org/a/b/c/2""#, #""https://example.org/a/b/c/1""#, #""9007199254740993""#, #""日本""#,
    "1e400", "-1e400", #""eclair""#, "[]",
  ]

  @Test(arguments: ColumnFormat.all.map(\.name), [false, true])
  func `[D23] Rows sorted on the screen are in the order that --sort writes.`(
    format: String, isDescending: Bool
  ) throws {
    var column = Column(
      name: "v", value: try ValueExpression(parsing: "v"), format: try #require(ColumnFormat.named(format)))
    column.empty = "-"
    let pages = [try Self.rows(0..<12), try Self.rows(12..<Self.values.count)]
    let screen = try Self.screenOrder(pages, column, isDescending)
    let pipe = try Self.pipeOrder(pages, column, isDescending)
    #expect(screen == pipe)
    #expect(Set(screen).count == Self.values.count)
  }

  /// Rows whose numbers continue from page to page.
  private static func rows(_ places: Range<Int>) throws -> DocumentRows {
    let objects = places.map { "{\"i\": \($0), \"v\": \(values[$0])}" }
    let document = try JSONDocument(Array("[\(objects.joined(separator: ","))]".utf8))
    return DocumentRows(
      response: ResponseValues(document: document, headers: [], url: try WebURL("http://127.0.0.1/")),
      nodes: Array(document.elements(of: document.rootNode)))
  }

  private static func screenOrder(
    _ pages: [DocumentRows], _ column: Column, _ isDescending: Bool
  ) throws -> [String] {
    var store = RowStore()
    for (ordinal, rows) in pages.enumerated() {
      let cells = CellTable(rows, columns: [column], link: nil, context: FormatContext(now: 0))
      store.append(
        Page(content: .cells(cells), continuation: .end(.last)), kept: (0..<cells.rowCount).map(UInt32.init),
        at: Position(ordinal: ordinal, value: .number(1)), resumePoint: nil)
    }
    let rules = RowOrderRules(sort: ColumnSort(column: 0, isDescending: isDescending), visible: [0])
    var ordering = RowOrdering(continuing: RowOrder(rules, version: 0), over: store, columns: [column])
    while !ordering.isFinished { ordering.advance(by: .max) }
    let numbers = pages.flatMap { rows in rows.nodes.map { rows.number(of: $0) } }
    return ordering.order.rows.map { numbers[Int($0)] }
  }

  private static func pipeOrder(
    _ pages: [DocumentRows], _ column: Column, _ isDescending: Bool
  ) throws -> [String] {
    let source = Source(
      id: "test", title: "Test", endpoint: Endpoint(url: try Template("https://api.example.org/")),
      pagination: try Pagination(SinglePage.self, PaginationSettings()), columns: [column])
    let sort = try RowSort(parsing: [isDescending ? "v:desc" : "v"], of: source)
    let sorted = try sort.sorted(
      pages.enumerated().map { OutputRows($1, arrivedAt: 0, pageNumber: $0 + 1) })
    return sorted.flatMap { rows in
      rows.nodes.map { DocumentRows(response: rows.response, nodes: rows.nodes).number(of: $0) }
    }
  }
}

extension DocumentRows {
  fileprivate func number(of node: JSONNode) -> String {
    response.document.member(of: node, named: JSONKey("i")).flatMap { response.document.text(of: $0) } ?? "?"
  }
}

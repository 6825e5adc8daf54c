import HTTPValues
import JSON
import Testing
import Text

@testable import Pager
@testable import Search

/// Pages of rows with three columns (name, stars, about), built without a network.
struct RowTable {
  static let columns: [Column] = ["name", "stars", "about"].map { name in
    let path = (try? ValueExpression(parsing: name)) ?? ValueExpression([])
    return Column(name: name, value: path, format: name == "stars" ? .number : .text)
  }

  var store = RowStore()

  init(_ rows: [[String]] = [], pageSize: Int = 7) throws {
    for start in stride(from: 0, to: rows.count, by: pageSize) {
      try append(Array(rows[start..<min(start + pageSize, rows.count)]))
    }
  }

  /// Appends a page; each row is its name, its stars as JSON, and its about text.
  mutating func append(_ rows: [[String]]) throws {
    let objects = rows.map { row in
      "{\"name\":\(JSONText.quoted(row[0])),\"stars\":\(row[1]),\"about\":\(JSONText.quoted(row[2]))}"
    }
    let document = try JSONDocument(Array("[\(objects.joined(separator: ","))]".utf8))
    let found = DocumentRows(
      response: ResponseValues(document: document, headers: [], url: try WebURL("http://127.0.0.1/")),
      nodes: Array(document.elements(of: document.rootNode)))
    let table = CellTable(found, columns: Self.columns, link: nil, context: FormatContext(now: 0))
    let page = Page(content: .cells(table), continuation: .end(.last))
    store.append(
      page, kept: (0..<rows.count).map(UInt32.init),
      at: Position(ordinal: store.blocks.count, value: .number(1)), resumePoint: nil)
  }

  /// The finished order, computed in steps of this effort.
  func order(
    _ filter: String = "", sort: ColumnSort? = nil, visible: [Int] = [0, 1, 2], effort: Int = 1_000,
    continuing old: RowOrder? = nil
  ) -> RowOrder {
    let rules = RowOrderRules(filter: filter, sort: sort, visible: visible)
    var ordering = RowOrdering(
      continuing: old ?? RowOrder(rules, version: 0), over: store, columns: Self.columns)
    while !ordering.isFinished { ordering.advance(by: effort) }
    return ordering.order
  }

  /// The names of the rows in an order.
  func names(_ order: RowOrder) -> String {
    order.rows.compactMap { number -> String? in
      guard let (block, row) = store.locate(Int(number)), case .cells(let table)? = block.content else {
        return nil
      }
      return table.cell(row: row, column: 0).string
    }.joined(separator: " ")
  }
}

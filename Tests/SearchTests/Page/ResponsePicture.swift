import HTTPValues
import Testing
import Text

@testable import Search

/// A source and a response of its service, rendered as a table.
struct ResponsePicture {
  var rows = RowShape()
  var columns: [Column] = []
  var options: [SourceOption] = []
  var input = SearchInput()
  var query = Query()
  var headers: HTTPFields = []

  func source() throws -> Source {
    Source(
      id: "test", title: "Test", input: input,
      endpoint: Endpoint(url: try Template("https://api.example.org/items")), options: options,
      pagination: try Pagination(SinglePage.self, PaginationSettings()), rows: rows, columns: columns)
  }

  func page(_ body: String) throws -> Page {
    let response = HTTPResponse(
      status: 200, headers: headers, body: Array(body.utf8), url: try WebURL("https://api.example.org/items"),
      arrivedAt: 1_700_000_000)
    let source = try source()
    return try source.page(
      from: response, for: PageRequest(query: query, position: .number(0), generation: 1), in: RunContext()
    ) { rows in
      .cells(
        CellTable(
          rows, columns: columns.isEmpty ? Column.guessed(from: rows).filter { !$0.isHidden } : columns,
          link: source.rows.link,
          context: FormatContext(now: 1_700_000_000)))
    }
  }

  /// One line per row: cells separated by bars, then the address of the row if it has one. If the response
  /// fails, the error message.
  func text(_ body: String) throws -> String {
    do {
      let page = try page(body)
      guard case .cells(let table) = page.content else { return "no cells" }
      let lines = (0..<table.rowCount).map { row in
        let cells = table.columns.indices.map { table.cell(row: row, column: $0).string }
        let link = table.link(row: row)
        return cells.joined(separator: " | ") + (link.isEmpty ? "" : " → \(link)")
      }
      return (lines + page.notes).joined(separator: "\n")
    } catch let error as PageError {
      return error.fullMessage
    }
  }
}

/// Text columns with these paths.
func columns(_ paths: String...) throws -> [Column] {
  try paths.map { Column(name: $0, value: try ValueExpression(parsing: $0)) }
}

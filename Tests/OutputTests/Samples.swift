import HTTPValues
import JSON
import Output
import Testing
import Text

@testable import Search

/// A source whose rows are the elements of the response.
func source(_ columns: [Column] = Samples.columns) throws -> Source {
  Source(
    id: "demo", title: "Demo", endpoint: Endpoint(url: try Template("https://example.org/items")),
    pagination: try Pagination(SinglePage.self, PaginationSettings()),
    rows: RowShape(
      key: try ValueExpression(parsing: "id"),
      link: try ValueExpression(parsing: "=https://example.org/item/{id}")),
    columns: columns)
}

func column(
  _ name: String, _ value: String, title: String? = nil, _ format: ColumnFormat = .text,
  width: ColumnWidth? = nil, empty: String = ""
) throws -> Column {
  var column = Column(
    name: name, title: title, value: try ValueExpression(parsing: value), format: format)
  column.empty = empty
  if let width { column.width = width }
  return column
}

func rows(_ json: String, page: Int = 1) throws -> OutputRows {
  let document = try JSONDocument(Array(json.utf8))
  let response = ResponseValues(document: document, headers: [], url: try WebURL("https://example.org/items"))
  let rows = DocumentRows(response: response, nodes: Array(document.elements(of: document.rootNode)))
  return OutputRows(rows, arrivedAt: 1_700_000_000, pageNumber: page)
}

extension OutputOptions {
  init(
    hasHeader: Bool = true, isTerminal: Bool = false, width: Int? = nil, isCSVSafe: Bool = false,
    hasByteOrderMark: Bool = false,
    rowEnd: UInt8 = UInt8(ascii: "\n"), zone: LocalZone = .utc, literals: [String] = []
  ) {
    self.init()
    self.hasHeader = hasHeader
    self.isTerminal = isTerminal
    self.width = width
    self.isCSVSafe = isCSVSafe
    self.hasByteOrderMark = hasByteOrderMark
    self.rowEnd = rowEnd
    self.zone = zone
    self.literals = literals
  }
}

/// The output of a format for these pages.
func written(
  _ format: String, _ pages: String..., columns list: String? = nil, addingLink addsLink: Bool = false,
  of source: Source? = nil,
  on outputOptions: OutputOptions = OutputOptions()
) throws -> String {
  let source = try source ?? OutputTests.source()
  var selection =
    try list.map { try ColumnSelection(parsing: $0, of: source) } ?? ColumnSelection(columnsOf: source)
  selection.addsLink = addsLink
  var writer = OutputWriter(
    try #require(OutputFormats.named(format)), selection: selection, outputOptions: outputOptions)
  var output: [UInt8] = []
  for (index, page) in pages.enumerated() {
    try writer.append(try rows(page, page: index + 1), into: &output)
  }
  try writer.end(into: &output)
  return String(decoding: output, as: UTF8.self)
}

enum Samples {
  static let columns: [Column] = [
    (try? column("name", "name", title: "Name")),
    (try? column("stars", "stars", title: "Stars", .number)),
    (try? column("topics", "topics", title: "Topics", .list)),
    (try? column("pushed", "pushed_at", title: "Pushed", .date)),
    (try? column("note", "note", title: "Note", empty: "-")),
  ].compactMap { $0 }

  static let plain = #"""
    [{"id": 1, "name": "swift/swift", "stars": 66012, "topics": ["compiler", "language"],
      "pushed_at": "2023-11-14T22:13:20Z", "note": "plain"},
     {"id": 9007199254740993, "name": "日本語 🏗️", "stars": 9007199254740993, "topics": [],
      "pushed_at": 1700000000, "note": "e\u0301migre\u0301 👩‍👩‍👧"}]
    """#

  static let awkward = #"""
    [{"id": 3, "name": "a,b \"c\" | d", "stars": null, "topics": {"x": [1, 2]},
      "pushed_at": "soon", "note": "tab\tand\nline \\ end"},
     {"id": 4, "name": "<b>&amp;</b> *x* _y_ a_b", "stars": 1e3, "topics": ["a", null, true, {"k": "v"}],
      "note": "\u001b[31mred\u0007\u202eevil\u009b"}]
    """#
}

import JSON
package import Search
import Text

/// One column of a document.
package struct OutputColumn: Sendable {
  enum Content: Sendable {
    case column(Column)
    case pageNumber
    /// The same text in every row.
    case constant(String)
    /// The URL of the row's page, if it can be opened.
    case link(ValueExpression)
  }

  /// The name in machine formats: a column's name, or a path or reserved name as typed.
  package let name: String
  /// The heading in tables.
  package let title: String
  let content: Content
  /// The path of the value whose own text is the exact text of the cell.
  let verbatimPath: JSONPath?

  package init(_ column: Column) {
    name = column.name
    title = column.title
    content = .column(column)
    verbatimPath = column.verbatimPath
  }

  init(name: String, _ content: Content) {
    self.name = name
    title = name
    self.content = content
    verbatimPath = nil
  }

  var alignment: Alignment {
    switch content {
    case .column(let column): column.alignment
    case .pageNumber: .trailing
    case .constant, .link: .leading
    }
  }

  var separator: String {
    if case .column(let column) = content { column.separator } else { "" }
  }
}

extension OutputColumn {
  /// The exact value of the cell in the row at `node`.
  func value(at node: JSONNode, in rows: OutputRows) -> CellValue {
    switch content {
    case .column(let column): column.format.machineValue(rows.reply.cell(column, at: node))
    case .pageNumber: .number(String(rows.pageNumber))
    case .constant(let text): .text(text)
    case .link(let address): rows.reply.link(address, at: node).map { .text($0) } ?? .missing
    }
  }

  /// The sort key of the row at `node`; the same as on the screen.
  func sortValue(at node: JSONNode, in rows: OutputRows) -> SortValue {
    switch content {
    case .column(let column): SortValue(rows.reply.cell(column, at: node), in: column)
    case .link, .pageNumber, .constant:
      SortValue(value(at: node, in: rows), in: Column(name: name, value: ValueExpression([])))
    }
  }

  /// Calls the closure with the exact text of the cell as UTF-8: strings decoded, numbers as written, lists
  /// joined, objects as compact JSON, null and missing empty. Scalars are not copied.
  func withText(at node: JSONNode, in rows: OutputRows, _ body: (UnsafeBufferPointer<UInt8>) -> Void) {
    if let path = verbatimPath {
      let document = rows.reply.document
      guard let found = path.firstNode(in: document, from: node) else { return body(.empty) }
      switch document.kind(of: found) {
      case .null: return body(.empty)
      case .string, .number, .bool: return document.withUTF8(of: found, body)
      case .object, .array: break
      }
    }
    var text = value(at: node, in: rows).text(separator: separator)
    text.withUTF8(body)
  }

  /// Appends the exact value of the cell as JSON on one line; a missing value is null.
  func appendJSON(at node: JSONNode, in rows: OutputRows, to output: inout [UInt8]) {
    guard let path = verbatimPath else { return value(at: node, in: rows).appendJSON(to: &output) }
    guard let found = path.firstNode(in: rows.reply.document, from: node) else {
      return CellValue.missing.appendJSON(to: &output)
    }
    rows.reply.document.append(compact: found, to: &output)
  }
}

extension CellValue {
  fileprivate func appendJSON(to output: inout [UInt8]) {
    switch self {
    case .missing: output += "null".utf8
    case .text(let text): JSONText.append(quoted: text, to: &output)
    case .number(let text), .json(let text): output += text.utf8
    case .bool(let flag): output += (flag ? "true" : "false").utf8
    case .list(let values):
      output.append(UInt8(ascii: "["))
      for (index, value) in values.enumerated() {
        if index > 0 { output.append(UInt8(ascii: ",")) }
        value.appendJSON(to: &output)
      }
      output.append(UInt8(ascii: "]"))
    }
  }
}

extension UnsafeBufferPointer<UInt8> {
  fileprivate static var empty: Self { Self(start: nil, count: 0) }
}

extension OutputColumn {
  /// The cell of the row at `node` as shown in tables: sanitized for a terminal, otherwise exact.
  func rendered(at node: JSONNode, in rows: OutputRows, on outputOptions: OutputOptions) -> String {
    outputOptions.shown(exactText(at: node, in: rows, zone: outputOptions.zone))
  }

  private func exactText(at node: JSONNode, in rows: OutputRows, zone: LocalZone) -> String {
    guard case .column(let column) = content else {
      return value(at: node, in: rows).text(separator: separator)
    }
    let context = FormatContext(now: rows.arrivedAt, zone: zone, separator: column.separator)
    let text = column.format.display(rows.reply.cell(column, at: node), context)
    return text.isEmpty ? column.empty : text
  }
}

/// A column with a reserved name that every source has in addition to its own.
package enum ReservedColumn: String, CaseIterable, Sendable {
  /// The URL of the row's web page.
  case link = "@link"
  /// The key that identifies the row.
  case key = "@key"
  /// The number of the row's page, from 1.
  case page = "@page"
  /// The id of the source.
  case source = "@source"
  /// The whole row.
  case json = "@json"

  /// Nil if the source does not declare where the value is.
  func column(of source: Source) -> OutputColumn? {
    switch self {
    case .link: source.rows.link.map { OutputColumn(name: rawValue, .link($0)) }
    case .key: (source.rows.key ?? source.rows.link).map { OutputColumn(Column(name: rawValue, value: $0)) }
    case .page: OutputColumn(name: rawValue, .pageNumber)
    case .source: OutputColumn(name: rawValue, .constant(source.id))
    case .json:
      OutputColumn(Column(name: rawValue, value: ValueExpression([.path(.root)]), format: .json))
    }
  }
}

import Search

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

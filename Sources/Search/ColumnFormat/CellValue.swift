private import Text

/// The exact value of one column in one row: strings decoded, numbers as their source text.
package enum CellValue: Sendable, Hashable {
  case missing
  case text(String)
  case number(String)
  case bool(Bool)
  case list([CellValue])
  /// An object, or an array where a single value was expected, as compact JSON.
  case json(String)

  /// The value as plain text, with list elements joined by `separator`; "" if missing.
  package func text(separator: String) -> String {
    switch self {
    case .missing: ""
    case .text(let text), .number(let text), .json(let text): text
    case .bool(let flag): flag ? "true" : "false"
    case .list(let values): values.map { $0.text(separator: separator) }.joined(separator: separator)
    }
  }

  /// The value with each of its strings transformed; objects are unchanged.
  func mapTexts(_ rewrite: (String) -> String) -> CellValue {
    switch self {
    case .text(let text): .text(rewrite(text))
    case .list(let values): .list(values.map { $0.mapTexts(rewrite) })
    case .missing, .number, .bool, .json: self
    }
  }
}

extension ReplyValues {
  /// The value of a column in the row at `node`: the first alternative that is neither null nor "", with its
  /// markup and time zone converted; missing if the column's condition does not hold.
  package func cell(_ column: Column, at node: JSONNode) -> CellValue {
    if let condition = column.condition, !holds(condition, at: node) { return .missing }
    var value = exactCell(column.value, at: node)
    if column.markup != .kept { value = value.mapTexts(column.markup.plain) }
    if column.zone != 0 { value = value.mapTexts { Self.inUTC($0, from: column.zone) } }
    return value
  }

  private func exactCell(_ expression: ValueExpression, at node: JSONNode) -> CellValue {
    switch value(of: expression, at: node) {
    case nil: .missing
    case .text(let text): .text(text)
    case .node(let node, _): cell(of: node)
    case .nodes(let nodes, _): .list(nodes.map(cell(of:)))
    }
  }

  /// A time converted to UTC from its own offset, or else the column's. Anything but a time, and a date
  /// without a time, is unchanged.
  private static func inUTC(_ text: String, from zone: Int) -> String {
    guard text.utf8.count > 10, let time = Timestamp(iso8601: text, zone: zone) else { return text }
    return time.rfc3339
  }

  private func cell(of node: JSONNode) -> CellValue {
    switch document.kind(of: node) {
    case .null: .missing
    case .string: .text(document.text(of: node) ?? "")
    case .number: .number(document.text(of: node) ?? "")
    case .bool: .bool(document.bool(of: node) ?? false)
    case .object: .json(String(decoding: document.compactBytes(of: node), as: UTF8.self))
    case .array: list(of: node)
    }
  }

  /// One level deep: nested arrays are compact JSON, so nothing recurses on input.
  private func list(of node: JSONNode) -> CellValue {
    .list(
      document.elements(of: node).map { element in
        switch document.kind(of: element) {
        case .array: .json(String(decoding: document.compactBytes(of: element), as: UTF8.self))
        default: cell(of: element)
        }
      })
  }
}

/// The value of one column in one row, exact: text as decoded, numbers as their own text.
package enum CellValue: Sendable, Hashable {
  case missing
  case text(String)
  case number(String)
  case bool(Bool)
  case list([CellValue])
  /// An object, or an array of a place where one value was expected, as compact JSON.
  case json(String)

  /// The value as plain text, lists joined by `separator`. Missing is "".
  package func text(separator: String) -> String {
    switch self {
    case .missing: ""
    case .text(let text), .number(let text), .json(let text): text
    case .bool(let flag): flag ? "true" : "false"
    case .list(let values): values.map { $0.text(separator: separator) }.joined(separator: separator)
    }
  }
}

extension ReplyValues {
  /// The value of a column in the row at `node`; the first alternative that is neither null nor "".
  package func cell(_ column: Column, at node: JSONNode) -> CellValue {
    switch value(of: column.value, at: node) {
    case nil: .missing
    case .text(let text): .text(text)
    case .node(let node, _): cell(of: node)
    case .nodes(let nodes, _): .list(nodes.map(cell(of:)))
    }
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

  /// One level deep: arrays inside are compact JSON, so nothing recurses on input.
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

import HTTPValues
package import JSON

/// The parent of a source (`[parent]`). The source is a nested list: each row of the parent list has its own list,
/// which is requested with a value of that row.
package struct Parent: Sendable {
  /// The list whose rows have nested lists.
  package enum Rows: Sendable, Hashable {
    /// The rows of the source with this id.
    case source(String)
    case values([String])
    /// The comma-separated values of an environment variable.
    case variable(String)
  }

  package var rows = Rows.values([])
  /// The option that holds the value of a parent's row, placed by `{name}`.
  package var name = ""
  /// The value of a parent's row.
  package var value = ValueExpression([])
  /// Rows that fail this condition have no list.
  package var condition: Condition?
  /// The values copied from a parent's row into each row of its list, as fields of `parent`.
  package var copies: [JSONPath] = []
  /// The hosts other than the source's own that parents may come from if the source sends a credential, as `host`
  /// or `host:port`.
  package var hosts: [String] = []

  package init() {}

  /// The maximum number of parents above a source.
  package static let deepest = 3

  /// The values in the text of an environment variable.
  package static func values(in text: String) -> [String] {
    text.split(separator: ",").map { String($0.trimmedBlanks) }.filter { !$0.isEmpty }
  }
}

/// A parent row, which has a nested list.
package struct ParentRow: Sendable, Hashable, Codable {
  /// The value of the row in requests; empty if the row has none.
  package var value: String
  /// The values copied from the row into each row of its list, as the text of a JSON object; nil if there are none.
  package var copies: String?

  package init(value: String, copies: String? = nil) {
    self.value = value
    self.copies = copies
  }
}

extension ParentRow {
  /// The first of the copied values; nil if nothing is copied, or the value is not a plain one.
  package var firstCopy: String? {
    copies.flatMap { try? JSONDocument(Array($0.utf8)).root.members.first?.value.text }
  }
}

extension Parent {
  /// The prefix of the names of columns with copied values.
  package static let columnPrefix = "parent."

  /// The rows of a page as parents, one for each; nil for a row that has no list.
  package func parents(in rows: DocumentRows) -> [ParentRow?] {
    rows.nodes.map { node in
      if let condition, !rows.response.holds(condition, at: node) { return nil }
      return ParentRow(
        value: rows.response.text(of: value, at: node) ?? "", copies: copies(of: node, in: rows.response))
    }
  }

  private func copies(of row: JSONNode, in response: ResponseValues) -> String? {
    if copies.isEmpty { return nil }
    let document = response.document
    let members = copies.compactMap { path in
      path.firstNode(in: document, from: row).map { node in
        "\(JSONText.quoted(path.lastName ?? "")):\(String(decoding: document.bytes[document.byteRange(of: node)], as: UTF8.self))"
      }
    }
    return "{\(members.joined(separator: ","))}"
  }
}

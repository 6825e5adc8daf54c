package import Search

/// Rows to write: those of one page that are kept, already deduplicated and cut to the limit, in order.
package struct OutputRows: Sendable {
  package let reply: ReplyValues
  package let nodes: [JSONNode]
  /// When the page arrived, in seconds since 1970.
  package let arrivedAt: Double
  /// Counted from 1.
  package let pageNumber: Int

  /// Other rows of the same page.
  func with(_ nodes: [JSONNode]) -> OutputRows {
    OutputRows(DocumentRows(reply: reply, nodes: nodes), arrivedAt: arrivedAt, pageNumber: pageNumber)
  }

  package init(_ rows: DocumentRows, arrivedAt: Double, pageNumber: Int) {
    reply = rows.reply
    nodes = rows.nodes
    self.arrivedAt = arrivedAt
    self.pageNumber = pageNumber
  }
}

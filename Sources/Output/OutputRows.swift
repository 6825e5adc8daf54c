package import Search

/// The rows of one page to write, already deduplicated and cut to the limit, in order.
package struct OutputRows: Sendable {
  package let reply: ReplyValues
  package let nodes: [JSONNode]
  /// When the page arrived, in seconds since 1970.
  package let arrivedAt: Double
  /// The page number, from 1.
  package let pageNumber: Int

  /// The same page with other rows.
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

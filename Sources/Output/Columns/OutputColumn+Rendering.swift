import Search
import Text

extension OutputColumn {
  /// The cell of the row at `node` as shown in tables: sanitized for a terminal, otherwise exact.
  func rendered(at node: JSONNode, in rows: OutputRows, on outputOptions: OutputOptions) -> String {
    let text = exactText(at: node, in: rows, zone: outputOptions.zone)
    return outputOptions.isTerminal ? Sanitized(text).string : text
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

import Output
import Search

/// Renders the first rows of a page as a table with the source's columns.
enum Preview {
  /// The table's lines, heading first, none wider than `width` columns.
  static func lines(
    _ rows: DocumentRows, of source: Source, atMost count: Int, width: Int, dependencies: Dependencies
  )
    -> [String]
  {
    guard let format = OutputFormats.named("table") else { return [] }
    let outputOptions = OutputOptions(isTerminal: true, width: width, zone: dependencies.zone)
    var writer = OutputWriter(
      format, selection: ColumnSelection(columnsOf: source), outputOptions: outputOptions)
    var bytes: [UInt8] = []
    let shown = DocumentRows(reply: rows.reply, nodes: Array(rows.nodes.prefix(count)))
    do {
      try writer.append(OutputRows(shown, arrivedAt: dependencies.now(), pageNumber: 1), into: &bytes)
    } catch {
      return ["\(error)"]
    }
    writer.end(into: &bytes)
    return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
  }
}

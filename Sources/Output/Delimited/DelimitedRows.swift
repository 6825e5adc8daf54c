import Search
import Text

/// Rows of exact texts with a delimiter, as shared by csv and tsv, which escape texts differently.
struct DelimitedRows: Sendable {
  typealias Escape = (UnsafeBufferPointer<UInt8>, inout [UInt8]) -> Void

  let outputOptions: OutputOptions
  let delimiter: UInt8

  /// Appends the names of the columns, if the output options has a header and any column is known.
  func appendHeader(to output: inout [UInt8], escape: Escape) {
    guard outputOptions.hasHeader, !outputOptions.columns.isEmpty else { return }
    for (index, column) in outputOptions.columns.enumerated() {
      if index > 0 { output.append(delimiter) }
      var name = outputOptions.isTerminal ? Sanitized(column.name).string : column.name
      name.withUTF8 { escape($0, &output) }
    }
    output.append(outputOptions.rowEnd)
  }

  func append(_ rows: OutputRows, to output: inout [UInt8], escape: Escape) {
    for node in rows.nodes {
      for (index, column) in outputOptions.columns.enumerated() {
        if index > 0 { output.append(delimiter) }
        outputOptions.withText(of: column, at: node, in: rows) { escape($0, &output) }
      }
      output.append(outputOptions.rowEnd)
    }
  }
}

extension OutputOptions {
  /// Calls the closure with the exact text of a cell, sanitized if it is written to a terminal.
  func withText(
    of column: OutputColumn, at node: JSONNode, in rows: OutputRows,
    _ body: (UnsafeBufferPointer<UInt8>) -> Void
  ) {
    column.withText(at: node, in: rows) { text in
      guard isTerminal else { return body(text) }
      var safe = Sanitized(utf8: text).string
      safe.withUTF8(body)
    }
  }
}

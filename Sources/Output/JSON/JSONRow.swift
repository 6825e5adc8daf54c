import Search
import Text

/// Rows as JSON values, one per line: the API's own objects, or objects of the specified columns.
struct JSONRow: Sendable {
  private let outputOptions: OutputOptions
  /// `"name":` for each column.
  private let keys: [[UInt8]]

  init(_ outputOptions: OutputOptions) {
    self.outputOptions = outputOptions
    keys = outputOptions.columns.map { column in
      var key: [UInt8] = []
      JSONText.append(quoted: column.name, to: &key)
      return key + [UInt8(ascii: ":")]
    }
  }

  /// Appends one row. For a terminal, unsafe characters are written as `\u` escapes.
  func append(_ node: JSONNode, in rows: OutputRows, to output: inout [UInt8]) {
    guard outputOptions.isTerminal else { return appendExact(node, in: rows, to: &output) }
    var exact: [UInt8] = []
    appendExact(node, in: rows, to: &exact)
    output += Sanitized.escapedJSON(exact)
  }

  private func appendExact(_ node: JSONNode, in rows: OutputRows, to output: inout [UInt8]) {
    guard !outputOptions.hasWholeRows else { return rows.reply.document.append(compact: node, to: &output) }
    output.append(UInt8(ascii: "{"))
    for (index, column) in outputOptions.columns.enumerated() {
      if index > 0 { output.append(UInt8(ascii: ",")) }
      output += keys[index]
      column.appendJSON(at: node, in: rows, to: &output)
    }
    output.append(UInt8(ascii: "}"))
  }
}

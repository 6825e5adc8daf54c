import JSON
import Search
import Text

extension OutputFormat {
  static let json = OutputFormat(
    name: "json", summary: "one JSON array of the API's original objects, or of the named columns",
    fileEndings: ["json"], defaultColumns: .wholeRows
  ) { JSONArray(row: JSONRow($0)) }

  package static let jsonl = OutputFormat(
    name: "jsonl", summary: "JSON Lines: one object per line, the API's original or the named columns",
    fileEndings: ["jsonl", "ndjson"], options: [.null], isResumable: true, defaultColumns: .wholeRows
  ) { JSONLines(row: JSONRow($0), rowEnd: $0.rowEnd) }
}

/// A JSON array with each row on a separate line.
private struct JSONArray: DocumentWriter {
  let row: JSONRow
  var isEmpty = true

  func begin(with preview: [OutputRows], into output: inout [UInt8]) { output.append(UInt8(ascii: "[")) }

  mutating func append(_ rows: OutputRows, into output: inout [UInt8]) {
    for node in rows.nodes {
      output += isEmpty ? "\n".utf8 : ",\n".utf8
      isEmpty = false
      row.append(node, in: rows, to: &output)
    }
  }

  func end(into output: inout [UInt8]) { output += isEmpty ? "]\n".utf8 : "\n]\n".utf8 }
}

/// JSON Lines: each row is one JSON value on one line.
private struct JSONLines: DocumentWriter {
  let row: JSONRow
  let rowEnd: UInt8

  func append(_ rows: OutputRows, into output: inout [UInt8]) {
    for node in rows.nodes {
      row.append(node, in: rows, to: &output)
      output.append(rowEnd)
    }
  }
}

/// Writes rows as JSON values, one per line: the API's own objects, or objects of the specified columns.
private struct JSONRow: Sendable {
  private let outputOptions: OutputOptions
  /// The text `"name":` for each column.
  private let keys: [[UInt8]]

  init(_ outputOptions: OutputOptions) {
    self.outputOptions = outputOptions
    keys = outputOptions.columns.map { Array("\(JSONText.quoted($0.name)):".utf8) }
  }

  /// Appends one row. For a terminal, unsafe characters are written as `\u` escapes.
  func append(_ node: JSONNode, in rows: OutputRows, to output: inout [UInt8]) {
    guard outputOptions.isTerminal else { return appendExact(node, in: rows, to: &output) }
    var exact: [UInt8] = []
    appendExact(node, in: rows, to: &exact)
    output += Sanitized.escapedJSON(exact)
  }

  private func appendExact(_ node: JSONNode, in rows: OutputRows, to output: inout [UInt8]) {
    guard !outputOptions.hasWholeRows else {
      return rows.response.document.append(compact: node, to: &output)
    }
    output.append(UInt8(ascii: "{"))
    for (index, column) in outputOptions.columns.enumerated() {
      if index > 0 { output.append(UInt8(ascii: ",")) }
      output += keys[index]
      column.appendJSON(at: node, in: rows, to: &output)
    }
    output.append(UInt8(ascii: "}"))
  }
}

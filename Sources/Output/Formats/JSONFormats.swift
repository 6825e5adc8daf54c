import JSON
import Search
import Text

/// A JSON array with each row on a separate line.
struct JSONFormat: OutputFormat {
  static let name = "json"
  static let summary = "one JSON array of the API's original objects, or of the named columns"
  static let options: Set<FormatOption> = []
  static let fileEndings = ["json"]
  static var ownColumns: DefaultColumns { .wholeRows }

  private let row: JSONRow
  private var isEmpty = true

  init(_ outputOptions: OutputOptions) {
    row = JSONRow(outputOptions)
  }

  mutating func begin(with preview: [OutputRows], into output: inout [UInt8]) {
    output.append(UInt8(ascii: "["))
  }

  mutating func append(_ rows: OutputRows, into output: inout [UInt8]) {
    for node in rows.nodes {
      output += isEmpty ? "\n".utf8 : ",\n".utf8
      isEmpty = false
      row.append(node, in: rows, to: &output)
    }
  }

  mutating func end(into output: inout [UInt8]) {
    output += isEmpty ? "]\n".utf8 : "\n]\n".utf8
  }
}

/// JSON Lines: each row is one JSON value on one line.
struct JSONLinesFormat: OutputFormat {
  static let name = "jsonl"
  static let summary = "JSON Lines: one object per line, the API's original or the named columns"
  static let options: Set<FormatOption> = [.null]
  static let fileEndings = ["jsonl", "ndjson"]
  static let isResumable = true
  static var ownColumns: DefaultColumns { .wholeRows }

  private let row: JSONRow
  private let rowEnd: UInt8

  init(_ outputOptions: OutputOptions) {
    row = JSONRow(outputOptions)
    rowEnd = outputOptions.rowEnd
  }

  mutating func begin(with preview: [OutputRows], into output: inout [UInt8]) {}

  mutating func append(_ rows: OutputRows, into output: inout [UInt8]) {
    for node in rows.nodes {
      row.append(node, in: rows, to: &output)
      output.append(rowEnd)
    }
  }

  mutating func end(into output: inout [UInt8]) {}
}

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

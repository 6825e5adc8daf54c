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

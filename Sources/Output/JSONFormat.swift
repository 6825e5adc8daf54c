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

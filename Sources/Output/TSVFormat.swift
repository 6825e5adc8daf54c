/// Tab-separated values, one row per line. Tab, line feed, carriage return, and backslash are written as `\t
/// \n \r \\`, so that every tab is a delimiter and every line feed ends a row.
struct TSVFormat: OutputFormat {
  static let name = "tsv"
  static let summary = "tab-separated values, with tabs, line breaks and backslashes written \\t \\n \\r \\\\"
  static let options: Set<FormatOption> = [.header, .null]
  static let fileEndings = ["tsv"]
  static let isResumable = true

  private let rows: DelimitedRows

  init(_ outputOptions: OutputOptions) {
    rows = DelimitedRows(outputOptions: outputOptions, delimiter: UInt8(ascii: "\t"))
  }

  mutating func begin(with preview: [OutputRows], into output: inout [UInt8]) {
    rows.appendHeader(to: &output, escape: Self.append)
  }

  mutating func append(_ page: OutputRows, into output: inout [UInt8]) {
    rows.append(page, to: &output, escape: Self.append)
  }

  mutating func end(into output: inout [UInt8]) {}

  private static func append(_ field: UnsafeBufferPointer<UInt8>, to output: inout [UInt8]) {
    guard field.contains(where: needsEscape) else { return output.append(contentsOf: field) }
    for byte in field {
      switch byte {
      case UInt8(ascii: "\t"): output += #"\t"#.utf8
      case UInt8(ascii: "\n"): output += #"\n"#.utf8
      case UInt8(ascii: "\r"): output += #"\r"#.utf8
      case UInt8(ascii: "\\"): output += #"\\"#.utf8
      default: output.append(byte)
      }
    }
  }

  @inline(__always)
  private static func needsEscape(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "\t"), UInt8(ascii: "\n"), UInt8(ascii: "\r"), UInt8(ascii: "\\"): true
    default: false
    }
  }
}

/// Comma-separated values quoted as in RFC 4180, with a line feed after each record.
struct CSVFormat: OutputFormat {
  static let name = "csv"
  static let summary = "comma-separated values, quoted as in RFC 4180"
  static let options: Set<FormatOption> = [.header, .csvSafe, .null]
  static let fileEndings = ["csv"]
  static let isResumable = true

  private let rows: DelimitedRows

  init(_ outputOptions: OutputOptions) {
    rows = DelimitedRows(outputOptions: outputOptions, delimiter: UInt8(ascii: ","))
  }

  mutating func begin(with preview: [OutputRows], into output: inout [UInt8]) {
    rows.appendHeader(to: &output, escape: append)
  }

  mutating func append(_ page: OutputRows, into output: inout [UInt8]) {
    rows.append(page, to: &output, escape: append)
  }

  mutating func end(into output: inout [UInt8]) {}

  /// Quotes a field that contains a delimiter, a quote, or a line break, and an empty field that is the only
  /// one in its record, because readers skip blank lines.
  private func append(_ field: UnsafeBufferPointer<UInt8>, to output: inout [UInt8]) {
    let guards = rows.outputOptions.isCSVSafe ? FormulaGuard.places(in: field) : []
    let isBlankLine = field.isEmpty && rows.outputOptions.columns.count == 1
    let isQuoted = isBlankLine || field.contains(where: Self.needsQuotes)
    if !isQuoted, guards.isEmpty { return output.append(contentsOf: field) }
    if isQuoted { output.append(UInt8(ascii: "\"")) }
    var start = 0
    for guarded in guards + [field.count] {
      for byte in field[start..<guarded] {
        if byte == UInt8(ascii: "\"") { output.append(byte) }
        output.append(byte)
      }
      if guarded < field.count { output.append(UInt8(ascii: "'")) }
      start = guarded
    }
    if isQuoted { output.append(UInt8(ascii: "\"")) }
  }

  @inline(__always)
  private static func needsQuotes(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: ","), UInt8(ascii: "\""), UInt8(ascii: "\n"), UInt8(ascii: "\r"): true
    default: false
    }
  }
}

import JSON
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

/// Prevents spreadsheets from reading a text as a formula.
enum FormulaGuard {
  /// Full-width `＝ ＋ － ＠`, which spreadsheets treat like the ASCII characters.
  private static let wideStarts = ["＝", "＋", "－", "＠"].map { Array($0.utf8) }

  /// The offsets in a text, in ascending order, where an apostrophe prevents a formula: the beginning, and
  /// after each `;`, tab, and line break, where a spreadsheet with that delimiter begins a cell. O(n).
  static func places(in text: UnsafeBufferPointer<UInt8>) -> [Int] {
    var places: [Int] = []
    if let first = text.first, isDelimiter(first), first != UInt8(ascii: ";") { places.append(0) }
    var start = 0
    while start < text.count {
      let cell = text[start...].prefix { !isDelimiter($0) }
      if isFormula(cell) { places.append(start) }
      start = cell.endIndex + 1
    }
    return places
  }

  private static func isDelimiter(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: ";"), UInt8(ascii: "\t"), UInt8(ascii: "\n"), UInt8(ascii: "\r"): true
    default: false
    }
  }

  /// Whether the text begins with `= + - @` or their full-width forms, and is not a plain number.
  private static func isFormula(_ text: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
    switch text.first {
    case UInt8(ascii: "="), UInt8(ascii: "@"): true
    case UInt8(ascii: "+"), UInt8(ascii: "-"): !isPlainNumber(text.dropFirst())
    case 0xEF: wideStarts.contains { text.starts(with: $0) }
    default: false
    }
  }

  /// Digits, at most one decimal point, and at most one exponent: a lenient form of what JSON allows after
  /// the sign.
  private static func isPlainNumber(_ text: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
    guard let first = text.first, isDigit(first) else { return false }
    var rest = text.drop(while: isDigit)
    if rest.first == UInt8(ascii: ".") { rest = rest.dropFirst().drop(while: isDigit) }
    guard rest.first == UInt8(ascii: "e") || rest.first == UInt8(ascii: "E") else { return rest.isEmpty }
    rest = rest.dropFirst()
    if rest.first == UInt8(ascii: "+") || rest.first == UInt8(ascii: "-") { rest = rest.dropFirst() }
    return !rest.isEmpty && rest.allSatisfy(isDigit)
  }

  private static func isDigit(_ byte: UInt8) -> Bool { UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte }
}

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

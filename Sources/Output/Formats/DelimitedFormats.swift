import JSON
import Text

extension OutputFormat {
  /// CSV, in which a record ends with a line feed.
  static let csv = OutputFormat(
    name: "csv", summary: "comma-separated values, quoted as in RFC 4180", fileEndings: ["csv"],
    options: [.header, .csvSafe, .csvByteOrderMark, .link, .null], isResumable: true
  ) { options in
    let isAlone = options.columns.count == 1
    let isSafe = options.isCSVSafe
    return DelimitedRows(outputOptions: options, delimiter: UInt8(ascii: ",")) {
      CSVField.append($0, isAlone: isAlone, isSafe: isSafe, to: &$1)
    }
  }

  package static let tsv = OutputFormat(
    name: "tsv",
    summary: "tab-separated values, with tabs, line breaks and backslashes written \\t \\n \\r \\\\",
    fileEndings: ["tsv"], options: [.header, .link, .null], isResumable: true, hasHeaderInPipe: false
  ) { DelimitedRows(outputOptions: $0, delimiter: UInt8(ascii: "\t"), appendField: TSVField.append) }
}

/// Writes rows of exact values with a delimiter.
private struct DelimitedRows: DocumentWriter {
  let outputOptions: OutputOptions
  let delimiter: UInt8
  /// Appends a field, quoted or escaped so that it cannot contain a bare delimiter.
  let appendField: @Sendable (UnsafeBufferPointer<UInt8>, inout [UInt8]) -> Void

  /// Appends the names of the columns, if any column is known.
  func begin(with preview: [OutputRows], into output: inout [UInt8]) {
    if outputOptions.hasByteOrderMark { output += "\u{FEFF}".utf8 }
    guard outputOptions.hasHeader, !outputOptions.columns.isEmpty else { return }
    for (index, column) in outputOptions.columns.enumerated() {
      if index > 0 { output.append(delimiter) }
      // A spreadsheet takes the @ of `@link` for the start of a formula.
      let isGuarded = outputOptions.isCSVSafe && ReservedColumn(rawValue: column.name) != nil
      var name = outputOptions.shown(isGuarded ? String(column.name.dropFirst()) : column.name)
      name.withUTF8 { appendField($0, &output) }
    }
    output.append(outputOptions.rowEnd)
  }

  func append(_ rows: OutputRows, into output: inout [UInt8]) {
    for node in rows.nodes {
      for (index, column) in outputOptions.columns.enumerated() {
        if index > 0 { output.append(delimiter) }
        var text = outputOptions.text(of: column, at: node, in: rows)
        text.withUTF8 { appendField($0, &output) }
      }
      output.append(outputOptions.rowEnd)
    }
  }
}

private enum CSVField {
  /// Quotes a field that contains a delimiter, a quote, or a line break, and an empty field that is the only
  /// one in its record, because readers skip blank lines.
  static func append(
    _ field: UnsafeBufferPointer<UInt8>, isAlone: Bool, isSafe: Bool, to output: inout [UInt8]
  ) {
    let guards = isSafe ? FormulaGuard.places(in: field) : []
    let isQuoted = field.isEmpty && isAlone || field.contains(where: needsQuotes)
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

/// Prevents spreadsheets from interpreting text as a formula.
private enum FormulaGuard {
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

  /// Whether the text consists of digits, at most one decimal point and one exponent: a lenient form of what JSON
  /// allows after the sign.
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

private enum TSVField {
  /// Escapes tabs, line ends, and backslashes, so that every tab delimits and every line feed ends a row.
  @Sendable static func append(_ field: UnsafeBufferPointer<UInt8>, to output: inout [UInt8]) {
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
}

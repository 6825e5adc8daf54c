/// One row per line, as specified by `--template`. Values are exact, as in csv.
struct TemplateFormat: OutputFormat {
  static let name = "template"
  static let summary = "a custom line per row, such as --template '{name}: {@link}'"
  static let options: Set<FormatOption> = [.null]

  private let sheet: Sheet

  /// The literals and columns of the sheet must be those of a `RowTemplate`.
  init(_ sheet: Sheet) {
    self.sheet = sheet
  }

  mutating func begin(with preview: [OutputRows], into output: inout [UInt8]) {}

  mutating func append(_ rows: OutputRows, into output: inout [UInt8]) {
    for node in rows.nodes {
      for (literal, column) in zip(sheet.literals, sheet.columns) {
        output += literal.utf8
        sheet.withText(of: column, at: node, in: rows) { output.append(contentsOf: $0) }
      }
      output += (sheet.literals.last ?? "").utf8
      output.append(sheet.rowEnd)
    }
  }

  mutating func end(into output: inout [UInt8]) {}
}

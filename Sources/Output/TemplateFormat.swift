/// One row per line, as specified by `--template`. Values are exact, as in csv.
struct TemplateFormat: OutputFormat {
  static let name = "template"
  static let summary = "a custom line per row, such as --template '{name}: {@link}'"
  static let options: Set<FormatOption> = [.null]

  private let outputOptions: OutputOptions

  /// The literals and columns of the output options must be those of a `RowTemplate`.
  init(_ outputOptions: OutputOptions) {
    self.outputOptions = outputOptions
  }

  mutating func begin(with preview: [OutputRows], into output: inout [UInt8]) {}

  mutating func append(_ rows: OutputRows, into output: inout [UInt8]) {
    for node in rows.nodes {
      for (literal, column) in zip(outputOptions.literals, outputOptions.columns) {
        output += literal.utf8
        outputOptions.withText(of: column, at: node, in: rows) { output.append(contentsOf: $0) }
      }
      output += (outputOptions.literals.last ?? "").utf8
      output.append(outputOptions.rowEnd)
    }
  }

  mutating func end(into output: inout [UInt8]) {}
}

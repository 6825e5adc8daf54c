/// How rows become bytes: one value writes one document from its beginning to its end, page by page, and
/// does no I/O. A new format is one file and one entry in `OutputFormats.all`.
package protocol OutputFormat: Sendable {
  /// What `--format` calls it.
  static var name: String { get }
  /// One line for help and manual.
  static var summary: String { get }
  /// The options that mean something to it; any other is a mistake.
  static var options: Set<FormatOption> { get }

  init(_ sheet: Sheet)

  /// Appends what stands before the first row.
  ///
  /// - Parameter preview: rows by which widths are chosen: those of the first page, or all that will come;
  ///   empty when there are none.
  mutating func begin(with preview: [OutputRows], into output: inout [UInt8])
  /// Appends rows in order, whole ones only: O(bytes of the rows).
  mutating func append(_ rows: OutputRows, into output: inout [UInt8])
  /// Appends what makes the document whole, however the run ended; without rows too.
  mutating func end(into output: inout [UInt8])
}

/// An option that some formats have no use for, as the command line spells it.
package enum FormatOption: String, Sendable, CaseIterable {
  case header
  case csvSafe = "csv-safe"
  /// Rows that end with NUL.
  case null

  /// The formats it means something to.
  package var formats: [String] { OutputFormats.all.filter { $0.options.contains(self) }.map { $0.name } }
}

/// The formats `--format` knows.
package enum OutputFormats {
  package static let all: [any OutputFormat.Type] = [
    TableFormat<PlainStyle>.self, TableFormat<PsqlStyle>.self, TableFormat<GridStyle>.self,
    TableFormat<MarkdownStyle>.self, HTMLFormat.self, CSVFormat.self, TSVFormat.self, JSONFormat.self,
    JSONLinesFormat.self, TemplateFormat.self,
  ]

  /// The format that the ending of a file's name chooses; nil when it chooses none.
  package static func name(forFile path: String) -> String? {
    guard let dot = path.lastIndex(of: ".") else { return nil }
    return endings[path[path.index(after: dot)...].lowercased()]
  }

  private static let endings = [
    "csv": "csv", "tsv": "tsv", "json": "json", "jsonl": "jsonl", "html": "html", "md": "markdown",
    "txt": "table",
  ]

  package static func named(_ name: String) -> (any OutputFormat.Type)? { all.first { $0.name == name } }
}

package import JSON
package import Search
package import Text

/// Writes rows as bytes: a value writes one document from beginning to end, page by page, and does no I/O. A
/// new format is one file and one entry in `OutputFormats.all`.
package protocol OutputFormat: Sendable {
  /// The value of `--format`.
  static var name: String { get }
  /// A one-line description for help and manual.
  static var summary: String { get }
  /// The options that this format supports; any other is an error.
  static var options: Set<FormatOption> { get }
  /// The file extensions that select this format, in lower case and without the dot.
  static var fileEndings: [String] { get }
  /// Whether a document can be truncated after any row and continued from there: nothing follows the rows,
  /// and rows are independent of each other.
  static var isResumable: Bool { get }

  /// The default columns.
  static var ownColumns: DefaultColumns { get }

  init(_ outputOptions: OutputOptions)

  /// Appends everything before the first row.
  ///
  /// - Parameter preview: The rows that determine column widths: those of the first page, or all rows; empty
  ///   if there are none.
  mutating func begin(with preview: [OutputRows], into output: inout [UInt8])
  /// Appends rows in order. O(bytes of the rows).
  mutating func append(_ rows: OutputRows, into output: inout [UInt8])
  /// Completes the document, however the run ended and even if there are no rows.
  mutating func end(into output: inout [UInt8])
}

extension OutputFormat {
  package static var fileEndings: [String] { [] }
  package static var isResumable: Bool { false }
  package static var ownColumns: DefaultColumns { .all }
}

/// The columns of a document if none are specified.
package enum DefaultColumns: Sendable, Hashable {
  /// The columns of the source, or else all keys of the first page.
  case all
  /// The columns that a table shows initially.
  case shown
  /// None: the API's own objects.
  case wholeRows
}

/// An option that only some formats support, as spelled on the command line.
package enum FormatOption: String, Sendable, CaseIterable {
  case header
  case csvSafe = "csv-safe"
  /// Ends rows with NUL.
  case null

  /// The formats that support the option.
  package var formats: [String] { OutputFormats.all.filter { $0.options.contains(self) }.map { $0.name } }
}

/// The formats that `--format` accepts.
package enum OutputFormats {
  package static let all: [any OutputFormat.Type] = [
    TableFormat<PlainStyle>.self, TableFormat<PsqlStyle>.self, TableFormat<GridStyle>.self,
    TableFormat<MarkdownStyle>.self, HTMLFormat.self, CSVFormat.self, TSVFormat.self, JSONFormat.self,
    JSONLinesFormat.self, TemplateFormat.self,
  ]

  /// The format for a file name's extension; nil for a name without one.
  ///
  /// - Throws: If no format has this extension.
  package static func name(forFile path: String) throws(UnknownFileEnding) -> String? {
    let name = path.split(separator: "/", omittingEmptySubsequences: false).last ?? ""
    // A leading dot marks a hidden file.
    guard let dot = name.dropFirst().lastIndex(of: ".") else { return nil }
    let ending = name[name.index(after: dot)...].lowercased()
    if ending.isEmpty { return nil }
    guard let format = all.first(where: { $0.fileEndings.contains(ending) }) else {
      throw UnknownFileEnding(ending: ending)
    }
    return format.name
  }

  package static func named(_ name: String) -> (any OutputFormat.Type)? { all.first { $0.name == name } }
}

/// The extension of a file name does not belong to any format.
package struct UnknownFileEnding: Error, Sendable, Hashable, CustomStringConvertible {
  package let ending: String

  package var description: String {
    let known = OutputFormats.all.flatMap { $0.fileEndings }.map { ".\($0)" }
    return
      "no format for .\(ending). Use one of \(known.joined(separator: " ")), or name a format with --format"
  }
}

/// The presentation of a document, independent of its rows.
package struct OutputOptions: Sendable {
  package var columns: [OutputColumn]
  /// No columns were specified, so json and jsonl write the API's own objects.
  package var hasWholeRows: Bool
  package var hasHeader: Bool
  /// The document is written to a terminal: its text must not control the terminal, and tables fit its width.
  package var isTerminal: Bool
  /// The maximum width of a table in terminal columns; nil for no limit. Tables in a pipe are never
  /// truncated.
  package var width: Int?
  package var widthModel: WidthModel
  /// CSV cells that a spreadsheet would read as formulas get a leading apostrophe.
  package var isCSVSafe: Bool
  /// The terminator of a row in csv, tsv, jsonl, and template: a line feed, or NUL for `xargs -0`.
  package var rowEnd: UInt8
  /// The time zone of times in tables.
  package var zone: LocalZone
  /// The text before, between, and after the columns in the template format.
  package var literals: [String]

  package init(
    columns: [OutputColumn] = [], hasWholeRows: Bool = false, hasHeader: Bool = true,
    isTerminal: Bool = false,
    width: Int? = nil, widthModel: WidthModel = .clusters, isCSVSafe: Bool = false,
    rowEnd: UInt8 = UInt8(ascii: "\n"), zone: LocalZone = .utc, literals: [String] = []
  ) {
    self.columns = columns
    self.hasWholeRows = hasWholeRows
    self.hasHeader = hasHeader
    self.isTerminal = isTerminal
    self.width = width
    self.widthModel = widthModel
    self.isCSVSafe = isCSVSafe
    self.rowEnd = rowEnd
    self.zone = zone
    self.literals = literals
  }
}

/// The rows of one page to write, already deduplicated and cut to the limit, in order.
package struct OutputRows: Sendable {
  package let reply: ReplyValues
  package let nodes: [JSONNode]
  /// When the page arrived, in seconds since 1970.
  package let arrivedAt: Double
  /// The page number, from 1.
  package let pageNumber: Int

  /// The same page with other rows.
  func with(_ nodes: [JSONNode]) -> OutputRows {
    OutputRows(DocumentRows(reply: reply, nodes: nodes), arrivedAt: arrivedAt, pageNumber: pageNumber)
  }

  package init(_ rows: DocumentRows, arrivedAt: Double, pageNumber: Int) {
    reply = rows.reply
    nodes = rows.nodes
    self.arrivedAt = arrivedAt
    self.pageNumber = pageNumber
  }
}

package import JSON
package import Search
package import Text

/// A format that `--format` accepts. A new one is one file and one entry in `OutputFormats.all`.
package struct OutputFormat: Sendable {
  /// The value of `--format`.
  package let name: String
  /// A one-line description for help and manual.
  package let summary: String
  /// The file extensions that select this format, in lower case and without the dot.
  package var fileEndings: [String] = []
  /// The options that this format supports; any other is an error.
  package var options: Set<FormatOption> = []
  /// Whether a document can be cut after any row and continued: rows are independent, nothing follows them.
  package var isResumable = false
  /// Whether each row is written by `--template`.
  package var needsTemplate = false
  /// Whether a document in a pipe has column headings, unless an option says otherwise.
  package var hasHeaderInPipe = true
  /// The columns of a document if none are specified.
  var defaultColumns = DefaultColumns.all
  let document: @Sendable (OutputOptions) -> any DocumentWriter

  /// Whether rows can be added to a document at any time: nothing follows them, and none depends on others.
  package var isGrowing: Bool { isResumable || needsTemplate }

  /// The format of rows if none is named.
  package static func standard(isTerminal: Bool) -> OutputFormat { isTerminal ? .table : .tsv }
}

/// Writes one document from beginning to end, page by page, as bytes. It does no I/O.
protocol DocumentWriter: Sendable {
  /// Appends everything before the first row.
  ///
  /// - Parameter preview: The rows that determine column widths: of the first page, or all; may be empty.
  mutating func begin(with preview: [OutputRows], into output: inout [UInt8])
  /// Appends rows in order. O(bytes of the rows).
  mutating func append(_ rows: OutputRows, into output: inout [UInt8])
  /// Completes the document. It is called regardless of how the run ended, even if there are no rows.
  mutating func end(into output: inout [UInt8])
}

extension DocumentWriter {
  func begin(with preview: [OutputRows], into output: inout [UInt8]) {}
  func end(into output: inout [UInt8]) {}
}

/// The columns of a document if none are specified.
enum DefaultColumns: Sendable, Hashable {
  /// The columns of the source, or else all keys of the first page.
  case all
  /// The columns that a table shows initially.
  case shown
  /// The format writes the API's own objects instead of columns.
  case wholeRows
}

/// An option that only some formats support, as spelled on the command line.
package enum FormatOption: String, Sendable, CaseIterable {
  case header
  case csvSafe = "csv-safe"
  case csvByteOrderMark = "csv-bom"
  /// Adds the row's link as the last column.
  case link
  /// Ends rows with NUL.
  case null

  package var formats: [String] { OutputFormats.all.filter { $0.options.contains(self) }.map { $0.name } }
}

/// The formats that `--format` accepts.
package enum OutputFormats {
  package static let all: [OutputFormat] = [
    .table, .plain, .simple, .psql, .grid, .fancyGrid, .markdown, .html, .rst, .org, .latex, .csv, .tsv,
    .json,
    .jsonl, .template,
  ]

  /// The format for a file name's extension; nil for a name without one.
  ///
  /// - Throws: If no format has this extension.
  package static func format(forFile path: String) throws(UnknownFileEndingError) -> OutputFormat? {
    let name = path.split(separator: "/", omittingEmptySubsequences: false).last ?? ""
    // A leading dot marks a hidden file.
    guard let dot = name.dropFirst().lastIndex(of: ".") else { return nil }
    let ending = name[name.index(after: dot)...].lowercased()
    if ending.isEmpty { return nil }
    if let format = all.first(where: { $0.fileEndings.contains(ending) }) { return format }
    throw UnknownFileEndingError(ending: ending)
  }

  /// The names of the formats to whose documents rows can be added at any time, as `a, b or c`.
  package static var growing: String { Sentences.alternatives(all.filter(\.isGrowing).map(\.name)) }

  /// The names of the formats of a run that can be resumed, as `a, b or c`.
  package static var resumable: String { Sentences.alternatives(all.filter(\.isResumable).map(\.name)) }

  package static func named(_ name: String) -> OutputFormat? { all.first { $0.name == name } }
}

/// The extension of a file name does not belong to any format.
package struct UnknownFileEndingError: Error, Sendable, Hashable, CustomStringConvertible {
  package let ending: String

  package var description: String {
    let known = OutputFormats.all.flatMap(\.fileEndings).map { ".\($0)" }
    return "no format for .\(ending). Use \(Sentences.alternatives(known))"
  }
}

/// The presentation of a document, independent of its rows.
package struct OutputOptions: Sendable {
  var columns: [OutputColumn] = []
  /// Whether no columns were specified, so that json and jsonl write the API's own objects.
  var hasWholeRows = false
  package var hasHeader = true
  /// Whether the document is written to a terminal: its text must not control the terminal, and tables fit its width.
  package var isTerminal = false
  /// The maximum width of a table in terminal columns; nil for no limit. In a pipe nothing is truncated.
  package var width: Int?
  /// Whether CSV cells that a spreadsheet would read as formulas get a leading apostrophe.
  package var isCSVSafe = false
  /// Whether the document begins with the byte order mark of UTF-8, by which Excel recognizes the encoding of CSV.
  package var hasByteOrderMark = false
  /// The terminator of a row in csv, tsv, jsonl, and template: a line feed, or NUL for `xargs -0`.
  package var rowEnd = UInt8(ascii: "\n")
  package var zone = LocalZone.utc
  /// Styles a padded title of the table format, without trailing spaces, right before it is written.
  package var heading: @Sendable (String) -> String = { $0 }
  /// The text before, between, and after the columns in the template format.
  package var literals: [String] = []

  package init() {}

  /// The exact text of a cell, sanitized if it is written to a terminal.
  func text(of column: OutputColumn, at node: JSONNode, in rows: OutputRows) -> String {
    shown(column.value(at: node, in: rows).text(separator: column.separator))
  }

  /// The text, sanitized if it is written to a terminal.
  func shown(_ text: String) -> String { isTerminal ? Sanitized(text).string : text }
}

/// The rows of one page to write, already deduplicated and cut to the limit, in order.
package struct OutputRows: Sendable {
  package let response: ResponseValues
  package let nodes: [JSONNode]
  /// When the page arrived, in seconds since 1970.
  package let arrivedAt: Double
  /// The page number, from 1.
  package let pageNumber: Int
  /// The value of the parent row of the list; nil if there is none.
  package let parent: String?

  package func with(_ nodes: [JSONNode]) -> OutputRows {
    OutputRows(
      DocumentRows(response: response, nodes: nodes), arrivedAt: arrivedAt, pageNumber: pageNumber,
      parent: parent)
  }

  package init(_ rows: DocumentRows, arrivedAt: Double, pageNumber: Int, parent: String? = nil) {
    response = rows.response
    nodes = rows.nodes
    self.arrivedAt = arrivedAt
    self.pageNumber = pageNumber
    self.parent = parent
  }
}

package import Text

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

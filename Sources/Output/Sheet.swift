package import Text

/// What a document looks like whatever its rows are.
package struct Sheet: Sendable {
  package var columns: [OutputColumn]
  /// No columns were named, so json and jsonl write the API's own objects.
  package var hasWholeRows: Bool
  package var hasHeader: Bool
  /// The document goes to a terminal: no text of it may drive the terminal, and tables fit its width.
  package var isTerminal: Bool
  /// Terminal columns a table may take; nil is any number. Into a pipe tables are never cut.
  package var width: Int?
  package var widthModel: WidthModel
  /// Cells of csv that a spreadsheet would take for formulas get an apostrophe in front.
  package var isCSVSafe: Bool
  /// Ends a row in csv, tsv, jsonl and template: a line feed, or NUL for `xargs -0`.
  package var rowEnd: UInt8
  /// Seconds east of UTC, for the times in tables.
  package var zone: LocalZone
  /// What stands before, between and behind the columns in the template format.
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

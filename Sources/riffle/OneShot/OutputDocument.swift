import Output

/// The document a run writes: pages as they arrive or, if it is sorted, all rows at the end.
struct OutputDocument: Sendable {
  private var writer: OutputWriter
  private let sort: RowSort?
  /// The maximum number of sorted rows written; nil for all.
  private let limit: Int?
  private var held: [OutputRows] = []

  init(_ writer: OutputWriter, sort: RowSort? = nil, limit: Int? = nil) {
    self.writer = writer
    self.sort = sort
    self.limit = limit
  }

  /// The columns, once they are known.
  var settledColumns: [RecordedColumn] { writer.settledColumns }

  /// Members of later rows that `*` did not include.
  var lateKeys: [String] { writer.lateKeys }

  /// Appends the output that these rows make available.
  mutating func append(_ rows: OutputRows, into output: inout [UInt8]) throws(ColumnSelectionError) {
    guard let sort else { return try writer.append(rows, into: &output) }
    // Reports an unknown column before the remaining pages are requested.
    if held.isEmpty { _ = try sort.sorted([rows]) }
    if !rows.nodes.isEmpty { held.append(rows) }
  }

  /// Appends the end of the document, however the run ended.
  mutating func end(into output: inout [UInt8]) throws(ColumnSelectionError) {
    if let sort { try writer.append(held, by: sort, first: limit, into: &output) }
    held = []
    writer.end(into: &output)
  }
}

import Output

/// The document a run makes of its pages: written as they come, or, when it is sorted, all at the end.
struct OutputDocument: Sendable {
  private var writer: OutputWriter
  private let sort: RowSort?
  /// How many of the sorted rows are written; nil is all.
  private let limit: Int?
  private var held: [OutputRows] = []

  init(_ writer: OutputWriter, sort: RowSort? = nil, limit: Int? = nil) {
    self.writer = writer
    self.sort = sort
    self.limit = limit
  }

  /// The columns, once they are known.
  var settledColumns: [SettledColumn] { writer.settledColumns }

  /// Members of later rows that `*` did not take.
  var lateKeys: [String] { writer.lateKeys }

  /// Appends what is to be written now that these rows are there.
  mutating func append(_ rows: OutputRows, into output: inout [UInt8]) throws(ColumnSelectionError) {
    guard let sort else { return try writer.append(rows, into: &output) }
    // A name that is no column is told before all other pages are asked for.
    if held.isEmpty { _ = try sort.sorted([rows]) }
    if !rows.nodes.isEmpty { held.append(rows) }
  }

  /// Appends what makes the document whole, however the run ended.
  mutating func end(into output: inout [UInt8]) throws(ColumnSelectionError) {
    if let sort { try writer.append(held, by: sort, first: limit, into: &output) }
    held = []
    writer.end(into: &output)
  }
}

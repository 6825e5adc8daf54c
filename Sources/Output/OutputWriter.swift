import Search

/// Writes a document from its first byte to its last: determines the columns on the first page, then passes
/// every page to the format.
package struct OutputWriter: Sendable {
  private let makeFormat: any OutputFormat.Type
  private let selection: ColumnSelection
  private let outputOptions: OutputOptions
  private var format: (any OutputFormat)?
  /// The columns of a resumed document; otherwise empty before the first page.
  package private(set) var settledColumns: [RecordedColumn]
  private var collector: KeyCollector?

  /// Keys without a column, because they were not on the first page or came after 1,000 others, in order of
  /// occurrence. Collected if all keys are requested, by `*` or because the source declares no columns.
  package private(set) var lateKeys: [String] = []

  /// - Parameter outputOptions: Its columns are replaced by those of the selection.
  /// - Parameter settled: The columns of an existing document to resume.
  package init(
    _ format: any OutputFormat.Type, selection: ColumnSelection, outputOptions: OutputOptions,
    settled: [RecordedColumn] = []
  ) {
    makeFormat = format
    settledColumns = settled
    self.selection = selection
    self.outputOptions = outputOptions
  }

  /// Appends a page. Only the first page can throw, and then nothing has been appended.
  package mutating func append(
    _ rows: OutputRows, into output: inout [UInt8]
  ) throws(ColumnSelectionError) {
    if format == nil {
      guard !rows.nodes.isEmpty else { return }
      try begin(with: [rows], into: &output)
    } else if let late = collector?.add(rows) {
      lateKeys += late
    }
    format?.append(rows, into: &output)
  }

  /// Appends all rows in sorted order. Throws before anything is appended.
  ///
  /// - Parameter limit: The maximum number of sorted rows; nil for all.
  package mutating func append(
    _ pages: [OutputRows], by sort: RowSort, first limit: Int? = nil, into output: inout [UInt8]
  ) throws(ColumnSelectionError) {
    let runs = try sort.sorted(pages, first: limit)
    guard !runs.isEmpty else { return }
    try begin(with: runs, into: &output)
    for run in runs { format?.append(run, into: &output) }
  }

  /// Completes the document. Without any rows it is an empty document, with the heading if the columns are
  /// known.
  package mutating func end(into output: inout [UInt8]) {
    if format == nil {
      let columns =
        settledColumns.isEmpty ? selection.columnsWithoutRows : selection.columns(settled: settledColumns)
      begin(columns: columns, with: [], into: &output)
    }
    format?.end(into: &output)
  }

  private mutating func begin(
    with preview: [OutputRows], into output: inout [UInt8]
  ) throws(ColumnSelectionError) {
    guard !preview.isEmpty else { return }
    guard settledColumns.isEmpty else {
      return begin(columns: selection.columns(settled: settledColumns), with: preview, into: &output)
    }
    var collector = KeyCollector()
    let leavesLateKeys = selection.leavesLateKeys(makeFormat.ownColumns)
    if selection.needsKeys || leavesLateKeys { for rows in preview { collector.add(rows) } }
    let columns = try selection.columns(of: preview, keys: collector.names, makeFormat.ownColumns)
    begin(columns: columns, with: preview, into: &output)
    if leavesLateKeys {
      self.collector = collector
      lateKeys = Array(collector.names.dropFirst(ColumnSelection.mostKeys))
    }
  }

  private mutating func begin(
    columns: [OutputColumn], with preview: [OutputRows], into output: inout [UInt8]
  ) {
    var outputOptions = outputOptions
    settledColumns = selection.settled(columns)
    outputOptions.columns = columns
    outputOptions.hasWholeRows = selection.isWholeRows
    var format = makeFormat.init(outputOptions)
    format.begin(with: preview, into: &output)
    self.format = format
  }
}

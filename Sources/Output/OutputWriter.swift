import JSON
import Search
import Text

/// Writes a whole document: determines the columns on the first page, then passes every page to the format.
package struct OutputWriter: Sendable {
  private let format: OutputFormat
  private let selection: ColumnSelection
  private let outputOptions: OutputOptions
  private let sort: RowSort?
  private let limit: Int?
  private var document: (any DocumentWriter)?
  /// The rows to sort.
  private var held: [OutputRows] = []
  /// The columns of a resumed document; otherwise empty before the first page.
  package private(set) var settledColumns: [RecordedColumn]
  private var collector: KeyCollector?
  /// The columns and sort keys that are paths at which no row has had a value.
  private var unseen: [(text: String, path: JSONPath)]
  /// The fields of the first page, if there are such paths.
  private var fields: FieldCensus?

  /// Keys without a column, because they were not on the first page or came after 1,000 others, in order of
  /// occurrence. Collected if all keys are requested, by `*` or because the source declares no columns.
  package private(set) var lateKeys: [String] = []

  /// - Parameters:
  ///   - outputOptions: Its columns are replaced by those of the selection.
  ///   - settled: The columns of an existing document to resume.
  ///   - sort: The sort order, for which all rows are written at the end; nil to write each page when it arrives.
  ///   - limit: The maximum number of sorted rows; nil for all.
  package init(
    _ format: OutputFormat, selection: ColumnSelection, outputOptions: OutputOptions,
    settled: [RecordedColumn] = [], sort: RowSort? = nil, limit: Int? = nil
  ) {
    self.sort = sort
    self.limit = limit
    self.format = format
    settledColumns = settled
    self.selection = selection
    self.outputOptions = outputOptions
    var known: Set<String> = []
    unseen = (selection.paths + (sort?.paths ?? [])).filter { known.insert($0.text).inserted }
  }

  /// Names the columns and sort keys that are paths at which no row had a value; nil if there are none, or no rows.
  package var noteOnEmptyPaths: String? {
    guard let fields, !unseen.isEmpty else { return nil }
    let names = unseen.map(\.text)
    let questions = names.compactMap { fields.question($0) }
    return Sentences.joined(["no row has a value at \(names.joined(separator: ", "))"] + questions)
  }

  private mutating func look(at rows: OutputRows) {
    if unseen.isEmpty || rows.nodes.isEmpty { return }
    unseen.removeAll { _, path in
      rows.nodes.contains { path.firstNode(in: rows.response.document, from: $0) != nil }
    }
    if fields == nil, !unseen.isEmpty {
      fields = FieldCensus(of: DocumentRows(response: rows.response, nodes: rows.nodes))
    }
  }

  /// Adds a page, and appends the output it makes available. Only the first page can throw, before that.
  package mutating func append(_ rows: OutputRows, into output: inout [UInt8]) throws(ColumnSelectionError) {
    look(at: rows)
    if let sort {
      // Reports an unknown column before the remaining pages are requested.
      if held.isEmpty { _ = try sort.sorted([rows]) }
      if !rows.nodes.isEmpty { held.append(rows) }
    } else if document == nil {
      guard !rows.nodes.isEmpty else { return }
      try begin(with: [rows], into: &output)
    } else if let late = collector?.add(rows) {
      lateKeys += late
    }
    document?.append(rows, into: &output)
  }

  /// Adds a page as `append(_:into:)` does, but only the rows that have not been written in this form.
  ///
  /// - Parameters:
  ///   - keys: The keys of the rows; empty if they have none, and are identified by their form.
  ///   - written: The rows written before; the new ones are added.
  /// - Returns: The number of new rows and of those written in another form before.
  package mutating func append(
    _ rows: OutputRows, keys: [UInt64], unless written: inout WrittenRows, into output: inout [UInt8]
  ) throws(ColumnSelectionError) -> (new: Int, changed: Int) {
    look(at: rows)
    if document == nil {
      guard !rows.nodes.isEmpty else { return (0, 0) }
      try begin(with: [rows], into: &output)
    } else if let late = collector?.add(rows) {
      lateKeys += late
    }
    var (new, changed) = (0, 0)
    for (index, node) in rows.nodes.enumerated() {
      let start = output.count
      document?.append(rows.with([node]), into: &output)
      switch written.note(output[start...], key: keys.isEmpty ? RowKey.none : keys[index]) {
      case .new: new += 1
      case .changed: changed += 1
      case .known: output.removeSubrange(start...)
      }
    }
    return (new, changed)
  }

  /// Appends the sorted rows, if there are any, and completes the document. It is called regardless of how the run
  /// ended. Without rows, the document is empty except for the heading if the columns are known.
  ///
  /// - Throws: If sorted rows show that a column does not exist; nothing has been appended.
  package mutating func end(into output: inout [UInt8]) throws(ColumnSelectionError) {
    if let sort, case let runs = try sort.sorted(held, first: limit), !runs.isEmpty {
      try begin(with: runs, into: &output)
      for run in runs { document?.append(run, into: &output) }
      held = []
    }
    if document == nil {
      let columns =
        settledColumns.isEmpty ? selection.columnsWithoutRows : selection.columns(settled: settledColumns)
      begin(columns: columns, with: [], into: &output)
    }
    document?.end(into: &output)
  }

  private mutating func begin(
    with preview: [OutputRows], into output: inout [UInt8]
  ) throws(ColumnSelectionError) {
    guard settledColumns.isEmpty else {
      return begin(columns: selection.columns(settled: settledColumns), with: preview, into: &output)
    }
    var collector = KeyCollector()
    let leavesLateKeys = selection.leavesLateKeys(format.defaultColumns)
    if selection.needsKeys || leavesLateKeys { for rows in preview { collector.add(rows) } }
    let columns = try selection.columns(of: preview, keys: collector.names, format.defaultColumns)
    begin(columns: columns, with: preview, into: &output)
    if leavesLateKeys {
      self.collector = collector
      lateKeys = Array(collector.names.dropFirst(ColumnSelection.maxKeys))
    }
  }

  private mutating func begin(
    columns: [OutputColumn], with preview: [OutputRows], into output: inout [UInt8]
  ) {
    var outputOptions = outputOptions
    settledColumns = selection.settled(columns)
    outputOptions.columns = columns
    outputOptions.hasWholeRows = selection.isWholeRows
    var document = format.document(outputOptions)
    document.begin(with: preview, into: &output)
    self.document = document
  }
}

/// The rows of a document by key, with the hash of each as it was written last. 16 bytes a row.
package struct WrittenRows: Sendable {
  private var forms: [UInt64: UInt64] = [:]

  package init() {}

  enum Finding { case new, changed, known }

  /// Records a row.
  mutating func note(_ bytes: ArraySlice<UInt8>, key: UInt64) -> Finding {
    let form = RowKey.hash(bytes)
    let before = forms.updateValue(form, forKey: key == RowKey.none ? form : key)
    return before == nil ? .new : before == form ? .known : .changed
  }
}

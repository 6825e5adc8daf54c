package import Search
import Terminal
import Text

/// The list of all fields of the rows, in which the user chooses the columns of the table.
package struct ColumnChoice: Sendable {
  struct Field: Sendable {
    let column: Column
    /// The index among the columns of the table; nil for a field that is none of them yet.
    let place: Int?
    var isShown: Bool
    /// What typed words are found in.
    let key: String
    /// Nil if the rows were not counted yet, or the value of the column is no field.
    var facts: FieldCensus.Field?

    init(_ column: Column, place: Int?, isShown: Bool, facts: FieldCensus.Field? = nil) {
      (self.column, self.place, self.isShown, self.facts) = (column, place, isShown, facts)
      key = "\(column.title) \(column.name)".lowercased()
    }
  }

  /// The shown columns in the order of the table, the hidden ones, then the other fields.
  private(set) var fields: [Field]
  /// The fields that contain every word of `text`, as indices.
  private(set) var listed: [Int]
  private var text = ""
  /// The number of rows that were counted; nil while they are not.
  private(set) var rowCount: Int?
  /// The number of rows that were loaded then.
  let loadedCount: Int
  /// The rows that are counted.
  let version: Int

  init(_ table: TableColumns, rows: Int, version: Int) {
    (loadedCount, self.version) = (rows, version)
    let shown = table.shown
    let places = shown + table.columns.indices.filter { !shown.contains($0) }
    fields = places.map { Field(table.columns[$0], place: $0, isShown: shown.contains($0)) }
    listed = Array(fields.indices)
  }

  /// Adds the fields that are no columns yet, and the facts of those that are.
  mutating func take(_ census: FieldCensus) {
    guard rowCount == nil else { return }
    rowCount = census.rowCount
    var facts = Dictionary(census.fields.map { ($0.path, $0) }) { first, _ in first }
    for index in fields.indices {
      guard let path = fields[index].column.value.onlyPath else { continue }
      fields[index].facts = facts.removeValue(forKey: path)
    }
    var taken = Set(fields.map(\.column.name))
    for field in census.fields where facts[field.path] != nil {
      var column = Column(field.path, field.kind)
      column.name = column.name.numbered("_", taken: &taken)
      fields.append(Field(column, place: nil, isShown: false, facts: field))
    }
    listFields()
  }

  mutating func list(matching text: String) {
    guard text != self.text else { return }
    self.text = text
    listFields()
  }

  private mutating func listFields() {
    let words = text.lowercased().split(separator: " ")
    listed = fields.indices.filter { index in
      words.allSatisfy { fields[index].key.contains($0) }
    }
  }

  mutating func toggle(at place: Int) {
    guard listed.indices.contains(place) else { return }
    fields[listed[place]].isShown.toggle()
  }

  /// Moves a field among the listed ones.
  ///
  /// - Returns: Its new place in the list.
  mutating func shift(at place: Int, by places: Int) -> Int {
    let target = max(0, min(place + places, listed.count - 1))
    guard listed.indices.contains(place), target != place else { return place }
    let (from, to) = (listed[place], listed[target])
    fields.insert(fields.remove(at: from), at: to)
    listFields()
    return target
  }

  /// `columns and fields of 1,000 of 20,000 rows`.
  var title: String {
    guard let rowCount else { return "columns" }
    let counted = rowCount < loadedCount ? "\(Digits.grouped(rowCount)) of " : ""
    return "columns and fields of \(counted)\(Digits.counted(max(rowCount, loadedCount), "row"))"
  }

  /// The columns to show, from left to right.
  var shown: [Field] { fields.filter(\.isShown) }
}

/// The request for the fields of the rows; answered by `.fieldsCounted`.
package struct FieldCountRequest: Sendable, Equatable {
  let version: Int
  package let rows: RowStore

  package static func == (a: FieldCountRequest, b: FieldCountRequest) -> Bool { a.version == b.version }
}

/// The request for the cells of pages that lack columns; answered by `.cellsRead`.
package struct CellRequest: Sendable, Equatable {
  /// The columns to add to those of the source.
  package let added: [Column]
  /// Some of the pages that lack them.
  package let pages: [CellTable]

  package static func == (a: CellRequest, b: CellRequest) -> Bool {
    a.added.count == b.added.count && a.pages.elementsEqual(b.pages, by: ===)
  }
}

/// A page's cells with more columns.
package struct ReadCells: Sendable {
  let page: CellTable
  /// Nil if its rows cannot be read.
  let cells: CellTable?

  package init(of page: CellTable, _ cells: CellTable?) { (self.page, self.cells) = (page, cells) }
}

/// The columns that the user added to those of the source.
package struct AddedColumns: Sendable {
  package fileprivate(set) var columns: [Column] = []
  /// The columns of the table before, in case the rows cannot be read; nil if all pages have the added ones.
  fileprivate var previous: TableColumns?

  /// Whether the cells of added columns are still to be read.
  var areBeingRead: Bool { previous != nil }

  func contains(_ column: Column) -> Bool { columns.contains { $0.name == column.name } }

  /// Whether a page lacks some of them.
  fileprivate func areMissing(in cells: CellTable) -> Bool {
    guard let last = columns.last, cells.rowCount > 0, !cells.columns.isEmpty else { return false }
    return cells.columns.last?.name != last.name
  }
}

extension PagerState {
  mutating func chooseColumns() {
    columnChoice = ColumnChoice(table, rows: list.rows.count, version: list.version)
    overlays.toggle(.columns)
  }

  /// The fields of the rows are counted when the list of columns is opened, and for a filter that names other fields.
  package var fieldCountRequest: FieldCountRequest? {
    if overlays.popup?.kind == .columns, let columnChoice, columnChoice.rowCount == nil {
      return FieldCountRequest(version: columnChoice.version, rows: list.rows)
    }
    guard list.awaitedFilter != nil, list.knownFields == nil, !list.rows.isEmpty else { return nil }
    return FieldCountRequest(version: list.version, rows: list.rows)
  }

  mutating func take(_ census: FieldCensus) {
    columnChoice?.take(census)
    list.fields = FieldList(census, of: list.rows, version: list.version)
  }

  /// Moves the current column of the table, or the field in the list of columns.
  mutating func shiftColumn(by places: Int) {
    guard let popup = overlays.popup, popup.kind == .columns else { return table.shiftCurrent(by: places) }
    guard let place = columnChoice?.shift(at: popup.selection, by: places) else { return }
    overlays.change { $0.selection = place }
  }

  /// Shows or hides the field under the cursor; not before all fields are listed.
  mutating func toggleColumn() {
    guard columnChoice?.rowCount != nil else { return notify("still looking for fields", .warning) }
    columnChoice?.toggle(at: overlays.popup?.selection ?? 0)
  }

  mutating func acceptColumns() {
    guard columnChoice?.rowCount != nil else { return notify("still looking for fields", .warning) }
    guard let shown = columnChoice?.shown, !shown.isEmpty else {
      return notify("choose at least one column" + hint("toggle-column", "choose"), .warning)
    }
    overlays.close()
    columnChoice = nil
    show(columns: shown.map(\.column.name), adding: shown.filter { $0.place == nil }.map(\.column))
  }

  /// Shows columns, in this order. The added ones are blank until their cells are read.
  mutating func show(columns: [String], adding added: [Column]) {
    add(added)
    table.arrange(columns.compactMap { name in table.columns.firstIndex { $0.name == name } })
  }

  func isBeingRead(_ column: Column) -> Bool { addedColumns.areBeingRead && addedColumns.contains(column) }

  /// Adds hidden columns.
  mutating func add(_ added: [Column]) {
    guard !added.isEmpty else { return }
    addedColumns.previous = addedColumns.previous ?? table
    addedColumns.columns += added.map { column in
      var column = column
      column.isHidden = true
      return column
    }
    table.extend(by: added)
  }

  /// Adopts the columns of the first page of a list, and keeps the added ones if the page was read without them.
  mutating func adopt(_ cells: CellTable) {
    let missing = addedColumns.columns.filter { column in !cells.columns.contains { $0.name == column.name } }
    if !missing.isEmpty, addedColumns.previous == nil {
      addedColumns.previous = TableColumns(cells.columns)
      addedColumns.previous?.adopt(cells, with: [])
    }
    table.adopt(cells, with: missing)
  }

  /// The maximum number of rows that are read at a time.
  private static let maxReadRows = 4_000

  package var cellRequest: CellRequest? {
    if addedColumns.columns.isEmpty { return nil }
    var pages: [CellTable] = []
    var rowCount = 0
    for block in list.rows.blocks {
      guard case .cells(let cells)? = block.content, addedColumns.areMissing(in: cells) else { continue }
      pages.append(cells)
      rowCount += cells.rowCount
      if rowCount >= Self.maxReadRows { break }
    }
    return pages.isEmpty ? nil : CellRequest(added: addedColumns.columns, pages: pages)
  }

  mutating func take(_ read: [ReadCells]) {
    guard read.allSatisfy({ $0.cells != nil }) else {
      if let previous = addedColumns.previous {
        table = previous
      } else {
        table.removeLast(addedColumns.columns.count)
      }
      addedColumns.columns.removeAll { column in !table.columns.contains { $0.name == column.name } }
      addedColumns.previous = nil
      list.awaitedFilter = nil
      return notify("cannot add columns: the rows cannot be read from their temporary file", .error)
    }
    for page in read {
      guard let cells = page.cells else { continue }
      session.replace(page.page, with: cells)
      if !addedColumns.areBeingRead { table.widen(for: cells) }
    }
    list.replace(with: session.rows, isRenumbered: false)
    // The rows may have been filtered and sorted by blank cells.
    let isOrdered = list.order != nil || !list.search.text.isEmpty
    if isOrdered, cellRequest == nil {
      let selected = list.selectedPlace
      list.replace(with: session.rows, isRenumbered: true)
      list.awaited = selected
    }
  }

  /// Measures the added columns once all pages have them.
  mutating func settleAddedColumns() {
    guard addedColumns.areBeingRead, cellRequest == nil else { return }
    addedColumns.previous = nil
    table.measure(
      list.rows.blocks.compactMap { block in
        if case .cells(let cells)? = block.content { cells } else { nil }
      })
  }
}

/// The fields, one on a line: whether it is a column, its name, its kind, how many rows have it and a value.
enum ColumnChoiceLines {
  static func entries(_ state: PagerState) -> PopupEntries {
    guard let choice = state.columnChoice else {
      return PopupEntries(count: 0, lines: { _ in [] }, text: { _ in "" })
    }
    let inner = state.popupBox.inner.columns
    let nameWidth = max(12, min(40, inner * 2 / 5))
    return PopupEntries(
      count: choice.listed.count,
      lines: { [line(choice.fields[choice.listed[$0]], choice, nameWidth: nameWidth, inner, state)] },
      text: { choice.fields[choice.listed[$0]].key },
      empty: choice.rowCount == nil ? "" : "No field matches")
  }

  private static func line(
    _ field: ColumnChoice.Field, _ choice: ColumnChoice, nameWidth: Int, _ width: Int, _ state: PagerState
  ) -> Line {
    let (ellipsis, model) = (state.glyphs.ellipsis, state.widthModel)
    var line = Line(.spaces(1))
    line.append(Sanitized(field.isShown ? "[x] " : "[ ] "), style: state.theme[.accent])
    line.append(Sanitized(field.column.title).fitted(to: nameWidth, ellipsis: ellipsis, model))
    let share =
      field.facts.flatMap { Digits.percent(Double($0.count) / Double(max(1, choice.rowCount ?? 1))) } ?? ""
    let kind = field.facts?.kind.rawValue ?? ""
    let text = "  " + kind.padded(to: 6) + " " + share.padded(to: 6, isTrailing: true) + "  "
    line.append(Sanitized(text), style: state.theme[.dim])
    let room = width - line.width(model) - 1
    let sample = field.facts.map { Sanitized($0.sample) } ?? field.place.flatMap(state.selectedCell) ?? ""
    if room > 4 { line.append(sample.truncated(to: room, ellipsis: ellipsis, model)) }
    return line
  }
}

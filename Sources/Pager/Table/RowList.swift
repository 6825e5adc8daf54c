import Algorithms
import BitCollections
package import Search
import Text

/// The list of rows shown in the table, as filtered and sorted, and what is known of its rows.
package struct RowList: Sendable {
  /// The rows of the session, fresh and stale.
  package internal(set) var rows = RowStore()
  /// Increases when row numbers come to mean other rows.
  package internal(set) var version = 0
  /// As typed, without mistakes.
  var filter = ""
  /// As typed; it replaces `filter` once its fields are known and their values are read.
  var awaitedFilter: String?
  /// The latest list of fields.
  var fields: FieldList?
  /// What the ages in the filter are counted from: when it was typed.
  var now: Double?
  var sort: ColumnSort?
  /// Nil lists all rows in their original order. While a new order is computed, the previous one is shown as
  /// long as its row numbers are valid.
  var order: RowOrder?
  package internal(set) var viewport = Viewport()
  /// The row to select once its position in the list is known.
  var awaited: PlacedRow?
  var search = RowSearch()
  package internal(set) var marks = Marks()
  var changes = RowChanges()
  /// The row the selection follows, by its key, while a refresh replaces rows; its number is the old one.
  var anchor: PlacedRow?
  /// Whether the rules of the list are still to be applied: before the columns are known, they cannot be.
  var awaitsColumns = false

  /// Lists all rows as they came, without matches and marks.
  mutating func reset(awaitsColumns: Bool) {
    self = RowList(
      rows: rows, version: version, viewport: viewport, changes: changes, anchor: anchor,
      awaitsColumns: awaitsColumns)
  }
}

/// The fields of the loaded rows when they were counted.
struct FieldList: Sendable {
  let census: FieldCensus
  let version: Int
  let loadedCount: Int
  /// As they are written in a filter.
  let names: [String]

  init(_ census: FieldCensus, of rows: RowStore, version: Int) {
    (self.census, self.version, loadedCount) = (census, version, rows.count)
    names = census.fields.map { "\($0.path)" }
  }
}

struct PlacedRow: Sendable, Hashable {
  var row: Int
  /// Its distance in rows from the top of the screen.
  var line: Int
  /// Identifies the row if rows have been replaced since.
  var key: UInt64?
}

extension RowList {
  package var count: Int { order?.rows.count ?? rows.count }

  /// The number of the row at a position of the list.
  package func row(at position: Int) -> Int? {
    guard position >= 0, position < count else { return nil }
    return order.map { Int($0.rows[position]) } ?? position
  }

  /// The cells of the page of a row, and the row's index in them; nil if it has none.
  func cells(of row: Int) -> (CellTable, Int)? { rows.cells(of: row) }

  package var selectedRow: Int? { row(at: viewport.selection) }

  var selectedPlace: PlacedRow? {
    selectedRow.map { PlacedRow(row: $0, line: viewport.line, key: rows.key(of: $0)) }
  }

  /// The fields of the rows; nil if other rows have been loaded since they were counted.
  var knownFields: FieldList? {
    fields.flatMap { $0.version == version && $0.loadedCount == rows.count ? $0 : nil }
  }

  func position(of row: Int) -> Int? {
    if let order { return order.position(of: row) }
    return row < rows.count ? row : nil
  }

  /// What a refresh has found out about a row.
  func sign(of row: Int) -> RowChanges.Sign? { changes.sign(of: rows.key(of: row)) }

  func reference(to row: Int) -> RowReference? {
    guard let (block, place) = rows.locate(row), let content = block.content else { return nil }
    return RowReference(content: content, row: place, key: rows.key(of: row))
  }

  /// Takes the rows of the session.
  ///
  /// - Parameter isRenumbered: Whether row numbers have come to mean other rows, not only more.
  mutating func replace(with rows: RowStore, isRenumbered: Bool) {
    let old = self.rows
    self.rows = rows
    guard isRenumbered else { return marks.recognize(rows, from: old.count) }
    version += 1
    awaited = nil
    search.findNext = nil
    marks.follow(from: old, to: rows)
  }
}

/// The order of the rows.
extension RowList {
  /// Whether the list is up to date with its rules and the loaded rows.
  private func isListed(_ rules: RowOrderRules) -> Bool {
    rules.isTrivial ? order == nil : isCurrent(order, for: rules)
  }

  func isCurrent(_ order: RowOrder?, for rules: RowOrderRules) -> Bool {
    guard let order else { return false }
    return order.rules == rules && order.version == version && order.covered == rows.count
  }

  /// The order from which the work for the rules continues.
  func base(_ order: RowOrder?, for rules: RowOrderRules) -> RowOrder {
    guard let order, order.rules == rules, order.version == version else {
      return RowOrder(rules, version: version)
    }
    return order
  }

  /// Lists the rows by these rules, as far as that is known already, and selects the awaited row.
  mutating func settle(_ rules: RowOrderRules, columns: [Column]) {
    if rules.isTrivial {
      if order != nil { show(nil, rules) }
    } else if !isCurrent(order, for: rules) {
      if let order = orderAtOnce(continuing: order, rules, columns: columns) {
        show(order, rules)
      } else if order?.version ?? version != version {
        show(RowOrder(rules, version: version), rules)
      }
    }
    guard let awaited, isListed(rules) else { return }
    self.awaited = nil
    if let position = position(of: awaited.row) { viewport.place(position, line: awaited.line) }
  }

  /// The finished order if it can be computed immediately; else nil, and it is requested.
  func orderAtOnce(continuing order: RowOrder?, _ rules: RowOrderRules, columns: [Column]) -> RowOrder? {
    let base = base(order, for: rules)
    guard rows.count - base.covered <= 1_000, rules.sort == nil || base.rows.count <= 1_000 else {
      return nil
    }
    var ordering = RowOrdering(continuing: base, over: rows, columns: columns)
    ordering.advance(by: 120_000)
    return ordering.isFinished ? ordering.order : nil
  }

  /// Takes a result, or a part of one, if it is still wanted and no worse than what is known.
  mutating func adopt(_ order: RowOrder, _ rules: RowOrderRules, search searchRules: RowOrderRules) {
    guard order.version == version, order.covered <= rows.count else { return }
    if order.rules == rules, order.covered >= base(self.order, for: order.rules).covered {
      show(order, rules)
    }
    if order.rules == searchRules, order.covered >= base(search.hits, for: order.rules).covered {
      search.hits = order
    }
  }

  /// Replaces the listed rows. The selected row, or else its neighbor, stays selected on its line of the screen.
  private mutating func show(_ order: RowOrder?, _ rules: RowOrderRules) {
    let isSameNumbering = self.order.map { $0.version == version } ?? true
    let selected = awaited ?? (isSameNumbering ? selectedPlace : nil)
    self.order = order
    guard let selected else { return }
    // In an incomplete list, the row may not be able to keep its line yet.
    awaited = isListed(rules) ? nil : selected
    if let position = position(of: selected.row) {
      viewport.place(position, line: selected.line)
    } else if let order, awaited == nil, order.rules.sort == nil {
      viewport.place(order.lowerBound(of: selected.row), line: selected.line)
    }
  }

  /// The list positions of the rows found, ascending. O(rows).
  func listedPlaces(of hits: RowOrder) -> [Int] {
    guard let order else { return hits.rows.map { Int($0) } }
    let found = BitSet(hits.rows.map { Int($0) })
    return order.rows.indices.filter { found.contains(Int(order.rows[$0])) }
  }

  /// The number of listed matches, and the index, from 1, of the selected one; nil while searching. O(log rows), or
  /// O(rows) in a filtered or sorted list.
  func matches(_ rules: RowOrderRules, search searchRules: RowOrderRules) -> (current: Int?, count: Int)? {
    guard let hits = search.hits, isCurrent(hits, for: searchRules) else { return nil }
    guard order != nil else {
      return (selectedRow.flatMap { hits.position(of: $0) }.map { $0 + 1 }, hits.rows.count)
    }
    guard isCurrent(order, for: rules) else { return nil }
    let places = listedPlaces(of: hits)
    let index = places.partitioningIndex { $0 >= viewport.selection }
    let isMatch = index < places.count && places[index] == viewport.selection
    return (isMatch ? index + 1 : nil, places.count)
  }
}

/// The selection and the row it follows.
extension RowList {
  /// Lets the selection follow its row while a refresh replaces rows.
  mutating func setAnchor() { anchor = selectedPlace.flatMap { $0.key == nil ? nil : $0 } }

  /// Cancels pending moves of the selection; during a refresh it follows the row that is selected now.
  mutating func moveAnchor(isRefreshing: Bool) {
    awaited = nil
    search.findNext = nil
    if isRefreshing { setAnchor() } else { anchor = nil }
  }

  /// On the first screen, new rows should become visible above the selected one; elsewhere it keeps its line.
  mutating func select(_ row: Int, atLine line: Int) {
    if viewport.top == 0, order == nil {
      viewport.select(row, of: count)
    } else {
      awaited = PlacedRow(row: row, line: line)
    }
  }

  /// Selects the row that was selected earlier, wherever it is now.
  mutating func goBack(to origin: PlacedRow?) {
    guard var place = origin else { return }
    if let row = place.key.flatMap({ rows.row(withKey: $0) }) { place.row = row }
    awaited = place
  }
}

/// Filtering and sorting.
extension PagerState {
  var orderRules: RowOrderRules {
    var sort = list.sort
    if let column = sort?.column, !table.columns.indices.contains(column) { sort = nil }
    return RowOrderRules(
      filter: list.filter, sort: sort, visible: searchedColumns(for: list.filter), now: list.now)
  }

  mutating func settleColumns() {
    arrangeListIfNeeded()
    settleAddedColumns()
    settleAwaitedFilter()
    table.settle(width: tableWidth)
  }

  /// Applies the rules of the list once the columns are known. Names of columns that are not there are ignored.
  private mutating func arrangeListIfNeeded() {
    guard list.awaitsColumns, let rules = rules.list, !table.columns.isEmpty else { return }
    list.awaitsColumns = false
    func index(_ name: String) -> Int? {
      table.columns.index(named: name) ?? table.columns.index(abbreviated: name)
    }
    table.arrange(rules.columns.compactMap(index))
    list.sort = rules.sort.flatMap { sort in
      index(sort.column).flatMap { column in
        table.isBlank(column) ? nil : ColumnSort(column: column, isDescending: sort.isDescending)
      }
    }
    if let sort = rules.sort, let other = rules.otherSorts.first {
      notify(
        "sorted by \(sort.column), not by \(other): the pager sorts by one column. riffle search sorts by several",
        .warning, brief: "sorted by \(sort.column), not by \(other)")
    }
    list.awaitedFilter = rules.filter
  }

  /// Applies the filter that waits for fields, if that is possible now.
  private mutating func settleAwaitedFilter() {
    guard let text = list.awaitedFilter else { return }
    filter(by: text)
    guard list.awaitedFilter == nil, overlays.prompt?.purpose != .filter,
      let mistake = mistake(in: RowFilter(text))
    else { return }
    if lines.count > 0 { lines.shown = .message }
    notify(mistake)
  }

  mutating func notify(_ mistake: FilterError) {
    let reason = "cannot filter: \(mistake.text)"
    notify(
      Sentences.joined([reason, mistake.remedy]), .warning,
      brief: Sentences.joined([reason, mistake.question]))
  }

  /// Lists the rows that match; a filter with a mistake changes nothing. A field that it names and that is no column
  /// becomes a hidden one; until its values are read, the rows stay as they are.
  mutating func filter(by text: String) {
    let filter = RowFilter(text)
    add(fieldColumns(of: filter))
    list.awaitedFilter = isAwaitingFields(of: filter) ? text : nil
    guard list.awaitedFilter == nil, mistake(in: filter) == nil else { return }
    list.filter = text
    list.now = filter.hasAges ? clock : nil
  }

  /// The mistake in the filter being typed, while the last one without a mistake stays in force.
  var typedMistake: FilterError? {
    guard let prompt = overlays.prompt, prompt.purpose == .filter else { return nil }
    return mistake(in: RowFilter(prompt.line.text))
  }

  /// Which columns and fields there are is unknown until rows are loaded and their fields counted.
  func mistake(in filter: RowFilter) -> FilterError? {
    let columns = table.columns.indices.filter { !isMissing($0) }.map { table.columns[$0] }
    return filter.mistake(
      in: columns + fieldColumns(of: filter), keys: isAwaitingFields(of: filter) ? nil : [],
      fields: list.fields?.names)
  }

  /// Whether a column was added for a field that no row turned out to have.
  private func isMissing(_ column: Int) -> Bool {
    guard table.isBlank(column), case let added = table.columns[column], addedColumns.contains(added),
      !addedColumns.areBeingRead, let path = added.value.onlyPath
    else { return false }
    return list.fields?.census.has(path) == false
  }

  /// The columns for fields that a filter names and that are no columns yet.
  private func fieldColumns(of filter: RowFilter) -> [Column] {
    guard let fields = list.knownFields else { return [] }
    var added: [Column] = []
    for named in filter.terms.compactMap(\.named) where named.index(in: table.columns + added) == nil {
      guard var column = fields.census.column(named, in: fields.loadedCount) else { continue }
      var taken = Set((table.columns + added).map(\.name))
      column.name = column.name.numbered("_", taken: &taken)
      added.append(column)
    }
    return added
  }

  /// Whether it is unknown which fields a filter names, or their values are not read yet.
  private func isAwaitingFields(of filter: RowFilter) -> Bool {
    filter.terms.compactMap(\.named).contains { named in
      guard let column = named.index(in: table.columns) else { return list.knownFields == nil }
      return isBeingRead(table.columns[column])
    }
  }

  /// The columns a text is searched in: those that are not hidden.
  func searchedColumns(for text: String) -> [Int] { text.isEmpty ? [] : table.shown.sorted() }

  /// Whether it is still unknown which rows match the filter; false while only the sort order is updated.
  var isFiltering: Bool {
    if list.awaitedFilter != nil { return !list.rows.isEmpty }
    guard !list.filter.isEmpty else { return false }
    var rules = orderRules
    if rules.isTrivial { return false }
    rules.sort = list.order?.rules.sort
    return !list.isCurrent(list.order, for: rules)
  }

  mutating func settleList() { list.settle(orderRules, columns: table.columns) }

  mutating func sort(isDescending: Bool) {
    guard let column = table.currentColumn else { return }
    list.sort = ColumnSort(column: column, isDescending: isDescending)
  }
}

/// The layout of the list on the screen.
extension PagerState {
  /// The terminal columns before the first column of the table: one for the selection indicator, one for the
  /// mark, and a space. They are always reserved, so that nothing moves when an indicator appears.
  static let margin = 3

  /// The terminal columns available to the table.
  var tableWidth: Int { max(1, screen.table.columns - Self.margin) }

  /// The number of lines of the table that fit on the screen.
  package var height: Int { screen.bodyHeight }

  /// Without rows, there is nothing to preview.
  var screen: Screen {
    Screen(canvas, previewShare: isPreviewOpen && !list.rows.isEmpty ? preview.share : nil)
  }

  mutating func settleViewport() {
    var fitted = list.viewport
    fitted.fit(count: list.count, height: height) { lineCount(ofRowAt: $0) }
    list.viewport = fitted
  }

  /// The number of rows on the screen, including a last one that is only partly visible.
  var shownRowCount: Int {
    guard isWrapped else { return height }
    var used = 0
    var count = 0
    while used < height, list.viewport.top + count < list.count {
      used += lineCount(ofRowAt: list.viewport.top + count)
      count += 1
    }
    return max(1, count)
  }

  func lineCount(ofRowAt position: Int) -> Int {
    guard isWrapped, let row = list.row(at: position), let (cells, place) = list.cells(of: row) else {
      return 1
    }
    return table.layout(width: tableWidth).columns.map { column in
      let cell = cells.cell(row: place, column: column.column)
      return table.wrapped(cell, in: column, height: height, widthModel).count
    }.max() ?? 1
  }
}

/// Moving in what receives the keys.
extension PagerState {
  mutating func move(by rows: Int) {
    if !moveOverlay(by: rows) { go(to: list.viewport.selection + rows) }
  }

  /// - Returns: False if the table receives the keys.
  mutating func moveOverlay(by lines: Int) -> Bool {
    switch mode {
    case .popup, .detail, .columns: overlays.movePopup(by: lines)
    case .prompt: movePrompt(by: lines)
    case .table, .query: return false
    }
    return true
  }

  /// - Parameter parts: The number of parts a page is divided into.
  mutating func scroll(pages: Int, of parts: Int = 1) {
    switch mode {
    case .popup, .detail, .columns: overlays.movePopup(by: pages * max(1, popupBox.inner.rows / parts))
    case .prompt: movePrompt(by: pages * max(1, popupBox.inner.rows - 1))
    case .table, .query:
      list.viewport.scroll(by: pages * max(1, shownRowCount / parts), of: list.count)
      moveAnchor()
    }
  }

  /// A row of the screen.
  enum ScreenPlace { case top, middle, bottom }

  private func line(of place: ScreenPlace) -> Int {
    let count = max(1, min(shownRowCount, list.count - list.viewport.top))
    return switch place {
    case .top: 0
    case .middle: (count - 1) / 2
    case .bottom: count - 1
    }
  }

  mutating func select(at place: ScreenPlace) { go(to: list.viewport.top + line(of: place)) }

  /// Scrolls so that the selected row is in the middle of the screen, as far as the rows reach.
  mutating func centerSelection() {
    list.viewport.place(list.viewport.selection, line: (shownRowCount - 1) / 2)
    moveAnchor()
  }

  /// Scrolls by lines; the selection stays unless it would leave the screen.
  mutating func scroll(lines: Int) {
    if mode.isPopup { return overlays.movePopup(by: lines) }
    list.viewport.pan(by: lines, of: list.count, height: shownRowCount)
    moveAnchor()
  }

  /// Selects a row by its number, from 1; beyond the last row, selects the last one and shows a message.
  mutating func go(toNumber number: Int) {
    go(to: number - 1)
    guard !mode.isPopup, number > list.count, list.count > 0 else { return }
    let isFiltered = !list.filter.isEmpty
    let more = session.hasMore && !isFiltered ? hint("load-more", "load more") : ""
    notify(
      "no row \(Digits.grouped(number)): \(Digits.counted(list.count, "row")) \(isFiltered ? "match" : "loaded")\(more)",
      .warning)
  }

  mutating func go(to row: Int) {
    if mode.isPopup {
      return overlays.change { if $0.hasCursor { $0.selection = row } else { $0.scroll = row } }
    }
    list.viewport.select(row, of: list.count)
    moveAnchor()
  }
}

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

struct PlacedRow: Sendable, Hashable {
  var row: Int
  /// Its distance in rows from the top of the screen.
  var line: Int
  /// Identifies the row if rows have been replaced since.
  var key: UInt64?
}

extension PagerState {
  package var listCount: Int { list.order?.rows.count ?? list.rows.count }

  /// The number of the row at a position of the list.
  package func row(at position: Int) -> Int? {
    guard position >= 0, position < listCount else { return nil }
    return list.order.map { Int($0.rows[position]) } ?? position
  }

  /// The cells of the page of a row, and the row's index in them; nil if it has none.
  func cells(of row: Int) -> (CellTable, Int)? { list.rows.cells(of: row) }

  package var selectedRow: Int? { row(at: list.viewport.selection) }

  var selectedPlace: PlacedRow? {
    selectedRow.map { PlacedRow(row: $0, line: list.viewport.line, key: list.rows.key(of: $0)) }
  }

  func position(of row: Int) -> Int? {
    if let order = list.order { return order.position(of: row) }
    return row < list.rows.count ? row : nil
  }
  /// Passes an event to the session and updates what is shown.
  mutating func update(_ event: SessionEvent) {
    let before = SessionShape(session)
    let oldRows = list.rows
    let hadFailed = session.phase.isFailed
    session.reduce(event)
    if !hadFailed, case .failed(_, let error) = session.phase { messages.note(message(of: error), .error) }
    let after = SessionShape(session)
    let change = before.change(to: after)
    if change != .none { list.rows = session.rows }
    if change != .none { measureColumns(from: before, to: after) }
    switch change {
    case .none: break
    case .appended: list.marks.recognize(list.rows, from: oldRows.count)
    case .replaced:
      list.version += 1
      list.awaited = nil
      list.search.findNext = nil
      list.marks.follow(from: oldRows, to: list.rows)
    }
    if after.generation != before.generation, after.stale != .refresh {
      list.changes = RowChanges()
      list.anchor = nil
    }
    list.changes.note(session)
    let isRefreshed = before.stale == .refresh && after.stale == nil
    if isRefreshed, let summary = list.changes.summary { notify(summary, .success) }
    if before.stale == .query && after.stale == nil || oldRows.isEmpty { list.viewport = Viewport() }
    followAnchor(ofOthers: change == .replaced)
  }

  /// Adopts the columns of the first page of a query, and the widths of pages loaded since. A refresh shows
  /// the same list, so its columns keep their widths. O(new pages).
  private mutating func measureColumns(from before: SessionShape, to after: SessionShape) {
    let known = before.generation == after.generation ? before.freshBlocks : 0
    var isFirst = before.freshCount == 0 && before.stale != .refresh
    for block in session.fresh.blocks.dropFirst(after.freshBlocks >= known ? known : 0) {
      guard case .cells(let cells)? = block.content, !cells.columns.isEmpty, cells.rowCount > 0 else {
        continue
      }
      isFirst || table.naturalWidths.isEmpty ? table.adopt(cells) : table.widen(for: cells)
      isFirst = false
    }
  }

  /// What a refresh has found out about a row of the table.
  func sign(of row: Int) -> RowChanges.Sign? { list.changes.sign(of: list.rows.key(of: row)) }

  mutating func load(_ demand: Demand) {
    switch session.phase {
    case .end(.maxRows(let limit)):
      notify("stopped at \(Digits.grouped(limit)) rows. Raise pager.max_rows to load more", .warning)
    case .end: notify("no more rows")
    default: update(.wanted(demand))
    }
  }

  /// Loads pages when the screen is near the end of the rows: at most `pagesPerKey` per key, and none if the
  /// service's budget is nearly used up, or in a filtered or sorted list, where new rows would not appear there.
  mutating func loadAhead() {
    guard exitReason == nil, allowance > 0, session.isIdle, session.hasMore, list.filter.isEmpty,
      list.sort == nil
    else { return }
    let below = listCount - (list.viewport.top + height)
    guard below < rules.prefetch * height, session.allowsPrefetch else { return }
    allowance -= 1
    update(.wanted(.pages(1)))
  }

  mutating func refreshOrRetry() {
    switch session.phase {
    case .failed, .waiting, .stopped: update(.retried)
    case .loading: notify("already loading", .warning)
    case .idle, .end: if isDraft { submit() } else { refresh() }
    }
  }

  /// Resets query, options, columns, filter, sort and marks to their initial values.
  mutating func resetNow() {
    query.replace(with: start.text)
    query.options = start.options
    focus = initialFocus
    list.reset(awaitsColumns: rules.list != nil)
    table = table.original
    update(.searched(start, .pages(1)))
    list.viewport = Viewport()
  }
}

/// The parts of a session from which one can tell what an event did to its rows. O(1).
struct SessionShape {
  enum RowsChange { case none, appended, replaced }

  let generation: Int
  let stale: StaleRows.Cause?
  let freshCount: Int
  let freshBlocks: Int

  init(_ session: Session) {
    generation = session.generation
    stale = session.stale?.cause
    freshCount = session.freshCount
    freshBlocks = session.fresh.blocks.count
  }

  /// Whether the shown rows changed, and whether the existing ones kept their numbers.
  func change(to new: SessionShape) -> RowsChange {
    switch (stale, new.stale) {
    case (nil, nil):
      if new.freshCount < freshCount || generation != new.generation && new.freshBlocks < freshBlocks {
        return .replaced
      }
      return new.freshBlocks == freshBlocks ? .none : .appended
    // Old rows stay until the first page of the new query or of the refresh.
    case (nil, _?), (.query?, _?), (.refresh?, .query?): return .none
    case (.refresh?, .refresh?): return new.freshBlocks == freshBlocks ? .none : .replaced
    case (_?, nil): return .replaced
    }
  }
}

/// Refreshing: the selection follows its row.
extension PagerState {
  /// Refreshes what is on the screen; the selection follows its row by key.
  mutating func refresh() {
    setAnchor()
    list.changes.begin(over: session)
    update(.refreshed(rows: shownRowsEnd))
  }

  private mutating func setAnchor() { list.anchor = selectedPlace.flatMap { $0.key == nil ? nil : $0 } }

  /// The number of leading rows that fill the screen; in a filtered or sorted list, they may be far apart.
  private var shownRowsEnd: Int {
    guard list.order != nil else { return list.viewport.top + height }
    let shown = (list.viewport.top..<list.viewport.top + height).compactMap { row(at: $0) }
    return (shown.max() ?? 0) + 1
  }

  /// Extends a refresh to the end of the screen, because rows it does not cover are dropped when it completes.
  mutating func refreshToTheScreensEnd() {
    guard let wanted = session.refreshedRowsWanted else { return }
    let end = min(shownRowsEnd, list.rows.count)
    if end > wanted { update(.wanted(.rows(end))) }
  }

  /// Called when the user moves to a row: cancels pending moves of the selection; during a refresh the
  /// selection follows this row.
  mutating func moveAnchor() {
    list.awaited = nil
    list.search.findNext = nil
    if case .refresh? = session.stale?.cause { setAnchor() } else { list.anchor = nil }
  }

  /// - Parameter isReplaced: Whether row numbers have come to mean other rows.
  private mutating func followAnchor(ofOthers isReplaced: Bool) {
    guard let anchor = list.anchor, let key = anchor.key else { return }
    if let row = session.fresh.row(withKey: key) {
      list.anchor = nil
      select(row, atLine: anchor.line)
    } else if session.stale?.cause == .refresh {
      // Refreshed rows before it have shifted its number. A row that is missing from its refreshed page stays
      // selected where it was, because it may still appear on a later page.
      if isReplaced, let row = list.rows.row(withKey: key), isOnLaterPage(row) {
        select(row, atLine: anchor.line)
      }
    } else if session.isSettled, !isAwaited(anchor) {
      list.anchor = nil
    }
  }

  /// On the first screen, new rows should become visible above the selected one; elsewhere it keeps its line.
  private mutating func select(_ row: Int, atLine line: Int) {
    if list.viewport.top == 0, list.order == nil {
      list.viewport.select(row, of: listCount)
    } else {
      list.awaited = PlacedRow(row: row, line: line)
    }
  }

  /// Whether a stale row belongs to a page that the refresh has not reached.
  private func isOnLaterPage(_ row: Int) -> Bool {
    guard let page = list.rows.locate(row)?.block.position.ordinal else { return false }
    return session.fresh.blocks.last.map { $0.position.ordinal < page } ?? true
  }

  /// Whether the row may still arrive, because new rows before it have moved it beyond the refreshed pages.
  private func isAwaited(_ anchor: PlacedRow) -> Bool {
    session.hasMore && session.freshCount <= anchor.row + list.changes.newCount
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

  /// Applies the rules of the list once the columns are known. Names of columns that are not there are ignored.
  mutating func arrangeListOnce() {
    guard list.awaitsColumns, let rules = rules.list, !table.columns.isEmpty else { return }
    list.awaitsColumns = false
    func index(_ name: String) -> Int? { table.columns.firstIndex { $0.name == name } }
    table.arrange(rules.columns.compactMap(index))
    list.sort = rules.sort.flatMap { sort in
      index(sort.column).map { ColumnSort(column: $0, isDescending: sort.isDescending) }
    }
    if let mistake = mistake(in: RowFilter(rules.filter)) {
      notify("the rows are not filtered: \(mistake.text)", .warning)
    }
    filter(by: rules.filter)
  }

  /// Lists the rows that match; a filter with a mistake changes nothing.
  mutating func filter(by text: String) {
    let filter = RowFilter(text)
    guard mistake(in: filter) == nil else { return }
    list.filter = text
    list.now = filter.hasAges ? clock : nil
  }

  /// The mistake in the filter being typed, while the last one without a mistake stays in force.
  var typedMistake: FilterMistake? {
    guard let prompt = overlays.prompt, prompt.purpose == .filter else { return nil }
    return mistake(in: RowFilter(prompt.line.text))
  }

  /// Which columns there are is unknown until the first page, unless the source declares them.
  func mistake(in filter: RowFilter) -> FilterMistake? {
    filter.mistake(in: table.columns, keys: table.columns.isEmpty ? nil : [])
  }

  /// The columns a text is searched in: those that are not hidden.
  func searchedColumns(for text: String) -> [Int] { text.isEmpty ? [] : table.shown.sorted() }

  /// Whether the list is up to date with its rules and the loaded rows.
  private var isListed: Bool {
    let rules = orderRules
    return rules.isTrivial ? list.order == nil : isCurrent(list.order, for: rules)
  }

  /// Whether it is still unknown which rows match the filter; false while only the sort order is updated.
  var isFiltering: Bool {
    guard !list.filter.isEmpty else { return false }
    var rules = orderRules
    if rules.isTrivial { return false }
    rules.sort = list.order?.rules.sort
    return !isCurrent(list.order, for: rules)
  }

  func isCurrent(_ order: RowOrder?, for rules: RowOrderRules) -> Bool {
    guard let order else { return false }
    return order.rules == rules && order.version == list.version && order.covered == list.rows.count
  }

  /// The order from which the work for the rules continues.
  func base(_ order: RowOrder?, for rules: RowOrderRules) -> RowOrder {
    guard let order, order.rules == rules, order.version == list.version else {
      return RowOrder(rules, version: list.version)
    }
    return order
  }

  mutating func settleList() {
    let rules = orderRules
    if rules.isTrivial {
      if list.order != nil { show(nil) }
    } else if !isCurrent(list.order, for: rules) {
      if let order = orderAtOnce(continuing: list.order, rules) {
        show(order)
      } else if list.order?.version ?? list.version != list.version {
        show(RowOrder(rules, version: list.version))
      }
    }
    guard let awaited = list.awaited, isListed else { return }
    list.awaited = nil
    if let position = position(of: awaited.row) { list.viewport.place(position, line: awaited.line) }
  }

  /// The finished order if it can be computed immediately; else nil, and it is requested.
  func orderAtOnce(continuing order: RowOrder?, _ rules: RowOrderRules) -> RowOrder? {
    let base = base(order, for: rules)
    guard list.rows.count - base.covered <= 1_000, rules.sort == nil || base.rows.count <= 1_000 else {
      return nil
    }
    var ordering = RowOrdering(continuing: base, over: list.rows, columns: table.columns)
    ordering.advance(by: 120_000)
    return ordering.isFinished ? ordering.order : nil
  }

  mutating func adopt(_ order: RowOrder) {
    guard order.version == list.version, order.covered <= list.rows.count else { return }
    if order.rules == orderRules, order.covered >= base(list.order, for: order.rules).covered {
      show(order)
    }
    if order.rules == searchRules, order.covered >= base(list.search.hits, for: order.rules).covered {
      list.search.hits = order
    }
  }

  /// Replaces the listed rows. The selected row, or else its neighbor, stays selected on its line of the screen.
  private mutating func show(_ order: RowOrder?) {
    let isSameNumbering = list.order.map { $0.version == list.version } ?? true
    let selected = list.awaited ?? (isSameNumbering ? selectedPlace : nil)
    list.order = order
    guard let selected else { return }
    // In an incomplete list, the row may not be able to keep its line yet.
    list.awaited = isListed ? nil : selected
    if let position = position(of: selected.row) {
      list.viewport.place(position, line: selected.line)
    } else if let order, list.awaited == nil, order.rules.sort == nil {
      list.viewport.place(order.lowerBound(of: selected.row), line: selected.line)
    }
  }

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

  mutating func fitViewport() {
    var fitted = list.viewport
    fitted.fit(count: listCount, height: height) { lineCount(ofRowAt: $0) }
    list.viewport = fitted
  }

  /// The number of rows on the screen, including a last one that is only partly visible.
  var shownRowCount: Int {
    guard isWrapped else { return height }
    var used = 0
    var count = 0
    while used < height, list.viewport.top + count < listCount {
      used += lineCount(ofRowAt: list.viewport.top + count)
      count += 1
    }
    return max(1, count)
  }

  func lineCount(ofRowAt position: Int) -> Int {
    guard isWrapped, let row = row(at: position), let (cells, place) = cells(of: row) else { return 1 }
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
    case .popup: overlays.scrollPopup(by: lines)
    case .prompt: movePrompt(by: lines)
    case .table, .query: return false
    }
    return true
  }

  /// - Parameter parts: The number of parts a page is divided into.
  mutating func scroll(pages: Int, of parts: Int = 1) {
    switch mode {
    case .popup: overlays.scrollPopup(by: pages * max(1, popupBox.inner.rows / parts))
    case .prompt: movePrompt(by: pages * max(1, popupBox.inner.rows - 1))
    case .table, .query:
      list.viewport.scroll(by: pages * max(1, shownRowCount / parts), of: listCount)
      moveAnchor()
    }
  }

  /// Selects a row by its number, from 1; beyond the last row, selects the last one and shows a message.
  mutating func go(toNumber number: Int) {
    go(to: number - 1)
    guard mode != .popup, number > listCount, listCount > 0 else { return }
    let isFiltered = !list.filter.isEmpty
    let more = session.hasMore && !isFiltered ? hint("load-more", "load more") : ""
    notify(
      "no row \(Digits.grouped(number)): \(Digits.counted(listCount, "row")) \(isFiltered ? "match" : "loaded")\(more)",
      .warning)
  }

  mutating func go(to row: Int) {
    if mode == .popup { return overlays.change { $0.scroll = row } }
    list.viewport.select(row, of: listCount)
    moveAnchor()
  }
}

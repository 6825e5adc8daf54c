import Search
import Text

/// The list of rows shown in the table, as filtered and sorted.
struct RowList: Sendable {
  /// As typed.
  var filter = ""
  var sort: ColumnSort?
  /// Nil lists all rows in their original order. While a new order is computed, the previous one is shown as
  /// long as its row numbers are valid.
  var order: RowOrder?
  /// The row to select once its position in the list is known.
  var awaited: PlacedRow?
}

/// A row number, and its distance in rows from the top of the screen.
struct PlacedRow: Sendable, Hashable {
  var row: Int
  var line: Int
}

extension PagerState {
  var orderRules: RowOrderRules {
    let sort = list.sort.flatMap { table.columns.indices.contains($0.column) ? $0 : nil }
    return RowOrderRules(filter: list.filter, sort: sort, visible: searchedColumns(for: list.filter))
  }

  /// The columns a text is searched in: those that are not hidden.
  func searchedColumns(for text: String) -> [Int] { text.isEmpty ? [] : table.shown.sorted() }

  package var listCount: Int { list.order?.rows.count ?? rows.count }

  /// The number of the row at a position of the list.
  package func row(at position: Int) -> Int? {
    guard position >= 0, position < listCount else { return nil }
    return list.order.map { Int($0.rows[position]) } ?? position
  }

  /// The cells of the page of a row, and the row's index in them; nil if it has none.
  func cells(of row: Int) -> (CellTable, Int)? {
    guard let (block, place) = rows.locate(row), case .cells(let cells)? = block.content else { return nil }
    return (cells, place)
  }

  package var selectedRow: Int? { row(at: viewport.selection) }

  var selectedPlace: PlacedRow? { selectedRow.map { PlacedRow(row: $0, line: viewport.line) } }

  /// Whether the list is up to date with its rules and the loaded rows.
  private var isListed: Bool {
    let rules = orderRules
    return rules.isTrivial ? list.order == nil : isCurrent(list.order, for: rules)
  }

  /// Whether it is still unknown which rows match the filter. False while only the sort order is being
  /// updated.
  var isFiltering: Bool {
    var rules = orderRules
    guard !list.filter.isEmpty, !rules.isTrivial else { return false }
    rules.sort = list.order?.rules.sort
    return !isCurrent(list.order, for: rules)
  }

  func position(of row: Int) -> Int? {
    if let order = list.order { return order.position(of: row) }
    return row < rows.count ? row : nil
  }

  func isCurrent(_ order: RowOrder?, for rules: RowOrderRules) -> Bool {
    guard let order else { return false }
    return order.rules == rules && order.version == rowsVersion && order.covered == rows.count
  }

  /// The order from which the work for the rules continues.
  func base(_ order: RowOrder?, for rules: RowOrderRules) -> RowOrder {
    guard let order, order.rules == rules, order.version == rowsVersion else {
      return RowOrder(rules, version: rowsVersion)
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
      } else if list.order?.version ?? rowsVersion != rowsVersion {
        show(RowOrder(rules, version: rowsVersion))
      }
    }
    selectAwaited()
  }

  /// The finished order if it can be computed immediately; else nil, and it is requested.
  func orderAtOnce(continuing order: RowOrder?, _ rules: RowOrderRules) -> RowOrder? {
    let base = base(order, for: rules)
    guard rows.count - base.covered <= 1_000, rules.sort == nil || base.rows.count <= 1_000 else {
      return nil
    }
    var ordering = RowOrdering(continuing: base, over: rows, columns: table.columns)
    ordering.advance(by: 120_000)
    return ordering.isFinished ? ordering.order : nil
  }

  mutating func adopt(_ order: RowOrder) {
    guard order.version == rowsVersion, order.covered <= rows.count else { return }
    let order = order.isOutline ? filled(order) : order
    if order.rules == orderRules, order.covered >= base(list.order, for: order.rules).covered {
      show(order)
    }
    if order.rules == searchRules, order.covered >= base(search.hits, for: order.rules).covered {
      search.hits = order
    }
  }

  /// The complete order for an outline, recomputed as it was when it was recorded.
  private func filled(_ outline: RowOrder) -> RowOrder {
    let previous = [list.order, search.hits].map { base($0, for: outline.rules) }.filter {
      $0.covered <= outline.covered
    }
    let ordering = RowOrdering(
      continuing: previous.max { $0.covered < $1.covered } ?? base(nil, for: outline.rules), over: rows,
      upTo: outline.covered, columns: table.columns)
    return ordering.completed()
  }

  /// Replaces the listed rows. The selected row, or else its neighbor, stays selected on the same line of the
  /// screen.
  private mutating func show(_ order: RowOrder?) {
    let isSameNumbering = list.order.map { $0.version == rowsVersion } ?? true
    let selected = list.awaited ?? (isSameNumbering ? selectedPlace : nil)
    list.order = order
    search.places = nil
    guard let selected else { return }
    // In an incomplete list, the row may not be able to keep its line yet.
    list.awaited = isListed ? nil : selected
    if let position = position(of: selected.row) {
      viewport.place(position, line: selected.line)
    } else if let order, list.awaited == nil, order.rules.sort == nil {
      viewport.place(order.lowerBound(of: selected.row), line: selected.line)
    }
  }

  private mutating func selectAwaited() {
    guard isListed, let awaited = list.awaited else { return }
    list.awaited = nil
    guard let position = position(of: awaited.row) else { return }
    viewport.place(position, line: awaited.line)
  }

  mutating func sort(isDescending: Bool) {
    guard let column = table.currentColumn else { return }
    sort(by: column, isDescending: isDescending)
  }

  mutating func sort(by column: Int, isDescending: Bool) {
    list.sort = ColumnSort(column: column, isDescending: isDescending)
  }
}

/// The layout of the list on the screen.
extension PagerState {
  /// The terminal columns before the first column of the table: one for the selection indicator, one for the
  /// mark, and a space. They are always reserved, so that nothing moves when an indicator appears.
  static let margin = 3

  /// The terminal columns available to the table.
  var tableWidth: Int { max(1, screenWidth - Self.margin) }

  /// The number of lines of the table that fit on the screen.
  package var height: Int { Screen(canvas).bodyHeight }

  mutating func fitViewport() {
    let height = height
    guard isWrapped else { return viewport.fit(count: listCount, height: height) }
    let state = self
    viewport.fit(count: listCount, height: height) { state.lineCount(ofRowAt: $0) }
  }

  /// The number of rows on the screen, including a last one that is only partly visible.
  var shownRowCount: Int {
    guard isWrapped else { return height }
    var used = 0
    var count = 0
    while used < height, viewport.top + count < listCount {
      used += lineCount(ofRowAt: viewport.top + count)
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
    if !moveOverlay(by: rows) { go(to: viewport.selection + rows) }
  }

  /// - Returns: False if the table receives the keys.
  mutating func moveOverlay(by lines: Int) -> Bool {
    switch mode {
    case .popup: scrollPopup(by: lines)
    case .prompt: movePrompt(by: lines)
    case .table, .query: return false
    }
    return true
  }

  /// - Parameter parts: The number of parts a page is divided into.
  mutating func scroll(pages: Int, of parts: Int = 1) {
    let bounded = max(-1_000_000, min(pages, 1_000_000))
    switch mode {
    case .popup: scrollPopup(by: bounded * max(1, Screen(canvas).popupHeight / parts))
    case .prompt: movePrompt(by: bounded * max(1, Screen(canvas).popupHeight - 1))
    case .table, .query:
      viewport.scroll(by: bounded * max(1, shownRowCount / parts), of: listCount)
      moveAnchor()
    }
  }

  /// - Parameter number: The row number, from 1. Beyond the last row, selects the last one and shows a
  ///   message.
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
    if mode == .popup { return change { $0.scroll = row } }
    viewport.select(row, of: listCount)
    moveAnchor()
  }
}

import Algorithms
import Search
import Text

/// What an event of the session changes.
extension PagerState {
  /// Passes an event to the session and updates what is shown.
  mutating func update(_ event: SessionEvent) {
    let before = SessionShape(session)
    let hadRows = !list.rows.isEmpty
    let hadFailed = session.phase.isFailed
    session.reduce(event)
    if !hadFailed, case .failed(_, let error) = session.phase {
      messages.note(message(of: error), .error)
      // The failure takes its line.
      messages.current = nil
    }
    noteEndOfLoad()
    let after = SessionShape(session)
    let change = before.change(to: after)
    if change != .none {
      list.replace(with: session.rows, isRenumbered: change == .replaced)
      measureColumns(from: before, to: after)
    }
    let isBegun = after.generation != before.generation
    if isBegun, after.stale != .refresh {
      list.changes = RowChanges()
      list.anchor = nil
      if after.stale == .earlier { list.changes.begin(over: session) }
    }
    list.changes.note(session)
    let isRefreshed = before.stale?.isOfSameQuery ?? false && after.stale == nil
    if isRefreshed, let summary = list.changes.summary {
      notify(summary, .success)
      if watch != nil { notifyDesktop(summary) }
    }
    if before.stale == .query && after.stale == nil || isBegun && after.stale == .earlier || !hadRows {
      list.viewport = Viewport()
    }
    followAnchor(ofOthers: change == .replaced)
  }

  /// Adopts the columns of the first page of a query, and the widths of pages loaded since. A refresh shows
  /// the same list, so its columns keep their widths. O(new pages).
  private mutating func measureColumns(from before: SessionShape, to after: SessionShape) {
    let known = before.generation == after.generation ? before.freshBlocks : 0
    var isFirst = before.freshCount == 0 && !(before.stale?.isOfSameQuery ?? false)
    let blocks = after.stale == .earlier ? session.rows.blocks : session.fresh.blocks
    for block in blocks.dropFirst(after.freshBlocks >= known ? known : 0) {
      guard case .cells(let cells)? = block.content, !cells.columns.isEmpty, cells.rowCount > 0 else {
        continue
      }
      if isFirst || table.naturalWidths.isEmpty {
        adopt(cells)
        reportMissingFields()
      } else {
        table.widen(for: cells)
      }
      isFirst = false
    }
  }

  /// Reports the fields that the list is to show or be sorted by and that no row of the first page has. It is not sorted
  /// by such a field.
  private mutating func reportMissingFields() {
    let missing = (rules.list?.names ?? []).filter { name in
      table.columns.firstIndex { $0.name == name }.map(table.isBlank) ?? false
    }
    guard let first = missing.first else { return }
    if let sort = list.sort, table.isBlank(sort.column) { list.sort = nil }
    notify("no row of the first page has \"\(first)\"" + hint("choose-columns", "choose columns"), .warning)
  }

  mutating func load(_ demand: Demand) {
    switch session.phase {
    case .end(.maxRows(let limit)):
      notify("stopped at \(Digits.grouped(limit)) rows. Raise pager.max_rows to load more", .warning)
    case .end: notify("no more rows")
    default: update(.wanted(demand))
    }
  }

  /// Requests the pages that have come into reach.
  mutating func settlePages() {
    refreshVisibleRows()
    loadAhead()
  }

  /// Lets pages load ahead, but none while the query is edited until the user moves in the table: another page for each
  /// pause in typing would use up a small budget.
  mutating func allowAhead() { allowance = focus == .query ? 0 : rules.pagesPerKey }

  /// Loads pages when the screen is near the end of the rows: at most `pagesPerKey` per key, and none if the
  /// service's budget is nearly used up, or in a filtered or sorted list, where new rows would not appear there.
  private mutating func loadAhead() {
    guard exitReason == nil, allowance > 0, session.isIdle, session.hasMore, list.filter.isEmpty,
      list.awaitedFilter == nil,
      list.sort == nil
    else { return }
    let below = list.count - (list.viewport.top + height)
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
    if new.stale == .earlier { return generation == new.generation ? .none : .replaced }
    switch (stale, new.stale) {
    case (nil, nil):
      if new.freshCount < freshCount || generation != new.generation && new.freshBlocks < freshBlocks {
        return .replaced
      }
      return new.freshBlocks == freshBlocks ? .none : .appended
    // Old rows stay until the first page of the new query or of the refresh.
    case (nil, _?), (.query?, _?), (.earlier?, _?), (.refresh?, .query?): return .none
    case (.refresh?, _?): return new.freshBlocks == freshBlocks ? .none : .replaced
    case (_?, nil): return .replaced
    }
  }
}

/// Refreshing: the selection follows its row.
extension PagerState {
  /// Refreshes what is on the screen; the selection follows its row by key.
  mutating func refresh() {
    list.setAnchor()
    list.changes.begin(over: session)
    update(.refreshed(rows: shownRowsEnd))
  }

  /// The number of leading rows that fill the screen; in a filtered or sorted list, they may be far apart.
  private var shownRowsEnd: Int {
    guard list.order != nil else { return list.viewport.top + height }
    let shown = (list.viewport.top..<list.viewport.top + height).compactMap { list.row(at: $0) }
    return (shown.max() ?? 0) + 1
  }

  /// Extends a refresh to the end of the screen, because rows it does not cover are dropped when it completes.
  private mutating func refreshVisibleRows() {
    guard let wanted = session.refreshedRowsWanted else { return }
    let end = min(shownRowsEnd, list.rows.count)
    if end > wanted { update(.wanted(.rows(end))) }
  }

  /// Called when the user moves to a row.
  mutating func moveAnchor() {
    allowance = rules.pagesPerKey
    list.moveAnchor(isRefreshing: session.stale?.cause.isOfSameQuery ?? false)
  }

  /// - Parameter isReplaced: Whether row numbers have come to mean other rows.
  private mutating func followAnchor(ofOthers isReplaced: Bool) {
    guard let anchor = list.anchor, let key = anchor.key else { return }
    if let row = session.fresh.row(withKey: key) {
      list.anchor = nil
      list.select(row, atLine: anchor.line)
    } else if session.stale?.cause == .refresh {
      // Refreshed rows before it have shifted its number. A row that is missing from its refreshed page stays
      // selected where it was, because it may still appear on a later page.
      if isReplaced, let row = list.rows.row(withKey: key), isOnLaterPage(row) {
        list.select(row, atLine: anchor.line)
      }
    } else if session.isSettled, !isAwaited(anchor) {
      list.anchor = nil
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

/// The rows that are new since the last refresh that changed any, shown with `+`, and those that it changed, shown
/// with `~`. Rows are known by their keys; those without a key are neither.
struct RowChanges: Sendable {
  enum Sign: Sendable, Hashable { case new, changed }

  private var signs: [UInt64: Sign] = [:]
  /// How many rows of each kind the latest refresh has found.
  private(set) var newCount = 0
  private(set) var changedCount = 0
  private var earlier: EarlierRows?
  /// The number of rows of the refresh that have been compared.
  private var comparedCount = 0

  func sign(of key: UInt64?) -> Sign? { key.flatMap { signs[$0] } }

  /// Called when a refresh of a session starts.
  mutating func begin(over session: Session) {
    earlier = EarlierRows(of: session)
    (newCount, changedCount, comparedCount) = (0, 0, 0)
  }

  /// Compares the rows loaded since the last call. O(new rows), if their order has hardly changed.
  mutating func note(_ session: Session) {
    guard let earlier, session.freshCount > comparedCount else { return }
    for block in session.fresh.blocks where block.end > comparedCount {
      for (key, sign) in earlier.signs(of: block, from: max(0, comparedCount - block.start)) {
        add(sign, to: key)
      }
    }
    comparedCount = session.freshCount
    if session.stale == nil { self.earlier = nil }
  }

  private mutating func add(_ sign: Sign, to key: UInt64) {
    // The signs of an earlier refresh stay until something has changed again.
    if newCount + changedCount == 0 { signs = [:] }
    signs[key] = sign
    if sign == .new { newCount += 1 } else { changedCount += 1 }
  }

  /// `2 new, 1 changed`; nil if nothing has changed.
  var summary: String? {
    let counts = [(newCount, "new"), (changedCount, "changed")].filter { $0.0 > 0 }
    return counts.isEmpty
      ? nil : counts.map { "\(Digits.grouped($0.0)) \($0.1)" }.joined(separator: ", ")
  }
}

/// The rows that a refresh replaces.
private struct EarlierRows: Sendable {
  private let rows: RowStore
  /// The keys of all of them; nil if some are from an earlier generation.
  private let keys: SeenKeys?

  init(of session: Session) {
    rows = session.rows
    keys = session.stale == nil ? session.seen : nil
  }

  /// The rows of a page, from a place on, that are not among these or were different, with their keys.
  func signs(of block: RowStore.Block, from start: Int) -> [(UInt64, RowChanges.Sign)] {
    var places: [UInt64: Int] = [:]
    var signs: [(UInt64, RowChanges.Sign)] = []
    for (index, key) in block.keys.enumerated().dropFirst(start) where key != RowKey.none {
      if keys.map({ $0.contains(key) }) ?? true { places[key] = index } else { signs.append((key, .new)) }
    }
    // Most rows are still on the page where they were.
    let first = rows.blocks.partitioningIndex { $0.position.ordinal >= block.position.ordinal }
    for earlier in rows.blocks[first...] + rows.blocks[..<first] where !places.isEmpty {
      for (index, key) in earlier.keys.enumerated() {
        guard let place = places.removeValue(forKey: key) else { continue }
        if !Self.showsSame(block, place, earlier, index) { signs.append((key, .changed)) }
      }
    }
    // Filtered rows and those dropped by an earlier refresh were seen, but not shown.
    return signs + (keys == nil ? places.keys.map { ($0, .new) } : [])
  }

  private static func showsSame(
    _ block: RowStore.Block, _ index: Int, _ other: RowStore.Block, _ otherIndex: Int
  ) -> Bool {
    guard case .cells(let cells)? = block.content, case .cells(let others)? = other.content else {
      return true
    }
    return cells.showsSame(Int(block.kept[index]), as: Int(other.kept[otherIndex]), of: others)
  }
}

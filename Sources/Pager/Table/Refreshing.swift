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
        table.adopt(cells)
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

import Search
import Text

extension PagerState {
  /// Passes an event to the session and updates what is shown.
  mutating func update(_ event: SessionEvent) {
    let before = SessionShape(session)
    let oldRows = rows
    let hadFailed = session.phase.isFailed
    session.reduce(event)
    if !hadFailed { noteFailure() }
    let after = SessionShape(session)
    let change = before.change(to: after)
    if change != .none { rows = session.rows }
    if change != .none { measureColumns(from: before, to: after) }
    if change == .replaced {
      rowsVersion += 1
      list.awaited = nil
      search.findNext = nil
      marks.follow(from: oldRows, to: rows)
    } else if change == .appended {
      marks.recognize(rows, from: oldRows.count)
    }
    if after.generation != before.generation, after.stale != .refresh {
      newRows = NewRows()
      anchor = nil
    }
    newRows.note(session)
    if before.stale == .query && after.stale == nil || oldRows.isEmpty { viewport = Viewport() }
    followAnchor(ofOthers: change == .replaced)
  }

  /// Adds the complete failure to the messages, because the notice line may truncate it.
  private mutating func noteFailure() {
    guard case .failed(_, let error) = session.phase else { return }
    let text = "Page \(pageNumber) failed: \(error.message)"
    messages.note(error.remedySentence.map { "\(text). \($0)" } ?? text, .error)
  }

  /// Refreshes what is on the screen; the selection follows its row by key.
  mutating func refresh() {
    setAnchor()
    newRows.begin(over: session)
    update(.refreshed(rows: shownRowsEnd))
  }

  /// The number of leading rows that must be loaded to fill the screen. In a filtered or sorted list, the
  /// visible rows may be far apart.
  private var shownRowsEnd: Int {
    guard list.order != nil else { return viewport.top + height }
    let shown = (viewport.top..<viewport.top + height).compactMap { row(at: $0) }
    return (shown.max() ?? 0) + 1
  }

  private mutating func setAnchor() {
    anchor = selectedRow.flatMap { row in
      rows.key(of: row).map { RefreshAnchor(key: $0, row: row, line: viewport.line) }
    }
  }

  /// Loads pages automatically when the screen is near the end of the rows: at most `pagesPerKey` pages per
  /// key, and none if the service's budget is nearly used up, or if the list is filtered or sorted, since new
  /// rows would not appear at its end and would only consume requests.
  mutating func loadAhead() {
    guard exitReason == nil, allowance > 0, session.isIdle, session.hasMore, list.filter.isEmpty,
      list.sort == nil
    else {
      return
    }
    let below = listCount - (viewport.top + height)
    guard below < rules.prefetch * height, session.allowsPrefetch else { return }
    allowance -= 1
    update(.wanted(.pages(1)))
  }

  /// Called when the user moves to a row: cancels pending moves of the selection; during a refresh the
  /// selection follows this row.
  mutating func moveAnchor() {
    list.awaited = nil
    search.findNext = nil
    if case .refresh? = session.stale?.cause { setAnchor() } else { anchor = nil }
  }

  /// - Parameter isReplaced: Whether row numbers have come to mean other rows.
  private mutating func followAnchor(ofOthers isReplaced: Bool) {
    guard let anchor else { return }
    if let row = session.fresh.row(withKey: anchor.key) {
      self.anchor = nil
      select(row, atLine: anchor.line)
    } else if session.stale?.cause == .refresh {
      // Refreshed rows before it have shifted its number. A row that is missing from its refreshed page stays
      // selected where it was, because it may still appear on a later page.
      if isReplaced, let row = rows.row(withKey: anchor.key), isOnLaterPage(row) {
        select(row, atLine: anchor.line)
      }
    } else if session.isSettled, !isAwaited(anchor) {
      self.anchor = nil
    }
  }

  /// On the first screen, new rows should become visible above the selected one; elsewhere it keeps its line.
  private mutating func select(_ row: Int, atLine line: Int) {
    if viewport.top == 0, list.order == nil {
      viewport.select(row, of: listCount)
    } else {
      list.awaited = PlacedRow(row: row, line: line)
    }
  }

  /// Whether a stale row belongs to a page that the refresh has not reached.
  private func isOnLaterPage(_ row: Int) -> Bool {
    guard let page = rows.locate(row)?.block.position.ordinal else { return false }
    return session.fresh.blocks.last.map { $0.position.ordinal < page } ?? true
  }

  /// Extends a refresh to the current end of the screen, because rows it does not cover are dropped when it
  /// completes.
  mutating func refreshToTheScreensEnd() {
    guard let wanted = session.refreshedRowsWanted else { return }
    let end = min(shownRowsEnd, rows.count)
    if end > wanted { update(.wanted(.rows(end))) }
  }

  /// Whether the row may still arrive, because new rows before it have moved it beyond the refreshed pages.
  private func isAwaited(_ anchor: RefreshAnchor) -> Bool {
    session.hasMore && session.freshCount <= anchor.row + newRows.count
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

  mutating func load(_ demand: Demand) {
    switch session.phase {
    case .end(.maxRows(let limit)):
      notify("stopped at \(Digits.grouped(limit)) rows. Raise pager.max_rows to load more", .warning)
    case .end: notify("no more rows")
    default: update(.wanted(demand))
    }
  }

  mutating func refreshOrRetry() {
    switch session.phase {
    case .failed, .waiting, .stopped: update(.retried)
    case .loading: notify("already loading", .warning)
    case .idle, .end:
      if isDraft { submit() } else { refresh() }
    }
  }

  /// Resets query, options, columns, filter, sort and marks to their initial values.
  mutating func resetNow() {
    line = LineEditor(start.text)
    options = start.options
    edits += 1
    focus = initialFocus
    list = RowList()
    search = RowSearch()
    marks = Marks()
    table = table.original
    update(.searched(start, .pages(1)))
    viewport = Viewport()
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
    case (nil, _?), (.query?, .query?), (.query?, .refresh?): return .none
    case (.refresh?, .query?): return .none
    case (.query?, nil): return .replaced
    case (.refresh?, .refresh?): return new.freshBlocks == freshBlocks ? .none : .replaced
    case (.refresh?, nil): return .replaced
    }
  }
}

/// The rows that a refresh added, shown with `+`.
struct NewRows: Sendable {
  private var known: SeenKeys?
  private var looked = 0
  private var rows = RowSet()

  var isEmpty: Bool { rows.isEmpty }
  var count: Int { rows.count }
  func contains(_ row: Int) -> Bool { rows.contains(row) }

  /// Called when a refresh of a session starts.
  mutating func begin(over session: Session) {
    self = NewRows()
    known = session.seen
  }

  /// Processes the rows loaded since the last call. O(new rows).
  mutating func note(_ session: Session) {
    guard let known, session.freshCount > looked else { return }
    for block in session.fresh.blocks where block.end > looked {
      for (index, key) in block.keys.enumerated() where block.start + index >= looked {
        if key != RowKey.none, !known.contains(key) { rows.insert(block.start + index) }
      }
    }
    looked = session.freshCount
    if session.stale == nil { self.known = nil }
  }
}

/// The row the selection follows while a refresh replaces rows.
struct RefreshAnchor: Sendable, Hashable {
  let key: UInt64
  /// Its number among the old rows.
  let row: Int
  /// Its distance in rows from the top of the screen.
  let line: Int
}

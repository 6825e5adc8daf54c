import Search
import Text

extension PagerState {
  /// Lines of the table that fit on the screen.
  package var height: Int { Screen(canvas).bodyHeight }

  /// The query line holds something else than was asked.
  package var isDraft: Bool {
    trimmedLine != session.query.text || session.generation == 0 && !line.isEmpty
  }

  var trimmedLine: String {
    let characters = line.characters.drop { $0.isWhitespace }
    let end = characters.lastIndex { !$0.isWhitespace }
    return end.map { String(characters[...$0]) } ?? ""
  }

  /// The line that showed the query was emptied, and nothing else was asked yet: the rows stay, dimmed, until then.
  var showsPreviousResults: Bool {
    focus == .query && line.isEmpty && isDraft && !rows.isEmpty && session.stale == nil
  }

  /// Searches for what the query line says.
  mutating func submit() {
    allowance = rules.pagesPerKey
    if let limit = rules.input.maxLength, line.characters.count > limit {
      say("query too long: at most \(limit) characters", .warning)
      return
    }
    update(.searched(Query(trimmedLine, options: options), .pages(1)))
  }

  /// Passes an event to the session, and lets what is shown follow what it did.
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
      search.seek = nil
      marks.follow(from: oldRows, to: rows)
    } else if change == .appended {
      marks.recognise(rows, from: oldRows.count)
    }
    if after.generation != before.generation, after.stale != .refresh {
      novelties = Novelties()
      anchor = nil
    }
    novelties.note(session)
    if before.stale == .query && after.stale == nil || oldRows.isEmpty { viewport = Viewport() }
    followAnchor(ofOthers: change == .replaced)
  }

  /// The line that shows a failure may be cut; the messages have all of it.
  private mutating func noteFailure() {
    guard case .failed(_, let error) = session.phase else { return }
    let text = "Page \(pageNumber) failed: \(error.message)"
    messages.note(error.remedySentence.map { "\(text). \($0)" } ?? text, .error)
  }

  func keyOfRow(at position: Int) -> UInt64? { row(at: position).flatMap { rows.key(of: $0) } }

  /// Refreshes what is on screen; the selection follows its row by key.
  mutating func refresh() {
    setAnchor()
    novelties.begin(over: session)
    update(.refreshed(rows: shownRowsEnd))
  }

  /// The rows that must be there for the screen to stay filled: in a list that is filtered or sorted they may be far
  /// apart.
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

  /// Loads on by itself while the screen is near the end of the rows: at most `pagesPerKey` pages after a key, and
  /// never when the service's budget is nearly used up. Never with a filter, and never in a sorted list either: what
  /// comes is not what follows there, and would only spend requests.
  mutating func loadAhead() {
    guard departure == nil, allowance > 0, session.isIdle, session.hasMore, list.filter.isEmpty,
      list.sort == nil
    else {
      return
    }
    let below = listCount - (viewport.top + height)
    guard below < rules.prefetch * height, session.allowsPrefetch else { return }
    allowance -= 1
    update(.wanted(.pages(1)))
  }

  /// The user went to a row: what would move the selection elsewhere is given up, and while a refresh runs the
  /// selection follows this row.
  mutating func moveAnchor() {
    list.awaited = nil
    search.seek = nil
    if case .refresh? = session.stale?.cause { setAnchor() } else { anchor = nil }
  }

  /// - Parameter isReplaced: row numbers have come to mean other rows.
  private mutating func followAnchor(ofOthers isReplaced: Bool) {
    guard let anchor else { return }
    if let row = session.fresh.row(withKey: anchor.key) {
      self.anchor = nil
      select(row, atLine: anchor.line)
    } else if session.stale?.cause == .refresh {
      // Rows that came before it have moved it. One whose page has come without it stays where it was: whether it
      // comes on a later page is not known yet.
      if isReplaced, let row = rows.row(withKey: anchor.key), isOnLaterPage(row) {
        select(row, atLine: anchor.line)
      }
    } else if session.isSettled, !isAwaited(anchor) {
      self.anchor = nil
    }
  }

  /// On the first screen, new rows are to be seen above the selected one; elsewhere it keeps its line.
  private mutating func select(_ row: Int, atLine line: Int) {
    if viewport.top == 0, list.order == nil {
      viewport.select(row, of: listCount)
    } else {
      list.awaited = PlacedRow(row: row, line: line)
    }
  }

  /// Whether an old row is of a page that the refresh has not reached.
  private func isOnLaterPage(_ row: Int) -> Bool {
    guard let page = rows.locate(row)?.block.position.ordinal else { return false }
    return session.fresh.blocks.last.map { $0.position.ordinal < page } ?? true
  }

  /// A refresh covers the screen as it is now, though the user went elsewhere since it began: what it does not cover
  /// is dropped when it is complete.
  mutating func refreshToTheScreensEnd() {
    guard let wanted = session.refreshedRowsWanted else { return }
    let end = min(shownRowsEnd, rows.count)
    if end > wanted { update(.wanted(.rows(end))) }
  }

  /// Whether the row may yet come: new rows before it have moved it to a page behind those that were refreshed.
  private func isAwaited(_ anchor: RefreshAnchor) -> Bool {
    session.hasMore && session.freshCount <= anchor.row + novelties.count
  }

  /// Takes the columns of the first page of a query, and the widths of what came since. A refresh shows the same list:
  /// its columns stay as wide as they are. O(pages that came).
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
}

import Search

extension PagerState {
  /// Rows of the table that fit on the screen.
  package var height: Int { Screen(canvas).bodyHeight }

  /// The query line holds something else than was asked.
  package var isDraft: Bool { trimmedLine != session.query.text || session.generation == 0 && !line.isEmpty }

  var trimmedLine: String {
    let characters = line.characters.drop { $0.isWhitespace }
    let end = characters.lastIndex { !$0.isWhitespace }
    return end.map { String(characters[...$0]) } ?? ""
  }

  /// Asks what the query line says.
  mutating func submit() {
    allowance = rules.pagesPerKey
    if let limit = rules.input.maxLength, line.characters.count > limit {
      message = "the query is longer than the \(limit) characters this service takes"
      return
    }
    var query = session.query
    if session.generation == 0 { query = start }
    query.text = trimmedLine
    update(.searched(query, .pages(1)))
  }

  /// Passes an event to the session, and lets viewport and columns follow what it did.
  mutating func update(_ event: SessionEvent) {
    let before = (fresh: session.freshCount, stale: session.stale?.cause, rows: session.rows.count)
    session.reduce(event)
    if session.freshCount > 0, before.fresh == 0 { measureColumns() }
    let isReplaced = before.stale == .query && session.stale == nil
    if isReplaced || before.rows == 0 { viewport = Viewport() }
    followAnchor()
    fitViewport()
  }

  mutating func fitViewport() { viewport.fit(count: session.rows.count, height: height) }

  /// Refreshes what is on screen; the selection follows its row by key.
  mutating func refresh() {
    anchor = session.rows.key(of: viewport.selection)
    update(.refreshed(rows: viewport.top + height))
  }

  /// Loads on by itself while the screen is near the end of the rows: at most `pagesPerKey` pages after
  /// a key, never when the service's budget is nearly used up.
  mutating func loadAhead() {
    guard allowance > 0, session.isIdle, session.hasMore else { return }
    let below = session.rows.count - (viewport.top + height)
    guard below < rules.prefetch * height, session.allowsPrefetch(at: clock) else { return }
    allowance -= 1
    update(.wanted(.pages(1)))
  }

  /// While a refresh runs, the selection follows the row the user last went to.
  mutating func moveAnchor() {
    if case .refresh? = session.stale?.cause { anchor = session.rows.key(of: viewport.selection) }
  }

  private mutating func followAnchor() {
    guard let anchor else { return }
    if let row = session.fresh.row(withKey: anchor) {
      self.anchor = nil
      viewport.select(row, of: session.rows.count, height: height)
    } else if session.isSettled {
      self.anchor = nil
    }
  }

  private mutating func measureColumns() {
    guard case .cells(let table)? = session.fresh.blocks.last?.content else { return }
    columns = table.columns
    naturalWidths = table.naturalWidths
  }
}

private import Search
private import Terminal

extension PagerState {
  package mutating func reduce(_ event: PagerEvent) {
    switch event {
    case .key(let key): press(key)
    case .pasted(let text): paste(text)
    case .resized(let canvas): resize(canvas)
    case .resumed(let canvas):
      departure = nil
      redraws += 1
      resize(canvas)
    case .session(let event): update(event)
    case .columnsGuessed(let columns, let generation):
      if generation == session.generation { self.columns = columns }
    case .rested(let edit):
      if edit == edits, isDraft { submit() }
    case .ticked(let now):
      clock = now
      ticks += 1
    case .tripped(let report): message = report
    }
    loadAhead()
  }

  private mutating func press(_ key: Key) {
    message = nil
    allowance = rules.pagesPerKey
    if mode.scope == .table, let digit = key.countDigit(continuing: count) {
      count = min((count ?? 0) * 10 + digit, 999_999)
      return
    }
    let count = count
    self.count = nil
    if let action = rules.keyMap.action(for: key, in: mode.scope) {
      action.perform(&self, count)
    } else if case .query = mode, line.handle(key) {
      edited()
    }
  }

  private mutating func paste(_ text: String) {
    allowance = rules.pagesPerKey
    guard case .query = mode else {
      message = "paste goes into the query line: press s first"
      return
    }
    line.insert(text)
    edited()
  }

  private mutating func edited() {
    edits += 1
    // Nothing to wait for when the line is emptied: the rows go at once.
    if line.isEmpty { submit() }
  }

  private mutating func resize(_ canvas: Canvas) {
    self.canvas = canvas
    fitViewport()
  }
}

extension Key {
  /// The digit this key adds to a count: 1–9 open one, 0 only continues it.
  fileprivate func countDigit(continuing count: Int?) -> Int? {
    guard let text, let digit = text.wholeNumberValue, text.isASCII else { return nil }
    return digit == 0 && count == nil ? nil : digit
  }
}

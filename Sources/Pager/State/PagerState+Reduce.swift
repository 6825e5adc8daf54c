private import Search
private import Terminal
import Text

extension PagerState {
  package mutating func reduce(_ event: PagerEvent) {
    switch event {
    case .key(let key): press(key)
    case .pasted(let text): paste(text)
    case .mouse(let mouse): use(mouse)
    case .resized(let canvas): self.canvas = canvas
    case .resumed(let canvas):
      if case .source(let id)? = exitReason { showAllSources(selecting: id) }
      exitReason = nil
      redraws += 1
      self.canvas = canvas
    case .background(let background): self.background = background
    case .focused(let isFocused): self.isFocused = isFocused
    case .session(let event): update(event)
    case .ordered(let order): adopt(order)
    case .rested(let edit):
      if edit == edits, isDraft { submit() }
    case .ticked(let now):
      ticks += 1
      update(.reached(now))
    case .read(let content, let identity): take(content, for: identity)
    case .effectEnded(let id, let outcome): end(effect: id, outcome)
    case .historyRead(let queries): history.prepend(queries)
    case .refused(let why):
      exitReason = nil
      notify(why, .error)
    case .warned(let text): notify(text, .warning)
    case .tripped(let report): notify(report, .error)
    }
    settle()
  }

  /// Brings list, search and screen up to date after any change, and requests pages that have come into
  /// reach.
  private mutating func settle() {
    table.settle(width: tableWidth)
    settleList()
    settleSearch()
    fitViewport()
    fitPopup()
    refreshToTheScreensEnd()
    loadAhead()
  }
}

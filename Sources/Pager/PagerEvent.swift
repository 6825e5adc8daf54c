package import Search
package import Terminal
import Text

/// An event of the pager. Larger payloads are boxed (`indirect`), so that a key is small.
package enum PagerEvent: Sendable {
  case key(Key)
  case pasted(String)
  /// The user typed a line, in a session without a screen.
  case line(String)
  /// The user pressed Ctrl-C, in a session without a screen.
  case interrupted
  case mouse(Mouse)
  case resized(Canvas)
  /// The program regained the terminal after a suspension.
  case resumed(Canvas)
  /// The terminal reported its background, or a change of it.
  case background(Background)
  /// The terminal gained (true) or lost the focus.
  case focused(Bool)
  indirect case session(SessionEvent)
  /// All or a first part of the result of `orderRequest` or `searchRequest`.
  indirect case ordered(RowOrder)
  /// The result of `summaryRequest`.
  indirect case summarized(ColumnSummary)
  /// Nothing was typed since the edit with this number; the time of the run's clock.
  case rested(edit: Int, at: Double)
  /// No key followed these, which begin a sequence, for a while.
  case prefixRested([Key])
  /// The time of the run's clock; sent while something on the screen is animated, and before input.
  case ticked(Double)
  /// The time of the run's clock, at or after `watchDeadline`.
  case watchElapsed(Double)
  /// The result of `readingRequest`.
  indirect case read(RowDetail.Content, for: RowDetail.Identity)
  /// The row of a quick `readingRequest`. It may come twice.
  indirect case rowRead(RowDetail.Content, for: RowDetail.Identity)
  /// The result of `fieldCountRequest`.
  indirect case fieldsCounted(FieldCensus)
  /// What a program has printed so far.
  indirect case programPrinted(id: Int, ProgramReport)
  /// The result of `cellRequest`.
  case cellsRead([ReadCells])
  case effectEnded(id: Int, EffectOutcome)
  /// The queries of earlier sessions, the latest last.
  case historyRead([String])
  /// The sources whose rows hang under the rows of this one.
  case childrenFound([SourceChoice])
  /// The answer to `sourcesRequest`.
  case sourcesFound([SourceChoice])
  /// The tabs of the program, or what they show, have changed.
  indirect case tabsChanged(TabList)
  /// Several of these sources have rows under the selected row.
  case childSources([SourceChoice])
  /// The chosen source cannot be used: why, and what to do.
  case refused(String)
  /// Something outside the session failed, and the session continues without it.
  case warned(String)
  /// The loop guard stopped a cycle of events that made no progress.
  case tripped(String)
}

extension PagerState {
  package mutating func reduce(_ event: PagerEvent) {
    switch event {
    case .key(let key): press(key)
    case .pasted(let text): paste(text)
    case .line(let text): enter(line: text)
    case .interrupted: stop()
    case .mouse(let mouse): use(mouse)
    case .resized(let canvas): self.canvas = canvas
    case .resumed(let canvas):
      if case .source(let id)? = exitReason { showAllSources(selecting: id) }
      exitReason = nil
      redraws += 1
      lines.shown = .rows
      self.canvas = canvas
    case .background(let background): self.background = background
    case .focused(let isFocused): self.isFocused = isFocused
    case .session(let event): update(event)
    case .ordered(let order): list.adopt(order, orderRules, search: searchRules)
    case .summarized(let summary): self.summary = summary
    case .rested(let edit, let now):
      update(.reached(now))
      if edit == query.edits, isDraft { submit() }
    case .prefixRested(let keys): if typed.keys == keys { typed.listsContinuations = true }
    case .ticked(let now):
      ticks += 1
      update(.reached(now))
    case .watchElapsed(let now): endWatchInterval(at: now)
    case .read(let content, let identity): take(content, for: identity)
    case .rowRead(let content, let identity): if readDetail == nil { take(content, for: identity) }
    case .fieldsCounted(let census): take(census)
    case .cellsRead(let cells): take(cells)
    case .programPrinted(let id, let report): effects.note(report, of: id)
    case .effectEnded(let id, let outcome): end(effect: id, outcome)
    case .historyRead(let queries): query.history.prepend(queries)
    case .childrenFound(let children): sources.children = children
    case .sourcesFound(let found): show(found)
    case .tabsChanged(let tabs): self.tabs = tabs
    case .childSources(let children):
      exitReason = nil
      sources.offeredChildren = children
      ask(.child)
    case .refused(let why):
      exitReason = nil
      notify(why, .error)
    case .warned(let text): notify(text, .warning)
    case .tripped(let report): notify(report, .error)
    }
    settle()
  }

  /// Brings everything up to date. Each step relies on the ones before it: which rows are listed and how wide the columns
  /// are, then where the selection and the matches are in that list, then what the table and the boxes over it show. Only
  /// then is it known whether a refresh reaches the end of the screen, and whether that end is near the end of the rows.
  private mutating func settle() {
    settleColumns()
    settleList()
    settleSearch()
    settleViewport()
    settlePopup()
    settlePreview()
    settlePages()
  }

  mutating func press(_ key: Key) {
    let message = messages.current
    messages.current = nil
    lastClick = nil
    let previous = focus
    allowAhead()
    if case .question(let question)? = overlays.stack.last { return answer(question, key) }
    if mode == .table, typed.take(digit: key) { return }
    if !typed.keys.isEmpty, key == Key(.escape) { return typed = TypedKeys() }
    if leavesSourceList(key) {
      exitReason = .quit
      return
    }
    typed.keys.append(key)
    switch rules.keyMap.meaning(of: typed.keys, in: mode) {
    case .action(let action):
      let count = typed.count ?? key.ownCount
      typed = TypedKeys()
      if action.keepsMessage { messages.current = message }
      action.perform(&self, count)
      if focus != previous { allowAhead() }
    case .prefix: break
    case nil:
      let keys = typed.keys
      typed = TypedKeys()
      if keys.count > 1 { notifyUnbound(keys) } else { type(key) }
    }
  }

  private mutating func type(_ key: Key) {
    switch mode {
    case .query: query.handle(key)
    case .prompt: changePrompt { _ = $0.handle(key) }
    case .table, .popup, .detail, .columns: notifyUnbound([key])
    }
  }

  private mutating func notifyUnbound(_ keys: [Key]) {
    let label = keys.map { KeyMap.label($0.notation) }.joined(separator: " ")
    // Not a message to look up later.
    messages.current = Messages.Message(
      text: "\(label) is not bound here" + hint("help", "help"), role: .warning)
  }

  /// Whether the key leaves the list of sources: the key that quits a table does, while nothing is typed.
  private func leavesSourceList(_ key: Key) -> Bool {
    guard let prompt = overlays.prompt, prompt.purpose == .source, prompt.line.isEmpty,
      case .action(let action)? = rules.keyMap.meaning(of: [key], in: .table)
    else { return false }
    return action.name == "quit"
  }

  mutating func paste(_ text: String) {
    messages.current = nil
    allowAhead()
    switch mode {
    case .query: query.insert(text)
    case .prompt: changePrompt { $0.insert(text) }
    case .table, .popup, .detail, .columns:
      notify("cannot paste here" + hint("edit-query", "edit the query"), .warning)
    }
  }
}

/// The keys typed so far of a command: a count (`3j`), then the keys of a sequence. Both are dropped together.
struct TypedKeys: Sendable {
  private(set) var count: Int?
  var keys: [Key] = [] { didSet { listsContinuations = false } }
  /// Whether the screen lists the keys that may follow.
  var listsContinuations = false

  var isEmpty: Bool { keys.isEmpty && count == nil }

  /// Adds a digit to the count before a sequence; false if the key is none. 1–9 start a count, 0 only continues one.
  mutating func take(digit key: Key) -> Bool {
    guard keys.isEmpty, let text = key.text, let digit = text.wholeNumberValue, text.isASCII,
      digit > 0 || count != nil
    else { return false }
    count = min((count ?? 0) * 10 + digit, 999_999)
    return true
  }
}

/// A click on a row.
struct Click: Sendable, Hashable {
  /// In the list.
  let position: Int
  let time: Double

  /// The longest time between two clicks that are a double click, in seconds.
  private static let longest = 0.5

  func isDoubled(by next: Click) -> Bool { position == next.position && next.time - time <= Self.longest }
}

extension Key {
  /// The count that a key brings with it: `alt-3` is its action with the count 3.
  fileprivate var ownCount: Int? {
    guard modifiers == .alt, case .character(let character) = code, character.isASCII else { return nil }
    return character.wholeNumberValue
  }
}

extension PagerState {
  mutating func use(_ mouse: Mouse) {
    guard isMouseOn else { return }
    messages.current = nil
    allowance = rules.pagesPerKey
    switch mouse.action {
    case .wheelDown: turnWheel(by: 3, at: mouse)
    case .wheelUp: turnWheel(by: -3, at: mouse)
    case .wheelLeft: if overlays.isEmpty { table.current -= 1 }
    case .wheelRight: if overlays.isEmpty { table.current += 1 }
    case .press: click(mouse)
    }
  }

  private mutating func turnWheel(by rows: Int, at mouse: Mouse) {
    if moveOverlay(by: rows) { return }
    if screen.preview?.contains(column: mouse.column, row: mouse.row) == true {
      return scrollPreview(by: rows)
    }
    scroll(lines: rows)
  }

  private mutating func click(_ mouse: Mouse) {
    if let prompt = overlays.prompt, prompt.purpose.hasList { return clickList(prompt, mouse) }
    if let popup = overlays.popup { return clickPopup(popup, mouse) }
    guard overlays.isEmpty, screen.preview?.contains(column: mouse.column, row: mouse.row) != true else {
      return
    }
    if screen.hasTitle, mouse.row == 0 {
      if let tab = TitleBar.tab(at: mouse.column, self) { goToTab(tab) }
    } else if mouse.row == screen.queryRow {
      focus = .query
      query.deselect()
    } else if screen.hasHeading, mouse.row == screen.bodyRow - 1 {
      clickHeading(at: mouse.column)
    } else if let position = position(ofScreenRow: mouse.row - screen.bodyRow) {
      if mode == .query { leaveQueryLine() }
      go(to: position)
      if let column = column(atScreenColumn: mouse.column) { table.goTo(column: column) }
      let click = Click(position: position, time: clock)
      if let lastClick, lastClick.isDoubled(by: click) { choose() }
      lastClick = click
    }
  }

  /// Selects the clicked entry; a click on the selected one is Enter.
  private mutating func clickList(_ prompt: Prompt, _ mouse: Mouse) {
    let view = PromptListView(self, prompt)
    guard let item = view.item(atColumn: mouse.column, row: mouse.row) else { return }
    let places = item - PromptList(self, prompt).selection
    if places == 0 { acceptPrompt() } else { movePrompt(by: places) }
  }

  /// Sorts by the clicked title; a second click reverses the order.
  private mutating func clickHeading(at x: Int) {
    guard let column = column(atScreenColumn: x) else { return }
    table.goTo(column: column)
    sort(isDescending: list.sort == ColumnSort(column: column, isDescending: false))
  }

  private func column(atScreenColumn x: Int) -> Int? {
    table.layout(width: tableWidth).columns.last { $0.start + Self.margin <= x }?.column
  }

  /// The list position of the row shown on a line of the table.
  private func position(ofScreenRow line: Int) -> Int? {
    guard 0..<height ~= line else { return nil }
    var end = 0
    for position in list.viewport.top..<max(list.viewport.top, list.count) {
      end += lineCount(ofRowAt: position)
      if line < end { return position }
    }
    return nil
  }

  /// Whether there is a load to stop or a failed one to dismiss.
  var canCancel: Bool { session.phase.isLoading || session.phase.isWaiting || session.phase.isFailed }

  /// Whether there is a program to stop, or a load.
  package var canStop: Bool { effects.running != nil || canCancel }

  /// Stops the program that runs or, without one, the load.
  mutating func stop() {
    if !stopProgram(), canCancel { update(.stopped) }
  }

  mutating func cancel() {
    if let popup = overlays.popup, popup.isFiltered, !popup.searchText.isEmpty {
      // The text that filters the lines goes first.
      return overlays.change { ($0.searchText, $0.scroll, $0.selection) = ("", 0, 0) }
    }
    switch mode {
    case .popup, .detail: overlays.close()
    case .columns:
      overlays.close()
      columnChoice = nil
    case .prompt: cancelPrompt()
    case .query where session.phase.isLoading || session.phase.isWaiting: update(.stopped)
    case .query: leaveQueryLine()
    case .table:
      if stopProgram() { return }
      if rules.leadsBack, session.phase.isFailed, list.rows.isEmpty {
        exitReason = .quit
      } else if canCancel {
        update(.stopped)
      } else if !list.filter.isEmpty || list.awaitedFilter != nil {
        filter(by: "")
      } else if !list.search.text.isEmpty {
        list.search = RowSearch()
      } else if rules.purpose == .pick || rules.leadsBack {
        exitReason = .quit
      }
    }
  }
}

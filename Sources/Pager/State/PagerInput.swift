import Search
import Terminal
import Text

extension PagerState {
  mutating func press(_ key: Key) {
    messages.hide()
    allowance = rules.pagesPerKey
    if case .question(let question)? = overlays.last { return answer(question, key) }
    if mode == .table, pendingKeys.isEmpty, let digit = key.countDigit(continuing: count) {
      count = min((count ?? 0) * 10 + digit, 999_999)
      return
    }
    if !pendingKeys.isEmpty, key == Key(.escape) { return dropKeys() }
    if leavesSourceList(key) {
      exitReason = .quit
      return
    }
    pendingKeys.append(key)
    switch rules.keyMap.meaning(of: pendingKeys, in: mode) {
    case .action(let action):
      let count = count
      dropKeys()
      action.perform(&self, count)
    case .prefix: break
    case nil:
      let keys = pendingKeys
      dropKeys()
      if keys.count > 1 {
        notifyUnbound(keys)
      } else {
        type(key)
      }
    }
  }

  private mutating func dropKeys() {
    pendingKeys = []
    count = nil
  }

  private mutating func type(_ key: Key) {
    switch mode {
    case .query:
      if line.handle(key) { edited() }
    case .prompt: changePrompt { $0.handle(key) }
    case .table, .popup: notifyUnbound([key])
    }
  }

  private mutating func notifyUnbound(_ keys: [Key]) {
    let label = keys.map { KeyMap.label($0.notation) }.joined(separator: " ")
    notify("\(label) is not bound here" + hint("help", "help"), .warning)
  }

  /// Whether the key leaves the list of sources: the key that quits a table does so as long as nothing is
  /// typed.
  private func leavesSourceList(_ key: Key) -> Bool {
    guard let prompt, prompt.purpose == .source, prompt.line.isEmpty else { return false }
    return rules.keyMap.action(for: key, in: .table)?.name == "quit"
  }

  mutating func paste(_ text: String) {
    messages.hide()
    allowance = rules.pagesPerKey
    switch mode {
    case .query:
      line.insert(text)
      edited()
    case .prompt:
      changePrompt {
        $0.insert(text)
        return true
      }
    case .table, .popup:
      notify("cannot paste here" + hint("edit-query", "edit the query"), .warning)
    }
  }

  /// Called when the query line changed.
  mutating func edited() {
    edits += 1
    history.forgetPlace()
  }
}

extension Key {
  /// The digit this key adds to a count: 1–9 start a count, 0 only continues one.
  fileprivate func countDigit(continuing count: Int?) -> Int? {
    guard let text, let digit = text.wholeNumberValue, text.isASCII else { return nil }
    return digit == 0 && count == nil ? nil : digit
  }
}

extension PagerState {
  mutating func use(_ mouse: Mouse) {
    guard isMouseOn else { return }
    messages.hide()
    allowance = rules.pagesPerKey
    switch mouse.action {
    case .wheelDown: turnWheel(by: 3)
    case .wheelUp: turnWheel(by: -3)
    case .press(0): click(mouse)
    case .press, .release, .drag, .move, .wheelLeft, .wheelRight: break
    }
  }

  private mutating func turnWheel(by rows: Int) {
    if moveOverlay(by: rows) { return }
    viewport.pan(by: rows, of: listCount, height: shownRowCount)
    moveAnchor()
  }

  private mutating func click(_ mouse: Mouse) {
    guard overlays.isEmpty else { return }
    let screen = Screen(canvas)
    if mouse.row == screen.queryRow {
      focus = .query
    } else if screen.hasHeading, mouse.row == screen.bodyRow - 1 {
      clickHeading(at: mouse.column)
    } else if let position = position(ofScreenRow: mouse.row - screen.bodyRow) {
      if mode == .query { leaveQueryLine() }
      go(to: position)
    }
  }

  /// Sorts by the clicked title; a second click reverses the order.
  private mutating func clickHeading(at x: Int) {
    let placed = table.layout(width: tableWidth).columns
    guard let column = placed.last(where: { $0.start + Self.margin <= x })?.column else { return }
    table.goTo(column: column)
    let isSorted = list.sort == ColumnSort(column: column, isDescending: false)
    sort(by: column, isDescending: isSorted)
  }

  /// The list position of the row shown on a line of the table.
  private func position(ofScreenRow line: Int) -> Int? {
    guard 0..<height ~= line else { return nil }
    var end = 0
    for position in viewport.top..<max(viewport.top, listCount) {
      end += lineCount(ofRowAt: position)
      if line < end { return position }
    }
    return nil
  }

  /// Whether there is a load to stop or a failed one to dismiss.
  var canCancel: Bool { session.phase.isLoading || session.phase.isWaiting || session.phase.isFailed }

  mutating func cancel() {
    switch mode {
    case .popup: close()
    case .prompt: cancelPrompt()
    case .query where session.phase.isLoading || session.phase.isWaiting: update(.stopped)
    case .query: leaveQueryLine()
    case .table:
      if canCancel {
        update(.stopped)
      } else if !list.filter.isEmpty {
        list.filter = ""
      } else if !search.text.isEmpty {
        search = RowSearch()
      } else if rules.purpose == .pick {
        exitReason = .quit
      }
    }
  }
}

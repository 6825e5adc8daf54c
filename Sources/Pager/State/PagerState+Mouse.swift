import Terminal

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
    switch mode {
    case .popup: scrollPopup(by: rows)
    case .prompt: movePrompt(by: rows)
    case .table, .query:
      viewport.pan(by: rows, of: listCount, height: shownRowCount)
      moveAnchor()
    }
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
}

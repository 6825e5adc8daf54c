import Search
import Text

/// The columns of a table, placed on a screen.
struct TableLayout: Hashable {
  /// A placed column.
  struct Column: Hashable {
    /// Its index among the columns of the table.
    let column: Int
    /// The offset of its first terminal column from the left edge of the table.
    let start: Int
    let width: Int
  }

  /// From left to right.
  let columns: [Column]
  /// The terminal columns available to them.
  let room: Int
  /// The number of columns reachable with `column-left` and `column-right`: those left of the screen, and all
  /// others that do not fit.
  let before: Int
  let after: Int
  /// The number of columns the user has hidden.
  let hidden: Int

  /// The offset of the end of the last column.
  var end: Int { columns.last.map { $0.start + $0.width } ?? 0 }
}

extension TableColumns {
  /// The terminal columns between two columns of the table.
  static let gap = 2

  /// The columns that fit on a screen: narrow screens drop columns by priority, then shrink them by weight.
  /// If columns are missing, space is reserved at the right for the indicator that says so, unless that would
  /// cost another column.
  ///
  /// - Parameter width: The terminal columns available to the table.
  func layout(width: Int) -> TableLayout { layout(width: width, from: offset) }

  /// - Parameter offset: The index in `shown` of the leftmost column.
  func layout(width: Int, from offset: Int) -> TableLayout {
    let whole = layout(room: width, from: offset)
    let sign = whole.sign(isWide: width >= TableLayout.leastForWords, later: Sanitized(" ")).width(.clusters)
    guard sign > 0 else { return whole }
    let signed = layout(room: max(1, width - sign - 1), from: offset)
    let costsNothing =
      signed.columns.count == whole.columns.count
      && zip(signed.columns, whole.columns).allSatisfy { $0.width == $1.width || canBeCut($0.column) }
    return costsNothing ? signed : whole
  }

  private func layout(room: Int, from offset: Int) -> TableLayout {
    let shown = shown
    let candidates = Array(shown.dropFirst(offset))
    var start = 0
    var placed: [TableLayout.Column] = []
    for (index, width) in zip(
      candidates, ColumnLayout(candidates.map(preferredWidth), available: room, gap: Self.gap).widths)
    where width > 0 {
      placed.append(TableLayout.Column(column: index, start: start, width: width))
      start += width + Self.gap
    }
    return TableLayout(
      columns: placed, room: room, before: min(offset, shown.count),
      after: candidates.count - placed.count, hidden: hiddenCount)
  }

  /// The width constraints of a column. A width set by the user is fixed.
  private func preferredWidth(of column: Int) -> ColumnLayout.Column {
    let cells = sharedWidths.indices.contains(column) ? sharedWidths[column] : 0
    return ColumnLayout.Column(
      content: max(cells, titleWidths[column]),
      width: widths[column].map { .fixed($0) } ?? columns[column].width, priority: columns[column].priority,
      whole: widths[column] == nil && !canBeCut(column) ? cells : 0)
  }
}

extension TableLayout {
  /// The minimum width of the table, in terminal columns, for words in the indicator.
  static let leastForWords = 50

  /// The indicator at the end of the heading for columns that are not on the screen; empty if all are.
  ///
  /// - Parameter later: Appended to the number of columns to the right.
  func sign(isWide: Bool, later: Sanitized) -> Sanitized {
    var sign = after > 0 ? Sanitized("\(after)") + later : Sanitized()
    if hidden > 0 {
      sign = sign.isEmpty ? sign : sign + .spaces(2)
      sign.append(Sanitized(isWide ? "\(hidden) hidden" : "-\(hidden)"))
    }
    return sign
  }
}

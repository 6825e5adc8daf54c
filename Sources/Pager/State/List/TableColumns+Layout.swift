import Search
import Text

/// The columns of a table as they lie on a screen.
struct TableLayout: Hashable {
  /// A column on the screen.
  struct Column: Hashable {
    /// Its index among the columns of the table.
    let column: Int
    /// The first screen column it takes, counted from the first of the table.
    let start: Int
    let width: Int
  }

  /// From left to right.
  let columns: [Column]
  /// Screen columns that they may take.
  let room: Int
  /// Columns that one goes to with `column-left` and `column-right`: to the left of the screen, and all others for
  /// which there is no room.
  let before: Int
  let after: Int
  /// Columns the user has hidden.
  let hidden: Int

  /// Screen columns up to the end of the last one.
  var end: Int { columns.last.map { $0.start + $0.width } ?? 0 }
}

extension TableColumns {
  /// Columns of the screen between two columns of the table.
  static let gap = 2

  /// The columns that fit on a screen: narrow screens drop columns by priority, then shrink them by weight. Where
  /// columns are missing, room is left at the right for the sign that says so, as long as that costs no column.
  ///
  /// - Parameter width: columns of the screen that the table may take.
  func layout(width: Int) -> TableLayout { layout(width: width, from: offset) }

  /// - Parameter offset: the place in `shown` of the leftmost column.
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
      candidates, ColumnLayout(candidates.map(wish), available: room, gap: Self.gap).widths)
    where width > 0 {
      placed.append(TableLayout.Column(column: index, start: start, width: width))
      start += width + Self.gap
    }
    return TableLayout(
      columns: placed, room: room, before: min(offset, shown.count),
      after: candidates.count - placed.count, hidden: hiddenCount)
  }

  /// What a column asks of the width of the screen. A width that the user gave is what it is.
  private func wish(of column: Int) -> ColumnLayout.Column {
    let cells = sharedWidths.indices.contains(column) ? sharedWidths[column] : 0
    return ColumnLayout.Column(
      natural: max(cells, titleWidths[column]),
      width: widths[column].map { .fixed($0) } ?? columns[column].width, priority: columns[column].priority,
      whole: widths[column] == nil && !canBeCut(column) ? cells : 0)
  }
}

extension TableLayout {
  /// Columns of a table from which on its heading has room for words.
  static let leastForWords = 50

  /// What stands at the end of the heading for the columns that are not on the screen; empty when all are.
  ///
  /// - Parameter later: stands behind the number of those that one can go to.
  func sign(isWide: Bool, later: Sanitized) -> Sanitized {
    var sign = after > 0 ? Sanitized("\(after)") + later : Sanitized()
    if hidden > 0 {
      sign = sign.isEmpty ? sign : sign + .spaces(2)
      sign.append(Sanitized(isWide ? "\(hidden) hidden" : "-\(hidden)"))
    }
    return sign
  }
}

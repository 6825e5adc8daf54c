package import Search
import Text

/// The columns of the table as arranged by the user.
package struct TableColumns: Sendable {
  /// The source's columns, or those derived from the first page.
  package private(set) var columns: [Column]
  private(set) var titleWidths: [Int]
  /// The width of the widest loaded cell of each column, in terminal columns; empty before the first page.
  private(set) var naturalWidths: [Int] = []
  /// Whether all loaded cells of each column are numbers.
  private var isNumeric: [Bool] = []
  /// Every column's index in `columns`, from left to right.
  private var order: [Int]
  private var hidden: Set<Int> = []
  /// The widths set by the user, by index in `columns`.
  private(set) var widths: [Int: Int] = [:]
  /// The index in `shown` of the current column; `settle` limits it to the shown columns.
  var current = 0
  /// The index in `shown` of the leftmost column on the screen.
  private(set) var offset = 0
  /// The preferred widths: those at the last rearrangement, plus the growth since that shrinks no other column.
  private(set) var sharedWidths: [Int] = []
  /// Whether wider cells have been loaded since the last layout.
  private var isWidened = false
  private var arrangement: Arrangement?
  /// The current column at the last layout.
  private var settled: Int?

  /// What the layout depends on besides the widths of cells.
  private struct Arrangement: Hashable {
    var screen: Int
    var order: [Int]
    var hidden: Set<Int>
    var widths: [Int: Int]
  }

  init(_ columns: [Column]) {
    self.columns = columns
    titleWidths = Self.titleWidths(columns)
    order = Array(columns.indices)
    hidden = Set(columns.indices.filter { columns[$0].isHidden })
  }

  /// The columns that are not hidden, as indices in `columns`.
  package var shown: [Int] { order.filter { !hidden.contains($0) } }

  /// The current column, as an index in `columns`; nil if there are none.
  var currentColumn: Int? {
    let shown = shown
    return shown.indices.contains(current) ? shown[current] : nil
  }

  /// Adopts the columns of the first page of a list; keeps the user's arrangement if they are the same.
  ///
  /// - Parameter added: Further columns, whose cells are not measured.
  mutating func adopt(_ cells: CellTable, with added: [Column]) {
    let all = cells.columns + added
    if all.map(\.name) != columns.map(\.name) { self = TableColumns(all) }
    columns = all
    titleWidths = Self.titleWidths(columns)
    naturalWidths = cells.naturalWidths + added.map { _ in 0 }
    isNumeric = cells.isNumeric + added.map { _ in false }
    arrangement = nil
  }

  /// Shows these columns, in this order, and hides the others; without any, all stay as they are.
  mutating func arrange(_ shown: [Int]) {
    guard !shown.isEmpty else { return }
    order = shown + order.filter { !shown.contains($0) }
    hidden = Set(columns.indices).subtracting(shown)
  }

  /// Appends hidden columns, whose cells are not measured.
  mutating func extend(by added: [Column]) {
    columns += added
    titleWidths = Self.titleWidths(columns)
    if !naturalWidths.isEmpty {
      naturalWidths += added.map { _ in 0 }
      isNumeric += added.map { _ in false }
    }
    let new = columns.indices.suffix(added.count)
    order += new
    hidden.formUnion(new)
    arrangement = nil
  }

  mutating func removeLast(_ count: Int) {
    columns.removeLast(min(count, columns.count))
    titleWidths = Self.titleWidths(columns)
    naturalWidths = Array(naturalWidths.prefix(columns.count))
    isNumeric = Array(isNumeric.prefix(columns.count))
    order.removeAll { $0 >= columns.count }
    hidden = hidden.filter { $0 < columns.count }
    widths = widths.filter { $0.key < columns.count }
    arrangement = nil
  }

  /// Measures all columns again.
  ///
  /// - Parameter pages: The cells of all pages.
  mutating func measure(_ pages: [CellTable]) {
    let pages = pages.filter { $0.rowCount > 0 && $0.columns.count >= columns.count }
    naturalWidths = columns.indices.map { index in pages.map { $0.naturalWidths[index] }.max() ?? 0 }
    isNumeric = columns.indices.map { index in pages.allSatisfy { $0.isNumeric[index] } }
    arrangement = nil
  }

  /// Takes the cells of a further page into account; no column shrinks, unless a number needs the space.
  mutating func widen(for cells: CellTable) {
    guard cells.rowCount > 0, cells.columns.count >= naturalWidths.count else { return }
    naturalWidths = zip(naturalWidths, cells.naturalWidths).map { max($0, $1) }
    isNumeric = zip(isNumeric, cells.isNumeric).map { $0 && $1 }
    isWidened = true
  }

  private static func titleWidths(_ columns: [Column]) -> [Int] {
    columns.map { Sanitized($0.title.uppercased()).width(.clusters) }
  }

  /// The columns without the user's arrangement.
  var original: TableColumns {
    var original = TableColumns(columns)
    original.naturalWidths = naturalWidths
    original.isNumeric = isNumeric
    return original
  }

  /// Whether cells of a column may be truncated. A truncated number would read as a different number.
  func canBeCut(_ column: Int) -> Bool {
    columns[column].canBeCut && !(isNumeric.indices.contains(column) && isNumeric[column])
  }

  /// Whether no loaded row has a value in the column; false before the first page.
  func isBlank(_ column: Int) -> Bool { naturalWidths.indices.contains(column) && naturalWidths[column] == 0 }

  mutating func goTo(column: Int) { current = shown.firstIndex(of: column) ?? current }

  mutating func hideCurrent() {
    guard let column = currentColumn, shown.count > 1 else { return }
    hidden.insert(column)
  }

  mutating func showAll() {
    let column = currentColumn
    hidden = []
    if let column { goTo(column: column) }
  }

  mutating func shiftCurrent(by places: Int) {
    let shown = shown
    let target = max(0, min(current + places, shown.count - 1))
    guard let column = currentColumn, target != current, let from = order.firstIndex(of: column),
      let to = order.firstIndex(of: shown[target])
    else { return }
    order.remove(at: from)
    order.insert(column, at: to)
    current = target
  }

  mutating func widenCurrent(by columns: Int, screen: Int) {
    guard let column = currentColumn else { return }
    let now = layout(width: screen).columns.first { $0.column == column }?.width ?? widths[column] ?? 1
    widths[column] = max(1, min(now + columns, 500))
  }

  mutating func fitCurrent() {
    guard let column = currentColumn else { return }
    widths[column] = max(naturalWidths.isEmpty ? 0 : naturalWidths[column], titleWidths[column])
  }

  /// Updates the layout for `width` terminal columns: keeps the current column visible, with as many neighbors
  /// as fit, and gives unused space to columns that have grown.
  mutating func settle(width: Int) {
    current = max(0, min(current, shown.count - 1))
    let arrangement = Arrangement(screen: width, order: order, hidden: hidden, widths: widths)
    if arrangement != self.arrangement {
      self.arrangement = arrangement
      sharedWidths = naturalWidths
    } else if isWidened {
      distributeWidth(width: width)
    } else if current == settled {
      return
    }
    (isWidened, settled) = (false, current)
    let previous = offset
    scroll(width: width)
    guard offset != previous else { return }
    // Other columns share the screen now.
    sharedWidths = naturalWidths
    scroll(width: width)
  }

  /// Scrolls right only as far as necessary to show the current column, and left if space is unused.
  private mutating func scroll(width: Int) {
    offset = max(0, min(offset, current))
    func placed(from offset: Int) -> Set<Int> {
      Set(layout(width: width, from: offset).columns.map(\.column))
    }
    guard let column = currentColumn else { return }
    while offset < current, !placed(from: offset).contains(column) { offset += 1 }
    while offset > 0, placed(from: offset - 1).isSuperset(of: placed(from: offset)) { offset -= 1 }
  }

  /// Widens columns that have grown: numeric ones immediately, others only into unused space.
  private mutating func distributeWidth(width: Int) {
    for column in columns.indices where !canBeCut(column) { sharedWidths[column] = naturalWidths[column] }
    let layout = layout(width: width)
    let placed = layout.columns.map(\.column)
    var left = layout.room - layout.end
    var growable = placed.filter { widths[$0] == nil && sharedWidths[$0] < naturalWidths[$0] }
    while left > 0, !growable.isEmpty {
      let part = max(1, left / growable.count)
      for column in growable.prefix(left) {
        let more = min(part, naturalWidths[column] - sharedWidths[column])
        sharedWidths[column] += more
        left -= more
      }
      growable.removeAll { sharedWidths[$0] == naturalWidths[$0] }
    }
    for column in columns.indices where !placed.contains(column) {
      sharedWidths[column] = naturalWidths[column]
    }
  }
}

struct TableLayout: Hashable {
  struct Column: Hashable {
    /// Its index among the columns of the table.
    let column: Int
    /// The offset of its first terminal column from the left edge of the table.
    let start: Int
    let width: Int
  }

  let columns: [Column]
  /// The terminal columns available to them.
  let room: Int
  /// How many columns are left of the screen, and how many others do not fit; none of them is hidden.
  let before: Int
  let after: Int
  let hidden: Int

  var end: Int { columns.last.map { $0.start + $0.width } ?? 0 }

  /// The minimum width of the table, in terminal columns, for words in the indicator.
  static let minWidthForWords = 50

  /// The indicator at the end of the heading for columns that are not on the screen; empty if all are.
  ///
  /// - Parameter later: Appended to the number of columns to the right.
  func indicator(isWide: Bool, later: Sanitized) -> Sanitized {
    let right = after > 0 ? Sanitized("\(after)") + later : ""
    guard hidden > 0 else { return right }
    return right + .spaces(after > 0 ? 2 : 0) + Sanitized(isWide ? "\(hidden) hidden" : "-\(hidden)")
  }
}

extension TableColumns {
  /// The terminal columns between two columns of the table.
  static let gap = 2

  /// The columns that fit `width` terminal columns: narrow screens drop columns by priority, then shrink them by
  /// weight. If columns are missing, space is reserved at the right for the indicator that says so, unless that
  /// would cost another column.
  ///
  /// - Parameter offset: The index in `shown` of the leftmost column; nil for the current one.
  func layout(width: Int, from offset: Int? = nil) -> TableLayout {
    let offset = offset ?? self.offset
    // The first column keeps the width that it has before the table scrolls.
    let first = offset == 0 ? nil : layout(width: width, from: 0).columns.first?.width
    let pinnedWidth = first.map { min($0, max(shown.first.map(minWidth) ?? 0, width / 2 - Self.gap - 5)) }
    let whole = layout(room: width, from: offset, pinnedWidth: pinnedWidth)
    let indicator = whole.indicator(isWide: width >= TableLayout.minWidthForWords, later: Sanitized(" "))
      .width(.clusters)
    guard indicator > 0 else { return whole }
    let shorter = layout(
      room: max(1, width - indicator - 1), from: offset, pinnedWidth: pinnedWidth)
    let isFree = shorter.columns.elementsEqual(whole.columns) { $0.width == $1.width || canBeCut($0.column) }
    return isFree ? shorter : whole
  }

  private static let maxLines = 8

  /// A cell as lines that fit its column, at most `height`; only text aligned to the left is wrapped.
  func wrapped(
    _ cell: Sanitized, in column: TableLayout.Column, height: Int, _ model: WidthModel
  ) -> [Sanitized] {
    guard columns[column.column].alignment == .leading else { return [cell] }
    return cell.wrapped(to: column.width, most: max(1, min(Self.maxLines, height)), model)
  }

  /// The first column stays when the table scrolls sideways, unless it would take more than half of it.
  private func layout(room: Int, from offset: Int, pinnedWidth: Int?) -> TableLayout {
    let shown = shown
    let next = offset > 0 && offset < shown.count ? shown[offset] : nil
    let pinned =
      next.map { next in
        shown.prefix(1).filter { minWidth(of: $0) <= room / 2 - Self.gap && minWidth(of: next) <= room / 2 }
      } ?? []
    let candidates = pinned + shown.dropFirst(offset)
    var start = 0
    var placed: [TableLayout.Column] = []
    var preferred = candidates.map(preferredWidth)
    // The column after the pinned one is not dropped either.
    if !pinned.isEmpty {
      preferred[1].priority = -1
      if let pinnedWidth { preferred[0].width = .fixed(pinnedWidth) }
    }
    let widths = ColumnLayout(preferred, available: room, gap: Self.gap).widths
    for (index, width) in zip(candidates, widths) where width > 0 {
      placed.append(TableLayout.Column(column: index, start: start, width: width))
      start += width + Self.gap
    }
    return TableLayout(
      columns: placed, room: room, before: max(0, min(offset, shown.count) - pinned.count),
      after: candidates.count - placed.count, hidden: hidden.count)
  }

  /// The longest title that a column is not narrower than.
  private static let maxTitleWidth = 16

  /// A column is not narrower than its title, and shows some of its cells.
  private func minWidth(of column: Int) -> Int {
    if case .fixed(let width) = columns[column].width { return width }
    let cells = sharedWidths.indices.contains(column) ? sharedWidths[column] : 0
    let title = min(titleWidths[column], Self.maxTitleWidth)
    return widths[column] ?? max(title, min(cells, ColumnWidth.minContentWidth))
  }

  /// The width constraints of a column. A width set by the user is fixed.
  private func preferredWidth(of column: Int) -> ColumnLayout.Column {
    let cells = sharedWidths.indices.contains(column) ? sharedWidths[column] : 0
    var width = widths[column].map { .fixed($0) } ?? columns[column].width
    if case .flexible(nil, let max, let weight) = width {
      width = .flexible(min: Swift.min(minWidth(of: column), max ?? .max), max: max, weight: weight)
    }
    return ColumnLayout.Column(
      content: max(cells, titleWidths[column]), width: width, priority: columns[column].priority,
      whole: widths[column] == nil && !canBeCut(column) ? cells : 0)
  }
}

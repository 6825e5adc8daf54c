package import Search

/// The columns of the table as the user arranged them.
package struct TableColumns: Sendable {
  /// Those of the source, or those made from the first page.
  package private(set) var columns: [Column]
  /// The widest cell of each column on the first page, in terminal columns.
  private(set) var naturalWidths: [Int] = []
  /// Every column's index in `columns`, from left to right.
  private var order: [Int]
  private var hidden: Set<Int> = []
  /// Widths the user gave, by index in `columns`.
  private(set) var widths: [Int: Int] = [:]
  /// The place of the current column in `shown`.
  private(set) var current = 0
  /// The place in `shown` of the leftmost column on the screen.
  private(set) var offset = 0

  init(_ columns: [Column]) {
    self.columns = columns
    order = Array(columns.indices)
  }

  /// The columns that are not hidden, as indices in `columns`.
  package var shown: [Int] { order.filter { !hidden.contains($0) } }

  /// The current column, as index in `columns`; nil when there are none.
  var currentColumn: Int? {
    let shown = shown
    return shown.indices.contains(current) ? shown[current] : nil
  }

  /// Takes the columns of a new first page; what the user arranged stays when they are the same.
  mutating func adopt(_ columns: [Column], naturalWidths: [Int]) {
    if columns.map(\.name) != self.columns.map(\.name) { self = TableColumns(columns) }
    self.columns = columns
    self.naturalWidths = naturalWidths
  }

  /// As nobody has arranged them.
  var original: TableColumns {
    var original = TableColumns(columns)
    original.naturalWidths = naturalWidths
    return original
  }

  mutating func moveCurrent(by places: Int) { current += places }
  mutating func goTo(_ place: Int) { current = place }
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

  /// Exchanges the current column with its neighbours.
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
    let now = layout(width: screen).first { $0.column == column }?.width ?? widths[column] ?? 1
    widths[column] = max(1, min(now + columns, 500))
  }

  /// As wide as the widest cell seen.
  mutating func fitCurrent() {
    guard let column = currentColumn else { return }
    widths[column] = max(natural(column), titleWidth(column))
  }

  /// Keeps the current column among those shown, and on the screen.
  mutating func settle(width: Int) {
    let count = shown.count
    current = max(0, min(current, count - 1))
    offset = max(0, min(offset, current))
    while offset < current, let column = currentColumn,
      !layout(width: width).contains(where: { $0.column == column })
    { offset += 1 }
  }
}

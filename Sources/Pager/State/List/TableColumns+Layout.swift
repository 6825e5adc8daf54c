private import Search
private import Text

/// A column on the screen.
struct PlacedColumn: Hashable {
  /// Its index among the columns of the table.
  let column: Int
  /// The first screen column it takes, counted from the first of the table.
  let start: Int
  let width: Int
}

extension TableColumns {
  /// Columns of the screen between two columns of the table.
  static let gap = 2

  /// The columns that fit on a screen, from the leftmost: narrow screens drop columns by priority, then shrink
  /// them by weight.
  func layout(width: Int) -> [PlacedColumn] {
    let candidates = Array(shown.dropFirst(offset))
    let items = candidates.map { index in
      ColumnLayout.Column(
        natural: max(natural(index), titleWidth(index)),
        width: widths[index].map { .fixed($0) } ?? columns[index].width, priority: columns[index].priority)
    }
    var start = 0
    var placed: [PlacedColumn] = []
    for (index, width) in zip(candidates, ColumnLayout(items, available: width, gap: Self.gap).widths)
    where width > 0 {
      placed.append(PlacedColumn(column: index, start: start, width: width))
      start += width + Self.gap
    }
    return placed
  }

  func titleWidth(_ column: Int) -> Int {
    Sanitized(columns[column].title.uppercased()).width(.clusters)
  }

  func natural(_ column: Int) -> Int {
    naturalWidths.indices.contains(column) ? naturalWidths[column] : 0
  }
}

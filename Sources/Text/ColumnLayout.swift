/// The width of a table column, in terminal columns.
package enum ColumnWidth: Sendable, Hashable {
  case fixed(Int)
  /// The content width within `min` and `max`. A column without a `weight` (0) gets its width first; columns with a
  /// weight share the rest. Without `min` a column may shrink to `minContentWidth`, or to its content width if that is
  /// less.
  case flexible(min: Int? = nil, max: Int? = nil, weight: Int = 0)

  package static let preferred = ColumnWidth.flexible()
  package static let minContentWidth = 8
}

/// The widths of a table's columns on a screen of a given width.
///
/// If there is room, each column gets its preferred width: its content width within its limits. If the
/// minimum widths do not fit, columns are dropped, those with the largest priority first, and of equal ones
/// the rightmost; the first column is never dropped. Columns without a weight then grow evenly from their
/// minimum widths, and columns with a weight share the rest in proportion to it. If every column has its
/// preferred width and there is room left, it goes to the column dropped last, narrower than preferred, if
/// that column may shrink and remains readable, and then to columns limited by their `max`. A value is thus
/// truncated only if its width is fixed or the screen is full. The table is never wider than the screen.
/// O(n²) in the number of columns.
package struct ColumnLayout: Sendable, Hashable {
  package struct Column: Sendable, Hashable {
    /// The width of the widest cell, in columns.
    package var content: Int
    package var width: ColumnWidth
    /// Columns with a larger priority are dropped first.
    package var priority: Int
    /// The minimum width at which no value is truncated, for values such as numbers that would read as a
    /// different value. The column is never narrower, whatever its `width`, unless it is the only one. 0 if
    /// values may be truncated. Values above `maxUncutWidth` are ignored.
    package var whole: Int

    package init(content: Int, width: ColumnWidth = .preferred, priority: Int = 0, whole: Int = 0) {
      self.content = content
      self.width = width
      self.priority = priority
      self.whole = whole
    }
  }

  /// The width of each column; 0 if it is dropped.
  package private(set) var widths: [Int]

  /// - Parameter gap: The number of empty columns between two table columns.
  package init(_ columns: [Column], available: Int, gap: Int) {
    let (available, gap) = (Column.clamped(available, from: 0), Column.clamped(gap, from: 0))
    widths = columns.map { _ in 0 }
    let ranges = columns.map(\.range)
    var shown = Array(columns.indices)
    func room() -> Int {
      available - gap * (shown.count - 1) - shown.reduce(0) { $0 + ranges[$1].lowerBound }
    }
    var dropped: Int?
    while room() < 0, let least = Self.minWanted(of: shown, in: columns) {
      dropped = shown.remove(at: least)
    }
    guard let first = shown.first else { return }
    for index in shown { widths[index] = ranges[index].lowerBound }
    if room() < 0 { widths[first] = available }
    var left = max(room(), 0)
    let weighted = shown.filter { columns[$0].weight > 0 }
    let unweighted = shown.filter { columns[$0].weight == 0 }
    grow(unweighted, to: ranges, by: { _ in 1 }, from: &left)
    grow(weighted, to: ranges, by: { columns[$0].weight }, from: &left)
    if let dropped, columns[dropped].isFlexible, left >= gap + ColumnWidth.minContentWidth {
      let room = min(left - gap, ranges[dropped].upperBound)
      if room >= columns[dropped].uncutWidth {
        widths[dropped] = room
        left -= gap + room
      }
    }
    let endless = columns.map { $0.isFlexible ? 1...Column.clamped($0.content, from: 1) : 1...1 }
    let truncated = columns.indices.filter { widths[$0] > 0 && widths[$0] < endless[$0].upperBound }
    grow(truncated, to: endless, by: { _ in 1 }, from: &left)
  }

  /// The index in `shown` of the column to drop next; nil if only the first is left.
  private static func minWanted(of shown: [Int], in columns: [Column]) -> Int? {
    shown.indices.dropFirst().max { (columns[shown[$0]].priority, $0) < (columns[shown[$1]].priority, $1) }
  }

  /// Distributes `left` to columns in proportion to their weights. No column grows beyond the upper bound of its range.
  private mutating func grow(
    _ indices: [Int], to ranges: [ClosedRange<Int>], by weight: (Int) -> Int, from left: inout Int
  ) {
    func need(_ index: Int) -> Int { ranges[index].upperBound - widths[index] }
    var growable = indices
    while !growable.isEmpty {
      let weights = growable.reduce(0) { $0 + weight($1) }
      let sated = growable.filter { need($0) * weights <= left * weight($0) }
      if sated.isEmpty { return share(&left, among: growable, by: weight, of: weights) }
      for index in sated {
        left -= need(index)
        widths[index] = ranges[index].upperBound
      }
      growable.removeAll(where: sated.contains)
    }
  }

  /// Distributes all of `left` to columns that each need more than their share; the remainder of rounding
  /// goes to the first columns.
  private mutating func share(
    _ left: inout Int, among indices: [Int], by weight: (Int) -> Int, of weights: Int
  ) {
    let whole = left
    for index in indices {
      let part = whole * weight(index) / weights
      widths[index] += part
      left -= part
    }
    for index in indices.prefix(left) { widths[index] += 1 }
    left = 0
  }
}

extension ColumnLayout.Column {
  /// Limits a number, so that sums of products do not overflow. Larger numbers are effectively infinite.
  fileprivate static func clamped(_ number: Int, from least: Int) -> Int { max(least, min(number, 1 << 20)) }

  fileprivate var weight: Int {
    guard case .flexible(_, _, let weight) = width else { return 0 }
    return Self.clamped(weight, from: 0)
  }

  fileprivate var isFlexible: Bool { if case .flexible = width { true } else { false } }

  /// Longer values may be truncated, so that one hostile number cannot take the screen from the other
  /// columns.
  private static var maxUncutWidth: Int { 40 }

  fileprivate var uncutWidth: Int { whole <= Self.maxUncutWidth ? max(whole, 0) : 0 }

  /// The range from the minimum width to the preferred width.
  fileprivate var range: ClosedRange<Int> {
    func clamped(_ columns: Int) -> Int { Self.clamped(columns, from: 1) }
    switch width {
    case .fixed(let columns):
      let fixed = clamped(max(columns, uncutWidth))
      return fixed...fixed
    case .flexible(let min, let max, _):
      let shrunk = min ?? Swift.min(content, ColumnWidth.minContentWidth, max ?? .max)
      let least = clamped(Swift.max(shrunk, uncutWidth))
      return least...Swift.max(least, clamped(Swift.min(content, max ?? .max)))
    }
  }
}

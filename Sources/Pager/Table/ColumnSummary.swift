import Algorithms
import Search
private import Text

/// The values of a column in the listed rows.
package struct ColumnSummary: Sendable, Hashable {
  package struct Value: Sendable, Hashable {
    /// "" for rows without a value.
    package let text: String
    /// The term of a filter that keeps the rows with this value.
    package let term: String
    package let count: Int
  }

  /// Which rows these are, of which column.
  package struct Identity: Sendable, Hashable {
    package let column: Int
    /// How the rows are filtered; nil if all are listed.
    package let rules: RowOrderRules?
    package let version: Int
    package let loaded: Int
  }

  package let identity: Identity
  package let count: Int
  package let empty: Int
  package let distinct: Int
  /// The least and the greatest value, and of numbers and times the one in the middle; "" if there is none.
  package let min: String
  package let median: String
  package let max: String
  /// The most frequent values, at most `maxValues` of them.
  package let values: [Value]

  static let maxValues = 100
}

/// A request to summarize a column; answered by `.summarized`.
package struct ColumnSummaryRequest: Sendable, Equatable {
  package let identity: ColumnSummary.Identity
  let rows: RowStore
  /// The listed rows; nil for all.
  let listed: [UInt32]?
  let column: Column

  package static func == (a: ColumnSummaryRequest, b: ColumnSummaryRequest) -> Bool {
    a.identity == b.identity
  }

  /// Nil if it is canceled. O(rows); yields every few thousand rows.
  package func run() async -> ColumnSummary? {
    var counting = ColumnCounting(column: column, index: identity.column)
    var next = 0
    while next < end {
      if Task.isCancelled { return nil }
      let stop = min(end, next + 4_000)
      count(next..<stop, in: &counting)
      next = stop
      await Task.yield()
    }
    return counting.summary(identity, rows)
  }

  var end: Int { listed?.count ?? rows.count }

  func count(_ places: Range<Int>, in counting: inout ColumnCounting) {
    for place in places {
      let row = listed.map { Int($0[place]) } ?? place
      if let (cells, index) = rows.cells(of: row) { counting.add(row, at: index, of: cells) }
    }
  }
}

/// Counts the values of a column, row by row.
struct ColumnCounting {
  private enum Group: Hashable {
    case missing
    case number(SortKey)
    /// Days since 1970.
    case day(Int)
    case text(String)
  }

  private struct KeyedText {
    let key: SortKey
    let text: String

    func precedes(_ other: KeyedText) -> Bool {
      key.precedes(other.key, descending: false) { FoldedText.precedes(text, other.text) } ?? false
    }
  }

  private let column: Column
  private let index: Int
  private var places: [Group: Int] = [:]
  /// The first row with each value, and how many there are.
  private var counts: [(row: Int, count: Int)] = []
  private var numbers: [SortKey] = []
  /// The least and the greatest text; of texts that are sorted as equal, the first.
  private var texts: (min: KeyedText, max: KeyedText)?
  private var count = 0
  private var empty = 0

  init(column: Column, index: Int) {
    (self.column, self.index) = (column, index)
  }

  /// - Parameter place: The index of the row in its table.
  mutating func add(_ row: Int, at place: Int, of table: CellTable) {
    count += 1
    let key = table.sortKey(row: place, column: index)
    let group: Group
    switch key.kind {
    case .missing:
      empty += 1
      group = .missing
    case .number:
      numbers.append(key)
      let second = column.format.reading == .time ? key.floor : nil
      // Division rounds towards zero.
      group = second.map { .day($0 >= 0 ? $0 / 86_400 : ($0 + 1) / 86_400 - 1) } ?? .number(key)
    case .text:
      group = .text(String(decoding: table.text[table.range(row: place, slot: index)], as: UTF8.self))
    }
    if let known = places[group] {
      counts[known].count += 1
    } else {
      places[group] = counts.count
      counts.append((row, 1))
      if case .text(let text) = group { extendRange(to: KeyedText(key: key, text: text)) }
    }
  }

  private mutating func extendRange(to text: KeyedText) {
    guard let known = texts else {
      texts = (text, text)
      return
    }
    if text.precedes(known.min) { texts?.min = text }
    if known.max.precedes(text) { texts?.max = text }
  }

  /// - Parameter rows: The rows that were counted.
  func summary(_ identity: ColumnSummary.Identity, _ rows: RowStore) -> ColumnSummary {
    let (min, median, max) = numbers.isEmpty ? textRange : numberRange
    let values = mostFrequent.compactMap { value -> ColumnSummary.Value? in
      guard let (block, place) = rows.locate(value.row), case .cells(let table)? = block.content else {
        return nil
      }
      let term = CellTerm(row: place, column: index, of: table, in: column)
      return ColumnSummary.Value(text: term.value, term: term.text, count: value.count)
    }
    return ColumnSummary(
      identity: identity, count: count, empty: empty, distinct: counts.count - (empty > 0 ? 1 : 0),
      min: min, median: median, max: max, values: values)
  }

  /// The most frequent values, of equally frequent ones the first. O(values) as long as few of them are frequent.
  private var mostFrequent: [(row: Int, count: Int)] {
    var top: [(row: Int, count: Int)] = []
    for value in counts where top.count < ColumnSummary.maxValues || value.count > top[top.count - 1].count {
      let place = top.partitioningIndex { $0.count < value.count }
      top.insert(value, at: place)
      if top.count > ColumnSummary.maxValues { top.removeLast() }
    }
    return top
  }

  private var numberRange: (min: String, median: String, max: String) {
    let sorted = numbers.sorted { $0.bits != $1.bits ? $0.bits < $1.bits : $0.moreBits < $1.moreBits }
    func written(_ place: Int) -> String { column.written(sorted[place]) }
    return (written(0), written((sorted.count - 1) / 2), written(sorted.count - 1))
  }

  private var textRange: (min: String, median: String, max: String) {
    (texts?.min.text ?? "", "", texts?.max.text ?? "")
  }
}

extension PagerState {
  /// A request to summarize the column whose values are shown; answered by `.summarized`.
  package var summaryRequest: ColumnSummaryRequest? {
    guard let prompt = overlays.prompt, prompt.purpose == .summary,
      let identity = summaryIdentity, summary?.identity != identity, !isFiltering
    else { return nil }
    return ColumnSummaryRequest(
      identity: identity, rows: list.rows, listed: list.order?.rows, column: table.columns[identity.column])
  }

  private var summaryIdentity: ColumnSummary.Identity? {
    guard let column = table.currentColumn else { return nil }
    var rules = list.order.map { _ in orderRules }
    rules?.sort = nil
    return ColumnSummary.Identity(
      column: column, rules: rules, version: list.version, loaded: list.rows.count)
  }

  /// The summary of the current column; while it is updated, the previous one of the column, or nil.
  var shownSummary: ColumnSummary? { summary?.identity.column == table.currentColumn ? summary : nil }

  /// Lists only the rows with the value of the selected cell.
  mutating func filterByCell() {
    guard let row = list.selectedRow, let column = table.currentColumn,
      let (cells, place) = list.cells(of: row)
    else {
      return
    }
    addFilter(CellTerm(row: place, column: column, of: cells, in: table.columns[column]).text)
  }

  /// Adds a term to the filter, unless it has it already.
  mutating func addFilter(_ term: String) {
    let filter = RowFilter(list.filter)
    let added = RowFilter(term)
    if filter.terms.contains(where: { $0.text == added.terms.first?.text && !$0.isExcluding }) {
      return notify("the filter already has \(term)")
    }
    guard added.terms.count == 1, added.terms[0].named != nil, mistake(in: added) == nil else {
      return notify("cannot filter by this column: a filter cannot contain its name", .warning)
    }
    let isOpen = list.filter.count { $0 == "\"" } % 2 == 1
    let earlier = list.filter.isEmpty ? "" : list.filter + (isOpen ? "\" " : " ")
    self.filter(by: earlier + term)
    overlays.remember(list.filter, for: .filter)
  }
}

private import Search
import Text

/// What is looked for in the loaded rows (`/`).
struct RowSearch: Sendable {
  struct Seek: Sendable, Hashable {
    /// The row it begins behind (or, on the way back, before).
    var row: Int
    var isForward: Bool
    /// The row itself may be found.
    var isInclusive = false
    var count = 1
  }

  /// As typed; "" marks nothing.
  var text = ""
  /// The rows that match, by number.
  var hits: RowOrder?
  /// Set until the row it leads to is known.
  var seek: Seek?
}

extension PagerState {
  var searchRules: RowOrderRules {
    RowOrderRules(filter: search.text, visible: searchedColumns(for: search.text))
  }

  mutating func settleSearch() {
    let rules = searchRules
    if rules.isTrivial {
      search.hits = nil
      search.seek = nil
      return
    }
    if !isCurrent(search.hits, for: rules) {
      if let hits = orderAtOnce(continuing: search.hits, rules) {
        search.hits = hits
      } else if search.hits?.rules != rules || search.hits?.version != rowsVersion {
        search.hits = nil
      }
    }
    if let seek = search.seek { follow(seek) }
  }

  /// Selects the row a search leads to, as soon as enough rows were looked at; at an end it goes on at the other.
  private mutating func follow(_ seek: RowSearch.Seek) {
    guard let hits = search.hits, hits.rules == searchRules else { return }
    // A list that is being made tells the way once it is there.
    guard list.order == nil || isCurrent(list.order, for: orderRules) else { return }
    let isComplete = hits.covered == rows.count
    guard isComplete || seek.isForward && list.order == nil && hits.covered > seek.row else { return }
    let ordered = listedPlaces(of: hits)
    let start = position(of: seek.row) ?? viewport.selection
    guard !ordered.isEmpty else {
      if isComplete { giveUp() }
      return
    }
    let index = Self.place(in: ordered, from: start, seek)
    if !ordered.indices.contains(index) {
      guard isComplete else { return }
      say("search went on at the \(seek.isForward ? "first" : "last") row", .dim)
    }
    let count = ordered.count
    search.seek = nil
    viewport.select(ordered[((index % count) + count) % count], of: listCount)
    moveAnchor()
  }

  /// Where in the list the rows are that were found, ascending. O(rows) where it is sorted.
  private func listedPlaces(of hits: RowOrder) -> [Int] {
    guard let order = list.order, order.rules.sort != nil else {
      return hits.rows.compactMap { position(of: Int($0)) }
    }
    let found = RowSet(hits.rows)
    return order.rows.indices.filter { found.contains(Int(order.rows[$0])) }
  }

  private static func place(in ordered: [Int], from start: Int, _ seek: RowSearch.Seek) -> Int {
    let next = ordered.firstIndex { $0 > start || seek.isInclusive && $0 == start } ?? ordered.count
    if seek.isForward { return next + seek.count - 1 }
    let previous = ordered.lastIndex { $0 < start } ?? -1
    return previous - seek.count + 1
  }

  private mutating func giveUp() {
    search.seek = nil
    let isFiltered = !list.filter.isEmpty
    let way =
      isFiltered
      ? keyLabel("cancel", in: .table).map { "\($0) lists all rows" }
      : session.hasMore ? keyLabel("load-more", in: .table).map { "\($0) loads more" } : nil
    let fact = "no \(isFiltered ? "listed" : "loaded") row holds \"\(search.text)\""
    say([fact, way].compactMap(\.self).joined(separator: rules.glyphs.divider.string), .warning)
  }
}

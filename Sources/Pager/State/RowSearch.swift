private import Search
import Text

/// The search in the loaded rows (`/`).
struct RowSearch: Sendable {
  struct FindNext: Sendable, Hashable {
    /// The row after which the search starts (before which, if backward).
    var row: Int
    var isForward: Bool
    /// Whether the row itself may match.
    var isInclusive = false
    var count = 1
  }

  /// As typed; "" highlights nothing.
  var text = ""
  /// The matching rows, by number.
  var hits: RowOrder?
  /// Set until the row it leads to is known.
  var findNext: FindNext?
  /// The list positions of the matching rows, if the list is filtered or sorted.
  var places: Places?

  struct Places: Sendable {
    /// What the positions depend on.
    struct Basis: Hashable {
      let search: RowOrderRules
      let list: RowOrderRules
      let version: Int
      let covered: Int
    }

    let basis: Basis
    /// Ascending.
    let positions: [Int]
  }
}

extension PagerState {
  var searchRules: RowOrderRules {
    RowOrderRules(filter: search.text, visible: searchedColumns(for: search.text))
  }

  mutating func settleSearch() {
    let rules = searchRules
    if rules.isTrivial {
      search.hits = nil
      search.findNext = nil
      return
    }
    if !isCurrent(search.hits, for: rules) {
      if let hits = orderAtOnce(continuing: search.hits, rules) {
        search.hits = hits
      } else if search.hits?.rules != rules || search.hits?.version != rowsVersion {
        search.hits = nil
      }
    }
    settlePlaces()
    if let findNext = search.findNext { follow(findNext) }
  }

  /// Recomputes the positions if the list or the matches changed. O(rows).
  private mutating func settlePlaces() {
    guard let hits = search.hits, let basis = placesBasis else {
      search.places = nil
      return
    }
    if search.places?.basis != basis {
      search.places = RowSearch.Places(basis: basis, positions: listedPlaces(of: hits))
    }
  }

  /// Nil while the list or the matches are being computed, and for an unfiltered, unsorted list.
  private var placesBasis: RowSearch.Places.Basis? {
    guard let hits = search.hits, let order = list.order, isCurrent(hits, for: searchRules),
      isCurrent(order, for: orderRules)
    else { return nil }
    return RowSearch.Places.Basis(
      search: hits.rules, list: order.rules, version: rowsVersion, covered: rows.count)
  }

  /// The number of listed rows that match the search, and the index among them, from 1, of the selected one;
  /// nil while searching. O(log rows).
  var matches: (current: Int?, count: Int)? {
    guard let hits = search.hits, isCurrent(hits, for: searchRules) else { return nil }
    guard list.order != nil else {
      return (selectedRow.flatMap { hits.position(of: $0) }.map { $0 + 1 }, hits.rows.count)
    }
    guard let places = search.places, places.basis == placesBasis else { return nil }
    let index = places.positions.firstPlace { $0 >= viewport.selection }
    let isMatch = index < places.positions.count && places.positions[index] == viewport.selection
    return (isMatch ? index + 1 : nil, places.positions.count)
  }

  /// Selects the row a search leads to, once enough rows have been searched; wraps at the ends.
  private mutating func follow(_ findNext: RowSearch.FindNext) {
    guard let hits = search.hits, hits.rules == searchRules else { return }
    // Positions in a list are known only once the list is up to date.
    guard list.order == nil || isCurrent(list.order, for: orderRules) else { return }
    let isComplete = hits.covered == rows.count
    guard isComplete || findNext.isForward && list.order == nil && hits.covered > findNext.row else { return }
    let ordered = search.places?.positions ?? listedPlaces(of: hits)
    let start = position(of: findNext.row) ?? viewport.selection
    guard !ordered.isEmpty else {
      if isComplete { giveUp() }
      return
    }
    let index = Self.place(in: ordered, from: start, findNext)
    if !ordered.indices.contains(index) {
      guard isComplete else { return }
      notify("search wrapped to the \(findNext.isForward ? "top" : "bottom")", .dim)
    }
    let count = ordered.count
    search.findNext = nil
    viewport.select(ordered[((index % count) + count) % count], of: listCount)
    moveAnchor()
  }

  /// The list positions of the rows found, ascending. O(rows) if sorted.
  private func listedPlaces(of hits: RowOrder) -> [Int] {
    guard let order = list.order, order.rules.sort != nil else {
      return hits.rows.compactMap { position(of: Int($0)) }
    }
    let found = RowSet(hits.rows)
    return order.rows.indices.filter { found.contains(Int(order.rows[$0])) }
  }

  private static func place(in ordered: [Int], from start: Int, _ findNext: RowSearch.FindNext) -> Int {
    let next = ordered.firstIndex { $0 > start || findNext.isInclusive && $0 == start } ?? ordered.count
    if findNext.isForward { return next + findNext.count - 1 }
    let previous = ordered.lastIndex { $0 < start } ?? -1
    return previous - findNext.count + 1
  }

  private mutating func giveUp() {
    search.findNext = nil
    let isFiltered = !list.filter.isEmpty
    let remedy: (action: String, effect: String)? =
      isFiltered ? ("cancel", "show all rows") : session.hasMore ? ("load-more", "load more") : nil
    let key = remedy.flatMap { remedy in keyLabel(remedy.action, in: .table).map { "\($0): \(remedy.effect)" }
    }
    let fact = "no \(isFiltered ? "listed" : "loaded") rows match \(search.text.quotedOnce)"
    notify(fact + (key.map { " (\($0))" } ?? ""), .warning)
  }
}

extension PagerState {
  mutating func findNext(forward: Bool, _ count: Int) {
    if mode == .popup { return findInPopup(forward: forward) }
    guard !search.text.isEmpty else {
      return notify("nothing to find yet" + hint("find", "find"), .warning)
    }
    search.findNext = RowSearch.FindNext(row: selectedRow ?? 0, isForward: forward, count: count)
  }
}

extension [Int] {
  /// The first index whose element satisfies a condition that all later elements satisfy too; `count` if
  /// there is none. O(log n).
  fileprivate func firstPlace(where isMet: (Int) -> Bool) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if isMet(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}

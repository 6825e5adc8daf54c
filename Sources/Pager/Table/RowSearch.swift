import Search
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
  /// What the ages in the text are counted from: when it was typed.
  var now: Double?
  /// The matching rows, by number.
  var hits: RowOrder?
  /// Set until the row it leads to is known.
  var findNext: FindNext?
}

extension PagerState {
  var searchRules: RowOrderRules {
    RowOrderRules(
      filter: list.search.text, visible: searchedColumns(for: list.search.text), now: list.search.now)
  }

  mutating func settleSearch() {
    guard !list.search.text.isEmpty, case let rules = searchRules, !rules.isTrivial else {
      list.search.hits = nil
      list.search.findNext = nil
      return
    }
    if !list.isCurrent(list.search.hits, for: rules) {
      if let hits = list.orderAtOnce(continuing: list.search.hits, rules, columns: table.columns) {
        list.search.hits = hits
      } else if list.search.hits?.rules != rules || list.search.hits?.version != list.version {
        list.search.hits = nil
      }
    }
    if let findNext = list.search.findNext { follow(findNext) }
  }

  /// The number of listed matches, and the index, from 1, of the selected one; nil while searching.
  var matches: (current: Int?, count: Int)? { list.matches(orderRules, search: searchRules) }

  /// Selects the row a search leads to, once enough rows have been searched; wraps at the ends.
  private mutating func follow(_ findNext: RowSearch.FindNext) {
    guard let hits = list.search.hits, hits.rules == searchRules else { return }
    // Positions in a list are known only once the list is up to date.
    guard list.order == nil || list.isCurrent(list.order, for: orderRules) else { return }
    let isComplete = hits.covered == list.rows.count
    guard isComplete || findNext.isForward && list.order == nil && hits.covered > findNext.row else { return }
    let ordered = list.listedPlaces(of: hits)
    let start = list.position(of: findNext.row) ?? list.viewport.selection
    guard !ordered.isEmpty else {
      if isComplete { giveUp() }
      return
    }
    let index = Self.place(in: ordered, from: start, findNext)
    if !ordered.indices.contains(index) {
      guard isComplete else { return }
      notify("find wrapped to the \(findNext.isForward ? "top" : "bottom")", .dim)
    }
    let count = ordered.count
    list.search.findNext = nil
    list.viewport.select(ordered[((index % count) + count) % count], of: list.count)
    moveAnchor()
  }

  private static func place(in ordered: [Int], from start: Int, _ findNext: RowSearch.FindNext) -> Int {
    let next = ordered.firstIndex { $0 > start || findNext.isInclusive && $0 == start } ?? ordered.count
    if findNext.isForward { return next + findNext.count - 1 }
    let previous = ordered.lastIndex { $0 < start } ?? -1
    return previous - findNext.count + 1
  }

  private mutating func giveUp() {
    list.search.findNext = nil
    let isFiltered = !list.filter.isEmpty
    let remedy =
      isFiltered
      ? hint("cancel", "show all rows", in: .table)
      : session.hasMore ? hint("load-more", "load more", in: .table) : ""
    let rows = isFiltered ? "listed rows" : "loaded rows"
    notify("no \(rows) match \(list.search.text.quotedOnce)\(remedy)", .warning)
  }

  mutating func findNext(forward: Bool, _ count: Int) {
    if mode.isPopup { return findInPopup(forward: forward) }
    guard !list.search.text.isEmpty else {
      return notify("nothing to find yet" + hint("find", "find"), .warning)
    }
    list.search.findNext = RowSearch.FindNext(row: list.selectedRow ?? 0, isForward: forward, count: count)
  }
}

/// Finds the matches in a text, for highlighting.
struct MatchHighlight {
  private enum Part {
    case word(Needle)
    case fuzzy(FuzzyWord)
    /// The whole cell, if its text is this, ignoring case and Latin accents.
    case whole(String)
  }

  private let parts: [Part]

  init(phrase: String) { parts = phrase.isEmpty ? [] : [.word(Needle(phrase))] }

  /// Creates a highlight for one of the columns, without the terms that are limited to other columns.
  init(_ texts: [String], in column: Int, of columns: [Column]) {
    parts = texts.flatMap { RowFilter($0).terms }.compactMap { term in
      if term.isExcluding { return nil }
      guard let named = term.named, let index = named.index(in: columns) else {
        if term.text.isEmpty { return nil }
        return term.isFuzzy ? .fuzzy(FuzzyWord(term.text)) : .word(Needle(term.text))
      }
      guard index == column, !named.text.isEmpty else { return nil }
      return switch named.comparison {
      case nil: .word(Needle(named.text))
      case .equal: .whole(named.text)
      case .unequal, .less, .atMost, .greater, .atLeast: nil
      }
    }
  }

  var isEmpty: Bool { parts.isEmpty }

  func finds(_ text: String) -> Bool {
    parts.contains {
      if case .word(let needle) = $0 { needle.isFound(in: text) } else { !ranges($0, in: text).isEmpty }
    }
  }

  /// Splits the text into matching and other parts. O(length × terms).
  func parts(of text: Sanitized) -> [(text: Sanitized, isMatch: Bool)] {
    let ranges = self.parts.flatMap { self.ranges($0, in: text.string) }.sorted {
      $0.lowerBound < $1.lowerBound
    }
    guard !ranges.isEmpty else { return [(text, false)] }
    var parts: [(Sanitized, Bool)] = []
    var end = 0
    for range in ranges where range.lowerBound >= end {
      if range.lowerBound > end { parts.append((text[end..<range.lowerBound], false)) }
      parts.append((text[range], true))
      end = range.upperBound
    }
    if end < text.string.utf8.count { parts.append((text[end..<text.string.utf8.count], false)) }
    return parts
  }

  /// As byte offsets.
  private func ranges(_ part: Part, in text: String) -> [Range<Int>] {
    switch part {
    case .word(let needle): return needle.ranges(in: text)
    case .fuzzy(let word): return word.ranges(in: text)
    case .whole(let whole):
      // A cell is padded to the width of its column.
      let isBlank: (UInt8) -> Bool = { $0 == UInt8(ascii: " ") }
      let start = text.utf8.prefix(while: isBlank).count
      let end = text.utf8.count - text.utf8.reversed().prefix(while: isBlank).count
      guard start < end,
        FoldedText.isSame(whole, String(decoding: Array(text.utf8)[start..<end], as: UTF8.self))
      else { return [] }
      return [start..<end]
    }
  }
}

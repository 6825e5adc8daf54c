import Search
import Terminal
import Text

/// What the status tells about the rows and the session.
struct SessionFacts: Equatable {
  enum Length: CaseIterable {
    case full
    /// The same in fewer words.
    case short
    /// Without what matters least.
    case brief
  }

  private let drawing: DrawingRules
  /// The numbers of the selected match and of all, while a search is typed.
  private var match: [Int] = []
  /// The rows that are loaded, those of them that are listed, and the first and the last on the screen, from 1.
  private let loaded: Int
  private let listed: Int
  private let first: Int
  private let last: Int
  private let isFiltered: Bool
  private let isFiltering: Bool
  /// Whether all rows found are loaded, so that one number is enough.
  private let isComplete: Bool
  /// The rows found; nil if that is unknown, or not shown.
  private let total: Total?
  private let word: String?
  private let briefWord: String?
  private let marked: Int
  private let markedElsewhere: Int
  private let count: Int?
  private let keys: [Key]
  private let isQueryEmptied: Bool
  private let stale: StaleRows.Cause?
  private let isSettled: Bool
  private let duplicates: Int
  /// For screen readers: what the indicators of the selected row show.
  private var row: [String] = []

  init(_ state: __shared PagerState) {
    drawing = DrawingRules(state)
    loaded = state.rows.count
    listed = state.listCount
    first = state.viewport.top + 1
    last = min(state.viewport.top + state.shownRowCount, listed)
    isFiltered = !state.list.filter.isEmpty
    isFiltering = state.isFiltering
    isComplete = Self.isComplete(state)
    total = isComplete || loaded == 0 && state.session.total?.count == 0 ? nil : state.session.total
    let phase = state.phaseText
    word = phase.word
    briefWord = phase.brief
    marked = state.marks.count
    markedElsewhere = state.marks.elsewhere
    count = state.count
    keys = state.pendingKeys
    isQueryEmptied = state.showsPreviousResults
    stale = state.session.stale?.cause
    isSettled = state.session.isSettled
    duplicates = state.session.duplicates
    if state.prompt?.purpose == .search, state.shownPopup == nil, !state.search.text.isEmpty,
      let matches = state.matches, let current = matches.current
    {
      match = [current, matches.count]
    }
    if drawing.rules.wrappedValue.isAccessible { row = Self.selectedRow(state) }
  }

  private static func isComplete(_ state: PagerState) -> Bool {
    guard state.list.filter.isEmpty, !state.rows.isEmpty, state.session.stale == nil else { return false }
    return switch (state.session.total, state.session.phase) {
    case (.exact(let count)?, _): count == state.rows.count
    case (nil, .end(.last)), (nil, .end(.emptyPage)): true
    default: false
    }
  }

  private static func selectedRow(_ state: PagerState) -> [String] {
    guard let row = state.selectedRow else { return [] }
    let change = state.sign(of: row).map { $0 == .new ? "new" : "changed" }
    let signs = (state.marks.contains(row) ? ["marked"] : []) + [change].compactMap(\.self)
    let place = "row \(Digits.grouped(state.viewport.selection + 1))"
    return [signs.isEmpty ? place : "\(place) (\(signs.joined(separator: ", ")))"]
  }

  func text(_ length: Length) -> String { texts(length).joined(separator: rules.glyphs.divider.string) }

  private func texts(_ length: Length) -> [String] {
    let isBrief = length == .brief
    var texts: [String] = []
    if let current = match.first, let count = match.last {
      texts.append("match \(group(current)) of \(group(count))")
    }
    texts.append(rows(isBrief: isBrief))
    if let total { texts.append(found(total, reachable: isBrief ? nil : rules.reachableRows)) }
    if let word = length == .full ? word : briefWord ?? word { texts.append(word) }
    if let marks { texts.append(marks) }
    if let typedKeys { texts.append(typedKeys) }
    if isQueryEmptied { texts.append("previous results") }
    if isBrief { return texts }
    if let stale { texts.append(stale == .refresh && !isSettled ? "refreshing" : "previous results") }
    if duplicates > 0 { texts.append("\(Digits.counted(duplicates, "duplicate")) dropped") }
    return texts + row
  }

  private var rules: PagerRules { drawing.rules.wrappedValue }

  /// `1–38 of 120 loaded`, `1–38 of 120` if there are no more, or how many match the filter.
  private func rows(isBrief: Bool) -> String {
    let loaded = group(self.loaded)
    if isFiltered {
      return isFiltering ? "filtering \(loaded) loaded" : "\(group(listed)) of \(loaded) loaded match"
    }
    if isBrief || listed == 0 {
      return isComplete ? Digits.counted(self.loaded, "row") : "\(loaded) loaded"
    }
    let shown = "\(group(first))\(rules.glyphs.dash)\(group(last)) of \(loaded)"
    return isComplete ? shown : "\(shown) loaded"
  }

  private func found(_ total: Total, reachable: Int?) -> String {
    let text = "\(total.text) found"
    guard let reachable, reachable < total.count else { return text }
    return "\(text) (\(group(reachable)) available)"
  }

  /// `2 marked, 3 in other results`.
  private var marks: String? {
    switch (marked, markedElsewhere) {
    case (0, 0): nil
    case (let here, 0): "\(group(here)) marked"
    case (0, let elsewhere): "\(group(elsewhere)) marked in other results"
    case (let here, let elsewhere): "\(group(here)) marked, \(group(elsewhere)) in other results"
    }
  }

  private var typedKeys: String? {
    let keys = keys.map(\.notation).joined(separator: " ")
    let typed = [count.map { "count \($0)" }, keys.isEmpty ? nil : "keys \(keys)"].compactMap(\.self)
    return typed.isEmpty ? nil : typed.joined(separator: ", ")
  }

  private func group(_ number: Int) -> String { Digits.grouped(number) }
}

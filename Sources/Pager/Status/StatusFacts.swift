import Search
import Terminal
import Text

/// The facts of the status about the rows and the session.
extension StatusBar {
  static func facts(of state: PagerState, _ length: Length) -> String {
    let isBrief = length == .brief
    let session = state.session
    var facts: [String] = []
    if let match = typedMatch(state) { facts.append(match) }
    facts.append(rows(state, isBrief: isBrief))
    if let total = session.total, !showsAll(state), total.count > 0 || !state.list.rows.isEmpty {
      let isWhole = isBrief || session.continuesInParts
      facts.append(found(total, reachable: isWhole ? nil : state.rules.reachableRows))
    }
    if let (part, range) = session.partText, session.hasMore || !session.isSettled {
      facts += isBrief ? [part] : [part, range]
    }
    let phase = state.phaseText
    if let word = length == .full ? phase.word : phase.brief ?? phase.word { facts.append(word) }
    if let program = state.effects.running {
      let progress = state.effects.report?.progress.map { " (\($0))" } ?? ""
      facts.append(running(program, isBrief: isBrief) + progress)
    }
    if let marks = marked(state.list.marks) { facts.append(marks) }
    if let keys = typedKeys(state) { facts.append(keys) }
    if state.showsPreviousResults { facts.append("previous results") }
    if !isBrief {
      if let stale = session.stale {
        facts.append(stale.cause.isOfSameQuery && !session.isSettled ? "refreshing" : "previous results")
      }
      if session.duplicates > 0 {
        facts.append("\(Digits.counted(session.duplicates, "duplicate")) dropped")
      }
      if state.rules.isAccessible { facts += selectedRow(state) }
    }
    return facts.joined(separator: state.glyphs.divider.string)
  }

  /// `match 3 of 9`, while a search is typed.
  private static func typedMatch(_ state: PagerState) -> String? {
    guard state.overlays.prompt?.purpose == .search, state.overlays.shownPopup == nil,
      !state.list.search.text.isEmpty, let matches = state.matches, let current = matches.current
    else { return nil }
    return "match \(group(current)) of \(group(matches.count))"
  }

  /// Whether all rows found are loaded, so that one number is enough.
  private static func showsAll(_ state: PagerState) -> Bool {
    guard state.list.filter.isEmpty, !state.list.rows.isEmpty, state.session.stale == nil else {
      return false
    }
    return switch (state.session.total, state.session.phase) {
    case (.exact(let count)?, _): count == state.list.rows.count
    case (nil, .end(.last)), (nil, .end(.emptyPage)): true
    default: false
    }
  }

  /// `1–38 of 120 loaded`, `1–38 of 120` if there are no more, or how many match the filter.
  private static func rows(_ state: PagerState, isBrief: Bool) -> String {
    let loaded = group(state.list.rows.count)
    if !state.list.filter.isEmpty, !state.list.rows.isEmpty {
      return state.isFiltering
        ? "filtering \(loaded) loaded" : "\(group(state.list.count)) of \(loaded) rows match"
    }
    if isBrief || state.list.count == 0 {
      return showsAll(state) ? Digits.counted(state.list.rows.count, "row") : "\(loaded) loaded"
    }
    let last = min(state.list.viewport.top + state.shownRowCount, state.list.count)
    let shown = "\(group(state.list.viewport.top + 1))\(state.glyphs.dash)\(group(last)) of \(loaded)"
    return showsAll(state) ? shown : "\(shown) loaded"
  }

  private static func found(_ total: Total, reachable: Int?) -> String {
    let text = "\(total.text) found"
    guard let reachable, reachable < total.count else { return text }
    return "\(text) (\(group(reachable)) available)"
  }

  /// `2 marked, 3 in other results`.
  private static func marked(_ marks: Marks) -> String? {
    switch (marks.count, marks.elsewhere) {
    case (0, 0): nil
    case (let here, 0): "\(group(here)) marked"
    case (0, let elsewhere): "\(group(elsewhere)) marked in other results"
    case (let here, let elsewhere): "\(group(here)) marked, \(group(elsewhere)) in other results"
    }
  }

  private static func typedKeys(_ state: PagerState) -> String? {
    let keys = state.typed.keys.map(\.notation).joined(separator: " ")
    let typed = [state.typed.count.map { "count \($0)" }, keys.isEmpty ? nil : "keys \(keys)"].compactMap(
      \.self)
    return typed.isEmpty ? nil : typed.joined(separator: ", ")
  }

  /// The program that runs without the terminal.
  private static func running(_ name: String, isBrief: Bool) -> String {
    isBrief || name.count > 24 ? "program running" : "running \(name)"
  }

  /// For screen readers: the entry under the cursor of a popup, or what the indicators of the selected row show.
  private static func selectedRow(_ state: PagerState) -> [String] {
    if let popup = state.overlays.popup, popup.hasCursor, let place = state.popupPlace {
      let what = popup.kind == .log ? "request" : popup.kind == .columns ? "field" : "line"
      return ["\(what) \(group(popup.selection + 1)) of \(group(place.count))"]
    }
    guard let row = state.list.selectedRow else { return [] }
    let change = state.list.sign(of: row).map { $0 == .new ? "new" : "changed" }
    let signs = (state.list.marks.contains(row) ? ["marked"] : []) + [change].compactMap(\.self)
    let place = "row \(group(state.list.viewport.selection + 1))"
    return [signs.isEmpty ? place : "\(place) (\(signs.joined(separator: ", ")))"]
  }

  private static func group(_ number: Int) -> String { Digits.grouped(number) }
}

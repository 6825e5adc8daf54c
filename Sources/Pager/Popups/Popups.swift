package import Search
import Terminal
import Text

/// What covers the table and the query line; the topmost overlay receives the keys.
package enum Overlay: Sendable, Hashable {
  case popup(Popup)
  case prompt(Prompt)
  case question(Confirmation)

  var popup: Popup? { if case .popup(let popup) = self { popup } else { nil } }
  var prompt: Prompt? { if case .prompt(let prompt) = self { prompt } else { nil } }
}

/// A question confirmed by y or Enter; any other key cancels.
package enum Confirmation: Sendable, Hashable {
  /// Reset although rows are marked.
  case reset
  /// In `pick`, accept although marked rows of other queries are not loaded and would be left out.
  case accept
  /// Run a program for many rows.
  case run(RowAction)
  /// Write the shown columns to a file of the user.
  case keepColumns
}

/// Scrollable lines over the table.
package struct Popup: Sendable, Hashable {
  package enum Kind: String, Sendable, Hashable {
    case help, detail, log, request, messages, output, columns
  }

  package let kind: Kind
  /// The number of lines scrolled off the top.
  var scroll = 0
  /// The entry under the cursor.
  var selection = 0
  /// Whether the detail popup shows the row's JSON instead of its fields.
  var showsJSON = false
  /// The number of the request that is shown.
  var request: Int?
  /// The search text; in help, the filter for its actions.
  var searchText = ""
  /// The matching line that a search led to.
  var match: Match?
  /// The number of the latest request or message among its lines; nil before they are laid out.
  var seen: Int?

  struct Match: Sendable, Hashable {
    /// From 1.
    let number: Int
    let count: Int
  }

  /// Whether its search text filters its lines.
  var isFiltered: Bool { kind == .help || kind == .columns }

  /// Whether keys move a cursor instead of scrolling.
  var hasCursor: Bool { kind == .columns || kind == .detail || kind == .log }
}

/// What a popup is laid out from.
enum PopupContent {
  /// Few lines, all of them laid out.
  case lines([Line])
  case entries(PopupEntries)
}

/// The entries of a popup, of which only those on the screen are laid out.
struct PopupEntries {
  let count: Int
  /// The lines of an entry, after those that separate it from the one before.
  let lines: (Int) -> [Line]
  /// The number of the lines that separate it.
  var separators: (Int) -> Int = { _ in 0 }
  /// The text that a search finds an entry by.
  let text: (Int) -> String
  /// In place of no entries.
  var empty = ""

  /// The lines from an entry on, up to a limit.
  func lines(from first: Int, limit: Int) -> [Line] {
    var lines: [Line] = []
    for number in first..<max(first, count) {
      guard lines.count < limit else { break }
      lines += self.lines(number)
    }
    return Array(lines.prefix(limit))
  }
}

extension Popup {
  /// Scrolls as far as is needed to show the cursor; without one, at most to the end.
  fileprivate mutating func follow(height: Int, in entries: PopupEntries) {
    let count = entries.count
    selection = max(0, min(selection, count - 1))
    guard count > 0 else { return scroll = 0 }
    func lines(_ number: Int) -> Int { entries.lines(number).count }
    /// The first entry on the screen if this one is the last on it.
    func top(over last: Int) -> Int {
      var (top, used) = (last, lines(last))
      while top > 0 {
        used += lines(top - 1)
        if used > height { break }
        top -= 1
      }
      return top
    }
    let shown = hasCursor ? max(top(over: selection), min(scroll, selection)) : max(0, scroll)
    scroll = min(shown, top(over: count - 1))
  }
}

/// Where a popup with entries is.
struct PopupPlace: Sendable {
  /// The lines of the entry under the cursor among those on the screen; empty without a cursor.
  let selected: Range<Int>
  /// The entries on the screen.
  let shown: Range<Int>
  /// The number of all entries.
  let count: Int
  /// Whether all entries are on the screen.
  let isWhole: Bool
}

/// The overlays from the lowest to the topmost, which alone changes. There is one popup of a kind at most.
package struct OverlayStack: Sendable {
  package private(set) var stack: [Overlay] = []
  /// The earlier inputs of each prompt.
  private var recalls: [Prompt.Purpose: QueryHistory] = [:]
  /// The number of lists of sources that were opened.
  private var sourceLists = 0

  package var isEmpty: Bool { stack.isEmpty }

  /// The topmost overlay, if it is a popup; setting another one replaces it.
  private(set) var popup: Popup? {
    get { stack.last?.popup }
    set { if popup != nil, let newValue { stack[stack.count - 1] = .popup(newValue) } }
  }

  /// The topmost overlay, if it is a prompt; setting another one replaces it.
  var prompt: Prompt? {
    get { stack.last?.prompt }
    set { if prompt != nil, let newValue { stack[stack.count - 1] = .prompt(newValue) } }
  }

  /// The topmost popup, even if a prompt or a question is over it.
  var shownPopup: Popup? { stack.last { $0.popup != nil }?.popup }

  var isDetailOpen: Bool { stack.contains { $0.popup?.kind == .detail } }

  /// Whether the action applies to a row: with a popup open, only the detail popup is about a row.
  var takesRow: Bool { popup.map { $0.kind == .detail } ?? true }

  /// The number of the open list of sources, whose sources and credentials are to be looked up; answered by
  /// `.sourcesFound`. Nil if none is open.
  package var sourcesRequest: Int? {
    stack.contains { $0.prompt?.purpose.listsSources ?? false } ? sourceLists : nil
  }

  /// Opens a popup, or closes it if it is on top.
  mutating func toggle(_ kind: Popup.Kind, showsJSON: Bool = false) {
    if popup?.kind == kind { return close() }
    stack.removeAll { $0.popup?.kind == kind }
    stack.append(.popup(Popup(kind: kind, showsJSON: showsJSON)))
  }

  mutating func open(_ prompt: Prompt) {
    if prompt.purpose.listsSources { sourceLists += 1 }
    recalls[prompt.purpose]?.forgetPlace()
    stack.append(.prompt(prompt))
  }

  mutating func ask(_ question: Confirmation) { stack.append(.question(question)) }

  mutating func close() { _ = stack.popLast() }

  mutating func change(popup change: (inout Popup) -> Void) {
    guard var changed = popup else { return }
    change(&changed)
    popup = changed
  }

  /// Opens a request of the log.
  mutating func open(request number: Int) {
    stack.append(.popup(Popup(kind: .request, request: number)))
  }

  /// Changes the topmost popup, even if a prompt or a question is over it.
  mutating func changeShown(popup change: (inout Popup) -> Void) {
    guard let index = stack.lastIndex(where: { $0.popup != nil }), var popup = stack[index].popup else {
      return
    }
    change(&popup)
    stack[index] = .popup(popup)
  }

  /// Moves the cursor of the popup, or scrolls one without.
  mutating func movePopup(by lines: Int) {
    change { if $0.hasCursor { $0.selection += lines } else { $0.scroll += lines } }
  }

  /// Clears the line of a list, and selects an entry.
  mutating func changeList(selecting place: Int) {
    prompt?.line = LineEditor()
    prompt?.selection = place
  }

  /// Sets the text to find in the popup under a prompt; false if there is none.
  mutating func search(_ text: String) -> Bool {
    guard case .popup(var popup)? = stack.dropLast().last else { return false }
    popup.searchText = text
    popup.match = nil
    if popup.isFiltered { (popup.scroll, popup.selection) = (0, 0) }
    stack[stack.count - 2] = .popup(popup)
    return true
  }

  mutating func remember(_ text: String, for purpose: Prompt.Purpose) {
    recalls[purpose, default: QueryHistory([])].append(text)
  }

  /// The input so many places before the one on the line; nil at the ends.
  mutating func recall(back: Int, for prompt: Prompt) -> String? {
    recalls[prompt.purpose]?.step(back: back, from: prompt.previous)
  }
}

extension PagerState {
  /// Moves to the next line of the popup that matches its search; wraps at the ends.
  mutating func findInPopup(forward: Bool, inclusive: Bool = false) {
    guard let popup = overlays.popup, !popup.searchText.isEmpty else { return }
    let highlight = MatchHighlight(phrase: popup.searchText)
    let texts: [String]
    switch content(of: popup) {
    case .entries(let entries): texts = (0..<entries.count).map(entries.text)
    case .lines(let lines): texts = lines.map(\.text)
    }
    let found = texts.indices.filter { highlight.finds(texts[$0]) }
    let start = popup.hasCursor ? popup.selection : popup.scroll
    let next =
      forward
      ? found.first { inclusive ? $0 >= start : $0 > start } ?? found.first
      : found.last { $0 < start } ?? found.last
    guard let next, let index = found.firstIndex(of: next) else {
      overlays.change { $0.match = nil }
      return notify("no line matches \"\(popup.searchText)\"", .warning)
    }
    overlays.change {
      if $0.hasCursor { $0.selection = next } else { $0.scroll = next }
      $0.match = Popup.Match(number: index + 1, count: found.count)
    }
  }

  mutating func answer(_ question: Confirmation, _ key: Key) {
    overlays.close()
    guard key == Key("y") || key == Key(.enter) else { return }
    switch question {
    case .reset: resetNow()
    case .accept: exitReason = .accept
    case .run(let action): runNow(action)
    case .keepColumns: request(.keepColumns(table.shown.map { table.columns[$0] }))
    }
  }

  func content(of popup: Popup) -> PopupContent {
    switch popup.kind {
    case .help: .lines(HelpLines.lines(self, matching: popup.searchText))
    case .messages: .lines(MessageLines.lines(self))
    case .log: .entries(LogLines.entries(self))
    case .request: .entries(RequestLines.entries(self, popup))
    case .output: .entries(OutputLines.entries(self))
    case .columns: .entries(ColumnChoiceLines.entries(self))
    case .detail: .entries(detailLines(popup).popupEntries)
    }
  }

  /// Lays out the popup. Keeps its lines in place when new ones come before them, except at the top, where they should
  /// be seen, and clamps its scroll position to its lines.
  mutating func settlePopup() {
    popupPlace = nil
    popupLines = []
    guard var popup = overlays.shownPopup else { return }
    if popup.kind == .columns { columnChoice?.list(matching: popup.searchText) }
    let height = popupBox.inner.rows
    switch content(of: popup) {
    case .lines(let lines):
      popupLines = lines
      if popup.kind == .messages, let seen = popup.seen, popup.scroll > 0 {
        popup.scroll += messageLines(since: seen).count
      }
      popup.scroll = max(0, min(popup.scroll, lines.count - height))
      popup.seen = messages.count
    case .entries(let entries):
      if popup.kind == .log {
        let latest = session.log.last?.number ?? 0
        let new = popup.seen.map { latest - $0 } ?? 0
        if popup.selection > 0 {
          (popup.selection, popup.scroll) = (popup.selection + new, popup.scroll + new)
        }
        popup.seen = latest
      }
      popup.follow(height: height, in: entries)
      place(popup, entries, height: height)
    }
    overlays.changeShown { $0 = popup }
  }

  /// Lays out the entries on the screen.
  private mutating func place(_ popup: Popup, _ entries: PopupEntries, height: Int) {
    if entries.count == 0, !entries.empty.isEmpty {
      popupLines = paragraph(entries.empty, theme[.dim])
      return
    }
    let lines = entries.lines(from: popup.scroll, limit: height + 1)
    popupLines = Array(lines.prefix(height))
    var selected = 0..<0
    if popup.hasCursor, entries.count > 0 {
      let before = (popup.scroll..<popup.selection).reduce(0) { $0 + entries.lines($1).count }
      let own = entries.lines(popup.selection).count
      selected = before + entries.separators(popup.selection)..<before + own
    }
    popupPlace = PopupPlace(
      selected: selected,
      shown: popup.scroll..<(entry(atLine: height - 1, popup, entries) ?? entries.count - 1) + 1,
      count: entries.count, isWhole: popup.scroll == 0 && lines.count <= height)
  }

  /// The entry on a line of the popup; nil below the last one.
  private func entry(atLine line: Int, _ popup: Popup, _ entries: PopupEntries) -> Int? {
    var end = 0
    for number in popup.scroll..<max(popup.scroll, entries.count) {
      end += entries.lines(number).count
      if line < end { return number }
    }
    return nil
  }

  /// Selects the clicked entry; a click on the selected one chooses it.
  mutating func clickPopup(_ popup: Popup, _ mouse: Mouse) {
    let inner = popupBox.inner
    guard popup.hasCursor, inner.contains(column: mouse.column, row: mouse.row),
      case .entries(let entries) = content(of: popup),
      let clicked = entry(atLine: mouse.row - inner.row, popup, entries)
    else { return }
    if clicked != popup.selection { return overlays.change { $0.selection = clicked } }
    switch popup.kind {
    case .columns: toggleColumn()
    case .detail: toggleFold()
    case .log: openRequest()
    case .help, .messages, .output, .request: break
    }
  }

  /// Opens the request under the cursor of the log.
  mutating func openRequest() {
    guard let popup = overlays.popup, popup.kind == .log,
      session.log.indices.contains(session.log.count - 1 - popup.selection)
    else { return }
    overlays.open(request: session.log[session.log.count - 1 - popup.selection].number)
  }

  /// The lines of the messages after the first `seen`.
  private func messageLines(since seen: Int) -> [Line] {
    MessageLines.lines(of: messages.all.suffix(messages.count - seen), self)
  }
}

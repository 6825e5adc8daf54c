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
}

/// Scrollable lines over the table.
package struct Popup: Sendable, Hashable {
  package enum Kind: String, Sendable, Hashable { case help, detail, log, messages, output, columns }

  package let kind: Kind
  /// The number of lines scrolled off the top.
  var scroll = 0
  /// The entry under the cursor.
  var selection = 0
  /// Whether the detail popup shows the row's JSON instead of its fields.
  var showsJSON = false
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
  var hasCursor: Bool { kind == .columns || kind == .detail }

  fileprivate func lines(_ state: PagerState) -> [Line] {
    switch kind {
    case .help: HelpLines.lines(state, matching: searchText)
    case .log: LogLines.lines(state)
    case .messages: MessageLines.lines(state)
    case .output: OutputLines.lines(state)
    // Only the visible entries are laid out.
    case .detail, .columns: []
    }
  }
}

extension Popup {
  /// Scrolls as far as is needed to show the cursor.
  ///
  /// - Parameter lines: The number of lines of an entry.
  fileprivate mutating func follow(height: Int, of count: Int, lines: (Int) -> Int) {
    selection = max(0, min(selection, count - 1))
    guard count > 0 else { return scroll = 0 }
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
    scroll = min(max(top(over: selection), min(scroll, selection)), top(over: count - 1))
  }
}

/// The cursor of a popup whose entries can be selected.
struct PopupCursor: Sendable {
  /// Its lines among those on the screen.
  let lines: Range<Int>
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
    if popup.kind == .detail {
      let lines = detailLines(popup)
      texts = (0..<lines.count).map { lines.text(of: $0) }
    } else {
      texts = popupLines.map(\.text)
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
    }
  }

  /// Lays out the popup. Keeps its lines in place when new ones come before them, except at the top, where they should
  /// be seen, and clamps its scroll position to its lines.
  mutating func settlePopup() {
    if let popup = overlays.shownPopup, popup.hasCursor { return settleCursor(of: popup) }
    popupCursor = nil
    popupLines = overlays.shownPopup?.lines(self) ?? []
    guard let popup = overlays.popup else { return }
    if let seen = popup.seen, popup.scroll > 0 {
      let new = newLines(of: popup.kind, since: seen).count
      overlays.change { $0.scroll += new }
    }
    let end = max(0, popupLines.count - popupBox.inner.rows)
    let latest = popup.kind == .log ? session.log.last?.number ?? 0 : messages.count
    overlays.change {
      $0.seen = latest
      $0.scroll = max(0, min($0.scroll, end))
    }
  }

  /// Scrolls as far as is needed to show the entry under the cursor, and lays out the entries on the screen.
  private mutating func settleCursor(of popup: Popup) {
    let height = popupBox.inner.rows
    var popup = popup
    let count: Int
    let own: Range<Int>
    if popup.kind == .columns {
      columnChoice?.list(matching: popup.searchText)
      count = columnChoice?.listed.count ?? 0
      popup.follow(height: height, of: count) { _ in 1 }
      popupLines = ColumnChoiceLines.lines(self, shown: popup.scroll..<popup.scroll + height + 1)
      own = popup.selection - popup.scroll..<popup.selection - popup.scroll + 1
    } else {
      let lines = detailLines(popup)
      count = lines.count
      popup.follow(height: height, of: count) { lines.lines(of: $0).count }
      popupLines = lines.lines(from: popup.scroll, limit: height + 1)
      let before = (popup.scroll..<popup.selection).reduce(0) { $0 + lines.lines(of: $1).count }
      own =
        before + lines.separators(before: popup.selection).count..<before
        + lines.lines(of: popup.selection).count
    }
    let isWhole = popup.scroll == 0 && popupLines.count <= height
    popupLines = Array(popupLines.prefix(height))
    popupCursor = PopupCursor(lines: own, count: count, isWhole: isWhole)
    overlays.change { ($0.selection, $0.scroll) = (popup.selection, popup.scroll) }
  }

  /// The lines of the requests or messages after the one with a number.
  private func newLines(of kind: Popup.Kind, since seen: Int) -> [Line] {
    switch kind {
    case .log: LogLines.lines(of: session.log.filter { $0.number > seen }, self)
    case .messages: MessageLines.lines(of: messages.all.suffix(messages.count - seen), self)
    case .help, .detail, .output, .columns: []
    }
  }
}

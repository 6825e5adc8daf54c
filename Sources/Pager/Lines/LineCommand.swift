import Algorithms
import Search
import Text

/// A command of the line mode: a word and what follows it on the line. Help is generated from these values.
struct LineCommand: Sendable {
  /// The text that the user types: one character, or nothing for Enter.
  let word: String
  /// What may follow it, for help.
  let argument: String
  let summary: String
  /// The action of the keys whose place it takes, in messages that name a key; nil for none.
  let action: String?
  /// The state transition. The second argument is what follows the word.
  let perform: @Sendable (inout PagerState, String) -> Void

  private init(
    _ word: String, _ summary: String, _ action: String? = nil, taking argument: String = "",
    perform: @escaping @Sendable (inout PagerState, String) -> Void
  ) {
    (self.word, self.argument, self.summary, self.action) = (word, argument, summary, action)
    self.perform = perform
  }

  static let all: [LineCommand] = [
    LineCommand("", "show the next rows", "load-more") { state, _ in state.showNextRows() },
    LineCommand("s", "search for other words", "edit-query", taking: "WORDS") { $0.search(for: $1) },
    LineCommand("&", "show only loaded rows that match; & alone shows all", "filter", taking: "TERMS") {
      state, text in
      if let mistake = state.mistake(in: RowFilter(text)) { return state.notify(mistake) }
      state.filter(by: text)
      state.showFirstRows()
    },
    LineCommand("o", "open the link of row N", "open-link", taking: "N") { state, text in
      if state.select(rowNumbered: text) { state.openLink() }
    },
    LineCommand("c", "open the nested list of row N; q goes back", "open-rows", taking: "N") { state, text in
      if state.sources.children.isEmpty { return state.notify("these rows have no nested lists", .warning) }
      if state.select(rowNumbered: text) { state.openChild() }
    },
    LineCommand("w", "write all listed rows to a file", "write-rows", taking: "FILE") { state, text in
      if text.isEmpty { return state.notify("nothing written: no file name", .warning) }
      let rows = state.selection(elseAll: true)
      if rows.numbers.isEmpty { state.notifyNoRow() } else { state.request(.write(rows, file: text)) }
    },
    LineCommand("x", "in pick, print these rows and quit", "toggle-mark", taking: "N N") {
      $0.pick(rowsNumbered: $1)
    },
    LineCommand("r", "refresh, or retry after a failure", "refresh") { state, _ in
      state.refreshOrRetry()
      state.showFirstRows()
    },
    LineCommand("?", "show this help", "help") { state, _ in state.lines.shown = .help },
    LineCommand("q", "go back, or quit", "quit") { state, _ in state.exitReason = .quit },
  ]

  static func named(_ word: some StringProtocol) -> LineCommand? { all.first { $0.word == word } }

  /// What to type in place of an action's key: `r`, `s WORDS`.
  static func label(of action: String) -> String? {
    all.first { $0.action == action }.map { command in
      command.word.isEmpty
        ? "Enter" : [command.word, command.argument].filter { !$0.isEmpty }.joined(separator: " ")
    }
  }
}

/// What the line mode shows: the state of a session without a screen.
package struct LineMode: Sendable {
  enum Shown: Sendable, Hashable {
    case rows
    case detail
    case help
    /// Only the message of the latest command.
    case message
  }

  var shown = Shown.rows
  /// The number of lines that were typed.
  package fileprivate(set) var count = 0
  /// The position in the list of the first row that is shown.
  var first = 0

  /// How many rows are shown at a time.
  static let rowCount = 10
}

extension PagerState {
  /// Carries out a line that the user typed.
  mutating func enter(line: String) {
    let text = String(line.trimming(while: \.isWhitespace))
    messages.current = nil
    lines.shown = .message
    lines.count += 1
    if overlays.isDetailOpen { overlays.close() }
    if let prompt = overlays.prompt { return choose(text, in: prompt) }
    focus = .table
    allowAhead()
    // No space follows a sign.
    let word = text.hasPrefix("&") ? text.prefix(1) : text.prefix { !$0.isWhitespace }
    if word.isEmpty || word.count == 1, let command = LineCommand.named(word) {
      command.perform(&self, String(text.dropFirst(word.count).trimming(while: \.isWhitespace)))
    } else if Int(text) != nil {
      if select(rowNumbered: text) {
        overlays.toggle(.detail)
        lines.shown = .detail
      }
    } else if word.count == 1, word.allSatisfy(\.isASCII) {
      notify(
        "unknown command \(word) " + keyHints([("help", "help"), ("edit-query", "search for it")]), .warning)
    } else {
      search(for: text)
    }
  }

  fileprivate mutating func showFirstRows() {
    (lines.shown, lines.first) = (.rows, 0)
    go(to: 0)
  }

  fileprivate mutating func showNextRows() {
    lines.first = min(lines.first + LineMode.rowCount, list.count)
    if list.count == 0 { return lines.shown = .rows }
    if lines.first < list.count || session.hasMore { lines.shown = .rows }
    if lines.first >= list.count { load(.pages(1)) }
    go(to: lines.first + LineMode.rowCount - 1)
  }

  fileprivate mutating func search(for text: String) {
    query.type(text)
    runQuery()
    showFirstRows()
  }

  /// - Parameter text: The number of a row; empty for the one that was selected before.
  fileprivate mutating func select(rowNumbered text: String) -> Bool {
    if text.isEmpty, list.selectedRow != nil { return true }
    guard let number = Int(text), number > 0 else {
      notify(
        text.isEmpty ? missingRowReason ?? "no rows yet" : "\(text) is not the number of a row", .warning)
      return false
    }
    go(toNumber: number)
    if list.count == 0 { notifyNoRow() }
    return number <= list.count
  }

  fileprivate mutating func pick(rowsNumbered text: String) {
    guard rules.purpose == .pick else { return notify("only riffle pick prints rows", .warning) }
    let words = text.split(whereSeparator: \.isWhitespace)
    if words.isEmpty { return notify("name the rows by their numbers, such as x 1 3", .warning) }
    for word in words {
      guard select(rowNumbered: String(word)) else { return list.marks = Marks() }
      if let row = list.selectedRow { list.marks.insert(row) }
    }
    exitReason = .accept
  }

  /// Chooses the entry with this name, or the only one with these words; `q` leaves.
  private mutating func choose(_ text: String, in prompt: Prompt) {
    if text == "q" { return cancelPrompt() }
    changePrompt { $0 = LineEditor(text) }
    guard let changed = overlays.prompt, !text.isEmpty else { return }
    let items = PromptList(self, changed).items
    if items.count == 1 || items.first?.text.lowercased() == text.lowercased() {
      lines.shown = .rows
      acceptPrompt()
    }
  }
}

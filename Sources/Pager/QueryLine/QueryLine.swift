import Algorithms
import Search
package import Terminal
import Text

/// A line of editable text with readline's editing keys. Positions count characters (extended grapheme
/// clusters), so that a flag or a composed kana is one step.
package struct LineEditor: Sendable, Hashable {
  package private(set) var characters: [Character]
  package private(set) var position: Int
  private var killed: [Character] = []
  /// Whether the whole text is selected: what is typed replaces it, and a movement keeps it.
  package private(set) var isSelected = false

  package init(_ text: String = "") {
    characters = Array(text)
    position = characters.count
  }

  package var text: String { String(characters) }
  package var textBeforeCaret: String { String(characters[..<position]) }
  package var isEmpty: Bool { characters.isEmpty }

  /// Inserts typed or pasted text: line breaks and tabs become spaces, other control characters are dropped.
  package mutating func insert(_ text: some StringProtocol) {
    let clean = text.unicodeScalars.compactMap { scalar -> Unicode.Scalar? in
      switch scalar {
      case "\n", "\r", "\t": " "
      case "\u{0}"..."\u{1f}", "\u{7f}"..."\u{9f}": nil
      default: scalar
      }
    }
    if isSelected, !clean.isEmpty { kill(characters.indices) }
    isSelected = false
    var before = String(characters[..<position])
    before.unicodeScalars.append(contentsOf: clean)
    // A combining mark joins the previous character, so the length is counted again rather than added.
    let head = Array(before)
    characters = head + characters[position...]
    position = head.count
  }

  package mutating func selectAll() {
    isSelected = !isEmpty
    position = characters.count
  }

  package mutating func deselect() { isSelected = false }

  package mutating func perform(_ edit: Edit) {
    let wasSelected = isSelected
    isSelected = false
    if wasSelected, edit.isDeletion { return kill(characters.indices) }
    if wasSelected, edit == .yank { remove(characters.indices) }
    switch edit {
    case .left: position = max(0, position - 1)
    case .right: position = min(characters.count, position + 1)
    case .wordLeft: position = wordStart
    case .wordRight: position = wordEnd
    case .home: position = 0
    case .end: position = characters.count
    case .deleteBackward: remove(max(0, position - 1)..<position)
    case .deleteForward: remove(position..<min(characters.count, position + 1))
    case .killToEnd: kill(position..<characters.count)
    case .killToStart: kill(0..<position)
    case .killWordBackward: kill(wordStart..<position)
    case .killWordForward: kill(position..<wordEnd)
    case .yank:
      characters.insert(contentsOf: killed, at: position)
      position += killed.count
    }
  }

  package enum Edit: Sendable, Hashable {
    case left, right, wordLeft, wordRight, home, end, deleteBackward, deleteForward
    case killToEnd, killToStart, killWordBackward, killWordForward, yank

    var isDeletion: Bool {
      switch self {
      case .left, .right, .wordLeft, .wordRight, .home, .end, .yank: false
      case .deleteBackward, .deleteForward, .killToEnd, .killToStart, .killWordBackward, .killWordForward:
        true
      }
    }
  }

  private var wordStart: Int {
    let inWord = characters[..<position].lastIndex { !$0.isWhitespace } ?? 0
    return characters[..<inWord].lastIndex(where: \.isWhitespace).map { $0 + 1 } ?? 0
  }

  private var wordEnd: Int {
    let inWord = characters[position...].firstIndex { !$0.isWhitespace } ?? characters.count
    return characters[inWord...].firstIndex(where: \.isWhitespace) ?? characters.count
  }

  private mutating func remove(_ range: Range<Int>) {
    characters.removeSubrange(range)
    position = range.lowerBound
  }

  private mutating func kill(_ range: Range<Int>) {
    guard !range.isEmpty else { return }
    killed = Array(characters[range])
    remove(range)
  }

  /// Handles an editing key; false if the key has no meaning in a line of text.
  package mutating func handle(_ key: Key) -> Bool {
    if let text = key.text {
      insert(String(text))
      return true
    }
    guard let edit = Self.edits[key] else { return false }
    perform(edit)
    return true
  }

  private static let edits: [Key: Edit] = [
    Key("a", .ctrl): .home, Key(.home): .home, Key("e", .ctrl): .end, Key(.end): .end,
    Key("b", .ctrl): .left, Key(.left): .left, Key("f", .ctrl): .right, Key(.right): .right,
    Key("b", .alt): .wordLeft, Key("f", .alt): .wordRight, Key(.left, .ctrl): .wordLeft,
    Key(.right, .ctrl): .wordRight, Key(.backspace): .deleteBackward, Key("h", .ctrl): .deleteBackward,
    Key(.delete): .deleteForward, Key("k", .ctrl): .killToEnd, Key("u", .ctrl): .killToStart,
    Key("w", .ctrl): .killWordBackward, Key(.backspace, .alt): .killWordBackward,
    Key("d", .alt): .killWordForward, Key("y", .ctrl): .yank,
  ]
}

/// The queries of this and earlier sessions, or the inputs of a prompt: the latest last, without duplicates.
package struct QueryHistory: Sendable, Hashable {
  package private(set) var entries: [String]
  /// The position of the query line in the history; 0 is what was typed.
  private var place = 0
  private var typed = ""

  init(_ entries: [String]) {
    var seen: Set<String> = []
    self.entries = entries.reversed().filter { seen.insert($0).inserted }.reversed()
  }

  mutating func append(_ query: String) { self = QueryHistory(entries + [query]) }

  /// Inserts the queries of earlier sessions before those of this one.
  mutating func prepend(_ queries: [String]) { self = QueryHistory(queries + entries) }

  mutating func forgetPlace() { place = 0 }

  /// The entry so many places before (or, if negative, after) the one on the line, or the one at the end; nil at the
  /// ends.
  mutating func step(back: Int, from line: String) -> String? {
    if place == 0 { typed = line }
    let target = max(0, min(place + back, entries.count))
    guard target != place else { return nil }
    place = target
    return target == 0 ? typed : entries[entries.count - target]
  }
}

/// The query line: the text being typed, the options chosen with it, and the queries before it. A change of the text
/// starts the way through the history again, unless the text comes from there.
package struct QueryLine: Sendable {
  package private(set) var editor: LineEditor
  /// The chosen options of the source, by name.
  package internal(set) var options: [String: String]
  package internal(set) var history = QueryHistory([])
  /// Increases with every change of the text; the debounce returns the value it waited for.
  private(set) var edits = 0

  init(_ query: Query) {
    editor = LineEditor(query.text)
    options = query.options
  }

  /// Without spaces at the ends.
  var trimmed: String {
    String(editor.characters.trimming(while: \.isWhitespace))
  }

  /// Whether the query is added to the history: one that starts with a space is kept out of it.
  var isRemembered: Bool { editor.characters.first.map { $0 != " " } ?? false }

  mutating func handle(_ key: Key) { if editor.handle(key) { noteEdit() } }

  mutating func insert(_ text: String) {
    editor.insert(text)
    noteEdit()
  }

  mutating func deleteForward() {
    editor.perform(.deleteForward)
    noteEdit()
  }

  /// Selects the text, so that what is typed replaces it.
  mutating func selectAll() { editor.selectAll() }

  mutating func deselect() { editor.deselect() }

  /// Sets the text as if it was typed.
  mutating func type(_ text: String) {
    editor = LineEditor(text)
    noteEdit()
  }

  private mutating func noteEdit() {
    edits += 1
    history.forgetPlace()
  }

  /// Sets the text; its place in the history stays.
  mutating func replace(with text: String) {
    editor = LineEditor(text)
    edits += 1
  }

  /// Goes back in the history, or forward if negative; false at its ends.
  mutating func step(back: Int) -> Bool {
    guard let query = history.step(back: back, from: editor.text) else { return false }
    replace(with: query)
    return true
  }
}

extension PagerState {
  /// Whether the query line differs from the current query.
  package var isDraft: Bool {
    query.trimmed != session.query.text || session.generation == 0 && !query.editor.isEmpty
  }

  /// Whether the query line was emptied and nothing else submitted yet: the rows stay, dimmed, until then.
  var showsPreviousResults: Bool {
    focus == .query && query.editor.isEmpty && isDraft && !list.rows.isEmpty && session.stale == nil
  }

  mutating func submit() {
    allowAhead()
    if let limit = rules.input.maxLength, query.editor.characters.count > limit {
      return notify("query too long: at most \(limit) characters", .warning)
    }
    var submitted = Query(query.trimmed, options: query.options)
    submitted.parent = start.parent
    update(.searched(submitted, .pages(1)))
  }

  /// Moves the focus to the table without searching. The line shows the current query again, and the typed
  /// text becomes the latest history entry.
  mutating func leaveQueryLine() {
    focus = .table
    query.deselect()
    guard isDraft, session.hasQuery, session.generation > 0 else { return }
    if query.isRemembered { query.history.append(query.trimmed) }
    query.replace(with: session.query.text)
  }

  /// Submits the query line if it differs from the current query; a submitted query is added to the history.
  mutating func runQuery() {
    if isDraft { submit() }
    // The session rejected the query.
    if isDraft { return }
    focus = .table
    query.deselect()
    let text = query.trimmed
    guard !text.isEmpty, query.isRemembered, query.history.entries.last != text else { return }
    query.history.append(text)
    request(.remember(text))
  }

  mutating func stepHistory(back: Int) {
    if !query.step(back: back) { notify(back > 0 ? "no earlier query" : "no later query") }
  }

  mutating func deleteOrQuit() {
    if query.editor.isEmpty { exitReason = .quit } else { query.deleteForward() }
  }
}

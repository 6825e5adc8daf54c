import Search
package import Terminal
import Text

/// A line of text typed over the session.
package struct Prompt: Sendable, Hashable {
  package enum Purpose: String, Sendable, Hashable {
    case search, filter, file, history, palette
    /// The shell command that reads rows.
    case command
    /// The source to use, before there is a session.
    case source
    /// The source or saved search to show besides this one; `newTab` if always in a new tab.
    case otherSource, newTab
    /// The source whose rows hang under the selected row.
    case child
    /// The option of the source to change.
    case option
    /// The value of an option.
    case optionValue
    /// The value of the current column to filter by.
    case summary

    var hasList: Bool { words.choices != nil }

    /// Whether its choices are names, of which the typed one comes first.
    var isListOfNames: Bool { listsSources || self == .child || self == .option || self == .palette }

    /// Whether its choices are all sources and saved searches.
    var listsSources: Bool { self == .source || self == .otherSource || self == .newTab }

    struct Words {
      /// Before the line.
      let label: String
      /// What Enter does.
      let verb: String
      /// In place of an empty line.
      var hint = ""
      /// What its list contains, in the plural; nil if it has none.
      var choices: String?
    }

    var words: Words {
      switch self {
      case .search: Words(label: "find", verb: "find")
      case .filter: Words(label: "filter", verb: "apply")
      case .file: Words(label: "write rows to", verb: "write", hint: "name.csv, .tsv or .jsonl")
      case .command:
        Words(label: "pipe rows to", verb: "run", hint: "a shell command, such as jq .name or wc -l")
      case .history: Words(label: "history", verb: "search", choices: "queries")
      case .palette: Words(label: "action", verb: "run", choices: "actions")
      case .source:
        Words(
          label: "source", verb: "open", hint: "type a name, or press Down", choices: "sources")
      case .otherSource: Words(label: "source", verb: "open", choices: "sources")
      case .newTab: Words(label: "source for new tab", verb: "open", choices: "sources")
      case .child: Words(label: "rows of", verb: "open", choices: "sources")
      case .option: Words(label: "option", verb: "choose", choices: "options")
      case .optionValue: Words(label: "value", verb: "set", choices: "values")
      case .summary: Words(label: "value", verb: "filter", choices: "values")
      }
    }
  }

  package let purpose: Purpose
  /// The name of the option whose value is chosen.
  var subject: String?
  package var line: LineEditor
  var selection = 0
  /// The text that Esc restores.
  let previous: String
  /// The selection when the prompt was opened: a search starts there, and Esc restores it.
  var origin: PlacedRow?
}

extension PagerState {
  mutating func ask(
    _ purpose: Prompt.Purpose, about subject: String? = nil, text: String = "", previous: String = ""
  ) {
    overlays.open(
      Prompt(
        purpose: purpose, subject: subject, line: LineEditor(text), previous: previous,
        origin: list.selectedPlace)
    )
  }

  /// Edits the line of the prompt; the effect is immediate.
  mutating func changePrompt(_ change: (inout LineEditor) -> Void) {
    guard var changed = overlays.prompt else { return }
    let previous = changed.line.text
    change(&changed.line)
    let isChanged = changed.line.text != previous
    if isChanged { changed.selection = 0 }
    overlays.prompt = changed
    if isChanged { apply(changed) }
  }

  /// Applies the text of a prompt while it is typed.
  private mutating func apply(_ prompt: Prompt) {
    switch prompt.purpose {
    case .filter: filter(by: prompt.line.text)
    case .search: findNext(prompt.line.text, from: prompt.origin?.row ?? 0)
    case .file, .command, .history, .palette, .source, .otherSource, .newTab, .child, .option, .optionValue,
      .summary:
      break
    }
  }

  private mutating func findNext(_ text: String, from origin: Int) {
    if overlays.search(text) { return }
    list.search.text = text
    list.search.now = RowFilter(text).hasAges ? clock : nil
    list.search.findNext = RowSearch.FindNext(row: origin, isForward: true, isInclusive: true)
  }

  /// Handles Enter: closes the line, and keeps or performs what was typed. A filter with a mistake stays open.
  mutating func acceptPrompt() {
    guard let prompt = overlays.prompt, typedMistake == nil else { return }
    if prompt.purpose == .source, sources.found == nil { return sources.isAcceptedEarly = true }
    let choice = PromptList(self, prompt).chosen
    if prompt.purpose == .source {
      if let reason = choice?.leaving {
        exitReason = reason
      } else if let id = choice?.text {
        exitReason = .source(id: id)
      }
      return
    }
    overlays.close()
    let text = prompt.line.text
    if !prompt.purpose.hasList, !text.isEmpty { overlays.remember(text, for: prompt.purpose) }
    switch prompt.purpose {
    // The list is filtered already, unless the fields are not known yet: until then, it is as before.
    case .filter:
      guard let text = list.awaitedFilter else { return }
      filter(by: prompt.previous)
      list.awaitedFilter = text
    case .source: break
    case .search where overlays.popup?.isFiltered ?? false: break
    case .search where mode.isPopup: findInPopup(forward: true, inclusive: true)
    // The selection stays at the match found while typing; if there is none, the message is shown again.
    case .search:
      list.search.findNext = RowSearch.FindNext(
        row: list.selectedRow ?? 0, isForward: true, isInclusive: true)
    case .file where text.isEmpty: notify("nothing written: no file name", .warning)
    case .file:
      let rows = selection(elseAll: true)
      if rows.numbers.isEmpty { notifyNoRow() } else { request(.write(rows, file: text)) }
    case .command where text.isEmpty: notify("nothing run: no command", .warning)
    case .command: pipe(to: text)
    case .history:
      guard let text = choice?.text else { return }
      query.type(text)
      runQuery()
    case .otherSource where choice?.leaving != nil: exitReason = choice?.leaving
    case .otherSource, .newTab:
      // What is typed before the list is there, or the path of a file, is a name too.
      let name = choice?.text ?? text
      if !name.isEmpty { exitReason = .open(name: name, inNewTab: prompt.purpose == .newTab) }
    case .child: if let id = choice?.text { exitReason = .child(id: id) }
    case .option: if let name = choice?.text { ask(.optionValue, about: name) }
    case .optionValue:
      guard let option = prompt.subject.flatMap(option), let label = choice?.text else { return }
      set(option, to: option.values.first { SourceOption.label(of: $0) == label } ?? label)
    case .summary: if let term = choice?.value { addFilter(term) }
    case .palette: if let name = choice?.text { rules.keyMap.action(named: name)?.perform(&self, nil) }
    }
  }

  /// Handles Esc: closes the line and restores the previous state.
  mutating func cancelPrompt() {
    guard let prompt = overlays.prompt else { return }
    if prompt.purpose == .source {
      exitReason = .quit
      return
    }
    overlays.close()
    switch prompt.purpose {
    case .filter:
      filter(by: prompt.previous)
      list.goBack(to: prompt.origin)
    case .search where mode.isPopup: overlays.change { $0.searchText = prompt.previous }
    case .search:
      list.search.text = prompt.previous
      list.search.findNext = nil
      list.goBack(to: prompt.origin)
    case .file, .command, .history, .palette, .source, .otherSource, .newTab, .child, .option, .summary: break
    case .optionValue: if rules.options.count > 1 { ask(.option) }
    }
  }

  /// Moves in the list of the prompt or, if it has none, in its earlier inputs.
  mutating func movePrompt(by places: Int) {
    guard var moved = overlays.prompt else { return }
    if moved.purpose.hasList {
      let count = PromptList(self, moved).items.count
      moved.selection = max(0, min(moved.selection + places, count - 1))
    } else if moved.purpose == .search, overlays.shownPopup?.kind == .columns {
      return overlays.changeShown { $0.selection += places }
    } else {
      guard let text = overlays.recall(back: -places, for: moved) else { return }
      moved.line = LineEditor(text)
    }
    overlays.prompt = moved
    apply(moved)
  }

  /// Lists the sources, for a start without one. It makes no requests and ends with `.source` or `.quit`.
  package static func choosingSource(_ rules: PagerRules, canvas: Canvas) -> PagerState {
    var nothing = Session.Rules(first: .start)
    nothing.minLength = .max
    var state = PagerState(rules, nothing, columns: [], canvas: canvas, query: Query(), now: 0)
    state.ask(.source)
    return state
  }
}

/// The choices of a prompt: the entries that contain every word of its line, then those found by other words.
struct PromptList {
  struct Item: Hashable {
    /// The value of the entry: the name of an action, or a query.
    let text: String
    let note: String
    /// What Enter takes, if it is not the text.
    var value: String?
    /// For a word by which one leaves vim: what it does here.
    var leaving: PagerState.ExitReason?
    /// What is shown of the selected entry.
    var about: [String] = []
    /// Other words that find it, which are not shown.
    var otherWords = ""
    /// The heading that it is listed under; nil for none.
    var group: String?
  }

  /// Those of any line.
  let all: [Item]
  let items: [Item]
  let selection: Int

  init(_ state: PagerState, _ prompt: Prompt) {
    let words = prompt.line.text.lowercased().split(separator: " ")
    all = Self.all(state, prompt)
    func contains(_ text: String) -> Bool {
      let text = text.lowercased()
      return words.allSatisfy { text.contains($0) }
    }
    let shown = all.filter { contains("\($0.text) \($0.note)") }
    let others = all.filter {
      !$0.otherWords.isEmpty && !contains("\($0.text) \($0.note)")
        && contains("\($0.text) \($0.note) \($0.otherWords)")
    }
    let matching = shown + others
    items = prompt.purpose.isListOfNames ? Self.nearestFirst(matching, to: prompt.line.text) : matching
    selection = max(0, min(prompt.selection, items.count - 1))
  }

  /// The entry with this name, then those that begin with it, then the others.
  private static func nearestFirst(_ items: [Item], to typed: String) -> [Item] {
    let typed = typed.lowercased()
    if typed.isEmpty { return items }
    let named = items.filter { $0.text.lowercased() == typed }
    let begun = items.filter { $0.text.lowercased() != typed && $0.text.lowercased().hasPrefix(typed) }
    return named + begun + items.filter { !$0.text.lowercased().hasPrefix(typed) }
  }

  /// `q`, `q!`, `qa`, as vim has them, unless a source has that name.
  private static func leaving(_ typed: String, _ state: PagerState) -> [Item] {
    let word = typed.hasPrefix(":") ? String(typed.dropFirst()) : typed
    guard !state.offeredSources.contains(where: { $0.id == typed }) else { return [] }
    return switch word {
    case "q", "q!", "quit": [Item(text: typed, note: "quit", leaving: .quit)]
    case "qa", "qa!", "qall": [Item(text: typed, note: "quit, closing all tabs", leaving: .quitAll)]
    default: []
    }
  }

  var chosen: Item? { items.indices.contains(selection) ? items[selection] : nil }

  private static func all(_ state: PagerState, _ prompt: Prompt) -> [Item] {
    switch prompt.purpose {
    case .palette:
      state.rules.keyMap.actions.filter { $0.keys[state.baseMode] != nil }.map { action in
        let key = state.keyLabel(action.name, in: state.baseMode).map { " (\($0))" } ?? ""
        return Item(
          text: action.name, note: action.summary + key, otherWords: Actions.otherWords[action.name] ?? "")
      }
    case .history: state.query.history.entries.reversed().map { Item(text: $0, note: "") }
    case .source, .otherSource, .newTab:
      (prompt.purpose == .newTab ? [] : leaving(prompt.line.text, state))
        + state.offeredSources.map {
          Item(
            text: $0.id, note: $0.title, about: $0.about ?? [],
            otherWords: [$0.group, $0.otherWords].compactMap(\.self).joined(separator: " "), group: $0.group)
        }
    case .child: state.sources.offeredChildren.map { Item(text: $0.id, note: $0.title) }
    case .option: options(of: state)
    case .optionValue:
      prompt.subject.flatMap(state.option).map { values(of: $0, typed: prompt.line.text, state) } ?? []
    case .summary: SummaryLines.items(state)
    case .search, .filter, .file, .command: []
    }
  }
}

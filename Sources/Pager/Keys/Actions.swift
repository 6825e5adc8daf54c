package import Search
import Text

/// A named command that a key can be bound to. Help, palette, manual and tests are generated from these values.
package struct Action: Sendable {
  /// The stable name used in configuration and documentation.
  package let name: String
  package let summary: String
  /// For a list of the keys that may follow.
  var label: String
  /// The default keys in each mode, in key notation; the keys of a sequence are separated by spaces.
  package let keys: [Mode: [String]]
  /// Whether the current message stays on the screen, which other keys remove.
  let keepsMessage: Bool
  /// The state transition. The second argument is the count typed before the key, if any.
  package let perform: @Sendable (inout PagerState, Int?) -> Void

  /// - Parameter reason: Why the action is unavailable, shown instead of performing it; nil if it is not.
  init(
    _ name: String, _ summary: String, table: [String] = [], query: [String] = [], popup: [String] = [],
    detail: [String] = [], columns: [String] = [], prompt: [String] = [], keepsMessage: Bool = false,
    disabledReason reason: @escaping @Sendable (PagerState) -> String? = { _ in nil },
    perform: @escaping @Sendable (inout PagerState, Int?) -> Void
  ) {
    self.name = name
    self.summary = summary
    label = name.replacing("-", with: " ")
    keys = [
      .table: table, .query: query, .popup: popup, .detail: detail, .columns: columns, .prompt: prompt,
    ].filter { !$0.value.isEmpty }
    self.keepsMessage = keepsMessage
    self.perform = { state, count in
      if let reason = reason(state) { state.notify(reason, .warning) } else { perform(&state, count) }
    }
  }

  init(
    _ name: String, _ summary: String, table: [String] = [], query: [String] = [], popup: [String] = [],
    detail: [String] = [], columns: [String] = [], prompt: [String] = [],
    disabledReason reason: @escaping @Sendable (PagerState) -> String? = { _ in nil },
    perform: @escaping @Sendable (inout PagerState) -> Void
  ) {
    self.init(
      name, summary, table: table, query: query, popup: popup, detail: detail, columns: columns,
      prompt: prompt, disabledReason: reason
    ) { state, _ in perform(&state) }
  }
}

/// All actions, in the order of help, palette and manual.
package enum Actions {
  /// Actions that help lists under one heading.
  struct Group: Sendable {
    let title: String
    let actions: [Action]
  }

  static let groups = [
    Group(title: "Navigation", actions: moving), Group(title: "Query", actions: querying),
    Group(title: "Loading", actions: loading), Group(title: "Find, filter, sort", actions: filtering),
    Group(title: "Columns", actions: arranging), Group(title: "Views", actions: showing),
    Group(title: "Sources and tabs", actions: switching),
    Group(title: "Marks", actions: marking), Group(title: "Open, copy, write", actions: taking),
    Group(title: "Quit", actions: leaving),
  ]

  package static let all: [Action] = groups.flatMap(\.actions)

  /// What most sessions need, in the order in which one needs it; help begins with them.
  static let usual = Group(
    title: "Usual keys",
    actions: [
      "edit-query", "down", "page-down", "next-column", "accept", "details", "find", "filter",
      "sort-ascending",
      "toggle-mark", "open-link", "write-rows", "refresh", "command-palette", "quit",
    ].compactMap { name in all.first { $0.name == name } })

  static let moving: [Action] = [
    Action(
      "down", "next row or line", table: ["j", "down", "ctrl-n"], query: ["down", "ctrl-n"],
      popup: ["j", "down"], prompt: ["down", "ctrl-n"]
    ) { $0.move(by: $1 ?? 1) },
    Action(
      "up", "previous row or line", table: ["k", "up", "ctrl-p"], query: ["up", "ctrl-p"],
      popup: ["k", "up"], prompt: ["up", "ctrl-p"]
    ) { $0.move(by: -($1 ?? 1)) },
    Action(
      "page-down", "next screen", table: ["space", "f", "pagedown", "ctrl-f"], query: ["pagedown"],
      popup: ["space", "f", "pagedown", "ctrl-f"], prompt: ["pagedown"]
    ) { $0.scroll(pages: $1 ?? 1) },
    Action(
      "page-up", "previous screen", table: ["b", "pageup", "ctrl-b"], query: ["pageup"],
      popup: ["b", "pageup", "ctrl-b"], prompt: ["pageup"]
    ) { $0.scroll(pages: -($1 ?? 1)) },
    Action("half-page-down", "half a screen down", table: ["d", "ctrl-d"], popup: ["d", "ctrl-d"]) {
      $0.scroll(pages: $1 ?? 1, of: 2)
    },
    Action("half-page-up", "half a screen up", table: ["u", "ctrl-u"], popup: ["u", "ctrl-u"]) {
      $0.scroll(pages: -($1 ?? 1), of: 2)
    },
    Action("scroll-down", "scroll one line down", table: ["ctrl-e"], popup: ["ctrl-e"]) {
      $0.scroll(lines: $1 ?? 1)
    },
    Action("scroll-up", "scroll one line up", table: ["ctrl-y"], popup: ["ctrl-y"]) {
      $0.scroll(lines: -($1 ?? 1))
    },
    Action("center-row", "scroll the row to the middle of the screen", table: ["z z"]) {
      $0.centerSelection()
    },
    Action("top-of-screen", "first row on the screen", table: ["H"]) { $0.select(at: .top) },
    Action("middle-of-screen", "row in the middle of the screen") { $0.select(at: .middle) },
    Action("bottom-of-screen", "last row on the screen") { $0.select(at: .bottom) },
    Action(
      "first", "first row or line", table: ["g", "home"], query: ["ctrl-home"], popup: ["g", "home"]
    ) { $0.go(to: 0) },
    Action(
      "last", "last loaded row or line, or number N", table: ["G", "end"], query: ["ctrl-end"],
      popup: ["G", "end"]
    ) { state, count in
      if let count { state.go(toNumber: count) } else { state.go(to: Int.max / 2) }
    },
    Action("go-to-row", "go to row N; type N first") { state, count in
      if let count { state.go(toNumber: count) } else { state.notify("type a row number first", .warning) }
    },
    Action("previous-column", "previous column", table: ["h", "left"]) { $0.table.current -= $1 ?? 1 },
    Action("next-column", "next column", table: ["l", "right"]) { $0.table.current += $1 ?? 1 },
    Action("first-column", "first column", table: ["0"]) { $0.table.current = 0 },
    Action("last-column", "last column", table: ["$"]) { $0.table.current = $0.table.shown.count - 1 },
  ]

  static let querying: [Action] = [
    Action("edit-query", "edit the query", table: ["s", "i"]) { state in
      state.focus = .query
      state.query.selectAll()
    },
    Action(
      "submit", "accept the query, prompt or columns", query: ["enter"], columns: ["enter"],
      prompt: ["enter"]
    ) { state in
      switch state.mode {
      case .prompt: state.acceptPrompt()
      case .columns: state.acceptColumns()
      case .table, .query, .popup, .detail: state.runQuery()
      }
    },
    Action(
      "cancel", "cancel, clear or close", table: ["esc"],
      query: ["esc"], popup: ["esc", "q"], prompt: ["esc"]
    ) { state, count in
      // If a count is being typed, only the count is dropped.
      if count == nil { state.cancel() }
    },
    Action(
      "options", "change an option of the source", table: ["O"],
      disabledReason: { $0.rules.options.isEmpty ? "source \($0.rules.title) has no options" : nil }
    ) { state in
      let options = state.rules.options
      if options.count == 1 { state.ask(.optionValue, about: options[0].name) } else { state.ask(.option) }
    },
    Action("previous-history", "previous query", query: ["alt-up"]) { $0.stepHistory(back: 1) },
    Action("next-history", "next query", query: ["alt-down"]) { $0.stepHistory(back: -1) },
    Action("search-history", "search earlier queries", query: ["ctrl-r"], prompt: ["ctrl-r"]) { state in
      if state.overlays.prompt?.purpose == .history {
        state.movePrompt(by: 1)
      } else if state.mode == .query {
        state.ask(.history)
      }
    },
  ]

  static let loading: [Action] = [
    Action(
      "load-more", "load the next page; with count N, N pages", table: ["M"],
      disabledReason: \.missingQueryReason
    ) { $0.load(.pages($1 ?? 1)) },
    Action(
      "load-all", "load all pages", table: ["alt-m"], query: ["alt-m"], disabledReason: \.missingQueryReason
    ) { $0.load(.everything) },
    Action(
      "refresh", "refresh, or retry after a failure",
      table: ["r", "f5"], query: ["f5"], disabledReason: { $0.isDraft ? nil : $0.missingQueryReason }
    ) { $0.refreshOrRetry() },
    Action("toggle-watch", "turn automatic refresh on or off", table: ["A"]) { $0.toggleWatch() },
    Action("reset", "return to the initial query and columns, without filter, sort and marks", table: ["R"]) {
      state in
      let hasMarks = !state.list.marks.isEmpty || state.list.marks.elsewhere > 0
      if hasMarks { state.overlays.ask(.reset) } else { state.resetNow() }
    },
  ]

  static let filtering: [Action] = [
    Action("find", "find words in loaded rows or in a popup", table: ["/"], popup: ["/"]) { state in
      state.ask(.search, previous: state.overlays.popup?.searchText ?? state.list.search.text)
    },
    Action("next-match", "next match", table: ["n"], popup: ["n"]) { $0.findNext(forward: true, $1 ?? 1) },
    Action("previous-match", "previous match", table: ["N"], popup: ["N"]) {
      $0.findNext(forward: false, $1 ?? 1)
    },
    Action("filter", "show only loaded rows that match", table: ["&"]) { state in
      state.ask(.filter, text: state.list.filter, previous: state.list.filter)
    },
    Action(
      "filter-by-cell", "show only loaded rows with the value of the current cell or field", table: ["."],
      detail: ["."], disabledReason: \.missingRowReason
    ) { $0.mode == .detail ? $0.filterByField() : $0.filterByCell() },
    Action(
      "summarize-column", "count the values of the current column, and filter by one", table: ["F"],
      disabledReason: \.missingRowReason
    ) { $0.ask(.summary) },
    Action(
      "sort-ascending", "sort loaded rows by the current column, ascending", table: ["]"],
      disabledReason: { $0.list.rows.isEmpty ? $0.missingRowReason : nil }
    ) { $0.sort(isDescending: false) },
    Action(
      "sort-descending", "sort loaded rows by the current column, descending", table: ["["],
      disabledReason: { $0.list.rows.isEmpty ? $0.missingRowReason : nil }
    ) { $0.sort(isDescending: true) },
    Action("clear-sort", "restore the order of the service", table: ["="]) { $0.list.sort = nil },
  ]

  static let arranging: [Action] = [
    Action(
      "choose-columns", "choose columns from all fields of the rows", table: ["C"],
      disabledReason: \.missingRowReason
    ) { $0.chooseColumns() },
    Action("add-column", "show the field under the cursor as a column", detail: ["c"]) {
      $0.addFieldAsColumn()
    },
    Action("toggle-column", "show or hide the field as a column", columns: ["space", "x"]) {
      $0.toggleColumn()
    },
    Action(
      "hide-column", "hide the current column", table: ["-"],
      disabledReason: { $0.table.shown.count > 1 ? nil : "cannot hide the only visible column" }
    ) { $0.table.hideCurrent() },
    Action("show-all-columns", "show all columns", table: ["+"]) { $0.table.showAll() },
    Action("move-column-left", "move the column left or up", table: ["{"], columns: ["{"]) {
      $0.shiftColumn(by: -($1 ?? 1))
    },
    Action("move-column-right", "move the column right or down", table: ["}"], columns: ["}"]) {
      $0.shiftColumn(by: $1 ?? 1)
    },
    Action("narrow-column", "make the current column narrower", table: ["<"]) { state, count in
      state.table.widenCurrent(by: -2 * (count ?? 1), screen: state.tableWidth)
    },
    Action("widen-column", "make the current column wider", table: [">"]) { state, count in
      state.table.widenCurrent(by: 2 * (count ?? 1), screen: state.tableWidth)
    },
    Action("fit-column", "fit the current column to its widest cell", table: ["\\"]) {
      $0.table.fitCurrent()
    },
    Action(
      "keep-columns", "save the shown columns for this source, in a file of your own", table: ["K"],
      disabledReason: \.missingRowReason
    ) { $0.overlays.ask(.keepColumns) },
    Action("toggle-wrap", "wrap or truncate long cells", table: ["W"]) { $0.isWrapped.toggle() },
  ]

  static let showing: [Action] = [
    Action(
      "details", "show all fields of the row", table: ["v"], popup: ["v"],
      disabledReason: { $0.overlays.popup?.kind == .detail ? nil : $0.missingRowReason }
    ) { $0.overlays.toggle(.detail) },
    Action(
      "toggle-json", "show the row as JSON or as fields", table: ["J"], popup: ["J"],
      disabledReason: { $0.mode == .table ? $0.missingRowReason : nil }
    ) { state in
      if state.overlays.popup?.kind == .detail {
        state.toggleJSON()
      } else if state.mode == .table, state.screen.preview != nil {
        state.preview.showsJSON.toggle()
        state.preview.scroll = 0
      } else if state.mode == .table {
        state.overlays.toggle(.detail, showsJSON: true)
      }
    },
    Action("unfold", "unfold the object or list under the cursor", detail: ["l", "right"]) { $0.fold(false) },
    Action("fold", "fold the object or list under the cursor, or the one around it", detail: ["h", "left"]) {
      $0.fold(true)
    },
    Action("toggle-fold", "fold or unfold the object or list under the cursor", detail: ["enter"]) {
      $0.toggleFold()
    },
    Action("toggle-preview", "open or close the preview of the row", table: ["p"], query: ["alt-p"]) {
      $0.togglePreview()
    },
    Action("grow-preview", "make the preview larger", table: [")"]) { $0.resizePreview(by: 10 * ($1 ?? 1)) },
    Action("shrink-preview", "make the preview smaller", table: ["("]) {
      $0.resizePreview(by: -10 * ($1 ?? 1))
    },
    Action("preview-down", "scroll the preview down", table: ["alt-j", "alt-down"], query: ["alt-j"]) {
      $0.scrollPreview(by: $1 ?? 1)
    },
    Action("preview-up", "scroll the preview up", table: ["alt-k", "alt-up"], query: ["alt-k"]) {
      $0.scrollPreview(by: -($1 ?? 1))
    },
    Action("next-row", "show the details of the next row", popup: ["ctrl-n"]) { $0.showRow(by: $1 ?? 1) },
    Action("previous-row", "show the details of the previous row", popup: ["ctrl-p"]) {
      $0.showRow(by: -($1 ?? 1))
    },
    Action("request-log", "show the request log", table: ["L"], popup: ["L"]) { $0.overlays.toggle(.log) },
    Action(
      "open-request", "show the headers and the response of the request under the cursor", popup: ["enter"],
      disabledReason: { $0.overlays.popup?.kind == .log ? nil : "nothing to open here" }
    ) { $0.openRequest() },
    Action("messages", "show all messages", table: ["!"], popup: ["!"]) { $0.overlays.toggle(.messages) },
    Action(
      "program-output", "show the output of the latest program", table: ["\""], popup: ["\""],
      disabledReason: { $0.effects.report == nil ? "no program has run yet" : nil }
    ) { $0.overlays.toggle(.output) },
    Action("help", "show all keys", table: ["?", "f1"], query: ["f1"], popup: ["?", "f1"], prompt: ["f1"]) {
      $0.overlays.toggle(.help)
    },
    Action("command-palette", "run an action by name", table: ["ctrl-x"], query: ["ctrl-x"]) {
      $0.ask(.palette)
    },
    Action("toggle-mouse", "turn the mouse on or off", table: ["%"]) { state in
      state.isMouseOn.toggle()
      state.notify(state.isMouseOn ? "mouse on" : "mouse off")
    },
    Action(
      "redraw", "redraw the screen", table: ["ctrl-l"], query: ["ctrl-l"], popup: ["ctrl-l"],
      prompt: ["ctrl-l"], keepsMessage: true
    ) { state, _ in state.redraws += 1 },
  ]

  static let switching: [Action] = [
    Action(
      "open-source", "open another source or a saved search, or go to its tab", table: [":"],
      disabledReason: \.missingTabsReason
    ) { $0.ask(.otherSource) },
    Action(
      "new-tab", "open a source or a saved search in a new tab; with count N, go to tab N", table: ["t"]
    ) { state, count in
      if let count {
        state.goToTab(count)
      } else if let reason = state.missingTabsReason {
        state.notify(reason, .warning)
      } else {
        state.ask(.newTab)
      }
    },
    Action(
      "go-to-tab", "go to the tab with this number", table: (1...9).map { "alt-\($0)" },
      query: (1...9).map { "alt-\($0)" }
    ) { state, count in
      if let count { state.goToTab(count) } else { state.notify("type the number of a tab first", .warning) }
    },
    Action("next-tab", "next tab", table: ["alt-right", "ctrl-pagedown"], query: ["ctrl-pagedown"]) {
      $0.goToTab(by: $1 ?? 1)
    },
    Action("previous-tab", "previous tab", table: ["alt-left", "ctrl-pageup"], query: ["ctrl-pageup"]) {
      $0.goToTab(by: -($1 ?? 1))
    },
  ]

  static let marking: [Action] = [
    Action(
      "toggle-mark", "mark or unmark the row, then move down", table: ["x", "tab"], query: ["tab"],
      disabledReason: \.missingRowReason
    ) { $0.mark(rows: $1 ?? 1) },
    Action(
      "toggle-mark-up", "mark or unmark the row, then move up", table: ["shift-tab"], query: ["shift-tab"],
      disabledReason: \.missingRowReason
    ) { $0.mark(rows: -($1 ?? 1)) },
    Action("mark-all", "mark all listed rows", table: ["a"], disabledReason: \.missingRowReason) {
      $0.list.markListed { $0.insert($1) }
    },
    Action(
      "invert-marks", "invert the marks of all listed rows", table: ["*"], disabledReason: \.missingRowReason
    ) { $0.list.markListed { $0.toggle($1) } },
    Action("clear-marks", "clear all marks", table: ["alt-a"]) { $0.list.marks = Marks() },
  ]

  static let taking: [Action] = [
    Action(
      "accept", "open the row: its nested list or its details; in pick, print the selection",
      table: ["enter"],
      disabledReason: { $0.rules.purpose == .pick && !$0.list.marks.isEmpty ? nil : $0.missingRowReason }
    ) { $0.choose() },
    Action(
      "open-rows", "open the nested list", table: ["c"],
      disabledReason: {
        $0.sources.children.isEmpty ? "these rows have no nested lists" : $0.missingRowReason
      }
    ) { $0.openChild() },
    Action(
      "open-link", "open the row's link", table: ["o"], query: ["alt-o"], popup: ["o"],
      disabledReason: { $0.overlays.takesRow ? $0.missingRowReason : nil }
    ) { $0.openLink() },
    Action(
      "copy-row", "copy the row, or the marked rows", table: ["y y"], query: ["alt-y"], detail: ["y r"]
    ) { $0.copyRow() },
    Action("copy-field", "copy the value under the cursor", detail: ["y y", "y v"]) { $0.copyField() },
    Action("copy-path", "copy the path of the field under the cursor", detail: ["Y", "y p"]) {
      $0.copyPath()
    },
    Action("copy-cell", "copy the current cell, or that cell of each marked row", table: ["y c"]) {
      $0.copyCell()
    },
    Action("copy-link", "copy the link of the row, or of the marked rows", table: ["y u"], popup: ["y u"]) {
      $0.copyLink()
    },
    Action(
      "copy-json", "copy the row, or the marked rows, as JSON", table: ["y j"], detail: ["y j"]
    ) { $0.copyJSON() },
    Action("copy-tsv", "copy the row, or the marked rows, as TSV", table: ["y t"]) {
      $0.copyRows(as: .tsv)
    },
    Action("copy-jsonl", "copy the row, or the marked rows, as JSON Lines", table: ["y l"]) {
      $0.copyRows(as: .jsonl)
    },
    Action("copy-markdown", "copy the row, or the marked rows, as Markdown", table: ["y m"]) {
      $0.copyRows(as: .markdown)
    },
    Action(
      "write-rows", "write the marked rows, or all listed rows, to a file", table: ["w"], popup: ["w"]
    ) { $0.ask(.file) },
    Action(
      "pipe-rows", "pipe the row, or the marked rows, as JSON Lines into a shell command", table: ["|"],
      disabledReason: { $0.list.marks.isEmpty ? $0.missingRowReason : nil }
    ) { $0.ask(.command) },
  ]

  static let leaving: [Action] = [
    Action(
      "suspend", "suspend riffle (fg: resume)", table: ["ctrl-z"], query: ["ctrl-z"],
      popup: ["ctrl-z"], prompt: ["ctrl-z"]
    ) { $0.exitReason = .suspend },
    Action(
      "interrupt", "close a popup, stop a program or a load, or quit", table: ["ctrl-c"], query: ["ctrl-c"],
      popup: ["ctrl-c"], prompt: ["ctrl-c"]
    ) { state in
      if !state.overlays.isEmpty {
        state.cancel()
      } else if state.canStop {
        state.stop()
      } else {
        state.exitReason = .quit
      }
    },
    Action("delete-or-quit", "delete the next character; quit on an empty line", query: ["ctrl-d"]) {
      $0.deleteOrQuit()
    },
    Action(
      "back", "go back to the parent row, or to the list of sources", table: ["backspace"],
      disabledReason: { $0.rules.leadsBack ? nil : "there is nothing to go back to" }
    ) { $0.exitReason = .quit },
    Action("quit", "go back, close the tab, or quit", table: ["q"]) { $0.exitReason = .quit },
    Action("quit-all", "quit, closing all tabs", table: ["Q"], popup: ["Q"]) { $0.exitReason = .quitAll },
  ]

  /// Other words by which people look for an action in help and in the command palette, by the action's name.
  static let otherWords = [
    "back": "return", "bottom-of-screen": "low", "cancel": "stop abort remove filter",
    "choose-columns": "add show hide select",
    "clear-marks": "unmark unselect deselect",
    "clear-sort": "unsort original", "copy-cell": "yank clipboard", "copy-json": "yank clipboard",
    "copy-jsonl": "yank clipboard", "copy-link": "yank clipboard url address",
    "copy-markdown": "yank clipboard", "copy-row": "yank clipboard",
    "copy-tsv": "yank clipboard", "details": "view inspect record",
    "center-row": "zz align", "edit-query": "search words new change", "filter": "where narrow",
    "filter-by-cell": "where",
    "find": "search", "go-to-tab": "switch tabs", "grow-preview": "resize", "help": "shortcuts bindings",
    "hide-column": "remove columns", "interrupt": "abort exit", "invert-marks": "selection",
    "keep-columns": "remember layout",
    "load-all": "fetch everything rows", "load-more": "fetch rows", "mark-all": "select",
    "messages": "errors warnings notices", "move-column-left": "reorder columns",
    "move-column-right": "reorder columns", "narrow-column": "resize columns width",
    "new-tab": "sources searches tabs add", "next-tab": "switch tabs",
    "open-link": "browser url address web page", "open-rows": "children",
    "open-source": "sources searches services switch change api", "options": "sort order parameters service",
    "pipe-rows": "run program jq xargs",
    "previous-tab": "switch tabs", "program-output": "command result", "quit": "exit",
    "quit-all": "exit", "redraw": "repaint", "refresh": "reload update again",
    "request-log": "requests http network", "reset": "clear undo",
    "search-history": "previous recent", "show-all-columns": "unhide restore", "shrink-preview": "resize",
    "sort-ascending": "order", "sort-descending": "order reverse",
    "summarize-column": "summary statistics histogram frequency distinct unique top group",
    "toggle-json": "raw", "toggle-mark": "select rows", "toggle-mark-up": "select rows",
    "toggle-preview": "pane split side", "toggle-watch": "every poll follow interval",
    "top-of-screen": "high",
    "widen-column": "resize columns width", "write-rows": "save export csv tsv json",
  ]
}

/// The actions that a source and the settings add, bound to `,` and a key: options that cycle, and row actions.
package enum SourceActions {
  package static func actions(options: [SourceOption], rowActions: [RowAction]) -> [Action] {
    options.compactMap(action) + rowActions.map(action)
  }

  private static let rowPrefix = "action-"

  /// The keys of these actions as bindings of the user, which take precedence over those of a source.
  package static func bindings(_ rowActions: [RowAction]) -> [Mode: [String: [String]]] {
    let bound = Dictionary(rowActions.map { ("\(rowPrefix)\($0.name)", keys(of: $0)) }) { $1 }
    return [.table: bound, .popup: bound]
  }

  private static func action(_ option: SourceOption) -> Action? {
    guard let key = option.key else { return nil }
    let values = option.values.map(SourceOption.label).joined(separator: ", ")
    var action = Action(
      "option-\(option.name)", "\(option.title ?? option.name): \(values)", table: [", \(notation(key))"]
    ) { $0.cycle(option) }
    action.label = option.title ?? option.name
    return action
  }

  private static func action(_ row: RowAction) -> Action {
    let keys = keys(of: row)
    var action = Action(
      "\(rowPrefix)\(row.name)", row.summary ?? row.standardSummary, table: keys, popup: keys
    ) { state in
      if let refusal = row.refusal { return state.notify(refusal, .warning) }
      guard state.overlays.takesRow,
        let reference = state.list.selectedRow.flatMap({ state.list.reference(to: $0) })
      else {
        return state.notifyNoRow()
      }
      if case .run = row.effect { state.run(row) } else { state.request(.perform(row, reference)) }
    }
    action.label = row.summary ?? row.name
    return action
  }

  private static func keys(of row: RowAction) -> [String] { [", \(notation(String(row.key)))"] }

  private static func notation(_ key: String) -> String { key == " " ? "space" : key }
}

extension RowAction {
  /// The name, or the command of a program.
  fileprivate var standardSummary: String {
    guard case .run(let program) = effect, !program.words.isEmpty else { return name }
    return "run \(program)"
  }
}

package import Search
package import Terminal

/// Everything the interactive session is, as a value: what is loaded, what is shown, what is typed.
package struct PagerState: Sendable {
  package let rules: PagerRules
  package internal(set) var session: Session
  /// The rows of the session, fresh and stale.
  package internal(set) var rows = RowStore()
  /// Moves when row numbers come to mean other rows.
  package internal(set) var rowsVersion = 0
  package internal(set) var canvas: Canvas
  /// Nil until the terminal tells.
  var background: Background?
  var isFocused = true
  /// Where keys go when nothing lies over the table.
  var focus: Focus
  package internal(set) var overlays: [Overlay] = []
  /// The query line as it is typed.
  package internal(set) var line: LineEditor
  /// The options chosen for the source, by name.
  package internal(set) var options: [String: String]
  package internal(set) var viewport = Viewport()
  /// The count typed before a movement (`3j`); nil when none is open.
  var count: Int?
  /// The beginning of a sequence of keys.
  var pendingKeys: [Key] = []
  /// How many pages may still load by themselves before the next key press.
  var allowance = 0
  /// Moves with every change of the query line; the debounce answers with the value it waited for.
  var edits = 0
  package internal(set) var table: TableColumns
  var list = RowList()
  var search = RowSearch()
  package internal(set) var marks = Marks()
  var novelties = Novelties()
  /// The row the selection follows while a refresh replaces rows.
  var anchor: RefreshAnchor?
  package internal(set) var messages = Messages()
  package internal(set) var history: QueryHistory
  /// What was typed into each prompt, the latest last.
  var recalls: [Prompt.Purpose: [String]] = [:]
  var errandQueue = ErrandQueue()
  /// The row of the detail popup, as read from its reply.
  var detail: RowDetail?
  var popupContent: PopupContent?
  var ticks = 0
  /// Moves when everything is to be drawn anew.
  var redraws = 0
  var isWrapped: Bool
  package internal(set) var isMouseOn: Bool
  package internal(set) var departure: Departure?
  /// What `reset` goes back to.
  package let start: Query

  package enum Focus: Sendable, Hashable { case table, query }

  /// What the user interface asks the program to do with the terminal.
  package enum Departure: Sendable, Hashable {
    case suspend
    case quit
    /// `pick`: leave with `picked`.
    case accept
    /// This source was chosen from the list.
    case source(id: String)
  }

  package init(
    rules: PagerRules, session: Session, columns: [Column], canvas: Canvas, query: Query,
    history: [String] = [], now: Double
  ) {
    self.rules = rules
    self.session = session
    self.canvas = canvas
    table = TableColumns(columns)
    focus = query.text.isEmpty && session.rules.minLength > 0 ? .query : .table
    line = LineEditor(query.text)
    options = query.options
    start = query
    self.history = QueryHistory(history)
    isWrapped = rules.isWrapped ?? columns.contains(where: \.isWrapped)
    isMouseOn = rules.isMouseOn
    self.session.reduce(.reached(now))
    if session.rules.minLength == 0 || !query.text.isEmpty { submit() }
  }

  /// The time as far as it is known: by it waits are carried out and shown.
  package var clock: Double { session.clock }

  /// The query line as long as there is nothing to show without a query.
  var initialFocus: Focus { start.text.isEmpty && session.rules.minLength > 0 ? .query : .table }

  /// The look of each role on the terminal's ground.
  package var theme: Theme { background.flatMap { rules.themes[$0] } ?? rules.theme }

  package var mode: Mode { mode(under: overlays[...]) }

  /// Where help was asked from.
  var helpedMode: Mode {
    mode(under: overlays.prefix { $0.popup?.kind != .help })
  }

  private func mode(under overlays: ArraySlice<Overlay>) -> Mode {
    switch overlays.last {
    case .popup: .popup
    case .prompt, .question: .prompt
    case nil: focus == .table ? .table : .query
    }
  }
}

package import Search
package import Terminal

/// The complete state of the interactive session: what is loaded, shown and typed.
package struct PagerState: Sendable {
  package let rules: PagerRules
  package internal(set) var session: Session
  /// The rows of the session, fresh and stale.
  package internal(set) var rows = RowStore()
  /// Increases when row numbers come to mean other rows.
  package internal(set) var rowsVersion = 0
  package internal(set) var canvas: Canvas
  /// Nil until the terminal reports it.
  var background: Background?
  var isFocused = true
  /// What receives keys when there is no overlay.
  var focus: Focus
  package internal(set) var overlays: [Overlay] = []
  /// The query line as typed.
  package internal(set) var line: LineEditor
  /// The chosen options of the source, by name.
  package internal(set) var options: [String: String]
  package internal(set) var viewport = Viewport()
  /// The count typed before a movement (`3j`), if any.
  var count: Int?
  /// The keys of an incomplete sequence.
  var pendingKeys: [Key] = []
  /// The number of pages that may still load automatically before the next key press.
  var allowance = 0
  /// Increases with every edit of the query line; the debounce returns the value it waited for.
  var edits = 0
  package internal(set) var table: TableColumns
  var list = RowList()
  var search = RowSearch()
  package internal(set) var marks = Marks()
  var newRows = NewRows()
  /// The row the selection follows while a refresh replaces rows.
  var anchor: RefreshAnchor?
  package internal(set) var messages = Messages()
  package internal(set) var history: QueryHistory
  /// The earlier inputs of each prompt, the latest last.
  var recalls: [Prompt.Purpose: [String]] = [:]
  var effectQueue = EffectQueue()
  /// The row of the detail popup, as read from its reply.
  var detail: RowDetail?
  var popupContent: PopupContent?
  var ticks = 0
  /// Increases when the whole screen is to be redrawn.
  var redraws = 0
  var isWrapped: Bool
  package internal(set) var isMouseOn: Bool
  package internal(set) var exitReason: ExitReason?
  /// The query that `reset` restores.
  package let start: Query

  package enum Focus: Sendable, Hashable { case table, query }

  /// Why the user interface gives up the terminal, temporarily or for good.
  package enum ExitReason: Sendable, Hashable {
    case suspend
    case quit
    /// In `pick`: exit with `picked`.
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

  /// The latest known time; waits are measured and shown by it.
  package var clock: Double { session.clock }

  /// The query line, if a query is needed to show anything.
  var initialFocus: Focus { start.text.isEmpty && session.rules.minLength > 0 ? .query : .table }

  /// The theme for the terminal's background.
  package var theme: Theme { background.flatMap { rules.themes[$0] } ?? rules.theme }

  package var mode: Mode { mode(under: overlays[...]) }

  /// The mode from which help was opened.
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

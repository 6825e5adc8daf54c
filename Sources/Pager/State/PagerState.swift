package import Search
package import Terminal

/// Everything the interactive session is, as a value: what is loaded, what is shown, what is typed.
package struct PagerState: Sendable {
  package let rules: PagerRules
  package var session: Session
  package var canvas: Canvas
  package var mode: Mode
  /// The query line as it is typed.
  package var line: LineEditor
  package var viewport = Viewport()
  /// The count typed before a movement (`3j`); nil when none is open.
  package var count: Int?
  /// How many pages may still load by themselves before the next key press.
  var allowance = 0
  /// Moves with every change of the query line; the debounce answers with the value it waited for.
  package var edits = 0
  /// The columns of the table: those of the source, or those made from the first page.
  package var columns: [Column]
  /// The widest cell of each column on the first page, in terminal columns.
  package var naturalWidths: [Int] = []
  /// The row the selection follows while a refresh replaces rows.
  var anchor: UInt64?
  /// One line for the user, until the next key.
  package var message: String?
  /// Seconds since 1970, as of the last tick; only spinners and countdowns read it.
  package var clock: Double
  package var ticks = 0
  /// Moves when everything is to be drawn anew.
  package var redraws = 0
  package var departure: Departure?
  /// What `reset` goes back to.
  package let start: Query

  /// What the user interface asks the program to do with the terminal.
  package enum Departure: Sendable, Hashable {
    case suspend
    case quit
  }

  package init(
    rules: PagerRules, session: Session, columns: [Column], canvas: Canvas, query: Query, now: Double
  ) {
    self.rules = rules
    self.session = session
    self.columns = columns
    self.canvas = canvas
    self.mode = query.text.isEmpty ? .query : .table
    self.line = LineEditor(query.text)
    self.start = query
    self.clock = now
    if session.rules.minLength == 0 || !query.text.isEmpty { submit() }
  }
}

/// What a pager is told once: about its source, and by the settings.
package struct PagerRules: Sendable {
  package var title: String
  package var input: SearchInput
  /// Rows the service serves at most; nil without a cap.
  package var reachableRows: Int?
  /// How many viewport heights of rows are kept loaded below the screen.
  package var prefetch: Int
  package var pagesPerKey: Int
  package var utcOffset: Int
  package var keyMap: KeyMap
  package var theme: Theme

  package init(
    title: String, input: SearchInput = SearchInput(), reachableRows: Int? = nil, prefetch: Int = 1,
    pagesPerKey: Int = 3, utcOffset: Int = 0, keyMap: KeyMap = .standard, theme: Theme = .standard
  ) {
    self.title = title
    self.input = input
    self.reachableRows = reachableRows
    self.prefetch = prefetch
    self.pagesPerKey = pagesPerKey
    self.utcOffset = utcOffset
    self.keyMap = keyMap
    self.theme = theme
  }
}

/// What keys mean at the moment.
package enum Mode: Sendable, Hashable {
  case table
  case query
  /// A popup over the table; `under` is where closing it leads.
  case help(scroll: Int, under: Focus)

  package enum Focus: Sendable, Hashable { case table, query }

  package var scope: KeyScope {
    switch self {
    case .table: .table
    case .query: .query
    case .help: .popup
    }
  }
}

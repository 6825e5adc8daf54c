package import Search
package import Terminal
import Text

/// The complete state of the interactive session: what is loaded, shown and typed.
package struct PagerState: Sendable {
  package let rules: PagerRules
  package internal(set) var session: Session
  package internal(set) var canvas: Canvas
  /// Nil until the terminal reports it.
  var background: Background?
  var isFocused = true
  /// What receives keys when there is no overlay.
  var focus = Focus.table
  package internal(set) var overlays = OverlayStack()
  package internal(set) var query: QueryLine
  var typed = TypedKeys()
  /// The click before, unless a key was pressed since.
  var lastClick: Click?
  /// The number of pages that may still load automatically before the next key press.
  var allowance = 0
  package internal(set) var table: TableColumns
  package internal(set) var addedColumns = AddedColumns()
  /// Nil unless columns are being chosen.
  package internal(set) var columnChoice: ColumnChoice?
  package internal(set) var list = RowList()
  /// Nil if the rows are refreshed only by key.
  package internal(set) var watch: Watch?
  package internal(set) var messages = Messages()
  var notices = DesktopNotices()
  /// The state of the line mode (`PagerRules.readsLines`).
  package internal(set) var lines = LineMode()
  /// The tabs of the program; empty if there is only one.
  package internal(set) var tabs = TabList()
  package internal(set) var sources = SourceLists()
  /// The one-time effects that have not ended; answered by `.effectEnded`.
  package internal(set) var effects = EffectQueue()
  var detail: RowDetail?
  /// The lines of the shown popup, laid out once for its scroll position and its picture: a row of 5,000 lines takes 18
  /// ms.
  var popupLines: [Line] = []
  /// Nil unless the popup has entries; its lines are only those on the screen.
  var popupPlace: PopupPlace?
  var preview = Preview()
  /// The latest summary of a column.
  package internal(set) var summary: ColumnSummary?
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
    /// Quit with all tabs.
    case quitAll
    /// In `pick`: exit with `picked`.
    case accept
    /// From the list of sources that the program began with.
    case source(id: String)
    /// Show a source, or the saved search `@NAME`: in its tab if there is one, else, or always, in a new one.
    case open(name: String, inNewTab: Bool)
    /// Show another tab.
    case tab(Int)
    /// Show the rows of one of `children` that hang under the selected row; several are offered for a choice.
    case children
    /// Show those of this source.
    case child(id: String)
  }

  /// - Parameter now: Seconds since 1970.
  package init(
    _ rules: PagerRules, _ sessionRules: Session.Rules, columns: [Column], canvas: Canvas, query: Query,
    now: Double
  ) {
    self.rules = rules
    session = Session(rules: sessionRules)
    self.canvas = canvas
    table = TableColumns(columns)
    self.query = QueryLine(query)
    start = query
    isWrapped = rules.isWrapped ?? columns.contains(where: \.isWrapped)
    isMouseOn = rules.isMouseOn
    list.awaitsColumns = rules.list != nil
    focus = initialFocus
    session.reduce(.reached(now))
    watch = rules.watchInterval.map { Watch(every: $0, from: now) }
    if focus == .table { submit() }
  }

  /// The latest known time; waits are measured and shown by it.
  package var clock: Double { session.clock }

  /// The query line, if a query is needed to show anything.
  var initialFocus: Focus { start.text.isEmpty && session.rules.minLength > 0 ? .query : .table }

  package var theme: Theme { background.flatMap { rules.themes[$0] } ?? rules.theme }

  var glyphs: Glyphs { rules.glyphs }

  var widthModel: WidthModel { canvas.widthModel }

  var screenWidth: Int { canvas.size.columns }

  package var mode: Mode { mode(under: overlays.stack[...]) }

  /// The mode of keys when no overlay is open.
  var baseMode: Mode { focus == .table ? .table : .query }

  /// The mode from which help was opened.
  var helpedMode: Mode { mode(under: overlays.stack.prefix { $0.popup?.kind != .help }) }

  private func mode(under overlays: ArraySlice<Overlay>) -> Mode {
    switch overlays.last {
    case .popup(let popup): popup.kind == .columns ? .columns : popup.kind == .detail ? .detail : .popup
    case .prompt, .question: .prompt
    case nil: baseMode
    }
  }
}

/// The context of a key press, which determines the key's meaning.
package enum Mode: String, Sendable, Hashable, CaseIterable {
  case table
  case query
  /// A popup over the table: detail, log, messages or help.
  case popup
  /// The details of a row.
  case detail
  /// The list of columns to choose from.
  case columns
  /// A line of text: search, filter, file name, history, palette or source.
  case prompt

  /// The mode whose keys are used where this one binds none.
  var base: Mode? { self == .columns || self == .detail ? .popup : nil }
  var isPopup: Bool { self == .popup || base == .popup }
}

/// Requests for effects, derived from the state and fulfilled by feedbacks.
extension PagerState {
  package var pageRequests: [PageRequest] { session.requests }
  package var alarm: Double? { session.alarm }
  package var totalQuery: TotalQuery? { session.totalQuery }

  /// A request to filter and sort rows for the list; answered by `.ordered`, in parts.
  package var orderRequest: RowOrderRequest? { request(continuing: list.order, orderRules) }

  /// A request to search rows; answered by `.ordered`, in parts.
  package var searchRequest: RowOrderRequest? { request(continuing: list.search.hits, searchRules) }

  private func request(continuing order: RowOrder?, _ rules: RowOrderRules) -> RowOrderRequest? {
    if rules.isTrivial || list.isCurrent(order, for: rules) { return nil }
    return RowOrderRequest(start: list.base(order, for: rules), rows: list.rows, columns: table.columns)
  }

  /// A request to read the row of the detail popup or the preview from its page, then from the service if the source
  /// declares a detail request; answered by `.read`.
  package var readingRequest: RowReadingRequest? {
    guard let identity = readingIdentity, let part = partToRead, let row = list.reference(to: identity.row)
    else {
      return nil
    }
    let isPrompt = part == .row || overlays.isDetailOpen
    return RowReadingRequest(
      identity: identity, part: part, row: row, delay: isPrompt ? .zero : rules.input.debounce)
  }

  private var partToRead: RowReadingRequest.Part? {
    guard let detail = readDetail else { return .row }
    guard rules.requestsDetail, overlays.isDetailOpen || previewMayRequest else { return nil }
    return detail.response == nil && detail.content != nil ? .response : nil
  }

  var isRequestingDetail: Bool { readingRequest?.part == .response }

  /// The keys typed so far of a sequence; after a while, the screen lists what may follow, which `.prefixRested` requests.
  package var prefix: [Key]? { typed.keys.isEmpty || typed.listsContinuations ? nil : typed.keys }

  /// A live query waits until the user stops typing; nil if nothing new is typed, or if only Enter submits.
  package var debounce: DebounceRequest? {
    // The mode first: what is typed is compared only while something is typed.
    guard mode == .query, isLive, isDraft, !query.editor.isEmpty || session.rules.minLength == 0 else {
      return nil
    }
    return DebounceRequest(edit: query.edits, delay: rules.input.debounce)
  }

  /// Whether typing submits the query, which stops when the service's budget is nearly used up.
  package var isLive: Bool { rules.input.isLive && session.allowsLiveQueries }
}

/// A request to wait until nothing is typed for a while; answered by `.rested`.
package struct DebounceRequest: Sendable, Hashable {
  package let edit: Int
  package let delay: Duration
}

package import JSON
package import Search
package import Terminal
package import Text

/// The constants of a pager session, from its source and the settings.
package struct PagerRules: Sendable, Codable {
  package enum Purpose: String, Sendable, Hashable, Codable {
    /// Enter shows all fields of the row.
    case browse
    /// Enter exits with the marked rows, else the selected one.
    case pick
  }

  package enum PreviewRule: String, Sendable, Hashable, Codable, CaseIterable {
    /// On a wide screen, without requests of its own.
    case auto
    case always, never
  }

  package var title: String
  package var purpose = Purpose.browse
  package var input = SearchInput.standard
  package var options: [SourceOption] = []
  /// How the list is filtered, sorted and arranged at the start; nil for all rows as they come.
  package var list: ListRules?
  /// The sources offered by `choosingSource`, until more is known of them.
  package var sources: [SourceChoice] = []
  /// The maximum number of rows the service returns; nil if it has no cap.
  package var reachableRows: Int?
  /// How many viewport heights of rows to keep loaded below the screen.
  package var prefetch = 1
  package var pagesPerKey = 3
  package var zone = LocalZone.utc
  package var keyMap = KeyMap.standard
  /// The theme until the terminal's background is known.
  package var theme = Theme.standard
  /// Themes by background; `theme` is used for others.
  package var themes: [Background: Theme] = [:]
  package var glyphs = Glyphs.unicode
  /// For screen readers: the cursor is on the selected row, words replace symbols, and nothing is animated.
  package var isAccessible = false
  /// Nil to follow the columns' settings.
  package var isWrapped: Bool?
  package var isMouseOn = false
  /// Whether the service has a detail request for a row.
  package var requestsDetail = false
  /// When the preview is open, until the user opens or closes it; nil for never.
  package var preview: PreviewRule?
  /// The interval in seconds at which the rows are refreshed from the start on; nil if only by key, or when the
  /// user turns it on.
  package var watchInterval: Double?
  /// Whether quitting returns to the list of sources, or to the rows that these hang under.
  package var leadsBack = false
  /// Whether other sources can be opened from here.
  package var opensSources: Bool?

  /// What a recording keeps of the rules: not the theme and the sources, which are the viewer's, nor the time
  /// zone and the keys, which `PagerInitialState` records in its own form. Whatever decides what the pager does
  /// must be listed here, or replays differ; a test compares the list with the properties. For recordings of
  /// earlier versions to be read, a new property must be optional, or the format of recordings be raised.
  enum CodingKeys: CodingKey, CaseIterable {
    case title, purpose, input, options, list, reachableRows, prefetch, pagesPerKey, glyphs, isAccessible,
      isWrapped
    case isMouseOn, requestsDetail, preview, watchInterval, leadsBack, opensSources
  }

  package init(title: String) { self.title = title }
}

/// The initial state of an interactive session; replaying its events from here reproduces the session.
package struct PagerInitialState: Sendable, Codable {
  package var rules: PagerRules
  package var session: Session.Rules
  package var columns: [Column]
  package var canvas: Canvas
  package var query: Query
  /// Seconds since 1970.
  package var now: Double
  /// The time zone of the rules at the start: only times of requests and limits are local.
  private let utcOffset: Int
  /// The keys of every action that has any, and the names of the source's row actions.
  private let keys: [Mode: [String: [String]]]
  private let rowActions: [String]
  /// Nil in recordings of earlier versions.
  private let programs: [RecordedProgram]?

  package init(
    rules: PagerRules, session: Session.Rules, columns: [Column], canvas: Canvas, query: Query, now: Double
  ) {
    self.rules = rules
    self.session = session
    self.columns = columns
    self.canvas = canvas
    self.query = query
    self.now = now
    utcOffset = rules.zone.offset(at: now)
    keys = rules.keyMap.bindings.keys
    rowActions = rules.keyMap.rowActions
    let programs = rules.keyMap.programs
    self.programs = programs.isEmpty ? nil : programs
  }

  package var state: PagerState { PagerState(self) }
}

extension PagerInitialState: JSONChecked {
  package mutating func check() throws(JSONCodingError) {
    try session.check()
    // A session that writes its rows does not keep them, so the list would be incomplete.
    guard !session.awaitsWriting else {
      throw JSONCodingError("an interactive session does not wait for output")
    }
    for column in columns { try column.check() }
    try canvas.check()
    try rules.reachableRows?.checkSize("reachableRows")
    try rules.prefetch.check("prefetch")
    try rules.pagesPerKey.check("pagesPerKey")
    if let interval = rules.watchInterval, !(1...1e9 ~= interval) {
      throw JSONCodingError("the interval of a watch is \(interval) seconds")
    }
    try (rules.input.debounce / .seconds(1)).check("debounce")
    try rules.input.minLength.checkSize("minLength")
    try rules.input.maxLength?.checkSize("maxLength")
    try now.check("now")
    try utcOffset.check("utcOffset", in: -86_400...86_400)
    rules.zone = LocalZone(offset: utcOffset)
    rules.keyMap = try KeyMap(
      bindings: KeyBindings(keys), options: rules.options, rowActions: rowActions, programs: programs ?? [])
  }
}

extension SourceOption {
  /// A value as shown: `any` if it is empty.
  package static func label(of value: String) -> String { value.isEmpty ? "any" : value }
}

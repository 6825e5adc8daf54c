package import JSON
package import Search
package import Terminal
package import Text

/// The constants of a pager session, from its source and the settings.
package struct PagerRules: Sendable {
  package enum Purpose: String, Sendable, Hashable {
    /// Enter shows all fields of the row.
    case browse
    /// Enter exits with the marked rows, else the selected one.
    case pick
  }

  package var title: String
  package var purpose = Purpose.browse
  package var input = SearchInput()
  package var options: [SourceOption] = []
  /// The sources offered by `choosingSource`.
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
  /// For screen readers: the terminal's cursor is on the selected row, words replace symbols, and nothing is
  /// animated.
  package var isAccessible = false
  /// Nil to follow the columns' settings.
  package var isWrapped: Bool?
  package var isMouseOn = false
  /// Whether the service has a detail request for a row.
  package var requestsDetail = false
  /// Whether quitting returns to the list of sources.
  package var leadsBack = false

  package init(title: String) { self.title = title }
}

/// A source that can be chosen.
package struct SourceChoice: Sendable, Hashable {
  package let id: String
  package let title: String

  package init(id: String, title: String) {
    self.id = id
    self.title = title
  }
}

/// The initial state of an interactive session; replaying its events from here reproduces the session.
package struct PagerInitialState: Sendable {
  package var rules: PagerRules
  package var session: Session.Rules
  package var columns: [Column]
  package var canvas: Canvas
  package var query: Query
  /// The time in seconds since 1970.
  package var now: Double

  package init(
    rules: PagerRules, session: Session.Rules, columns: [Column], canvas: Canvas, query: Query, now: Double
  ) {
    self.rules = rules
    self.session = session
    self.columns = columns
    self.canvas = canvas
    self.query = query
    self.now = now
  }

  package var state: PagerState {
    PagerState(
      rules: rules, session: Session(rules: session), columns: columns, canvas: canvas, query: query, now: now
    )
  }
}

extension PagerInitialState: JSONCodable {
  package func write(to json: inout JSONWriter) {
    // A replay in another time zone uses the offset at the start; only times of requests and limits are
    // local.
    var rules = rules
    rules.zone = LocalZone(offset: rules.zone.offset(at: Timestamp(epoch: now)?.epochSeconds ?? 0))
    json.object {
      $0.member("rules", rules)
      $0.member("session", session)
      $0.member("columns", columns)
      $0.member("screen", canvas)
      $0.member("query", query)
      $0.member("now", now)
    }
  }

  package init(json: JSONValue) throws(JSONCodingError) {
    let session: Session.Rules = try json.member("session")
    // A session that writes its rows does not keep them, so the list would be incomplete.
    guard !session.awaitsWriting else {
      throw JSONCodingError("an interactive session does not wait for output")
    }
    self.init(
      rules: try json.member("rules"), session: session,
      columns: try json.member("columns"), canvas: try json.member("screen"), query: try json.member("query"),
      now: try json.seconds("now"))
  }
}

/// Encodes everything except the theme, because colors are the viewer's. The time zone is reduced to its
/// offset at the start of 1970; a recording that starts at another time fixes the offset first (see
/// `PagerInitialState`).
extension PagerRules: JSONCodable {
  package func write(to json: inout JSONWriter) {
    json.object {
      $0.member("title", title)
      $0.member("purpose", purpose)
      $0.member("input", input)
      $0.member("options", options)
      $0.member("reachable_rows", reachableRows)
      $0.member("prefetch", prefetch)
      $0.member("pages_per_key", pagesPerKey)
      $0.member("utc_offset", zone.offset(at: 0))
      $0.member("keys", keyMap.everyBinding)
      $0.member("row_actions", keyMap.rowActions)
      $0.member("glyphs", glyphs)
      $0.member("accessible", isAccessible)
      $0.member("wrapped", isWrapped)
      $0.member("mouse", isMouseOn)
      $0.member("leads_back", leadsBack)
      $0.member("asks_for_detail", requestsDetail)
    }
  }

  package init(json: JSONValue) throws(JSONCodingError) {
    let options: [SourceOption] = try json.member("options")
    let offset: Int = try json.member("utc_offset")
    guard (-86_400...86_400).contains(offset) else { throw JSONCodingError("\(offset) is not a UTC offset") }
    self.init(title: try json.member("title"))
    purpose = try json.member("purpose")
    input = try json.member("input")
    self.options = options
    reachableRows = try json.size("reachable_rows")
    prefetch = try json.amount("prefetch")
    pagesPerKey = try json.amount("pages_per_key")
    zone = LocalZone(offset: offset)
    keyMap = try KeyMap(
      bindings: try json.member("keys"), options: options, rowActions: try json.member("row_actions"))
    glyphs = try json.member("glyphs")
    isAccessible = try json.member("accessible")
    isWrapped = try json.member("wrapped")
    isMouseOn = try json.member("mouse")
    leadsBack = try json.member("leads_back")
    requestsDetail = try json.member("asks_for_detail") ?? false
  }
}

extension PagerRules.Purpose: JSONCodable {}

/// Encodes only what a pager uses.
extension SearchInput: JSONCodable {
  package func write(to json: inout JSONWriter) {
    json.object {
      $0.member("min_length", minLength)
      $0.member("max_length", maxLength)
      $0.member("debounce", debounce)
      $0.member("live", isLive)
      $0.member("filter", filter)
      $0.member("placeholder", placeholder)
      $0.member("examples", examples)
    }
  }

  package init(json: JSONValue) throws(JSONCodingError) {
    self.init(
      minLength: try json.size("min_length"), maxLength: try json.size("max_length"),
      debounce: try json.member("debounce"), isLive: try json.member("live"),
      filter: try json.member("filter"), placeholder: try json.member("placeholder"),
      examples: try json.member("examples"))
  }
}

extension SearchInput.Filter: JSONCodable {}

/// Encodes only what a pager uses.
extension SourceOption: JSONCodable {
  package func write(to json: inout JSONWriter) {
    json.object {
      $0.member("name", name)
      $0.member("title", title)
      $0.member("values", values)
      $0.member("default", defaultValue)
      $0.member("key", key.map { String($0) })
    }
  }

  package init(json: JSONValue) throws(JSONCodingError) {
    let key: String? = try json.member("key")
    self.init(
      name: try json.member("name"), title: try json.member("title"), values: try json.member("values"),
      defaultValue: try json.member("default"), key: key?.first)
  }
}

extension SourceOption {
  /// A value as shown: `any` if it is empty.
  static func label(of value: String) -> String { value.isEmpty ? "any" : value }
}

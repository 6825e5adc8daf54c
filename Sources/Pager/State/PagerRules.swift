package import Search
package import Terminal
package import Text

/// The constants of a pager session, from its source and the settings.
package struct PagerRules: Sendable {
  package enum Purpose: String, Sendable, Hashable {
    /// Enter opens the row's link.
    case browse
    /// Enter exits with the marked rows, else the selected one.
    case pick
  }

  package var title: String
  package var purpose: Purpose
  package var input: SearchInput
  package var options: [SourceOption]
  /// The sources offered by `choosingSource`.
  package var sources: [SourceChoice]
  /// The maximum number of rows the service returns; nil if it has no cap.
  package var reachableRows: Int?
  /// How many viewport heights of rows to keep loaded below the screen.
  package var prefetch: Int
  package var pagesPerKey: Int
  package var zone: LocalZone
  package var keyMap: KeyMap
  /// The theme until the terminal's background is known.
  package var theme: Theme
  /// Themes by background; `theme` is used for others.
  package var themes: [Background: Theme]
  package var glyphs: Glyphs
  /// For screen readers: the terminal's cursor is on the selected row, words replace symbols, and nothing is
  /// animated.
  package var isAccessible: Bool
  /// Nil to follow the columns' settings.
  package var isWrapped: Bool?
  package var isMouseOn: Bool
  /// Whether the service has a detail request for a row.
  package var requestsDetail = false
  /// Whether quitting returns to the list of sources.
  package var leadsBack = false

  package init(
    title: String, purpose: Purpose = .browse, input: SearchInput = SearchInput(),
    options: [SourceOption] = [], sources: [SourceChoice] = [], reachableRows: Int? = nil, prefetch: Int = 1,
    pagesPerKey: Int = 3,
    zone: LocalZone = .utc, keyMap: KeyMap = .standard, theme: Theme = .standard,
    themes: [Background: Theme] = [:], glyphs: Glyphs = .unicode,
    isAccessible: Bool = false, isWrapped: Bool? = nil, isMouseOn: Bool = false
  ) {
    self.title = title
    self.purpose = purpose
    self.input = input
    self.options = options
    self.sources = sources
    self.reachableRows = reachableRows
    self.prefetch = prefetch
    self.pagesPerKey = pagesPerKey
    self.zone = zone
    self.keyMap = keyMap
    self.theme = theme
    self.themes = themes
    self.glyphs = glyphs
    self.isAccessible = isAccessible
    self.isWrapped = isWrapped
    self.isMouseOn = isMouseOn
  }
}

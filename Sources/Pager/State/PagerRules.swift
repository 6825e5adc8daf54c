package import Search
package import Terminal
package import Text

/// What a pager is told once: about its source, and by the settings.
package struct PagerRules: Sendable {
  package enum Purpose: String, Sendable, Hashable {
    /// Enter opens the row's link.
    case browse
    /// Enter leaves with the marked rows, else the selected one.
    case pick
  }

  package var title: String
  package var purpose: Purpose
  package var input: SearchInput
  package var options: [SourceOption]
  /// What `choosingSource` chooses from.
  package var sources: [SourceChoice]
  /// Rows the service serves at most; nil without a cap.
  package var reachableRows: Int?
  /// How many viewport heights of rows are kept loaded below the screen.
  package var prefetch: Int
  package var pagesPerKey: Int
  package var zone: LocalZone
  package var keyMap: KeyMap
  /// The look until the terminal's ground is known.
  package var theme: Theme
  /// The looks for grounds that have their own; on others `theme` stays.
  package var themes: [Background: Theme]
  package var glyphs: Glyphs
  /// For screen readers: the terminal's cursor is on the selected row, words stand for symbols, nothing spins.
  package var isAccessible: Bool
  /// Nil: as the columns say.
  package var isWrapped: Bool?
  package var isMouseOn: Bool
  /// The service can be asked for one row more fully.
  package var asksForDetail = false
  /// To quit is to go back to the list of sources, from which the session was chosen.
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

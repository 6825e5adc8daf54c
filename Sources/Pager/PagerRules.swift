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

  /// Why the user is shown a list that was not asked for: one of its rows has to be chosen first.
  package struct Goal: Sendable, Hashable {
    /// The title of the source that the user wants to see.
    let title: String
    /// What a row of this list is, such as `project`.
    let row: String
    /// The query for that source; empty for none.
    let query: String

    /// `choose a project`
    var instruction: String {
      let startsWithVowel = row.first.map { "aeiou".contains($0.lowercased()) } ?? false
      return "choose \(startsWithVowel ? "an" : "a") \(row)"
    }

    package init(title: String, row: String, query: String) {
      (self.title, self.row, self.query) = (title, row, query)
    }
  }

  package var title: String
  /// Nil if the user asked for this list.
  package var goal: Goal?
  package var purpose = Purpose.browse
  package var input = SearchInput.standard
  package var options: [SourceOption] = []
  /// How the list is filtered, sorted and arranged at the start; nil for all rows as they come.
  package var list: ListRules?
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
  /// When the preview is open, until the user opens or closes it. `auto`: on a wide screen, without requests of its own.
  package var preview = Occasion.never
  /// The interval in seconds at which the rows are refreshed from the start on; nil if only by key, or when the
  /// user turns it on.
  package var watchInterval: Double?
  /// Whether the end of a long load is a desktop notification while the terminal is not in focus.
  package var notifies = false
  /// Whether quitting returns to the list of sources, or to the rows that these hang under.
  package var leadsBack = false
  /// Whether the user reads and types lines of text, without a screen.
  package var readsLines = false
  /// Whether other sources can be opened from here.
  package var opensSources = false

  package init(title: String) { self.title = title }
}

extension SourceOption {
  /// A value as shown: `any` if it is empty.
  package static func label(of value: String) -> String { value.isEmpty ? "any" : value }
}

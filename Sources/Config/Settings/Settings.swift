package import Text

/// The settings of the program; `init()` creates the defaults.
package struct Settings: Sendable, Hashable {
  package struct Search: Sendable, Hashable {
    /// The default source; nil lets the user choose one.
    package var source: String?
    package var isLive = true
    /// The number of rows `riffle search` writes; nil for one page.
    package var limit: Int?
    /// Nil for the source's default.
    package var pageSize: Int?
    package var debounce: Duration = .milliseconds(300)
    /// The maximum number of concurrent requests; a source may allow fewer.
    package var concurrency = 4
    /// Nil for no limit.
    package var maxWait: Duration? = .seconds(120)
    package var timeout: Duration = .seconds(60)
    /// Nil for 3 in the pager, 5 in a pipe.
    package var retries: Int?
  }

  package struct Output: Sendable, Hashable {
    /// Nil for a table on a terminal, tsv in a pipe.
    package var format: String?
    package var color: ColorChoice = .auto
    /// Whether csv cells are protected from being interpreted as formulas by spreadsheets.
    package var isCSVSafe = false
  }

  package struct Pager: Sendable, Hashable {
    /// In screens of rows.
    package var prefetch = 1
    package var maxRows = 100_000
    package var usesMouse = false
    package var wraps = false
    package var usesAlternateScreen = true
    /// 1 or 2 columns for characters of ambiguous width.
    package var ambiguousWidth = 1
    /// Whether symbols and borders use only ASCII; nil if the terminal or the locale decides.
    package var isASCII: Bool?
    /// Nil if it depends on the kind of connection.
    package var escapeDelay: Duration?
    /// Words instead of symbols, no animation, and the terminal's cursor on the selected row.
    package var isAccessible = false
  }

  package struct Theme: Sendable, Hashable {
    package var name = "auto"
    /// Styles that replace those of the theme.
    package var styles: [Role: RoleStyle] = [:]
  }

  package struct History: Sendable, Hashable {
    package var isEnabled = true
    /// In queries.
    package var size = 1_000
  }

  package struct Opener: Sendable, Hashable {
    /// The program and its arguments; `{url}` is replaced with the link.
    package var command = ["xdg-open", "{url}"]
  }

  package struct TLS: Sendable, Hashable {
    /// A PEM file of root certificates to use instead of the system's; nil for the system's.
    package var rootsFile: String?
  }

  package var search = Search()
  package var output = Output()
  package var pager = Pager()
  package var theme = Theme()
  /// Keys that replace the actions' default keys.
  package var keys: BoundKeys = [:]
  package var history = History()
  package var opener = Opener()
  package var tls = TLS()

  package init() {}
}

/// When colors are used.
package enum ColorChoice: String, Sendable, Hashable, CaseIterable {
  case auto, always, never
}

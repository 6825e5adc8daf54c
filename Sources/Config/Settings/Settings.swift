package import Text

/// The settings of the program; as made by `init()`, those that count when nobody sets any.
package struct Settings: Sendable, Hashable {
  package struct Search: Sendable, Hashable {
    /// Of the source asked when none is named; nil: the user chooses one.
    package var source: String?
    package var isLive = true
    /// How many rows `riffle search` writes; nil: one page.
    package var limit: Int?
    /// Nil: the source's own.
    package var pageSize: Int?
    package var debounce: Duration = .milliseconds(300)
    /// A ceiling: a source may allow fewer.
    package var concurrency = 4
    /// Nil: unlimited.
    package var maxWait: Duration? = .seconds(120)
    package var timeout: Duration = .seconds(60)
    /// Nil: 3 in the pager, 5 in a pipe.
    package var retries: Int?
  }

  package struct Output: Sendable, Hashable {
    /// Nil: a table on a terminal, tsv in a pipe.
    package var format: String?
    package var color: ColorChoice = .auto
    /// Whether a spreadsheet is kept from taking csv cells for formulas.
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
    /// Whether signs and borders are drawn with ASCII alone; nil: where the terminal or the locale has no others.
    package var isASCII: Bool?
    /// Nil: by the kind of connection.
    package var escapeDelay: Duration?
    /// Words for symbols, no motion, the terminal's own cursor on the selected row.
    package var isAccessible = false
  }

  package struct Theme: Sendable, Hashable {
    package var name = "auto"
    /// What takes the place of the theme's own looks.
    package var looks: [Role: RoleLook] = [:]
  }

  package struct History: Sendable, Hashable {
    package var isEnabled = true
    /// In queries.
    package var size = 1_000
  }

  package struct Opener: Sendable, Hashable {
    /// The program and what it is told; `{url}` stands for the link.
    package var command = ["xdg-open", "{url}"]
  }

  package struct TLS: Sendable, Hashable {
    /// A PEM file of root certificates in place of the system's; nil: the system's.
    package var rootsFile: String?
  }

  package var search = Search()
  package var output = Output()
  package var pager = Pager()
  package var theme = Theme()
  /// What takes the place of the actions' own keys.
  package var keys: BoundKeys = [:]
  package var history = History()
  package var opener = Opener()
  package var tls = TLS()

  package init() {}
}

/// When colours are used.
package enum ColorChoice: String, Sendable, Hashable, CaseIterable {
  case auto, always, never
}

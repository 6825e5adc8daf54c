/// The settings of the program; as made by `init()`, those that count when nobody sets any.
package struct Settings: Sendable, Hashable {
  package struct Search: Sendable, Hashable {
    /// Nil: the source's own.
    package var pageSize: Int?
    package var debounce: Duration = .milliseconds(300)
    package var isLive = true
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
  }

  package struct Pager: Sendable, Hashable {
    /// In screens of rows.
    package var prefetch = 1
    package var maxRows = 100_000
    /// 1 or 2 columns for characters of ambiguous width.
    package var ambiguousWidth = 1
    /// Nil: by the kind of connection.
    package var escapeDelay: Duration?
  }

  package struct TLS: Sendable, Hashable {
    /// A PEM file of root certificates in place of the system's; nil: the system's.
    package var rootsFile: String?
  }

  package var search = Search()
  package var output = Output()
  package var pager = Pager()
  package var tls = TLS()

  package init() {}
}

/// When colours are used.
package enum ColorChoice: String, Sendable, Hashable, CaseIterable {
  case auto, always, never
}

private import Text

extension SettingsSchema {
  static let search: [Setting] = [
    .text(
      "search", "source", .source, at: \.search.source, sample: "github",
      "The default source. When unset, you choose one from a list."),
    .bool(
      "search", "live", at: \.search.isLive, "Search while you type. A source can turn this off."),
    .integer(
      "search", "limit", 1...10_000_000, at: \.search.limit, sample: 100,
      "Maximum number of rows that riffle search writes. When unset, one page."),
    .integer(
      "search", "page_size", 1...10_000, at: \.search.pageSize, sample: 50,
      "Rows per page in the pager. When unset, the source's own page size."),
    .duration(
      "search", "debounce", .zero ... .seconds(10), at: \.search.debounce,
      "Pause after the last key before a live search starts. A source can override it."),
    .integer(
      "search", "concurrency", 1...64, at: \.search.concurrency,
      "Maximum number of parallel page requests. A source can set a lower limit."),
    .duration(
      "search", "max_wait", .zero ... .seconds(86_400), unlimited: "unlimited", at: \.search.maxWait,
      "Longest wait that a service may request."),
    .duration(
      "search", "timeout", .seconds(1) ... .seconds(3_600), at: \.search.timeout,
      "Time limit for one page, headers and body."),
    .integer(
      "search", "retries", 0...100, at: \.search.retries, sample: 5,
      "Maximum number of retries per page. When unset, 3 in the pager and 5 in a pipe."),
  ]

  static func output(formats: [String]) -> [Setting] {
    [
      .text(
        "output", "format", .choice(formats), at: \.output.format, sample: formats.first ?? "",
        "Output format of riffle search. When unset, table on a terminal and tsv in a pipe."),
      .choice("output", "color", at: \.output.color, "When to use colors in messages and tables."),
      .bool(
        "output", "csv_safe", at: \.output.isCSVSafe,
        "Keep spreadsheets from reading CSV cells as formulas."),
    ]
  }

  static let pager: [Setting] = [
    .integer(
      "pager", "prefetch", 0...100, at: \.pager.prefetch, "Screens of rows to load ahead."
    ),
    .integer("pager", "max_rows", 100...10_000_000, at: \.pager.maxRows, "Stop loading at this many rows."),
    .bool(
      "pager", "mouse", at: \.pager.usesMouse,
      "Select and scroll with the mouse. To select text in the terminal, hold Shift."),
    .bool("pager", "wrap", at: \.pager.wraps, "Wrap long cells onto more lines."),
    .bool(
      "pager", "alternate_screen", at: \.pager.usesAlternateScreen,
      "Use the alternate screen, so that the terminal's text is back when the pager exits."),
    .integer(
      "pager", "ambiguous_width", 1...2, at: \.pager.ambiguousWidth,
      "Width of characters such as ± and Greek letters, in columns: 2 in many East Asian fonts."),
    .bool(
      "pager", "ascii", at: \.pager.isASCII, sample: true,
      "Draw symbols and borders in ASCII. When unset, only if TERM or the locale requires it."),
    .duration(
      "pager", "esc_delay", .zero ... .seconds(2), at: \.pager.escapeDelay, sample: "25ms",
      "How long Esc waits for the rest of a key sequence. When unset, 25ms, or 100ms over SSH."),
    .bool(
      "pager", "accessible", at: \.pager.isAccessible,
      "Use words for symbols, no animation, and the terminal's cursor on the selected row."),
  ]

  static func theme(names: [String]) -> [Setting] {
    [
      .choice(
        "theme", "name", names, at: \.theme.name,
        "Color theme. auto picks one for the terminal's background, plain suits any background.")
    ] + styles
  }

  private static let styles: [Setting] = [
    .style(of: .accent, sample: "cyan 80 #5fd7d7", "Symbols, prompts and the current column."),
    .style(of: .header, sample: "bold", "Column headings."),
    .style(of: .selected, sample: "on 238 #3a4460", "The selected row."),
    .style(of: .dim, sample: "bright-black 245 #8a8a8a", "Secondary text, and rows about to be replaced."),
    .style(of: .error, sample: "red 203 #ff5f5f", "Failures."),
    .style(of: .warning, sample: "yellow 221 #ffd75f", "Warnings and waits."),
    .style(of: .success, sample: "green 114 #87d787", "Success."),
    .style(of: .match, sample: "yellow reverse", "Matches of a search or filter."),
  ]

  /// Every action in every mode, because a key may be bound to an action that has none by default.
  static func keys(_ keys: KeySchema) -> [Setting] {
    keys.modes.flatMap { mode in keys.actions.map { .keys(of: $0, in: mode) } }
  }

  static let history: [Setting] = [
    .bool("history", "enabled", at: \.history.isEnabled, "Save queries in the history."),
    .integer("history", "size", 1...100_000, at: \.history.size, "Maximum number of queries in the history."),
  ]

  static let opener: [Setting] = [
    .command(
      "opener", "command", at: \.opener.command,
      "Program and arguments that open a link, run without a shell. {url} is replaced by the link.")
  ]

  static let tls: [Setting] = [
    .text(
      "tls", "ca_file", .path, at: \.tls.rootsFile, sample: "/etc/ssl/my-roots.pem",
      "PEM file with root certificates. When unset, SSL_CERT_FILE or the system's certificates.")
  ]
}

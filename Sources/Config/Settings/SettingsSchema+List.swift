private import Text

extension SettingsSchema {
  static let search: [Setting] = [
    .text(
      "search", "source", .source, at: \.search.source, sample: "github",
      "The source that is asked when none is named; unset, you choose one from a list."),
    .bool(
      "search", "live", at: \.search.isLive, "Whether typing asks by itself; a source may rule it out."),
    .integer(
      "search", "limit", 1...10_000_000, at: \.search.limit, sample: 100,
      "Rows that riffle search writes; unset, one page."),
    .integer(
      "search", "page_size", 1...10_000, at: \.search.pageSize, sample: 50,
      "Rows asked for at once in the pager; unset, the source's own page size counts."),
    .duration(
      "search", "debounce", .zero ... .seconds(10), at: \.search.debounce,
      "Quiet time after the last key before a live query is asked; a source may say otherwise."),
    .integer(
      "search", "concurrency", 1...64, at: \.search.concurrency,
      "The most pages asked for at the same time; a source may allow fewer."),
    .duration(
      "search", "max_wait", .zero ... .seconds(86_400), unlimited: "unlimited", at: \.search.maxWait,
      "The longest single wait that a service may ask for."),
    .duration(
      "search", "timeout", .seconds(1) ... .seconds(3_600), at: \.search.timeout,
      "The longest time for one page, head and body."),
    .integer(
      "search", "retries", 0...100, at: \.search.retries, sample: 5,
      "Attempts after the first; unset, 3 in the pager and 5 in a pipe."),
  ]

  static func output(formats: [String]) -> [Setting] {
    [
      .text(
        "output", "format", .choice(formats), at: \.output.format, sample: formats.first ?? "",
        "The format of riffle search; unset, a table on a terminal and tsv in a pipe."),
      .choice("output", "color", at: \.output.color, "When messages and tables have colors."),
      .bool(
        "output", "csv_safe", at: \.output.isCSVSafe,
        "Whether a spreadsheet is kept from taking csv cells for formulas."),
    ]
  }

  static let pager: [Setting] = [
    .integer(
      "pager", "prefetch", 0...100, at: \.pager.prefetch, "Screens of rows kept loaded below the one you see."
    ),
    .integer("pager", "max_rows", 100...10_000_000, at: \.pager.maxRows, "Loading stops at this many rows."),
    .bool(
      "pager", "mouse", at: \.pager.usesMouse,
      "Whether the mouse selects and scrolls; the terminal's own selection then needs Shift."),
    .bool("pager", "wrap", at: \.pager.wraps, "Whether long cells go on in the next line."),
    .bool(
      "pager", "alternate_screen", at: \.pager.usesAlternateScreen,
      "Whether the pager leaves the terminal's text as it was."),
    .integer(
      "pager", "ambiguous_width", 1...2, at: \.pager.ambiguousWidth,
      "Columns taken by characters like ± and Greek letters: 2 in many East Asian fonts."),
    .bool(
      "pager", "ascii", at: \.pager.isASCII, sample: true,
      "Whether signs and borders are drawn with ASCII alone; unset, where TERM or the locale has no others."),
    .duration(
      "pager", "esc_delay", .zero ... .seconds(2), at: \.pager.escapeDelay, sample: "25ms",
      "How long Esc waits to see whether it begins a longer key; unset, 25ms, over SSH 100ms."),
    .bool(
      "pager", "accessible", at: \.pager.isAccessible,
      "Words for symbols, nothing that moves, and the terminal's cursor on the selected row."),
  ]

  static func theme(names: [String]) -> [Setting] {
    [
      .choice(
        "theme", "name", names, at: \.theme.name,
        "The colors: by the terminal's own ground, for a dark or a light one, or plain for any.")
    ] + looks
  }

  private static let looks: [Setting] = [
    .look(of: .accent, sample: "cyan 80 #5fd7d7", "Signs, prompts and the current column."),
    .look(of: .header, sample: "bold", "Headings of columns."),
    .look(of: .selected, sample: "on 238 #3a4460", "The line of the selected row."),
    .look(of: .dim, sample: "bright-black 245 #8a8a8a", "What matters less, and rows about to be replaced."),
    .look(of: .error, sample: "red 203 #ff5f5f", "Failures."),
    .look(of: .warning, sample: "yellow 221 #ffd75f", "Warnings and waits."),
    .look(of: .success, sample: "green 114 #87d787", "What went well."),
    .look(of: .match, sample: "yellow reverse", "What a search or filter found."),
  ]

  /// Every action in every mode, because a key may be bound to an action that has none by default.
  static func keys(_ keys: KeySchema) -> [Setting] {
    keys.modes.flatMap { mode in keys.actions.map { .keys(of: $0, in: mode) } }
  }

  static let history: [Setting] = [
    .bool("history", "enabled", at: \.history.isEnabled, "Whether queries are remembered."),
    .integer("history", "size", 1...100_000, at: \.history.size, "The most queries that are remembered."),
  ]

  static let opener: [Setting] = [
    .command(
      "opener", "command", at: \.opener.command,
      "The program that opens a link and its arguments, without a shell; {url} stands for the link.")
  ]

  static let tls: [Setting] = [
    .text(
      "tls", "ca_file", .path, at: \.tls.rootsFile, sample: "/etc/ssl/my-roots.pem",
      "A PEM file of root certificates; unset, SSL_CERT_FILE, else the system's.")
  ]
}

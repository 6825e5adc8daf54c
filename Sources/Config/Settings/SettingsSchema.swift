/// The table of all settings: the file and the environment are checked against it, the layers are read by
/// it, and the example file lists it.
package struct SettingsSchema: Sendable {
  package let settings: [Setting]

  /// - Parameter formats: the names of the output formats.
  package init(formats: [String]) {
    settings = Self.search + Self.output(formats: formats) + Self.pager + Self.tls
  }

  package func setting(_ key: String) -> Setting? { settings.first { $0.key == key } }

  /// In the order of the table.
  var sections: [String] {
    settings.map(\.section).reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
  }

  private static let search: [Setting] = [
    .integer(
      "search", "page_size", 1...10_000, at: \.search.pageSize,
      "Rows asked for at once in the pager; unset, the source's own page size counts."),
    .duration(
      "search", "debounce", .zero ... .seconds(10), at: \.search.debounce,
      "Quiet time after the last key before a live query is asked; a source may say otherwise."),
    .bool(
      "search", "live", at: \.search.isLive, "Whether typing asks by itself; a source may rule it out."),
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
      "search", "retries", 0...100, at: \.search.retries,
      "Attempts after the first; unset, 3 in the pager and 5 in a pipe."),
  ]

  private static func output(formats: [String]) -> [Setting] {
    [
      .choice(
        "output", "format", formats, at: \.output.format,
        "The format of riffle search; unset, a table on a terminal and tsv in a pipe."),
      .choice("output", "color", at: \.output.color, "Whether messages and tables have colors."),
    ]
  }

  private static let tls: [Setting] = [
    .path(
      "tls", "ca_file", at: \.tls.rootsFile,
      "A PEM file of root certificates; unset, SSL_CERT_FILE, else the system's.")
  ]

  private static let pager: [Setting] = [
    .integer(
      "pager", "prefetch", 0...100, at: \.pager.prefetch, "Screens of rows kept loaded below the one you see."
    ),
    .integer("pager", "max_rows", 100...10_000_000, at: \.pager.maxRows, "Loading stops at this many rows."),
    .integer(
      "pager", "ambiguous_width", 1...2, at: \.pager.ambiguousWidth,
      "Columns taken by characters like ± and Greek letters: 2 in many East Asian fonts."),
    .duration(
      "pager", "esc_delay", .zero ... .seconds(2), at: \.pager.escapeDelay,
      "How long Esc waits to see whether it begins a longer key; unset, 25ms, over SSH 100ms."),
  ]
}

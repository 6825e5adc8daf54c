import ArgumentParser
import Config
import Output
import Search

/// Options for which rows are written, and in what order.
struct RowOptions: ParsableArguments {
  @Option(
    name: [.customShort("n", allowingJoined: true), .long],
    help: ArgumentHelp("Write this many rows, as many pages as that takes.", valueName: "rows"))
  var limit: Int?

  @Flag(name: [.short, .long], help: "Write every row, to the end of the list.")
  var all = false

  @Option(help: ArgumentHelp("Ask for no more pages than this.", valueName: "pages"))
  var maxPages: Int?

  @Option(
    help: ArgumentHelp(
      "Sort all rows by columns before writing; with --limit the first ones of all. May be repeated.",
      valueName: "name[:desc],..."))
  var sort: [String] = []

  @Option(
    help: ArgumentHelp(
      "Keep the rows that hold these words (\"a phrase\", -not, name:word); with --limit 10 pages are read.",
      valueName: "words"))
  var filter: String?

  @Option(help: ArgumentHelp("Begin at this page, where pages are numbered.", valueName: "page"))
  var fromPage: Int?

  mutating func validate() throws {
    for (name, value) in [("limit", limit), ("max-pages", maxPages), ("from-page", fromPage)] {
      if let value, value < 1 { throw ValidationError("--\(name) \(value): at least 1 is needed") }
    }
    if let fromPage, fromPage > 1_000_000_000 {
      throw ValidationError("--from-page \(fromPage): at most 1000000000 is possible")
    }
    if limit != nil, all, !isSorted {
      throw ValidationError("--limit and --all cannot be used together")
    }
  }

  var isSorted: Bool { !sort.isEmpty }

  /// Nil if nothing is specified. A sorted run needs all rows before it knows the first ones.
  var demand: Demand? {
    if all || isSorted && limit != nil { return .everything }
    return limit.map { .rows($0) }
  }

  /// The maximum number of sorted rows written; nil for all.
  func sortedLimit(_ settings: Settings) -> Int? {
    isSorted ? limit ?? (all ? nil : settings.search.limit) : nil
  }

  /// The maximum number of pages requested; nil for no limit.
  var mostPages: Int? { maxPages ?? (filter != nil && limit != nil && !isSorted ? 10 : nil) }

  /// The sort order; nil if the rows are not sorted.
  func rowSort(of source: Source) throws(Complaint) -> RowSort? {
    guard isSorted else { return nil }
    do { return try RowSort(parsing: sort, of: source) } catch {
      throw Complaint("--sort: \(error)", .usage)
    }
  }

  /// The position given by `--from-page`; nil for the first page.
  func resumption(_ run: PreparedRun) throws(Complaint) -> Resumption? {
    guard let fromPage, fromPage > 1 else { return nil }
    guard let start = Resumption(page: fromPage, of: run.source, pageSize: run.pageSize) else {
      throw Complaint(
        "the pages of source \(run.source.id) are known only one from another, so --from-page has no meaning",
        .usage)
    }
    if let reach = run.source.pagination.reach(pageSize: run.pageSize, with: run.credentialNames),
      !reach.admits(start.next, received: start.received)
    {
      throw Complaint(
        "page \(fromPage) is beyond what source \(run.source.id) serves"
          + (reach.rows.map { " (\($0) rows)" } ?? ""), .usage)
    }
    return start
  }
}

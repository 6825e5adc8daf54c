package import ArgumentParser
import Config
import Output
package import Search
import Text

/// Options for which rows are written, and in what order.
package struct RowOptions: ParsableArguments, Sendable {
  @Option(
    name: [.customShort("n", allowingJoined: true), .long],
    help: ArgumentHelp("Write up to this many rows, loading pages as needed.", valueName: "rows"))
  package var limit: Int?

  @Flag(name: [.short, .long], help: "Write all rows.")
  package var all = false

  @Option(
    help: ArgumentHelp("Load at most this many pages (with --each: for each list).", valueName: "pages"))
  package var maxPages: Int?

  @Option(
    help: ArgumentHelp(
      "Sort rows before writing; --all and --limit load all rows first.", valueName: "name[:desc],..."),
    completion: Completions.columns)
  package var sort: [String] = []

  @Option(
    name: .customLong("filter"), parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      "Write only rows that match all terms, such as 'swift stars>1000'.", valueName: "terms"),
    completion: Completions.columnNames)
  package var filters: [String] = []

  /// The terms of all filters.
  package var filter: String? {
    get { filters.isEmpty ? nil : filters.joined(separator: " ") }
    set { filters = newValue.map { [$0] } ?? [] }
  }

  @Option(help: ArgumentHelp("Start at this page, for sources with numbered pages.", valueName: "page"))
  package var fromPage: Int?

  @Flag(help: "Read a list that the service cuts short: request it in parts and combine them.")
  package var split = false

  @Flag(
    help: "Write the lists of all parents, one after another.")
  package var each = false

  @Option(
    help: ArgumentHelp(
      "With --each: stop at the first list that fails (default), or skip it (exit status 3).",
      valueName: "action"))
  package var onParentError: ParentErrorChoice?

  @Flag(help: "Resume an interrupted run of --output.")
  package var resume = false

  @Flag(help: "Write only rows that are new or changed since the last complete run; implies --all.")
  package var sinceLast = false

  @Option(
    help: ArgumentHelp(
      "With --since-last: the name of its state (default: from source, query and options).", valueName: "name"
    ),
    completion: Completions.states)
  package var state: String?

  @Option(
    help: ArgumentHelp(
      "With --since-last: write the ids of rows that disappeared to this file (- is stderr).",
      valueName: "file"),
    completion: .file())
  package var deleted: String?
  @Option(
    help: ArgumentHelp("Write one shard of riffle plan, such as pages:1-12@100.", valueName: "shard"))
  package var shard: Shard?

  @Flag(help: "Read shards from stdin (lines of riffle plan --json), and write the rows of each.")
  package var shardFromStdin = false

  @Option(
    help: ArgumentHelp("Use this share of the source's rate limits, such as 1/16.", valueName: "share"))
  package var rateShare: RateShare?

  package init() {}

  package mutating func validate() throws {
    try Bound.check(["limit": limit, "max-pages": maxPages, "from-page": fromPage], atLeast: 1)
    for filter in filters where filter.contains(/^--./) {
      throw ValidationError(
        "missing value for --filter. For rows without a word, write --filter=\(filter.dropFirst())")
    }
    if let fromPage, fromPage > 1_000_000_000 {
      throw ValidationError("invalid value \"\(fromPage)\" for --from-page: must be at most 1000000000")
    }
    if !each, onParentError != nil { throw ValidationError("--on-parent-error needs --each") }
  }

  /// Checks the options of a run together. A plan, which refuses most of them, does not need it.
  ///
  /// - Throws: If two of them cannot be used together, or one needs another.
  package func checkTogether() throws {
    try checkShard()
    if each, fromPage != nil { throw ValidationError("--each and --from-page cannot be used together") }
    if split, fromPage != nil { throw ValidationError("--split and --from-page cannot be used together") }
    if !sinceLast, state != nil { throw ValidationError("--state needs --since-last") }
    if !sinceLast, deleted != nil { throw ValidationError("--deleted needs --since-last") }
    if limit != nil, all, sort.isEmpty { throw ValidationError("--limit and --all cannot be used together") }
  }

  private func checkShard() throws {
    guard let shard else { return }
    if shardFromStdin { throw ValidationError("--shard and --shard-from-stdin cannot be used together") }
    if !all { throw ValidationError("--shard needs --all") }
    if fromPage != nil { throw ValidationError("--shard and --from-page cannot be used together") }
    switch shard {
    case .pages where each: throw ValidationError("--shard \(shard) cannot be used with --each")
    case .parents where !each: throw ValidationError("--shard \(shard) needs --each")
    case .part where each: throw ValidationError("--shard \(shard) cannot be used with --each")
    case .part where !split: throw ValidationError("--shard \(shard) needs --split")
    case .pages where split: throw ValidationError("--shard \(shard) cannot be used with --split")
    case .pages, .parents, .part: break
    }
  }

  var isSorted: Bool { !sort.isEmpty }

  /// Nil if nothing is specified. A sorted run needs all rows before it knows the first ones.
  var demand: Demand? {
    if all || isSorted && limit != nil || sinceLast && limit == nil && maxPages == nil { return .everything }
    return limit.map { .rows($0) }
  }

  /// How much is loaded, by default what the settings say, else as many pages as allowed, one by default.
  func demand(_ settings: Settings) -> Demand {
    demand ?? settings.search.limit.map { isSorted ? .everything : .rows($0) }
      ?? .pages(effectiveMaxPages ?? 1)
  }

  /// The maximum number of sorted rows written; nil for all.
  func sortedLimit(_ settings: Settings) -> Int? {
    isSorted ? limit ?? (all || sinceLast ? nil : settings.search.limit) : nil
  }

  /// The maximum number of pages requested; nil for no limit.
  var effectiveMaxPages: Int? { maxPages ?? (filter != nil && limit != nil && !isSorted ? 10 : nil) }

  /// The sort order; nil if the rows are not sorted.
  func rowSort(of source: Source) throws(CommandError) -> RowSort? {
    guard isSorted else { return nil }
    do { return try RowSort(parsing: sort, of: source) } catch {
      throw CommandError("--sort: \(error)", .usage)
    }
  }

  /// The position given by `--from-page` or `--shard`; nil for the first page.
  func resumePoint(_ run: Run) throws(CommandError) -> ResumePoint? {
    switch shard {
    case .pages(let range)?: return try range.start(in: run)
    case .part(let range)?:
      guard let split = run.source.split else { throw PartsCount.undivided(run.source) }
      return range.start(split, first: run.source.pagination.style.first)
    case .parents?, nil: break
    }
    guard let fromPage, fromPage > 1 else { return nil }
    guard let start = ResumePoint(page: fromPage, of: run.source, pageSize: run.pageSize) else {
      throw CommandError("--from-page cannot be used: source \(run.source.id) has no page numbers", .usage)
    }
    if let pagingCap = run.source.pagination.pagingCap(pageSize: run.pageSize, with: run.credentialNames),
      !pagingCap.admits(start.next, received: start.received)
    {
      throw CommandError(
        "page \(fromPage) is beyond the last page of source \(run.source.id)"
          + (pagingCap.pages.map { ", page \($0)" } ?? "")
          + (pagingCap.declaredRows.map { ": it returns only the first \(Digits.counted($0, "row"))" } ?? ""),
        .usage)
    }
    return start
  }
}

/// What happens if the list of a parent cannot be loaded.
package enum ParentErrorChoice: String, CaseIterable, Sendable, ExpressibleByArgument { case stop, skip }

extension Shard: ExpressibleByArgument {}
extension RateShare: ExpressibleByArgument {}

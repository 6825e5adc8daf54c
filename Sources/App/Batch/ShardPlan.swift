import Config
import Detection
import HTTPValues
import Search
import Text

/// `riffle plan`: divides a search into shards, and prints a line for each.
package enum ShardPlan {
  package static func run(
    _ plan: PlanOptions, _ request: RequestOptions, _ rows: RowOptions, _ form: FormatOptions,
    _ report: ReportOptions, _ dependencies: Dependencies, _ message: Message
  ) throws(CommandError) -> RunEnd {
    var (request, rows, form) = (request, rows, form)
    if let option = runOptions(request, rows, form, report).first(where: \.isGiven) {
      throw CommandError("\(option.name) cannot be used with plan. \(option.remedy)", .usage)
    }
    if let search = try request.useSavedSearch(dependencies, needsQuery: !rows.each) {
      rows.use(search)
      form.use(search)
      if !rows.sort.isEmpty {
        throw CommandError(
          "a saved search with a sort order cannot be divided: the rows of each shard would be sorted separately",
          .usage)
      }
    }
    try request.checkHasNoCredentials()
    rows.all = true
    let (shards, redacted) = try shards(plan, &request, rows, dependencies, message)
    if shards.count < plan.shards {
      let pages = Digits.counted(shards.count, rows.split ? "part" : "page")
      message.note(
        "the list has \(pages), so there \(shards.count == 1 ? "is 1 shard" : "are \(shards.count) shards")")
    }
    let share = RateShare(runs: plan.workers ?? shards.count)
    rows.rateShare = share.runs > 1 ? share : nil
    var text = ""
    for shard in shards {
      rows.shard = shard
      let line = ShardLine(request, rows, form, report)
      text += (plan.json ? line.json : try line.command(local: request.localWords)) + "\n"
    }
    guard redacted(text) == text else {
      throw CommandError(
        "the plan would contain a credential of source \(request.source ?? ""). Let the source read it from a variable",
        .usage)
    }
    if plan.json, let first = request.localWords.first {
      message.note("\(first) is not part of the lines. Add it to riffle search --shard-from-stdin")
    }
    return try dependencies.print(text)
  }

  /// The shards, and what removes the credentials of the run from a text.
  ///
  /// - Parameter request: Gets the page size that the ranges are for.
  private static func shards(
    _ plan: PlanOptions, _ request: inout RequestOptions, _ rows: RowOptions, _ dependencies: Dependencies,
    _ message: Message
  ) throws(CommandError) -> (shards: [Shard], redacted: @Sendable (String) -> String) {
    var runs = try Run.lineage(request, dependencies, rows: rows)
    let run = runs.removeLast()
    for note in runs.flatMap(\.notes) + run.notes { message.note(note) }
    if rows.each {
      let shards = (1...plan.shards).map { Shard.parents(ParentShare(number: $0, count: plan.shards)) }
      return (shards, run.redacted)
    }
    if rows.split {
      if request.insecure { message.failure(RequestOptions.insecureWarning) }
      let count = try PartsCount.of(run, dependencies, message)
      message.note(count.summary)
      return (count.ranges(plan.shards).map(Shard.part), run.redacted)
    }
    guard run.source.pagination.style.numbering != nil else { throw undividable(run.source) }
    if run.source.placesPageSize { request.pageSize = run.pageSize }
    if request.insecure { message.failure(RequestOptions.insecureWarning) }
    let page = try blocking { await firstPage(of: run, dependencies, message) }.get()
    if let most = run.reachableRows, let total = page.total, total.count > most {
      let remedy = run.source.split == nil ? "" : ". Add --split to divide all rows"
      message.note("the service returns at most \(Digits.grouped(most)) of \(total.text) rows\(remedy)")
    }
    return (try pageRanges(of: run, page, plan.shards).map(Shard.pages), run.redacted)
  }

  /// The first page, with the total if the source has a request of its own for it.
  private static func firstPage(
    of run: Run, _ dependencies: Dependencies, _ message: Message
  ) async -> Result<Page, CommandError> {
    let loader = run.loader()
    var result = await loader.page(for: PageRequest(first: run.source, run.query)) { .document($0) }
    if case .success(var page) = result, page.total == nil, run.source.rows.totalRequest != nil,
      case .success(let response) = await loader.total(for: TotalQuery(run.query))
    {
      page.total = response.total
      result = .success(page)
    }
    await Run.close([run]) { await dependencies.finishTokenExchanges(message) }
    return result.mapError { CommandError($0.commandLineMessage, $0.kind.exitStatus) }
  }

  private static func pageRanges(
    of run: Run, _ page: Page, _ count: Int
  ) throws(CommandError) -> [PageRange] {
    // A service may send fewer rows than requested.
    let isLast = if case .end = page.continuation { true } else { false }
    let isFull = !isLast && page.received > 0 && page.total.map { $0.count > page.received } ?? true
    let size = max(1, min(isFull ? page.received : run.pageSize ?? page.received, Shard.largestNumber))
    var pages = 1
    if !isLast {
      guard let known = page.pageCount ?? page.total.map({ ($0.count + size - 1) / size }) else {
        throw CommandError(
          "source \(run.source.id) does not report how many rows or pages it has, so its pages cannot be divided. "
            + remedy(run.source), .usage)
      }
      pages = known
    }
    if let most = run.reachableRows { pages = min(pages, (most + size - 1) / size) }
    pages = max(1, min(pages, Shard.largestNumber))
    let shards = min(count, pages)
    return (0..<shards).map { index in
      PageRange(
        first: pages * index / shards + 1, last: index == shards - 1 ? nil : pages * (index + 1) / shards,
        size: size)
    }
  }

  private static func undividable(_ source: Source) -> CommandError {
    CommandError(
      "the pages of source \(source.id) have no numbers: each follows from the one before it, so they cannot be divided. "
        + remedy(source), .usage)
  }

  /// What to do about a list that cannot be divided into ranges of pages.
  private static func remedy(_ source: Source) -> String {
    if source.split != nil { return "Add --split to divide it into ranges of \(source.split?.field ?? "")" }
    return source.parent.map {
      "To divide the lists of all \($0.name)s, omit --set \($0.name)=… and add --each"
    }
      ?? "Run it as one search, with riffle search --all"
  }

  /// The names of the options of `riffle search` that a plan does not take. `--all` is implied.
  package static let refusedOptions: Set<String> = {
    guard let request = try? RequestOptions.unset(), let rows = try? RowOptions.unset(),
      let form = try? FormatOptions.unset(), let report = try? ReportOptions.unset()
    else { return [] }
    return Set(runOptions(request, rows, form, report).map(\.name) + ["--all"])
  }()

  /// The options that have no meaning in a plan, whether each is given, and what to do instead.
  private static func runOptions(
    _ request: RequestOptions, _ rows: RowOptions, _ form: FormatOptions, _ report: ReportOptions
  ) -> [(name: String, isGiven: Bool, remedy: String)] {
    let perShard = "Add it to the commands of the plan"
    let whole = "A plan divides all rows"
    return [
      ("--limit", rows.limit != nil, whole), ("--max-pages", rows.maxPages != nil, whole),
      ("--from-page", rows.fromPage != nil, whole),
      ("--sort", rows.isSorted, "The rows of each shard would be sorted separately"),
      ("--shard", rows.shard != nil, "A shard cannot be divided again"),
      ("--shard-from-stdin", rows.shardFromStdin, "A shard cannot be divided again"),
      ("--rate-share", rows.rateShare != nil, "Use --workers"),
      ("--since-last", rows.sinceLast, whole), ("--state", rows.state != nil, whole),
      ("--deleted", rows.deleted != nil, whole),
      ("--resume", rows.resume, perShard), ("--output", form.outputName != nil, perShard),
      ("--stats", report.stats != nil, perShard), ("--record", request.record != nil, perShard),
      ("--watch", request.watch != nil, whole),
      ("--count", report.count, "Use riffle search --count"),
      ("--dry-run", report.dryRun, "Use riffle search --dry-run"),
      ("--fail-empty", report.failEmpty, "A shard may have no rows"),
    ]
  }
}

extension PageRange {
  /// Where a run of the range begins; nil for the first page.
  func start(in run: Run) throws(CommandError) -> ResumePoint? {
    guard let numbering = run.source.pagination.style.numbering else {
      throw CommandError(
        "--shard \(Shard.pages(self)) cannot be used: source \(run.source.id) has no page numbers", .usage)
    }
    return start(in: numbering)
  }
}

extension RequestOptions {
  /// - Throws: If an option contains a credential, which the plan would print.
  fileprivate func checkHasNoCredentials() throws(CommandError) {
    for pair in set where SecretName.isLikely(parameter: pair.name) {
      throw credential(
        in: "--set \(pair.name)", "Let the source read it from a variable, with from = \"env:NAME\"")
    }
    for pair in param where SecretName.isLikely(parameter: pair.name) {
      throw credential(
        in: "--param \(pair.name)", "Let the source read it from a variable, with from = \"env:NAME\"")
    }
    for text in requestHeader {
      let header = try Named(header: text)
      if header.value.variables.isEmpty, SecretName.isLikely(header: header.name) {
        throw credential(
          in: "--request-header \(header.name)", "Write $NAME in its place, and set that variable")
      }
    }
    let values = set.map(\.value) + param.map(\.value) + requestHeader + words
    if values.contains(where: { $0.contains(/:\/\/[^\/?#\s@]*@/) }) {
      throw credential(in: "an address with a name before @", "Remove the name and password from it")
    }
  }

  private func credential(in place: String, _ remedy: String) -> CommandError {
    CommandError("\(place) contains a credential, which the plan would print. \(remedy)", .usage)
  }

  /// The options that are about this machine, as words. They are part of commands, and not of lines for other machines.
  fileprivate var localWords: [String] {
    (config.map { ["--config", $0] } ?? []) + (trust ? ["--trust"] : [])
      + (insecure ? ["--insecure"] : [])
      + (quiet ? ["--quiet"] : []) + (color.map { ["--color", $0.rawValue] } ?? [])
  }
}

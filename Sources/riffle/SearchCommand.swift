import App
import ArgumentParser
import Foundation

struct SearchCommand: RecordedCommand {
  static let configuration = CommandConfiguration(
    commandName: CommandName.search.rawValue, abstract: "Search and write the rows to stdout, for scripts.",
    discussion: """
      Without --limit, --all or --max-pages, one page is written. Rows are written page by page as they arrive; \
      messages go to stderr. With --filter and --limit, at most 10 pages are loaded unless --max-pages is given.

        riffle search unicode arrow --all --format jsonl | jq -r .name
        riffle search github swift tui -n 50 -f csv -c full_name > repos.csv
        riffle search unicode arrow --all --sort name:desc --columns name,@link
        riffle search gitlab-issues runner --each --all -f csv -c @parent,title

      Some sources list the children of another source's rows, such as a project's issues. --set project=42 writes \
      one project's issues, --each every project's. If the list of parents needs a query, the query selects parents. \
      --limit counts rows over all lists, and --resume continues inside a list. If a list fails, --on-parent-error \
      decides; a 401, a lost network and a wait longer than --max-wait always stop the run.

      --count prints the total that the service reports. With --all or --limit, it counts the loaded rows. With --each \
      or --filter, add --all or --limit.

        riffle search github swift tui -n 100 --watch 60s -f jsonl | jq -r .full_name

      --shard writes one of the shards into which riffle plan divides a search; --shard-from-stdin writes each shard \
      that it reads.

      With --watch, riffle requests the same pages at each interval until Ctrl-C, and writes each new or changed row \
      in full. Unchanged pages are not transferred again if the service supports ETags. Only the first round can end the \
      run; if a later one fails, riffle reports it on stderr and continues.

        */10 * * * * riffle search hn rust --since-last -q | mail -Es news me

      With --since-last, riffle writes only rows that are new or changed since the last complete run of the same \
      search. A run that fails, is limited or interrupted, or cannot write its output does not count: the next one \
      writes its rows again. --limit counts the rows that are read. See NEW AND CHANGED ROWS in riffle-search(1), and riffle-state(1).

      Exit status: 0 success, 1 failure, 3 stopped after some rows, 4 not authorized, 5 rate limited, 64 usage \
      error, 74 output error, 78 configuration error.
      """)

  @OptionGroup(title: "Request") var request: RequestOptions
  @OptionGroup(title: "Rows") var rows: RowOptions
  @OptionGroup(title: "Output") var form: FormatOptions
  @OptionGroup(title: "Reporting") var report: ReportOptions

  mutating func validate() throws {
    try rows.checkTogether()
    let files = [form.output, report.stats].compactMap(\.self).map {
      URL(filePath: $0).resolvingSymlinksInPath()
    }
    if files.count == 2, files[0] == files[1] {
      throw ValidationError("--output and --stats cannot use the same file")
    }
    guard report.count else { return }
    if rows.each, !rows.all, rows.limit == nil {
      throw ValidationError("--count with --each needs --all or --limit")
    }
    let others: KeyValuePairs = [
      "--output": form.output != nil, "--format": form.format != nil, "--columns": form.columns != nil,
      "--template": form.template != nil, "--sort": !rows.sort.isEmpty, "--from-page": rows.fromPage != nil,
    ]
    if let other = others.first(where: { $0.value })?.key {
      throw ValidationError("--count and \(other) cannot be used together")
    }
    if rows.filter != nil, !rows.all, rows.limit == nil {
      throw ValidationError("--count with --filter needs --all or --limit")
    }
  }

  var messageStyle: MessageStyle { request.messageStyle }

  func perform(_ dependencies: Dependencies, _ message: Message) throws -> RunEnd {
    if rows.shardFromStdin {
      return try ShardInput.run(request, rows, form, report, dependencies, message)
    }
    return try OneShot.run(request, rows, form, report, dependencies, message)
  }
}

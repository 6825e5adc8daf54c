import App
import ArgumentParser

struct PlanCommand: RiffleCommand {
  static let configuration = CommandConfiguration(
    commandName: CommandName.plan.rawValue, abstract: "Divide a search into shards for several processes.",
    discussion: """
      Prints one line for each shard: a command of riffle search. If the list does not change, shards have no rows in \
      common, and together they have all rows. Any program that runs commands can run them, on one machine or on many.

        riffle plan github swift --shards 16 | xargs -d '\\n' -P 4 -I LINE sh -c LINE
        riffle plan github swift --split --shards 16
        riffle plan gitlab-issues runner --each --shards 16 --workers 4 > shards.sh
        riffle plan github swift --shards 16 --json > shards.jsonl
        head -n 1 shards.jsonl | riffle search --shard-from-stdin -f jsonl

      A list with numbered pages is divided into ranges of pages; riffle requests the first page, which reports how \
      many there are. The last range has no end, so rows that are appended in the meantime are not lost. With --each, \
      the parents are divided, by a hash of their values; every shard loads the list of parents. With --split, for \
      lists that the service cuts short, each shard is a range of parts, with about as many rows as the others; riffle \
      requests the totals of the parts. A list whose pages are found by a cursor or link needs --each or --split.

      Each shard is a complete run with its own exit status, --stats and, after --output FILE is added, --resume. \
      The shards run at the same time, so each one uses a share of the source's rate limits (--rate-share): \
      1/N with --workers N.

      With --json, each line is an object with version, source, query, shard and arguments, which riffle search \
      --shard-from-stdin reads; without input, it writes no rows. Output contains no credentials: each machine needs \
      its own, and a copy of each source of yours.
      """)

  @OptionGroup(title: "Shards") var plan: PlanOptions
  @OptionGroup(title: "Request") var request: RequestOptions
  @OptionGroup(title: "Rows") var rows: RowOptions
  @OptionGroup(title: "Output") var form: FormatOptions
  @OptionGroup(title: "Reporting") var report: ReportOptions

  var messageStyle: MessageStyle { request.messageStyle }

  func perform(_ dependencies: Dependencies, _ message: Message) throws -> RunEnd {
    try ShardPlan.run(plan, request, rows, form, report, dependencies, message)
  }
}

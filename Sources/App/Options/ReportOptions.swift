package import ArgumentParser
package import Text

/// Options for what is reported in addition to the rows.
package struct ReportOptions: ParsableArguments, Sendable {
  @Flag(
    help: "Print the total that the service reports, or the number of loaded rows, instead of rows."
  )
  package var count = false

  @Flag(
    help: """
      Print the first request as a curl command, without sending it; with --split, request the totals and print the \
      ranges.
      """)
  package var dryRun = false

  @Flag(help: "Exit with status 1 if there are no rows.")
  package var failEmpty = false

  @Flag(help: "Exit with status 3 if rows of the requested list may be missing.")
  package var failIncomplete = false

  @Option(help: ArgumentHelp("Write run statistics as JSON to this file (- is stderr).", valueName: "file"))
  package var stats: String?

  @Flag(name: [.short, .long], help: "Log each request to stderr: status, size, time, rate limit.")
  package var verbose = false

  @Option(
    help: ArgumentHelp("Show progress on stderr (default: auto, on a terminal only).", valueName: "when"))
  package var progress: Occasion?

  package init() {}
}

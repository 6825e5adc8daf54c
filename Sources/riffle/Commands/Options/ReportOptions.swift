import ArgumentParser
import Glibc

/// Options for what is reported in addition to the rows.
struct ReportOptions: ParsableArguments {
  @Flag(help: "Print the number of rows the service reports, not the rows.")
  var count = false

  @Flag(help: "Print the first request as a curl command; send nothing.")
  var dryRun = false

  @Flag(help: "Exit with status 1 if there are no rows.")
  var failEmpty = false

  @Option(
    help: ArgumentHelp(
      "Write run statistics as JSON to this file (- is stderr).", valueName: "file"))
  var stats: String?

  @Flag(name: [.short, .long], help: "Log each request to stderr: status, size, time, rate limit.")
  var verbose = false

  @Option(help: "Show progress on stderr (default: auto, on a terminal only).")
  var progress: ProgressChoice?
}

/// When progress is shown.
enum ProgressChoice: String, CaseIterable, Sendable, ExpressibleByArgument {
  case auto, always, never
}

extension ReportOptions {
  /// The progress style; nil to show none.
  func progressStyle(_ dependencies: Dependencies, isQuiet: Bool) -> ProgressDisplay.Style? {
    let columns = dependencies.isErrorTerminal ? dependencies.columns(of: STDERR_FILENO) ?? 80 : nil
    switch progress ?? .auto {
    case .never: return nil
    case .always: return columns.map { .overwriting(columns: $0) } ?? .lines
    case .auto where isQuiet: return nil
    case .auto where verbose: return .longWaits
    // On a terminal, rows and progress would overwrite each other.
    case .auto where dependencies.isOutputTerminal: return .longWaits
    case .auto: return columns.map { .overwriting(columns: $0) } ?? .longWaits
    }
  }
}

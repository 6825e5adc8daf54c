import ArgumentParser
import Glibc

/// Options for what is reported in addition to the rows.
struct ReportOptions: ParsableArguments {
  @Flag(help: "Print how many rows there are, as the service says, instead of the rows.")
  var count = false

  @Flag(help: "Print the first request as a curl command, secrets as $NAME, and send nothing.")
  var dryRun = false

  @Flag(help: "Status 1 when there are no rows.")
  var failEmpty = false

  @Option(
    help: ArgumentHelp(
      "At the end, write what was done as one JSON object to a file; - is stderr.", valueName: "file"))
  var stats: String?

  @Flag(name: [.short, .long], help: "Tell each request on stderr: status, size, time, what is left.")
  var verbose = false

  @Option(help: "A line on stderr that tells how far the run is (on a terminal).")
  var progress: ProgressChoice?
}

enum ProgressChoice: String, CaseIterable, Sendable, ExpressibleByArgument {
  case auto, always, never
}

extension ReportOptions {
  /// The progress style; nil to show none.
  func progressStyle(_ world: World, isQuiet: Bool) -> ProgressDisplay.Style? {
    let columns = world.isErrorTerminal ? world.columns(of: STDERR_FILENO) ?? 80 : nil
    switch progress ?? .auto {
    case .never: return nil
    case .always: return columns.map { .overwriting(columns: $0) } ?? .lines
    case .auto where isQuiet: return nil
    case .auto where verbose: return .longWaits
    // On a terminal, rows and progress would overwrite each other.
    case .auto where world.isOutputTerminal: return .longWaits
    case .auto: return columns.map { .overwriting(columns: $0) } ?? .longWaits
    }
  }
}

import ArgumentParser

/// The command `riffle`: its subcommands, and errors of the argument parser.
@main
struct Riffle: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "riffle",
    abstract: "Browse any paginated search API in the terminal.",
    usage: """
      riffle <source> [<query> ...]
      riffle search <source> [<query> ...] [--all] [--format csv]
      riffle <subcommand>
      """,
    discussion: """
        riffle unicode arrow        search the embedded source interactively
        riffle github swift tui     search GitHub repositories
        riffle search github swift tui --limit 200 --format csv > repos.csv
      """,
    version: Version.text,
    subcommands: [
      BrowseCommand.self, SearchCommand.self, PickCommand.self, AddCommand.self, SourcesCommand.self,
      ConfigCommand.self, ReplayCommand.self, DemoCommand.self, DoctorCommand.self,
    ],
    defaultSubcommand: BrowseCommand.self)

  static func main() {
    Descriptor.openStandardDescriptors()
    do {
      // Parsing it would build the definitions of all commands, a third of the run time.
      if CommandLine.arguments.dropFirst() == ["--version"] { say("\(Version.text)\n") }
      if let script = CompletionScript(CommandLine.arguments.dropFirst()) { say(script.text) }
      var command = try parseAsRoot()
      do { try Descriptor.requireEnough() } catch { leave(with: error) }
      try command.run()
    } catch {
      leave(with: error)
    }
  }

  /// A usage error echoes the command line, so it is sanitized like all text for a terminal.
  private static func leave(with error: any Error) -> Never {
    let text = fullMessage(for: error)
    if exitCode(for: error) == .success { say(text.isEmpty ? "" : text + "\n") }
    guard exitCode(for: error) == .validationFailure, !text.isEmpty else { exit(withError: error) }
    let message = Message(isColored: false, isQuiet: false)
    message.failure(ParserMessage.text(of: text))
    if text.contains("Unknown option '-"), !text.contains("Unknown option '--") {
      message.failure("put -- before query words that start with -: riffle search unicode -- -x")
    }
    exit(withError: ExitCode(ExitStatus.usage.rawValue))
  }

  /// Prints requested text (help, version, completion script) and exits. A failed write to stdout is an error
  /// here too.
  private static func say(_ text: String) -> Never {
    do { try Descriptor.print(text) } catch { leave(with: error) }
    exit()
  }

  private static func leave(with error: CommandError) -> Never {
    Message(isColored: false, isQuiet: false).failure(error.message)
    exit(withError: ExitCode(error.status.rawValue))
  }

  /// The names of all commands.
  static var commandNames: [String] {
    configuration.subcommands.compactMap { $0.configuration.commandName } + ["help"]
  }
}

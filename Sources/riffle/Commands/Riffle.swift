import ArgumentParser

@main
struct Riffle: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "riffle",
    abstract: "Leaf through any paginated search API in the terminal.",
    usage: """
      riffle <source> [<query> ...]
      riffle search <source> [<query> ...] [--all] [--format csv]
      riffle <subcommand>
      """,
    discussion: """
        riffle unicode arrow        an interactive session on the embedded source
        riffle github swift tui     the same on GitHub's repositories
        riffle search github swift tui --limit 200 --format csv > repos.csv
      """,
    version: Version.text,
    subcommands: [
      BrowseCommand.self, SearchCommand.self, PickCommand.self, AddCommand.self, SourcesCommand.self,
      ConfigCommand.self, ReplayCommand.self, DemoCommand.self, DoctorCommand.self,
    ],
    defaultSubcommand: BrowseCommand.self)

  static func main() {
    Descriptor.openStandardOnes()
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
    message.failure(usageMessage(text))
    if text.contains("Unknown option '-"), !text.contains("Unknown option '--") {
      message.failure("a word of the query that starts with - follows --: riffle search unicode -- -x")
    }
    exit(withError: ExitCode(ExitStatus.usage.rawValue))
  }

  /// ArgumentParser's usage error as one line:
  /// `unknown option '--nope' (see riffle help search)`.
  static func usageMessage(_ text: String) -> String {
    let lines = text.split(separator: "\n")
    let reason = lines.prefix { !$0.hasPrefix("Help:") && !$0.hasPrefix("Usage:") && !$0.hasPrefix("  See") }
    var message = reason.first.map(String.init) ?? ""
    for (library, own) in [
      ("Error: ", ""), (". Please provide one of the following:", ""),
      (". Please provide one of", "; use one of"),
      (". Did you mean", "; did you mean"),
    ] { message = message.replacing(library, with: own) }
    if message.hasSuffix(".") { message.removeLast() }
    let values = reason.dropFirst().compactMap { $0.hasPrefix("  - ") ? $0.dropFirst(4) : nil }
    if !values.isEmpty { message += "; use one of \(values.joined(separator: ", "))" }
    if let first = message.first, message.dropFirst().first?.isUppercase == false {
      message = first.lowercased() + message.dropFirst()
    }
    let command = text.firstMatch(of: /See 'riffle(.*) --help'/).map { " help\($0.1)" } ?? " help"
    return "\(message) (see riffle\(command))"
  }

  /// Prints requested text (help, version, completion script) and exits. A failed write to stdout is an error
  /// here too.
  private static func say(_ text: String) -> Never {
    do { try Descriptor.print(text) } catch { leave(with: error) }
    exit()
  }

  private static func leave(with complaint: Complaint) -> Never {
    Message(isColored: false, isQuiet: false).failure(complaint.message)
    exit(withError: ExitCode(complaint.status.rawValue))
  }

  /// The names of all commands.
  static var commandNames: [String] {
    configuration.subcommands.compactMap { $0.configuration.commandName } + ["help"]
  }
}

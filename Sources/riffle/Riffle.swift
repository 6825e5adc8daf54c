import App
import ArgumentParser
import Config
import Text

/// The command `riffle`: its subcommands, and errors of the argument parser.
@main
struct Riffle: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "riffle", abstract: "Browse any paginated search API in the terminal.",
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
      AuthCommand.self, ConfigCommand.self, ReplayCommand.self, DemoCommand.self, DoctorCommand.self,
    ],
    defaultSubcommand: BrowseCommand.self)

  static func main() {
    Descriptor.openStandardDescriptors()
    do {
      // Parsing it would build the definitions of all commands, a third of the run time.
      if CommandLine.arguments.dropFirst() == ["--version"] { say("\(Version.text)\n") }
      if let script = CompletionScript(CommandLine.arguments.dropFirst()) { say(script.text) }
      if let request = RequestOptions(words: CommandLine.arguments.dropFirst()) {
        do { try Descriptor.requireEnough() } catch { leave(with: error) }
        return try perform(request) { try Interactive.browse(request, $0, $1) }
      }
      var command = try parsedAlone(CommandLine.arguments.dropFirst()) ?? parseAsRoot()
      do { try Descriptor.requireEnough() } catch { leave(with: error) }
      try command.run()
    } catch {
      leave(with: error)
    }
  }

  /// The command of a correct command line, parsed without the others, of which the parser would make all definitions
  /// too. Nil if there is a mistake or a request for help, which the parser knows only from the whole.
  private static func parsedAlone(_ words: ArraySlice<String>) -> (any ParsableCommand)? {
    guard let first = words.first, !first.hasPrefix("-") else { return nil }
    if CommandName(rawValue: first) == nil { return try? BrowseCommand.parse(Array(words)) }
    var (command, rest): (any ParsableCommand.Type, _) = (Riffle.self, words)
    while let name = rest.first,
      let next = command.configuration.subcommands.first(where: { $0.configuration.commandName == name })
    {
      (command, rest) = (next, rest.dropFirst())
    }
    return command is any RiffleCommand.Type ? try? command.parse(Array(rest)) : nil
  }

  /// A usage error echoes the command line, so it is sanitized like all text for a terminal.
  private static func leave(with error: any Error) -> Never {
    let text = fullMessage(for: error)
    if exitCode(for: error) == .success { say(text.isEmpty ? "" : text + "\n") }
    guard exitCode(for: error) == .validationFailure, !text.isEmpty else { exit(withError: error) }
    let message = Message()
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
    Message().failure(error.message)
    exit(withError: ExitCode(error.status.rawValue))
  }
}

/// A command that does something. Its error is printed, and the process ends as its run ended.
protocol RiffleCommand: ParsableCommand {
  /// What affects messages.
  var messageOptions: RequestOptions { get }

  func perform(_ dependencies: Dependencies, _ message: Message) throws -> RunEnd
}

extension CommandConfiguration {
  /// Of a command that `parsedAlone` parses. With the name of a super-command, the parser does not look for requests for
  /// a completion script, which takes a tenth of a short search.
  init(parsedAlone name: String, abstract: String, discussion: String = "") {
    self.init(commandName: name, _superCommandName: "riffle", abstract: abstract, discussion: discussion)
  }
}

extension RiffleCommand {
  var messageOptions: RequestOptions { RequestOptions() }

  func run() throws { try Riffle.perform(messageOptions, perform) }
}

extension Riffle {
  /// Performs a command. Its error is printed, and the process ends as its run ended.
  fileprivate static func perform(
    _ request: RequestOptions, _ command: (Dependencies, Message) throws -> RunEnd
  ) throws {
    let dependencies = Dependencies.live()
    let message = Message(request, dependencies)
    do { try command(dependencies, message).leave() } catch let error as CommandError {
      message.failure(error.message)
      throw ExitCode(error.status.rawValue)
    }
  }
}

extension RequestOptions {
  /// A source and a query for `browse`, if the arguments are nothing else. Parsing them would build the definitions of
  /// all commands, a sixth of the time to the first frame.
  fileprivate init?(words: ArraySlice<String>) {
    guard let first = words.first, CommandName(rawValue: first) == nil,
      words.allSatisfy({ !$0.isEmpty && !$0.hasPrefix("-") })
    else { return nil }
    self.init()
    source = first
    self.words = Array(words.dropFirst())
  }
}

extension Message {
  fileprivate init(_ request: RequestOptions, _ dependencies: Dependencies) {
    let isColored = (request.color ?? .auto).isColored(
      environment: dependencies.environment, isTerminal: dependencies.isErrorTerminal)
    self.init()
    isQuiet = request.quiet
    guard isColored else { return }
    // Bold red, and dim (SGR, ECMA-48).
    failurePrefix = "\u{1B}[31;1m\(failurePrefix)\u{1B}[0m"
    notePrefix = "\u{1B}[2m\(notePrefix)\u{1B}[0m"
  }
}

extension ColorChoice {
  /// Whether human-readable text is colored. `NO_COLOR` (no-color.org) and `CLICOLOR_FORCE`
  /// (bixense.com/clicolors) apply when the option is `auto`.
  fileprivate func isColored(environment: [String: String], isTerminal: Bool) -> Bool {
    switch self {
    case .always: true
    case .never: false
    case .auto where environment["NO_COLOR"]?.isEmpty == false: false
    case .auto where environment["CLICOLOR_FORCE"].map({ $0 != "0" && !$0.isEmpty }) == true: true
    case .auto: isTerminal && environment["TERM"] != "dumb"
    }
  }
}

extension RunEnd {
  /// Returns after success; otherwise ends the process by the signal, or throws its exit status.
  fileprivate func leave() throws {
    switch self {
    case .status(.done): break
    case .status(let status): throw ExitCode(status.rawValue)
    // The exit status a shell reports for an interrupt (128 + SIGINT).
    case .canceled: throw ExitCode(130)
    case .signal(let number): Signals.raise(number)
    }
  }
}

/// ArgumentParser's usage errors in the wording of the other messages.
enum ParserMessage {
  /// One line: what is wrong, the values that are possible, and where help is.
  ///
  /// - Parameter full: the parser's whole message, its usage included.
  static func text(of full: String) -> String {
    let lines = full.split(separator: "\n")
    let reason = lines.prefix { !$0.hasPrefix("Help:") && !$0.hasPrefix("Usage:") && !$0.hasPrefix("  See") }
    var message = rephrased(String(reason.first ?? "").replacing("Error: ", with: "", maxReplacements: 1))
    if let first = message.first, message.dropFirst().first?.isUppercase == false {
      message = first.lowercased() + message.dropFirst()
    }
    let values = reason.dropFirst().compactMap { $0.hasPrefix("  - ") ? String($0.dropFirst(4)) : nil }
    let command = full.firstMatch(of: /See 'riffle(.*) --help'/)?.1 ?? ""
    if let match = message.firstMatch(of: /^(unknown option "(--.*?)")/) {
      message = Sentences.joined([
        String(match.1), NearestName.question(String(match.2), among: options(of: command)),
      ])
    }
    return Sentences.joined([message, choice(of: values), "See riffle help\(command)"])
  }

  /// The long options of a command, given by its words.
  private static func options(of command: Substring) -> [String] {
    let type = command.split(separator: " ").reduce(Riffle.self as any ParsableCommand.Type) { type, word in
      type.configuration.subcommands.first { $0.configuration.commandName == String(word) } ?? type
    }
    let lines = Riffle.helpMessage(for: type).split(separator: "\n").filter { $0.contains(/^ +-/) }
    return lines.flatMap { $0.matches(of: /--[a-z-]+/).map { String($0.output) } }
  }

  /// A message it does not know is left alone.
  private static func rephrased(_ message: String) -> String {
    if let match = message.firstMatch(of: /^The value '(.*)' is invalid for '(.*?)'(?=$|[.:])(.*)/) {
      let values = match.3.matches(of: /'(.*?)'/).map { String($0.1) }
      let isReason = match.3.hasPrefix(":")
      return Sentences.joined([
        "invalid value \"\(match.1)\" for \(match.2.prefix { $0 != " " })\(isReason ? match.3 : "")",
        isReason ? nil : choice(of: values),
      ])
    }
    if let match = message.firstMatch(of: /^Missing (expected argument|value for) '(.*)'$/) {
      return "missing \(match.1 == "value for" ? "value for" : "argument") \(match.2)"
    }
    if let match = message.firstMatch(of: /set with flag '(.*)' had already been set with flag '(.*)'/) {
      return "\(match.2) and \(match.1) cannot be used together"
    }
    if let match = message.firstMatch(of: /^The option '(.*?)' does not take any value, but '(.*)' was/) {
      return "\(match.1) takes no value, found \"\(match.2)\""
    }
    if let match = message.firstMatch(of: /^Can't generate completion scripts for '(.*)'/) {
      return "unknown shell \"\(match.1)\". Use one of: bash, zsh, fish"
    }
    if message.hasPrefix("Can't autodetect") { return "cannot detect the shell. Use one of: bash, zsh, fish" }
    if message.contains(/^(Unknown option|Unexpected argument|[0-9]+ unexpected arguments)/) {
      return message.replacing("'", with: "\"")
    }
    return message
  }

  private static func choice(of values: [String]) -> String? {
    values.isEmpty ? nil : "Use one of: \(values.joined(separator: ", "))"
  }
}

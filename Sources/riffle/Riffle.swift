import App
import ArgumentParser
import Config
import Glibc
import Output
import Search
import Text

/// The command `riffle`: its subcommands, and errors of the argument parser.
@main
struct Riffle: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "riffle", abstract: "Browse any paginated search API in the terminal.",
    usage: """
      riffle [<source> [<query> ...]]
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
      BrowseCommand.self, SearchCommand.self, PlanCommand.self, PickCommand.self, AddCommand.self,
      SourcesCommand.self, AuthCommand.self, ConfigCommand.self, StateCommand.self, ReplayCommand.self,
      DemoCommand.self, DoctorCommand.self,
    ],
    defaultSubcommand: BrowseCommand.self)

  static func main() {
    Descriptor.openStandardDescriptors()
    // A closed pipe is an error of a write, not the end of the process.
    signal(SIGPIPE, SIG_IGN)
    switch run(Array(CommandLine.arguments.dropFirst()), .live()) {
    case .status(let status): Glibc.exit(status.rawValue)
    // The exit status a shell reports for an interrupt (128 + SIGINT).
    case .canceled: Glibc.exit(128 + SIGINT)
    case .signal(let number): Signals.raise(number)
    }
  }

  /// Runs a command line to its end. What it prints and reads, failures and help included, goes through the streams of
  /// `dependencies`.
  ///
  /// - Parameters:
  ///   - arguments: Without the program's name.
  ///   - parse: Parses the arguments.
  static func run(
    _ arguments: [String], _ dependencies: Dependencies,
    parse: (_ arguments: [String]) throws -> any ParsableCommand = { try parseAsRoot($0) }
  ) -> RunEnd {
    var message = Message(dependencies)
    let (arguments, isShortHelp) = HelpText.request(in: arguments)
    do {
      if arguments.first == "help", let name = arguments.dropFirst().first, !name.hasPrefix("-"),
        !configuration.subcommands.contains(where: { $0.configuration.commandName == name })
      {
        throw CommandError(ParserMessage.unknownCommand(name, of: configuration), .usage)
      }
      var command = try Completions.$dependencies.withValue(dependencies) { try parse(arguments) }
      try Descriptor.checkDescriptorLimit()
      guard let command = command as? any RiffleCommand else {
        // Help, or a command that is nothing without a subcommand: throws its help.
        try command.run()
        return .status(.done)
      }
      var dependencies = dependencies
      dependencies.arguments = arguments
      dependencies.colorChoice = command.messageStyle.color ?? .auto
      message = Message(dependencies)
      message.isQuiet = command.messageStyle.isQuiet
      return try command.perform(dependencies, message)
    } catch let error as CommandError {
      let text = Sentences.joined([error.message, ParserMessage.meantCommand(arguments)])
      return failure(CommandError(text, error.status), message)
    } catch {
      do { return try report(error, arguments, isShortHelp, dependencies, message) } catch {
        return failure(error, message)
      }
    }
  }

  private static func failure(_ error: CommandError, _ message: Message) -> RunEnd {
    message.failure(error.message)
    return .status(error.status)
  }

  /// Prints what the parser throws: requested text (help, version, completions), or a usage error, which echoes the
  /// command line, so it is sanitized like all text for a terminal.
  private static func report(
    _ error: any Error, _ arguments: [String], _ isShortHelp: Bool, _ dependencies: Dependencies,
    _ message: Message
  ) throws(CommandError) -> RunEnd {
    let columns = dependencies.environment["COLUMNS"].flatMap { Int($0) } ?? dependencies.output.columns ?? 80
    let text = fullMessage(for: error, columns: columns)
    switch exitCode(for: error) {
    case .success:
      let shown = HelpText.text(of: text, isShort: isShortHelp)
      return try dependencies.print(shown.isEmpty ? "" : shown + "\n")
    case .validationFailure:
      message.failure(ParserMessage.text(of: text, arguments))
      return .status(.usage)
    default: throw CommandError("\(error)", .failed)
    }
  }
}

/// A command that does something.
protocol RiffleCommand: ParsableCommand, Sendable {
  var messageStyle: MessageStyle { get }

  /// - Throws: `CommandError` for a failure that is reported in one message.
  func perform(_ dependencies: Dependencies, _ message: Message) throws -> RunEnd
}

extension RiffleCommand {
  var messageStyle: MessageStyle { MessageStyle() }
}

/// ArgumentParser's usage errors in the wording of the other messages.
enum ParserMessage {
  /// One line: what is wrong, the values that are possible, and where help is.
  ///
  /// - Parameters:
  ///   - full: The parser's whole message, its usage included.
  ///   - arguments: The command line.
  static func text(of full: String, _ arguments: [String]) -> String {
    let lines = full.split(separator: "\n")
    let reason = lines.prefix { !$0.hasPrefix("Help:") && !$0.hasPrefix("Usage:") && !$0.hasPrefix("  See") }
    var message = reworded(String(reason.first ?? "").replacing("Error: ", with: "", maxReplacements: 1))
    if let first = message.first, message.dropFirst().first?.isUppercase == false {
      message = first.lowercased() + message.dropFirst()
    }
    let values = reason.dropFirst().compactMap { $0.hasPrefix("  - ") ? String($0.dropFirst(4)) : nil }
    let command = full.firstMatch(of: /See 'riffle(.*) --help'/)?.1 ?? ""
    if let unknown = unknownCommand(message, arguments) { return unknown }
    // A number below zero looks like an option to the parser.
    if let option = message.firstMatch(of: /^missing value for (--?[a-z-]+)/)?.1,
      let place = arguments.firstIndex(of: String(option)), place + 1 < arguments.count,
      arguments[place + 1].contains(/^-[0-9]/)
    {
      let least = option == "--retries" ? 0 : 1
      message =
        "invalid value \"\(arguments[place + 1])\" for \(option): expected an integer of at least \(least)"
    }
    if let match = message.firstMatch(of: /^(unknown option "(--?[^"=]*).*?")/) {
      let option = String(match.2)
      if command == " browse", options(of: " search").contains(option) {
        var words = arguments
        // Options may precede the command: --config FILE search.
        let place = words.first?.hasPrefix("-") ?? false ? 2 : 0
        if place < words.count, ["browse", "search"].contains(words[place]) { words.remove(at: place) }
        return "\(option) is an option of riffle search. Run: riffle search \(ShellCommand.line(words))"
      }
      message = Sentences.joined([
        String(match.1), remedy(forUnknown: option, of: command, arguments),
      ])
    }
    let advice = meantCommand(arguments) ?? "See riffle help\(command)"
    return Sentences.joined([message, choice(of: values), advice])
  }

  /// `Did you mean "auth login"?`, if the first word after a command with a default subcommand resembles another
  /// subcommand of it; nil otherwise.
  static func meantCommand(_ arguments: [String]) -> String? {
    guard arguments.count > 1, let parent = parent(of: arguments), parent.defaultSubcommand != nil else {
      return nil
    }
    let names = parent.subcommands.flatMap { type in
      [type.configuration.commandName ?? ""] + type.configuration.aliases
    }
    if names.contains(arguments[1]) { return nil }
    let meant = NearestName.nearest(to: arguments[1], among: names)
    return NearestName.question(meant.map { "\"\(arguments[0]) \($0)\"" })
  }

  /// The command that the first word names, if it has subcommands.
  private static func parent(of arguments: [String]) -> CommandConfiguration? {
    Riffle.configuration.subcommands.first { $0.configuration.commandName == arguments[0] }
      .map { $0.configuration }.flatMap { $0.subcommands.isEmpty ? nil : $0 }
  }

  /// What to do about an option that no command has: use the option that was meant, or write it as a word of the query.
  private static func remedy(
    forUnknown option: String, of command: Substring, _ arguments: [String]
  ) -> String? {
    let words = arguments.first == "browse" ? Array(arguments.dropFirst()) : arguments
    if option.hasPrefix("--") {
      let options = options(of: command)
      let name = String(option.dropFirst(2))
      if OutputFormats.named(name) != nil {
        if options.contains("--format") { return "use --format \(name)" }
        if command == " browse" {
          let search = words.flatMap { $0 == option ? ["--format", name] : [$0] }
          return "to write the rows, run: riffle search \(ShellCommand.line(search))"
        }
      }
      return NearestName.question(option, among: options.filter { $0 != option })
    }
    guard [" browse", " search", " pick"].contains(command) else { return nil }
    // Options after -- would be words of the query, too.
    guard let place = words.firstIndex(where: { $0.hasPrefix(option) }), place > 0,
      words[place...].dropFirst().allSatisfy({ !$0.hasPrefix("-") })
    else { return "put -- before query words that start with -" }
    return "to search for it, run: riffle \(ShellCommand.line(words[..<place] + ["--"] + words[place...]))"
  }

  /// For a word where the name of a subcommand is expected: `riffle config nosuch`, `riffle help nosuch`.
  private static func unknownCommand(_ message: String, _ arguments: [String]) -> String? {
    guard
      let word = message.firstMatch(of: /^(?:unexpected argument|[0-9]+ unexpected arguments:) "(.*?)"/)?.1,
      arguments.count > 1,
      arguments[1] == word, let parent = parent(of: arguments)
    else { return nil }
    return unknownCommand("\(arguments[0]) \(word)", of: parent)
  }

  /// - Parameter name: The words of the command, of which the last one is not a subcommand of `parent`.
  static func unknownCommand(_ name: String, of parent: CommandConfiguration) -> String {
    let names = parent.subcommands.compactMap { $0.configuration.commandName }
    return "unknown command \"\(name)\". Commands: \(names.joined(separator: ", "))"
  }

  /// The options of a command, given by its words.
  private static func options(of command: Substring) -> [String] {
    let type = command.split(separator: " ").reduce(Riffle.self as any ParsableCommand.Type) { type, word in
      type.configuration.subcommands.first { $0.configuration.commandName == String(word) } ?? type
    }
    // Lines with a larger indentation continue the help of an option.
    let lines = Riffle.helpMessage(for: type).split(separator: "\n").filter { $0.contains(/^  -/) }
    return lines.flatMap { line in
      line.split(whereSeparator: { " ,".contains($0) }).prefix { $0.hasPrefix("-") }.map(String.init)
    }
  }

  /// A message it does not know is left alone.
  private static func reworded(_ message: String) -> String {
    if let match = message.firstMatch(of: /^The value '(.*)' is invalid for '(.*?)'(?=$|[.:])(.*)/) {
      let values = match.3.matches(of: /'(.*?)'/).map { String($0.1) }
      let isReason = match.3.hasPrefix(":")
      return Sentences.joined([
        "invalid value \"\(match.1)\" for \(match.2.prefix { $0 != " " })\(isReason ? String(match.3) : expectation(match.2))",
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
      return "unknown shell \"\(match.1)\". Use bash, zsh or fish"
    }
    if message.hasPrefix("Can't autodetect") { return "cannot detect the shell. Use bash, zsh or fish" }
    if message.contains(/^(Unknown option|Unexpected argument|[0-9]+ unexpected arguments)/) {
      return message.replacing("'", with: "\"")
    }
    return message
  }

  /// What an option takes, by the placeholder after its name: `--limit <rows>`.
  private static func expectation(_ option: Substring) -> String {
    switch option.firstMatch(of: /<(.*)>/)?.1 {
    case "name=value"?: ": expected NAME=VALUE"
    case "shard"?: ": expected \(Shard.notation)"
    case "share"?: ": expected 1/N, such as 1/16"
    case "lines|n%"?: ": expected 4 or more lines, such as 15, or a share of them, such as 40%"
    case "rows"?, "pages"?, "page"?, "count"?, "port"?: ": expected an integer"
    default: ""
    }
  }

  private static func choice(of values: [String]) -> String? {
    values.isEmpty ? nil : "Use \(Sentences.alternatives(values))"
  }
}

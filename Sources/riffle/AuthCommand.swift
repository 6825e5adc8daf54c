import App
import ArgumentParser

struct AuthCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: CommandName.auth.rawValue, abstract: "Log in to sources, and manage kept credentials.",
    discussion: """
        riffle auth login tasks          obtain a token, or type a key, and keep it
        riffle auth status               list what is kept, and until when it is valid
        riffle auth logout tasks         remove what is kept

      Credentials are kept in $XDG_STATE_HOME/riffle/credentials or ~/.local/state/riffle/credentials, in files that \
      only you can read. No command prints them.
      """,
    subcommands: [LoginCommand.self, AuthStatus.self, LogoutCommand.self],
    defaultSubcommand: AuthStatus.self)
}

struct LoginCommand: RiffleCommand {
  static let configuration = CommandConfiguration(
    commandName: "login", abstract: "Obtain the credential of a source and keep it.",
    discussion: """
      With type = "oauth" and grant = "device", it shows an address and a code, and waits until you confirm the code \
      there, in any browser. With the other grants, it obtains a token now. With "store" in auth.from, it reads a key \
      from the terminal without showing it, or from stdin.

        riffle auth login tasks
        pass show tasks | riffle auth login tasks

      Exit status: 0 the credential is kept, 4 the service refused or the code expired, 74 it cannot be kept.
      """)

  @Argument(
    help: ArgumentHelp("Name or alias of a source, or path of its TOML file.", valueName: "source"),
    completion: Completions.sources)
  var source: String

  @Option(
    name: [.customShort("s", allowingJoined: true), .long],
    help: ArgumentHelp("Set an option of the source. May be repeated.", valueName: "name=value"),
    completion: Completions.settings)
  var set: [NameValue] = []

  @Flag(help: "Let a source given by path use credentials.")
  var trust = false

  @OptionGroup var settings: ConfigOption

  func perform(_ dependencies: Dependencies, _ message: Message) throws -> RunEnd {
    var request = try RequestOptions.unset()
    request.source = source
    request.set = set
    request.trust = trust
    return try AuthCommands(dependencies, message, config: settings.config).login(request)
  }
}

struct AuthStatus: RiffleCommand {
  static let configuration = CommandConfiguration(
    commandName: "status", abstract: "List kept credentials: source, origin, and until when.",
    discussion: """
        riffle auth status
        riffle auth status tasks

      Exit status: 0 credentials are kept, or no source was given; 4 nothing is kept for the source; 78 a file cannot \
      be used.
      """)

  @Argument(
    help: ArgumentHelp("Name or alias of a source.", valueName: "source"), completion: Completions.sources)
  var source: String?

  @OptionGroup var settings: ConfigOption

  func perform(_ dependencies: Dependencies, _ message: Message) throws -> RunEnd {
    try AuthCommands(dependencies, message, config: settings.config).status(of: source)
  }
}

struct LogoutCommand: RiffleCommand {
  static let configuration = CommandConfiguration(
    commandName: "logout", abstract: "Remove the kept credentials of a source.",
    discussion: "The service is not told: to end a token there, use the service's own page.")

  @Argument(
    help: ArgumentHelp("Name or alias of a source.", valueName: "source"), completion: Completions.sources)
  var source: String

  @OptionGroup var settings: ConfigOption

  func perform(_ dependencies: Dependencies, _ message: Message) throws -> RunEnd {
    try AuthCommands(dependencies, message, config: settings.config).logout(of: source)
  }
}

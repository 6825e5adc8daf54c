import App
import ArgumentParser

struct AuthCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: CommandName.auth.rawValue, abstract: "Log in to sources, and manage stored credentials.",
    discussion: """
        riffle auth login tasks          log in, or enter an API key, and store it
        riffle auth status               list stored credentials and when they expire
        riffle auth logout tasks         remove the stored credentials of a source

      Credentials are stored in $XDG_STATE_HOME/riffle/credentials or ~/.local/state/riffle/credentials, in files \
      that only you can read. No command prints them.
      """,
    subcommands: [LoginCommand.self, AuthStatus.self, LogoutCommand.self],
    defaultSubcommand: AuthStatus.self)
}

struct LoginCommand: RiffleCommand {
  static let configuration = CommandConfiguration(
    commandName: "login", abstract: "Log in to a source and store its credential.",
    discussion: """
      With type = "oauth" and grant = "device", riffle shows a URL and a code, and waits until you confirm the code \
      there, in any browser. With the other grants, it requests a token at once. With "store" in auth.from, it reads \
      an API key from the terminal without showing it, or from stdin.

        riffle auth login tasks
        pass show tasks | riffle auth login tasks

      Exit status: 0 the credential is stored, 4 the service refused or the code expired, 74 it cannot be stored.
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

  @Flag(help: "Let a source use credentials even if it is not trusted.")
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
    commandName: "status", abstract: "List stored credentials and when they expire.",
    discussion: """
        riffle auth status
        riffle auth status tasks

      Each line names the source and the origin that the credential is sent to.

      Exit status: 0 credentials are stored, or no source was given; 4 the source has no stored credentials; 78 a file \
      cannot be used.
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
    commandName: "logout", abstract: "Remove the stored credentials of a source.",
    discussion: "This does not revoke the token; do that on the service's website.")

  @Argument(
    help: ArgumentHelp("Name or alias of a source.", valueName: "source"), completion: Completions.sources)
  var source: String

  @OptionGroup var settings: ConfigOption

  func perform(_ dependencies: Dependencies, _ message: Message) throws -> RunEnd {
    try AuthCommands(dependencies, message, config: settings.config).logout(of: source)
  }
}

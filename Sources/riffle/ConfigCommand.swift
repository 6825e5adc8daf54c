import App
import ArgumentParser

/// `riffle config`: shows, checks and edits the settings.
struct ConfigCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: CommandName.config.rawValue, abstract: "Show and edit settings.",
    discussion: """
        riffle config                    print all settings in effect
        riffle config show --origin      ... and where each was set
        riffle config init               write a commented example file
        riffle config check              check the settings file for errors
      """,
    subcommands: [ShowConfig.self, ConfigPath.self, CheckConfig.self, InitConfig.self, EditConfig.self],
    defaultSubcommand: ShowConfig.self)
}

/// Options shared by all subcommands.
struct ConfigOptions: ParsableArguments {
  @Option(help: ArgumentHelp("Use this settings file instead of config.toml.", valueName: "file"))
  var config: String?

  /// Runs a subcommand; an error is printed and exits with its status.
  func perform(_ work: (SettingsFile) throws(CommandError) -> Void) throws {
    let dependencies = Dependencies.live()
    let message = Message(dependencies)
    try message.leaving {
      try work(SettingsFile(dependencies, message, config: config))
      return .status(.done)
    }
  }
}

/// `riffle config show`.
struct ShowConfig: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show", abstract: "Print all settings in effect, as TOML.",
    discussion: """
        riffle config show --origin | grep -v default

      A setting without a default is printed as a comment; config.example.toml says what applies when it is unset.
      """)

  @OptionGroup var options: ConfigOptions

  @Flag(help: "Print where each value was set: file and line, variable, or default.")
  var origin = false

  func run() throws {
    try options.perform { (file) throws(CommandError) in
      try Descriptor.print(try file.lines(showsOrigin: origin).map { "\($0)\n" }.joined())
    }
  }
}

/// `riffle config path`.
struct ConfigPath: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "path", abstract: "Print the path of the settings file, which may not exist.")

  @OptionGroup var options: ConfigOptions

  func run() throws {
    try options.perform { (file) throws(CommandError) in try Descriptor.print("\(try file.path())\n") }
  }
}

/// `riffle config check`.
struct CheckConfig: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Check the settings file for errors.",
    discussion: """
      Prints every error with its line and column.

        riffle config check
        riffle config check new.toml

      Exit status: 0 no errors, 78 errors found.
      """)

  @OptionGroup var options: ConfigOptions

  @Argument(help: ArgumentHelp("Settings file to check instead of config.toml.", valueName: "file"))
  var file: String?

  func run() throws {
    var options = options
    options.config = file ?? options.config
    try options.perform { (file) throws(CommandError) in try Descriptor.print("\(try file.checked())\n") }
  }
}

/// `riffle config init`.
struct InitConfig: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "init", abstract: "Write a commented example of the settings file.",
    discussion: """
      Only you can read the file (mode 0600). An existing file is never overwritten.
      """)

  @OptionGroup var options: ConfigOptions

  func run() throws {
    try options.perform { (file) throws(CommandError) in try Descriptor.print("\(try file.create())\n") }
  }
}

/// `riffle config edit`.
struct EditConfig: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "edit", abstract: "Edit the settings file in VISUAL, EDITOR or vi, then check it.",
    discussion: """
      If the file does not exist, the commented example is written first.
      """)

  @OptionGroup var options: ConfigOptions

  func run() throws {
    try options.perform { (file) throws(CommandError) in try file.edit() }
  }
}

import App
import ArgumentParser

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

struct ShowConfig: RiffleCommand {
  static let configuration = CommandConfiguration(
    commandName: "show", abstract: "Print all settings in effect, as TOML.",
    discussion: """
        riffle config show --origin | grep -v default

      A setting without a default is printed as a comment. For its effect when unset, see riffle-config(5).
      """)

  @OptionGroup var settings: ConfigOption

  @Flag(help: "Print where each value was set: file and line, variable, or default.")
  var origin = false

  func perform(_ dependencies: Dependencies, _ message: Message) throws -> RunEnd {
    try SettingsEditor(dependencies, message, config: settings.config).show(withPlace: origin)
  }
}

struct ConfigPath: RiffleCommand {
  static let configuration = CommandConfiguration(
    commandName: "path", abstract: "Print the path of the settings file, which may not exist.")

  @OptionGroup var settings: ConfigOption

  func perform(_ dependencies: Dependencies, _ message: Message) throws -> RunEnd {
    try dependencies.print("\(SettingsEditor(dependencies, message, config: settings.config).path())\n")
  }
}

struct CheckConfig: RiffleCommand {
  static let configuration = CommandConfiguration(
    commandName: "check", abstract: "Check the settings file for errors.",
    discussion: """
      Prints errors with their lines and columns.

        riffle config check
        riffle config check new.toml

      Exit status: 0 no errors, 78 errors found.
      """)

  @OptionGroup var settings: ConfigOption

  @Argument(help: ArgumentHelp("Settings file to check instead of config.toml.", valueName: "file"))
  var file: String?

  func perform(_ dependencies: Dependencies, _ message: Message) throws -> RunEnd {
    try SettingsEditor(dependencies, message, config: file ?? settings.config).check()
  }
}

struct InitConfig: RiffleCommand {
  static let configuration = CommandConfiguration(
    commandName: "init", abstract: "Write a commented example of the settings file.",
    discussion: "Only you can read the file (mode 0600). An existing file is never overwritten.")

  @OptionGroup var settings: ConfigOption

  func perform(_ dependencies: Dependencies, _ message: Message) throws -> RunEnd {
    try dependencies.print("\(SettingsEditor(dependencies, message, config: settings.config).create())\n")
  }
}

struct EditConfig: RiffleCommand {
  static let configuration = CommandConfiguration(
    commandName: "edit", abstract: "Edit the settings file in VISUAL, EDITOR or vi, then check it.",
    discussion: "If the file does not exist, the commented example is written first.")

  @OptionGroup var settings: ConfigOption

  func perform(_ dependencies: Dependencies, _ message: Message) throws -> RunEnd {
    try SettingsEditor(dependencies, message, config: settings.config).edit()
  }
}

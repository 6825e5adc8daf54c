import ArgumentParser
import Config
import Glibc

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

  /// Runs a subcommand; a configuration error is printed and exits with status 78.
  func perform(_ work: (Dependencies, FileAccess) throws -> Void) throws {
    let dependencies = Dependencies.live()
    do { try work(dependencies, .system()) } catch let error as ConfigError {
      Message(dependencies).failure("\(error)")
      throw ExitCode(ExitStatus.configuration.rawValue)
    } catch let error as CommandError {
      Message(dependencies).failure(error.message)
      throw ExitCode(error.status.rawValue)
    }
  }

  func layers(_ dependencies: Dependencies, _ files: FileAccess) throws(ConfigError) -> SettingsLayers {
    try SettingsLayers(
      schema: .program, environment: dependencies.environment, path: config, files: files, user: getuid())
  }

  /// The path of the settings file in effect.
  func path(_ dependencies: Dependencies) throws(CommandError) -> String {
    guard let path = config ?? ConfigFile.path(environment: dependencies.environment) else {
      throw CommandError(
        "cannot find the settings file: HOME is not set. Set HOME, or use --config FILE", .configuration)
    }
    return path
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
    try options.perform { dependencies, files in
      let layers = try options.layers(dependencies, files)
      for note in layers.notes { Message(dependencies).note(note) }
      let rows = layers.report.map { setting in
        [setting.value.map { "\(setting.key) = \($0)" } ?? "# \(setting.key)"]
          + (origin ? ["# \(setting.origin)"] : [])
      }
      try Descriptor.print(ColumnList.lines(rows).map { "\($0)\n" }.joined())
    }
  }
}

/// `riffle config path`.
struct ConfigPath: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "path", abstract: "Print the path of the settings file, which may not exist.")

  @OptionGroup var options: ConfigOptions

  func run() throws {
    try options.perform { dependencies, _ in try Descriptor.print("\(try options.path(dependencies))\n") }
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
    try options.perform { dependencies, files in
      for note in try Configuration(dependencies, file: options.config).notes {
        Message(dependencies).note(note)
      }
      let path = try options.path(dependencies)
      let isThere = (try? files.read(path)) != nil
      try Descriptor.print(isThere ? "\(path): no errors\n" : "\(path): not found, using defaults\n")
    }
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
    try options.perform { dependencies, files in
      let path = try ConfigFile.write(
        ExampleFile(.program), path: options.config, environment: dependencies.environment, files: files)
      try Descriptor.print("\(path)\n")
    }
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
    try options.perform { dependencies, files in
      let path = try options.path(dependencies)
      if (try? files.read(path)) == nil {
        _ = try ConfigFile.write(
          ExampleFile(.program), path: options.config, environment: dependencies.environment, files: files)
      }
      let words = ConfigFile.editor(environment: dependencies.environment) + [path]
      do throws(ChildProgram.Failure) { try ChildProgram.runOnTerminal(words) } catch {
        throw CommandError("\(words[0]) \(error). Set EDITOR to use another editor", .failed)
      }
      _ = try Configuration(dependencies, file: options.config)
    }
  }
}

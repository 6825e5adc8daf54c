import ArgumentParser
import Config
import Glibc

/// `riffle config`: shows, checks and edits the settings.
struct ConfigCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "config", abstract: "Show and edit settings.",
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

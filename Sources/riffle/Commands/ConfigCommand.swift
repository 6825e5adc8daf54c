import ArgumentParser
import Config
import Glibc

struct ConfigCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "config", abstract: "Show and edit settings.",
    discussion: """
        riffle config                    print all settings in effect
        riffle config show --origin      ... and where each was set
        riffle config init               write a commented example, unless the file exists
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
  func perform(_ work: (World, FileAccess) throws -> Void) throws {
    let world = World.live()
    do { try work(world, .system()) } catch let error as ConfigError {
      Message(world).failure("\(error)")
      throw ExitCode(ExitStatus.configuration.rawValue)
    } catch let complaint as Complaint {
      Message(world).failure(complaint.message)
      throw ExitCode(complaint.status.rawValue)
    }
  }

  func layers(_ world: World, _ files: FileAccess) throws(ConfigError) -> SettingsLayers {
    try SettingsLayers(
      schema: .program, environment: world.environment, path: config, files: files, user: getuid())
  }

  /// The path of the settings file in effect.
  func path(_ world: World) throws(Complaint) -> String {
    guard let path = config ?? ConfigFile.path(environment: world.environment) else {
      throw Complaint(
        "cannot find the settings file: HOME is not set. Set HOME, or use --config FILE", .configuration)
    }
    return path
  }
}

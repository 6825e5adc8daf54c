import ArgumentParser
import Config
import Glibc

struct ConfigCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "config", abstract: "The settings: which there are, and what they are.",
    discussion: """
        riffle config                    every setting as it is in effect
        riffle config show --origin      and who says so
        riffle config init               write the commented example, unless a file is there
        riffle config check              what is wrong with the file, if anything
      """,
    subcommands: [ShowConfig.self, ConfigPath.self, CheckConfig.self, InitConfig.self, EditConfig.self],
    defaultSubcommand: ShowConfig.self)
}

/// Options shared by all subcommands.
struct ConfigOptions: ParsableArguments {
  @Option(help: ArgumentHelp("Another file than the user's config.toml.", valueName: "file"))
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
        "HOME is not set, so there is no place for a file; name one with --config", .configuration)
    }
    return path
  }
}

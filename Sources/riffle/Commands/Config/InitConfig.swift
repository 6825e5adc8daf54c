import ArgumentParser
import Config

struct InitConfig: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "init", abstract: "Write the commented example where the settings are read from.",
    discussion: """
      The file is the user's alone (0600). What is there already is never overwritten.
      """)

  @OptionGroup var options: ConfigOptions

  func run() throws {
    try options.perform { world, files in
      let path = try ConfigFile.write(
        ExampleFile(.program), path: options.config, environment: world.environment, files: files)
      try Descriptor.print("\(path)\n")
    }
  }
}

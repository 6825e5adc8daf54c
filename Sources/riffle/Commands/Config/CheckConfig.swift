import ArgumentParser
import Config

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
    try options.perform { world, files in
      for note in try Setup(world, file: options.config).notes { Message(world).note(note) }
      let path = try options.path(world)
      let isThere = (try? files.read(path)) != nil
      try Descriptor.print(isThere ? "\(path): no errors\n" : "\(path): not found, using defaults\n")
    }
  }
}

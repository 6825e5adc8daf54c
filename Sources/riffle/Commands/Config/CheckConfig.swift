import ArgumentParser
import Config

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

import ArgumentParser
import Config

struct CheckConfig: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "What is wrong with a settings file, if anything: all of it, with line and column.",
    discussion: """
        riffle config check
        riffle config check new.toml

      Exit status: 0 nothing is wrong, 78 something is.
      """)

  @OptionGroup var options: ConfigOptions

  @Argument(help: ArgumentHelp("The file to check instead of the user's.", valueName: "file"))
  var file: String?

  func run() throws {
    var options = options
    options.config = file ?? options.config
    try options.perform { world, files in
      for note in try Setup(world, file: options.config).notes { Message(world).note(note) }
      let path = try options.path(world)
      let isThere = (try? files.read(path)) != nil
      try Descriptor.print(isThere ? "\(path): nothing is wrong\n" : "\(path): not there, defaults count\n")
    }
  }
}

import ArgumentParser
import Config

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

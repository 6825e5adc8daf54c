import ArgumentParser

/// `riffle config path`.
struct ConfigPath: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "path", abstract: "Print the path of the settings file, which may not exist.")

  @OptionGroup var options: ConfigOptions

  func run() throws {
    try options.perform { dependencies, _ in try Descriptor.print("\(try options.path(dependencies))\n") }
  }
}

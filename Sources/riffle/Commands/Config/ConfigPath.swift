import ArgumentParser

struct ConfigPath: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "path", abstract: "Where the settings are read from; the file need not exist.")

  @OptionGroup var options: ConfigOptions

  func run() throws {
    try options.perform { world, _ in try Descriptor.print("\(try options.path(world))\n") }
  }
}

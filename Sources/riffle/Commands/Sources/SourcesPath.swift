import ArgumentParser
import Config
import Search

/// `riffle sources path`.
struct SourcesPath: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "path",
    abstract: "Print the path of your source folder, or of one source.",
    discussion: """
        ls "$(riffle sources path)"
        $EDITOR "$(riffle sources path books)"
      """)

  @Argument(
    help: ArgumentHelp("Name of your source.", valueName: "name"),
    completion: Completions.sources)
  var name: String?

  @OptionGroup var options: SourcesOptions

  func run() throws {
    try options.perform { (configuration, _, _) throws(CommandError) in
      guard let folder = configuration.sourcesFolder else {
        throw CommandError(
          "cannot find the source folder: neither HOME nor XDG_CONFIG_HOME is set", .configuration)
      }
      try Descriptor.print(
        "\(try name.map { name throws(CommandError) in try Self.file(name, configuration, folder) } ?? folder)\n"
      )
      return .done
    }
  }

  private static func file(_ name: String, _ configuration: Configuration, _ folder: String)
    throws(CommandError) -> String
  {
    // The path is also printed for a file that does not parse, because that is when it is edited.
    let file = NewSourceFile(folder: folder, name: name)
    if SourceName.isValid(name), file.isTaken { return file.path }
    switch try configuration.entry(name).provenance {
    case .user(let path), .path(let path): return path
    case .builtIn:
      throw CommandError(
        "source \(name) is built in and has no file. To change it, create \(file.path) with id = \"\(name)\"",
        .usage)
    }
  }
}

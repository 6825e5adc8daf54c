import ArgumentParser
import Config
import Search

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
    try options.perform { (setup, _, _) throws(Complaint) in
      guard let folder = setup.sourcesFolder else {
        throw Complaint(
          "cannot find the source folder: neither HOME nor XDG_CONFIG_HOME is set", .configuration)
      }
      try Descriptor.print(
        "\(try name.map { name throws(Complaint) in try Self.file(name, setup, folder) } ?? folder)\n")
      return .done
    }
  }

  private static func file(_ name: String, _ setup: Setup, _ folder: String) throws(Complaint) -> String {
    // The path is also printed for a file that does not parse, because that is when it is edited.
    let file = NewSourceFile(folder: folder, name: name)
    if SourceName.isValid(name), file.isTaken { return file.path }
    switch try setup.entry(name).provenance {
    case .user(let path), .path(let path): return path
    case .builtIn:
      throw Complaint(
        "source \(name) is built in and has no file. To change it, create \(file.path) with id = \"\(name)\"",
        .usage)
    }
  }
}

import ArgumentParser
import Config
import Search

/// `riffle sources add`.
struct AddSource: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "add",
    abstract: "Install a source file and allow it to use its credentials.",
    discussion: """
      Shows each credential the source would send and where, and asks for confirmation. An existing source of the \
      same name is never overwritten.

        riffle sources add mine.toml
        riffle sources add --yes mine.toml
      """)

  @Argument(
    help: ArgumentHelp("TOML file of a source.", valueName: "file"),
    completion: .file(extensions: ["toml"]))
  var file: String

  @Flag(name: [.short, .long], help: "Do not ask for confirmation.")
  var yes = false

  @OptionGroup var options: SourcesOptions

  func run() throws {
    try options.perform { (configuration, dependencies, message) throws(CommandError) in
      let (entry, bytes) = try configuration.entry(file: file)
      let id = entry.source.id
      guard let folder = configuration.sourcesFolder else {
        throw CommandError(
          "cannot find the source folder: neither HOME nor XDG_CONFIG_HOME is set", .configuration)
      }
      if let owner = SourceNaming(configuration: configuration).owner(of: id) {
        throw CommandError("\(owner). Choose another id for \(file)", .usage)
      }
      let copy = NewSourceFile(folder: folder, name: id)
      for use in entry.source.credentialUses { message.plain("source \(id) would send \(use)") }
      if entry.source.credentialUses.isEmpty { message.plain("source \(id) sends no credentials") }
      if !yes {
        guard let isAgreed = Question.isAgreed("Copy it to \(copy.path) and trust it?", dependencies, message)
        else {
          throw CommandError("cannot ask for confirmation without a terminal. Use --yes", .usage)
        }
        guard isAgreed else {
          message.note("nothing written")
          return .done
        }
      }
      try copy.write(bytes)
      message.note("wrote \(copy.path). Try: riffle \(id)")
      if case .untrusted(let reason)? = try? Configuration(dependencies, file: options.config).entry(id).trust
      {
        message.failure("source \(id) cannot use credentials yet: it \(reason)")
        return .configuration
      }
      return .done
    }
  }
}

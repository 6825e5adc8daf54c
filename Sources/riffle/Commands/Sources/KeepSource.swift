import ArgumentParser
import Config
import Search

struct KeepSource: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "add",
    abstract: "Copy a source into your folder, so that it may use its credentials.",
    discussion: """
      Shows each credential it would send and the origin it would go to, and asks. A source of the same name is \
      never overwritten.

        riffle sources add mine.toml
        riffle sources add --yes mine.toml
      """)

  @Argument(
    help: ArgumentHelp("The TOML file of a source.", valueName: "file"),
    completion: .file(extensions: ["toml"]))
  var file: String

  @Flag(name: [.short, .long], help: "Agree without a question.")
  var yes = false

  @OptionGroup var options: SourcesOptions

  func run() throws {
    try options.perform { (setup, world, message) throws(Complaint) in
      let (entry, bytes) = try setup.entry(file: file)
      let id = entry.source.id
      guard let folder = setup.sourcesFolder else {
        throw Complaint(
          "there is no folder for sources: neither HOME nor XDG_CONFIG_HOME is set", .configuration)
      }
      if let owner = SourceNaming(setup: setup).owner(of: id) {
        throw Complaint("\(owner) and is left as it is; give \(file) another id", .usage)
      }
      let copy = NewSourceFile(folder: folder, name: id)
      for use in entry.source.credentialUses { message.plain("source \(id) would send \(use)") }
      if entry.source.credentialUses.isEmpty { message.plain("source \(id) sends no credential") }
      if !yes {
        guard let isAgreed = Question.isAgreed("copy it to \(copy.path) and trust it?", world, message) else {
          throw Complaint("nobody is there to agree; --yes does", .usage)
        }
        guard isAgreed else {
          message.note("nothing was written")
          return .done
        }
      }
      try copy.write(bytes)
      message.note("written to \(copy.path); try: riffle \(id)")
      if case .untrusted(let reason)? = try? Setup(world, file: options.config).entry(id).trust {
        message.failure("it may not use credentials yet: it \(reason)")
        return .configuration
      }
      return .done
    }
  }
}

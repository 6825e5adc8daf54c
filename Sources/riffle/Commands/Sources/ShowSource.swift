import ArgumentParser
import Config

struct ShowSource: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show",
    abstract: "Show a source as it is in effect, as a TOML document.",
    discussion: """
      Everything that is laid over it or extended by it is in there; comments tell where it comes from, and which \
      credentials it may send where. No credential is looked up.

        riffle sources show github
        riffle sources show ./mine.toml
      """)

  @Argument(
    help: ArgumentHelp("A source: its name, an alias, or the path of a TOML file.", valueName: "name"),
    completion: Completions.sources)
  var name: String

  @OptionGroup var options: SourcesOptions

  func run() throws {
    try options.perform { (setup, _, message) throws(Complaint) in
      let entry = try setup.entry(name)
      for note in entry.notes { message.note(note) }
      try Descriptor.print(SourceDescription(entry).text)
      return .done
    }
  }
}

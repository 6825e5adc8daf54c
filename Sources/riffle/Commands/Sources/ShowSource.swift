import ArgumentParser
import Config

/// `riffle sources show`.
struct ShowSource: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show",
    abstract: "Print a source as TOML, with everything that changes it.",
    discussion: """
      The document includes the sources it extends and the settings that override it. Comments show where it comes \
      from and which credentials it may send where. No credential is read.

        riffle sources show github
        riffle sources show ./mine.toml
      """)

  @Argument(
    help: ArgumentHelp("Name or alias of a source, or path of its TOML file.", valueName: "name"),
    completion: Completions.sources)
  var name: String

  @OptionGroup var options: SourcesOptions

  func run() throws {
    try options.perform { (configuration, _, message) throws(CommandError) in
      let entry = try configuration.entry(name)
      for note in entry.notes { message.note(note) }
      try Descriptor.print(SourceDescription(entry).text)
      return .done
    }
  }
}
